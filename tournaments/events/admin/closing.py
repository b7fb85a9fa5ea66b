"""Closing an event, and opening it again: shown first, then done; and the same for several of the list at once."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from clubrating.web.admin import officer
from players.refusals import Refused, listed
from tournaments.corrections.admin.starting_ratings import late_starts_shown
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.events.admin.hub import parts_of
from tournaments.events.services.closing import close_event, look_at_closing, preview_closing, reopen_event
from tournaments.models import SecondReading, Tournament
from tournaments.rated_games.selectors.late_starts import late_starts
from tournaments.undo.admin.undo import success_with_undo

MOST_SHOWN = 20  # further movers are counted
MOST_AT_ONCE = 50  # as many as a page of the list has


@dataclass(frozen=True, slots=True)
class Fate:
    """What would become of one event of several; `problem` says why nothing, `note` what one should know before."""

    tournament: Tournament
    problem: str
    note: str = ""


def close(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """Shows first; opens or closes, as the form says, so that two who ask for the same do not undo each other."""
    tournament = tournament_for(model_admin, request, key)
    problem = ""
    if request.method == "POST":
        try:
            if request.POST.get("do") == "open":
                reopen_event(tournament, by=officer(request))
                done = _("“%(name)s” is open again.")
            else:
                close_event(tournament, by=officer(request), seen=request.POST.get("seen"))
                done = _("“%(name)s” is closed, its final standings are published.")
            success_with_undo(request, tournament, done % {"name": tournament.name}, "event.closed")
        except Refused as refusal:
            problem = str(refusal)
            tournament.refresh_from_db()
        else:
            return redirect("admin:tournaments_tournament_change", tournament.pk)
    if tournament.open_ended:
        problem = problem or _("“%(name)s” has no end: its games count as they are played.") % {"name": tournament.name}
        return page(model_admin, request, "close", tournament, status=409, title=_("Close the event"), problem=problem)
    title = _("Open the event again") if tournament.closed else _("Close the event")
    context: dict[str, Any] = {"title": title, "problem": problem, **_shown(request, tournament)}
    return page(model_admin, request, "close", tournament, status=409 if problem else 200, **context)


def _shown(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    closing = preview_closing(tournament, by=officer(request))
    shown: dict[str, Any] = {
        **late_starts_shown(request, tournament),
        "closing": closing,
        "lists": [(row, row.shown[:MOST_SHOWN], len(row.shown[MOST_SHOWN:])) for row in closing.lists or ()],
        "asks_another": tournament.second_reading == SecondReading.ANOTHER,
    }
    if not tournament.closed:  # the standings as they will be published
        shown["parts"] = parts_of(tournament)
    return shown


# --- several at once --------------------------------------------------------------------------------------------------
def act_on_several(
    model_admin: ModelAdmin, request: HttpRequest, chosen: QuerySet[Tournament], action: str
) -> HttpResponse | None:
    """The bulk actions "close" and "reopen": what each event would do, then done for those that may."""
    fate_of = _closable if action == "close" else _openable
    fates = [
        fate_of(row) if model_admin.has_change_permission(request, row) else Fate(row, _("run by others"))
        for row in chosen.order_by("pk")[:MOST_AT_ONCE]
    ]
    ready = [fate for fate in fates if not fate.problem]
    if request.POST.get("apply"):
        _do(request, action, [fate.tournament for fate in ready])
        return None
    title = _("Close events") if action == "close" else _("Open events again")
    return page(model_admin, request, "close_several", None, title=title, action=action, fates=fates, ready=ready)


def _closable(tournament: Tournament) -> Fate:
    if tournament.closed:
        return Fate(tournament, _("closed already"))
    try:
        still_open, short = look_at_closing(tournament)
    except Refused:
        return Fate(tournament, _("open-ended: its games count as they are played"))
    late = map(str, late_starts(tournament))
    return Fate(tournament, listed(still_open), " · ".join(filter(None, (short, *late))))


def _openable(tournament: Tournament) -> Fate:
    return Fate(tournament, "" if tournament.closed else _("open already"))


def _do(request: HttpRequest, action: str, tournaments: Iterable[Tournament]) -> None:
    """Each in a transaction of its own: one that is refused meanwhile holds up no other."""
    for tournament in tournaments:
        try:
            if action == "close":
                close_event(tournament, by=officer(request))
                done = _("“%(name)s” is closed.")
            else:
                reopen_event(tournament, by=officer(request))
                done = _("“%(name)s” is open again.")
        except Refused as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, done % {"name": tournament.name})
