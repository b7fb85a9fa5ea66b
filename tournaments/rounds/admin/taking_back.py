"""Rounds taken back while nothing was played in them: out of sight, one deleted, all of a stage deleted. Each asks
first, and can be undone (`undo`).
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from clubrating.web.admin import officer
from players.refusals import Refused
from players.trail.services import PAIRING_REASONS
from tournaments.corrections.admin.preview import ReasonForm
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.events.selectors.stages import played_stages
from tournaments.models import Stage, Tournament
from tournaments.rounds.admin.rounds import asked_stage, round_for
from tournaments.rounds.services.rounds import delete_round, delete_rounds, unpublish_round
from tournaments.undo.admin.undo import success_with_undo


class PairingReasonForm(ReasonForm):
    """Why a round is taken back; a draft nobody saw needs no reason."""

    reasons = PAIRING_REASONS

    def __init__(self, *args: Any, needed: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = needed
        self.fields["reason"].help_text = _("Kept in the audit trail.")


def delete_all(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """All rounds of a stage. Asks first; refused once a result is recorded."""
    tournament = tournament_for(model_admin, request, key)
    stages = played_stages(tournament)
    stage = asked_stage(request, stages)
    form = PairingReasonForm(request.POST if request.method == "POST" else None, needed=False)
    if not form.is_valid():
        context: dict[str, Any] = {
            "title": _("Delete the rounds"),
            "standfirst": _what_goes(tournament, stage, several=len(stages) > 1),
            "yes": _("Yes, delete the rounds"),
            "no": _("No, keep them"),
            "deletes": True,
            "of_stage": stage,
        }
        return page(model_admin, request, "sure", tournament, form=form, **context)
    try:
        delete_rounds(stage, by=officer(request), **form.cleaned_data)
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        success_with_undo(request, tournament, _("The rounds are deleted. Entries and numbers stay."), "rounds.deleted")
    return _to_rounds(tournament)


def delete_one(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """A draft made one by one. Asks first."""
    row, tournament = round_for(model_admin, request, key)
    form = PairingReasonForm(request.POST if request.method == "POST" else None, needed=False)
    if not form.is_valid():
        context: dict[str, Any] = {
            "title": _("Delete the draft of round %(number)s") % {"number": row.number},
            "standfirst": _("The boards of this draft go, those set by hand too. The round can then be made anew."),
            "yes": _("Yes, delete the draft"),
            "no": _("No, keep it"),
            "deletes": True,
        }
        return page(model_admin, request, "sure", tournament, round=row, form=form, **context)
    try:
        delete_round(row.pk, by=officer(request), **form.cleaned_data)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return _to_rounds(tournament)
    success_with_undo(request, tournament, _("The draft is deleted: make the round anew."), "round.deleted")
    return redirect(reverse("admin:tournaments_tournament_next_round", args=[row.stage_id]))


def unpublish(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """Out of sight again, with a reason; refused once a result is recorded."""
    row, tournament = round_for(model_admin, request, key)
    form = PairingReasonForm(request.POST if request.method == "POST" else None, needed=True)
    context = {
        "title": _("Take round %(number)s out of sight") % {"number": row.number},
        "standfirst": _(
            "The round becomes a draft again: only officers see it, and it can be changed or deleted. Tell those who"
            " have read it. Refused once a result is recorded."
        ),
        "yes": _("Take it out of sight"),
        "no": _("Leave it published"),
        "round": row,
    }
    done = _("Round %(number)s is a draft again: only officers see it.") % {"number": row.number}
    carry_out = partial(unpublish_round, row.pk)
    return ask_first(model_admin, request, tournament, form, carry_out, (done, "round.unpublished"), **context)


def ask_first(
    model_admin: ModelAdmin,
    request: HttpRequest,
    tournament: Tournament,
    form: forms.Form,
    carry_out: Callable[..., object],
    done: tuple[str, str],
    **context: Any,
) -> HttpResponse:
    """The page that asks before something is taken back, with the `form` for the reason. Posted to, it carries that
    out and says it is `done` (the sentence, and the action of the audit trail); 409 where it is refused."""
    problem = ""
    if request.method == "POST" and form.is_valid():
        try:
            carry_out(by=officer(request), **form.cleaned_data)
        except Refused as refusal:
            problem = str(refusal)
        else:
            success_with_undo(request, tournament, *done)
            return _to_rounds(tournament)
    status = 409 if problem else 200
    return page(model_admin, request, "sure", tournament, status=status, form=form, problem=problem, **context)


def _what_goes(tournament: Tournament, stage: Stage, *, several: bool) -> str:
    if not several:
        words = _(
            "All rounds of “%(name)s” and their pairings go. Entries and numbers stay, and the rounds can be made anew."
            " Refused once a result is recorded."
        )
        return words % {"name": tournament.name}
    words = _(
        "The %(count)s rounds of “%(stage)s” (%(name)s) and their pairings go. Entries and numbers stay, and the rounds"
        " can be made anew. Refused once a result is recorded."
    )
    return words % {"count": stage.rounds.count(), "stage": stage, "name": tournament.name}


def _to_rounds(tournament: Tournament) -> HttpResponse:
    return redirect(reverse("admin:tournaments_tournament_rounds", args=[tournament.pk]))
