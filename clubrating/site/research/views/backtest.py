"""The back-test's page: how well do the club's rules, and others, predict the club's own games?

The question is asked by `manage.py daily` when results have come, or here; its answer is worked out in the background.
Until it is ready, the page shows the previous answer with its date.
"""

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache

from clubrating.site.research.backtested import HEAD, BackTested, rows_of, system_name
from clubrating.site.research.selectors import (
    BACKTEST,
    CLUB,
    FEWEST_GAMES,
    backtest_question,
    games_up_to_enough,
)
from clubrating.site.research.tables import SystemsTable
from clubrating.web.questions import Asked, ask_from, asked, keep_looking
from clubrating.web.requests import ClubRequest
from players.jobs.services import answer_of, last_answered
from players.privacy.rules import OFFICER
from ratings.lab_pages.views.lab import csv_text, text_file
from ratings.lists.selectors.lists import main_of, public_lists
from ratings.models import RatingList

CALIBRATED = ("expected", "score", "low", "high", "games")


def backtest(request: ClubRequest) -> HttpResponse:
    """The page of a list, `?list=` for another than the main one, `?system=` for another system's calibration; POST
    asks the question."""
    lists = lists_for(request)
    found = asked_list(request, lists)
    if found is None:
        return render(request, "lab/backtest.html", {"lists": [], "list": None})
    address = f"{reverse('lab:backtest')}?{urlencode({'list': found.slug})}"
    if request.method == "POST":
        return ask_from(request, backtest_question(found), address)
    question = asked(backtest_question(found))
    known = _told(found, question)
    context = {
        "lists": lists,
        "list": found,
        "asked": question,
        "ask_to": address,
        "told": known,
        "is_present": question.answer is not None,
        "games": None if known else games_up_to_enough(found),
        "fewest": FEWEST_GAMES,
        **(_shown(request, known) if known else {}),
    }
    return keep_looking(render(request, "lab/backtest.html", context), question)


def lists_for(request: ClubRequest) -> list[RatingList]:
    """The lists this viewer may read about."""
    return list(RatingList.objects.all()) if request.viewer == OFFICER else public_lists()


def asked_list(request: HttpRequest, lists: Sequence[RatingList]) -> RatingList | None:
    """The list of the address, else the main one; None where there is none. Raises Http404 for one there is not."""
    slug = request.GET.get("list")
    if slug is None:
        return main_of(lists)
    found = next((row for row in lists if row.slug == slug), None)
    if found is None:
        raise Http404
    return found


def _told(rating_list: RatingList, question: Asked) -> BackTested | None:
    """The answer on today's facts; else the last one there was."""
    job, answer = question.job, question.answer
    if answer is None:
        job = last_answered(BACKTEST, rating_list.pk)
        answer = answer_of(job)
    if job is None or answer is None or job.finished_at is None:
        return None
    return BackTested(answer, job.finished_at)


def _shown(request: HttpRequest, found: BackTested) -> dict[str, object]:
    system = _asked_system(request, found)
    return {
        "systems": SystemsTable(found.systems),
        "names": {each.key: system_name(each.key) for each in found.systems},
        "system": system,
        "calibration": found.plot(system),
        "values": found.values,
    }


def _asked_system(request: HttpRequest, found: BackTested) -> str:
    system = request.GET.get("system", CLUB)
    if system not in found.values["systems"]:
        raise Http404
    return system


@never_cache
def backtest_file(request: ClubRequest, what: str, kind: str) -> HttpResponse:
    """The table of systems, or a system's calibration, to take along."""
    found = asked_list(request, lists_for(request))
    known = _told(found, asked(backtest_question(found))) if found else None
    if found is None or known is None:
        raise Http404
    if what == "systems":
        return text_file(csv_text(HEAD, rows_of(known)), f"backtest-{found.slug}", kind)
    system = _asked_system(request, known)
    if kind == "svg":
        text: str = render_to_string("lab/calibration.svg", {"plot": known.plot(system)})
    else:
        bins = [each for each in known.values["systems"][system]["calibration"] if each["games"]]
        rows = [(each["expected"], each["score"], *each["interval"], each["games"]) for each in bins]
        text = csv_text(CALIBRATED, rows)
    return text_file(text, f"backtest-{found.slug}-{system}", kind)
