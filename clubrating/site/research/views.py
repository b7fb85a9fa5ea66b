"""The back-test's page (how well do the club's rules, and others, predict the club's own games?) and the committee's
proposals (what would change under another system or another K?). Answers are worked out in the background.

A back-test is asked for by `manage.py daily` when results have come, or on its page, which shows the previous answer
with its date until the new one is ready.

Proposals are asked for by whoever may change rating lists: each takes minutes of the computer. An answered one may be
read by whoever may read the list: it says nothing that does not follow from public results and public rules, every name
is shown as the reader may see it, and members should see what their committee decides upon. One that is not answered
yet, or is about a list that is not public, is for officers only.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache

from clubrating.site.research.backtested import BackTested, system_name
from clubrating.site.research.forms import ProposalForm, adoptions_of
from clubrating.site.research.proposed import Found, Proposal
from clubrating.site.research.selectors import (
    BACKTEST,
    CLUB,
    FEWEST_GAMES,
    PROPOSAL,
    backtest_question,
    games_up_to_enough,
    proposal_question,
    proposals_of,
)
from clubrating.site.research.tables import MoversTable, SystemsTable, difference_text, verdict_words, worths_table
from clubrating.web.admin import officer
from clubrating.web.formatting import decimals
from clubrating.web.questions import Asked, ask_from, asked, keep_looking
from clubrating.web.requests import ClubRequest
from players.jobs.services import Question, answer_of, ask, last_answered
from players.models import Job
from players.privacy.rules import OFFICER
from ratings.lab_pages.views.lab import csv_text, drawing_file, text_file
from ratings.lists.selectors.lists import main_of, public_lists
from ratings.models import RatingList, RatingListRule

# --- the back-test ----------------------------------------------------------------------------------------------------
COMPARED = ("system", "log_loss", "brier", "difference", "low", "high", "verdict")
CALIBRATED = ("expected", "score", "low", "high", "games")


def backtest(request: ClubRequest) -> HttpResponse:
    """The page of a list, `?list=` for another than the main one, `?system=` for another system's calibration; POST
    asks the question."""
    lists = _lists_for(request)
    found = _asked_list(request, lists)
    if found is None:
        return render(request, "lab/backtest.html", {"lists": [], "list": None})
    address = f"{reverse('lab:backtest')}?{urlencode({'list': found.slug})}"
    if request.method == "POST":
        return ask_from(request, backtest_question(found), address)
    question = asked(backtest_question(found))
    known = _answered(found, question)
    context = {
        "lists": lists,
        "list": found,
        "asked": question,
        "ask_to": address,
        "found": known,
        "is_present": question.answer is not None,
        "games": None if known else games_up_to_enough(found),
        "fewest": FEWEST_GAMES,
    }
    if known:
        system = _asked_system(request, known)
        context |= {
            "systems": SystemsTable(known.systems),
            "names": {each.key: system_name(each.key) for each in known.systems},
            "system": system,
            "calibration": known.plot(system),
            "values": known.values,
        }
    return keep_looking(render(request, "lab/backtest.html", context), question)


def _lists_for(request: ClubRequest) -> list[RatingList]:
    """The lists this viewer may read about."""
    return list(RatingList.objects.all()) if request.viewer == OFFICER else public_lists()


def _asked_list(request: HttpRequest, lists: Sequence[RatingList]) -> RatingList | None:
    """The list of the address, else the main one; None where there is none. Raises Http404 for one there is not."""
    slug = request.GET.get("list")
    if slug is None:
        return main_of(lists)
    found = next((row for row in lists if row.slug == slug), None)
    if found is None:
        raise Http404
    return found


def _answered(rating_list: RatingList, question: Asked) -> BackTested | None:
    """The answer on today's facts; else the last one there was."""
    job, answer = question.job, question.answer
    if answer is None:
        job = last_answered(BACKTEST, rating_list.pk)
        answer = answer_of(job)
    if job is None or answer is None or job.finished_at is None:
        return None
    return BackTested(answer, job.finished_at)


def _asked_system(request: HttpRequest, found: BackTested) -> str:
    system = request.GET.get("system", CLUB)
    if system not in found.values["systems"]:
        raise Http404
    return system


@never_cache
def backtest_file(request: ClubRequest, what: str, kind: str) -> HttpResponse:
    """The table of systems, or a system's calibration, to take along."""
    found = _asked_list(request, _lists_for(request))
    known = _answered(found, asked(backtest_question(found))) if found else None
    if found is None or known is None:
        raise Http404
    if what == "systems":
        lines = [(row.key, row.log_loss, row.brier, row.mean, row.low, row.high, row.verdict) for row in known.systems]
        return text_file(csv_text(COMPARED, lines), f"backtest-{found.slug}", kind)
    system = _asked_system(request, known)
    if kind == "svg":
        text: str = render_to_string("lab/calibration.svg", {"plot": known.plot(system)})
    else:
        bins = [each for each in known.values["systems"][system]["calibration"] if each["games"]]
        rows = [(each["expected"], each["score"], *each["interval"], each["games"]) for each in bins]
        text = csv_text(CALIBRATED, rows)
    return text_file(text, f"backtest-{found.slug}-{system}", kind)


# --- proposals --------------------------------------------------------------------------------------------------------
SHOWN = 20


def _may_propose(request: HttpRequest) -> bool:
    return bool(request.user.has_perm("ratings.change_ratinglist"))


@never_cache
def proposals(request: ClubRequest) -> HttpResponse:
    """The proposals there are; for officers the form that makes one."""
    lists, may = _lists_for(request), _may_propose(request)
    form = _form(request, lists) if may and lists else None
    if request.method == "POST":
        if form is None:
            raise PermissionDenied
        if form.is_valid():
            since = form.cleaned_data["since"]
            question = proposal_question(form.rating_list, form.system, form.rule_settings, since)
            return redirect("lab:proposed", pk=ask(question, by=officer(request)).pk)
    by_key = {row.pk: row for row in lists}
    found = [Proposal(job, by_key[job.subject_key or 0]) for job in proposals_of(lists, SHOWN, done=not may)]
    return render(request, "lab/proposals.html", {"form": form, "proposals": found, "lists": lists})


def _form(request: HttpRequest, lists: list[RatingList]) -> ProposalForm:
    chosen = _asked_list(request, lists)
    days = defaultdict(set)
    for key, day in RatingListRule.objects.filter(rating_list__in=lists).values_list("rating_list", "valid_from"):
        days[key].add(day)
    a_year_ago = timezone.localdate() - timedelta(days=365)
    initial = {"list": chosen.slug if chosen else None, "since": a_year_ago}
    return ProposalForm(request.POST or None, lists=lists, rule_days=days, initial=initial)


@never_cache
def proposal(request: ClubRequest, pk: int) -> HttpResponse:
    """One proposal; POST works it out anew on today's results."""
    found, may = _found(request, pk), _may_propose(request)
    payload = found.job.payload
    now = proposal_question(found.rating_list, payload["system"], payload["settings"], found.since)
    if request.method == "POST":
        if not may:
            raise PermissionDenied
        return redirect("lab:proposed", pk=ask(now, by=officer(request)).pk)
    question = Asked(Question(PROPOSAL), found.job, answer_of(found.job))
    known = None if question.answer is None else Found(question.answer)
    context = {
        "proposal": found,
        "asked": question,
        "found": known,
        "may_propose": may,
        "is_present": now.key == found.job.question,
        **(_shown(found, known, may=may) if known else {}),
    }
    return keep_looking(render(request, "lab/proposal.html", context), question)


def _found(request: ClubRequest, pk: int) -> Proposal:
    """The proposal, where this reader may see it. Raises Http404."""
    job = get_object_or_404(Job, pk=pk, kind=PROPOSAL)
    rating_list = next((row for row in _lists_for(request) if row.pk == job.subject_key), None)
    if rating_list is None or (job.state != Job.State.DONE and not _may_propose(request)):
        raise Http404
    found = Proposal(job, rating_list)
    try:
        found.rule  # noqa: B018 - of a system that is no more there is nothing to show
    except (KeyError, ValueError):
        raise Http404 from None
    return found


def _shown(found: Proposal, known: Found, *, may: bool) -> dict[str, object]:
    tried = known.predicts
    adoptions = adoptions_of(found.rating_list, found.rules, found.job.payload, timezone.localdate()) if may else []
    return {
        "values": known.values,
        "movers": MoversTable(known.movers, rating_list=found.rating_list),
        "mean_move": decimals(known.values["mean_move"], 1),
        "worths": worths_table(known.values["worths"]),
        "drift": known.drift,
        "tried": tried,
        "difference": difference_text(tried) if tried else "",
        "verdict": verdict_words(tried) if tried else "",
        "adoptions": adoptions,
    }


@never_cache
def drift_file(request: ClubRequest, pk: int, kind: str) -> HttpResponse:
    """The drift under both rules as an SVG drawing or as CSV."""
    answer = answer_of(_found(request, pk).job)
    drift = Found(answer).drift if answer is not None else None
    if drift is None:
        raise Http404
    return drawing_file(drift, f"proposal-{pk}-drift", kind)
