"""Questions that are asked of themselves: what a page should have an answer to before somebody comes."""

from datetime import date

from django.utils import timezone

from players.models import Job
from players.jobs.services import job_of
from ratings.lists.selectors.lists import public_lists
from clubrating.site.research.selectors import BACKTEST, backtest_question, has_enough_games
from players.jobs.services import ask


def ask_backtests(today: date) -> int:
    """Have every public list's back-test worked out anew where its facts moved, at most once a day each; how many."""
    asked = 0
    for rating_list in public_lists():
        question = backtest_question(rating_list)
        if _asked_on(rating_list.pk) == today or job_of(question) is not None or not has_enough_games(rating_list):
            continue
        ask(question)
        asked += 1
    return asked


def _asked_on(list_key: int) -> date | None:
    """The day a list's back-test was last asked for, by whomever."""
    jobs = Job.objects.filter(kind=BACKTEST, subject_key=list_key).order_by("-pk")
    last = jobs.values_list("requested_at", flat=True).first()
    return None if last is None else timezone.localdate(last)
