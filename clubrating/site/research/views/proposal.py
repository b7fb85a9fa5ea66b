"""The committee's proposals: what would change under another system or another K, worked out in the background.

Only whoever may change rating lists asks: each answer takes minutes of the computer, and stands here as a proposal of
the club's officers. An answered one may be read by whoever may read the list: it says nothing that does not follow
from public results and public rules, every name is shown as the reader may see it, and members should see what their
committee decides upon. One that is not answered yet is the officers' own business, and so is one for a list that is
not public.
"""

from datetime import date, timedelta

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from clubrating.site.research.forms import Adoption, ProposalForm, adoptions_of
from clubrating.site.research.proposed import Found, Proposal
from clubrating.site.research.selectors import PROPOSAL, proposal_question, proposals_of
from clubrating.site.research.tables import MoversTable, difference_text, verdict_words, worths_table
from clubrating.site.research.views.backtest import asked_list, lists_for
from clubrating.web.admin import officer
from clubrating.web.formatting import decimals
from clubrating.web.questions import Asked, keep_looking
from clubrating.web.requests import ClubRequest
from players.jobs.services import Question, answer_of, ask
from players.models import Job
from ratings.lab_pages.charts import Drawing
from ratings.lab_pages.views.lab import drawing_file
from ratings.models import RatingList

SHOWN = 20


def may_propose(request: HttpRequest) -> bool:
    """Whether the reader may change the rules of rating lists."""
    return bool(request.user.has_perm("ratings.change_ratinglist"))


@never_cache
def proposals(request: ClubRequest) -> HttpResponse:
    """The proposals there are; for officers the form that makes one."""
    lists, may = lists_for(request), may_propose(request)
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
    chosen = asked_list(request, lists)
    rows = RatingList.objects.filter(pk__in=[row.pk for row in lists]).values_list("pk", "rules__valid_from")
    days: dict[int, set[date]] = {}
    for key, day in rows:
        if day is not None:
            days.setdefault(key, set()).add(day)
    a_year_ago = timezone.localdate() - timedelta(days=365)
    return ProposalForm(
        request.POST or None,
        lists=lists,
        rule_days=days,
        initial={"list": chosen.slug if chosen else None, "since": a_year_ago},
    )


@never_cache
def proposal(request: ClubRequest, pk: int) -> HttpResponse:
    """One proposal; POST works it out anew on today's results."""
    found, may = _found(request, pk), may_propose(request)
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
        "told": known,
        "may_propose": may,
        "is_present": now.key == found.job.question,
        **(_shown(request, found, known, may=may) if known else {}),
    }
    return keep_looking(render(request, "lab/proposal.html", context), question)


def _found(request: ClubRequest, pk: int) -> Proposal:
    """The proposal, where this reader may see it. Raises Http404."""
    job = get_object_or_404(Job, pk=pk, kind=PROPOSAL)
    rating_list = next((row for row in lists_for(request) if row.pk == job.subject_key), None)
    if rating_list is None or (job.state != Job.State.DONE and not may_propose(request)):
        raise Http404
    found = Proposal(job, rating_list)
    try:
        found.rule  # noqa: B018 - of a system that is no more there is nothing to show
    except (KeyError, ValueError):
        raise Http404 from None
    return found


def _shown(request: ClubRequest, found: Proposal, known: Found, *, may: bool) -> dict[str, object]:
    tried = known.predicts
    return {
        "values": known.values,
        "movers": MoversTable(known.movers, rating_list=found.rating_list, viewer=request.viewer),
        "mean_move": decimals(known.values["mean_move"], 1),
        "worths": worths_table(known.values["worths"]),
        "drift": known.drift,
        "tried": tried,
        "difference": difference_text(tried) if tried else "",
        "verdict": verdict_words(tried) if tried else "",
        "adoptions": _adoptions(found) if may else [],
    }


def _adoptions(found: Proposal) -> list[Adoption]:
    return adoptions_of(found.rating_list, found.rules, found.job.payload, timezone.localdate())


@never_cache
def drift_file(request: ClubRequest, pk: int, kind: str) -> HttpResponse:
    """The drift under both rules as an SVG drawing or as CSV."""
    answer = answer_of(_found(request, pk).job)
    drift: Drawing | None = Found(answer).drift if answer is not None else None
    if drift is None:
        raise Http404
    return drawing_file(drift, f"proposal-{pk}-drift", kind)
