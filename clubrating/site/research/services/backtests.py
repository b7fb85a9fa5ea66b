"""Background back-tests of a list: the list's own rules, the lab's systems and a coin, on the list's own games.

`answer_backtest` answers the question "how well do our ratings predict?" in a background job. `ask_backtests` asks it
every day for the lists whose facts have changed, so that the page has an answer before somebody opens it.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.site.research.selectors import (
    BACKTEST,
    CLUB,
    FEWEST_GAMES,
    MOST_GAMES,
    backtest_question,
    club_history,
    has_enough_games,
    the_coin,
)
from players.jobs.services import ask, job_of
from players.models import Job
from players.refusals import Refused
from ratings.lab.backtest import BackTest, backtest, report
from ratings.lab.measures import Entrant, History, NeedsAnswer
from ratings.lists.selectors.lists import public_lists
from ratings.models import RatingList
from tournaments.forecast.outlook import Tell


def answer_backtest(job: Job, tell: Tell) -> dict[str, Any]:
    """The report of `ratings.lab.backtest` on the last MOST_GAMES games of the list the job is about, and `whole`:
    whether these are all. Raises Refused for too few games."""
    rating_list = list_of(job)
    if not has_enough_games(rating_list):
        words = _("Too few rated games to judge by: there must be at least %(count)s.")
        raise Refused(words % {"count": FEWEST_GAMES})
    found = club_history(rating_list, most=MOST_GAMES)
    return {**report(tried(found.history, (*found.entrants, the_coin()), CLUB, tell)), "whole": found.whole}


def list_of(job: Job) -> RatingList:
    """The list a job is about. Raises Refused where it is gone."""
    found = RatingList.objects.filter(pk=job.subject_key or 0).first()
    if found is None:
        raise Refused(_("The list was deleted meanwhile."))
    return found


def tried(history: History, entrants: Sequence[Entrant], baseline: str, tell: Tell) -> BackTest:
    """The back-test; `tell` is called before each system."""
    lines = [_telling(each, at, len(entrants), tell) for at, each in enumerate(entrants)]
    return backtest(history, lines, baseline)


def _telling(each: Entrant, at: int, of: int, tell: Tell) -> Entrant:
    def found(history: History, first: int) -> NeedsAnswer:
        tell(at, of)
        return each.tell(history, first)

    return replace(each, tell=found)


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
