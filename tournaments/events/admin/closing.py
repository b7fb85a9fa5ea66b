"""The end of an event, and its opening again: a page that shows what it would do, with one button; and the same for
several events of the list at once."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from clubrating.web.admin import officer
from players.privacy.rules import OFFICER
from players.refusals import Refused
from tournaments.corrections.services.corrections import ListPreview, PlayerMove
from tournaments.event_pages.selectors.lots import lots_of
from tournaments.event_pages.views.sections import Section, sections_of, side_by_side
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.events.selectors.events import facts_of, stages_at
from tournaments.events.selectors.standings import rating_changes
from tournaments.events.services.closing import Closing, close_event, look_at_closing, preview_closing, reopen_event
from tournaments.models import SecondReading, Tournament
from tournaments.undo.admin import tell

MOST_SHOWN = 20  # further movers are counted
MOST_AT_ONCE = 50  # as many as a page of the list has


@dataclass(frozen=True, slots=True)
class Fate:
    """What would become of one event of several; `problem` says why nothing, `note` what one should know before."""

    tournament: Tournament
    problem: str
    note: str = ""


def close(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """Shows first; closes an open event and opens a closed one. What was asked for travels with the form, so that two
    who ask for the same do not undo each other."""
    tournament = tournament_for(model_admin, request, key)
    problem = ""
    if request.method == "POST":
        try:
            tell(request, tournament, _carry_out(request, tournament), "event.closed")
        except Refused as refusal:
            problem = str(refusal)
            tournament.refresh_from_db()
        else:
            return redirect(reverse("admin:tournaments_tournament_change", args=[tournament.pk]))
    if tournament.open_ended:
        problem = problem or _("“%(name)s” has no end: its games count as they are played.") % {"name": tournament.name}
        return page(model_admin, request, "close", tournament, status=409, title=_("Close the event"), problem=problem)
    title = _("Open the event again") if tournament.closed else _("Close the event")
    context: dict[str, Any] = {"title": title, "problem": problem, **_shown(request, tournament)}
    return page(model_admin, request, "close", tournament, status=409 if problem else 200, **context)


def _carry_out(request: HttpRequest, tournament: Tournament) -> str:
    """Close or open; the sentence for it. Raises Refused, Stale."""
    if request.POST.get("do") == "open":
        reopen_event(tournament, by=officer(request))
        return _("“%(name)s” is open again.") % {"name": tournament.name}
    close_event(tournament, by=officer(request), seen=request.POST.get("seen"))
    return _("“%(name)s” is closed, its final standings are published.") % {"name": tournament.name}


def _shown(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    closing = preview_closing(tournament, by=officer(request))
    return {
        "closing": closing,
        "lists": _lists(closing),
        "asks_another": tournament.second_reading == SecondReading.ANOTHER,
        "parts": [] if tournament.closed else side_by_side(_standings(tournament)),
    }


def _lists(closing: Closing) -> list[tuple[ListPreview, list[PlayerMove], int]]:
    """Each list with those who move most, and how many more there are."""
    lists = closing.lists or ()
    return [(row, row.shown[:MOST_SHOWN], len(row.shown[MOST_SHOWN:])) for row in lists]


def _standings(tournament: Tournament) -> list[Section]:
    """As they will be published."""
    stages = stages_at(tournament.slug)
    facts = facts_of(stages, OFFICER)
    made = sections_of(facts, rating_changes(facts[0]), lots_of(stages, facts), OFFICER)
    return [row for row in made if row.facts.rounds]


# --- several at once --------------------------------------------------------------------------------------------------
def close_several(model_admin: ModelAdmin, request: HttpRequest, chosen: QuerySet[Tournament]) -> HttpResponse | None:
    """The bulk action: what each event would do, then the deed for those that may."""
    return _several(model_admin, request, chosen, "close", _closable, close_event)


def reopen_several(model_admin: ModelAdmin, request: HttpRequest, chosen: QuerySet[Tournament]) -> HttpResponse | None:
    return _several(model_admin, request, chosen, "reopen", _openable, reopen_event)


def _several(
    model_admin: ModelAdmin,
    request: HttpRequest,
    chosen: QuerySet[Tournament],
    action: str,
    fate_of: Callable[[Tournament], Fate],
    service: Callable[..., None],
) -> HttpResponse | None:
    fates = [_fate(model_admin, request, row, fate_of) for row in chosen.order_by("pk")[:MOST_AT_ONCE]]
    if request.POST.get("apply"):
        _do(request, (fate.tournament for fate in fates if not fate.problem), service)
        return None
    titles = {"close": _("Close events"), "reopen": _("Open events again")}
    context = {
        **model_admin.admin_site.each_context(request),
        "title": titles[action],
        "action": action,
        "fates": fates,
        "ready": [fate for fate in fates if not fate.problem],
    }
    return TemplateResponse(request, "admin/tournaments/tournament/close_several.html", context)


def _fate(
    model_admin: ModelAdmin, request: HttpRequest, tournament: Tournament, fate_of: Callable[[Tournament], Fate]
) -> Fate:
    if not model_admin.has_change_permission(request, tournament):
        return Fate(tournament, _("run by others"))
    return fate_of(tournament)


def _closable(tournament: Tournament) -> Fate:
    if tournament.closed:
        return Fate(tournament, _("closed already"))
    try:
        still_open, short = look_at_closing(tournament)
    except Refused:
        return Fate(tournament, _("open-ended: its games count as they are played"))
    return Fate(tournament, ", ".join(still_open), short)


def _openable(tournament: Tournament) -> Fate:
    return Fate(tournament, "" if tournament.closed else _("open already"))


def _do(request: HttpRequest, tournaments: Iterable[Tournament], service: Callable[..., None]) -> None:
    """Each in a transaction of its own: one that is refused meanwhile holds up no other."""
    done = {close_event: _("“%(name)s” is closed."), reopen_event: _("“%(name)s” is open again.")}
    for tournament in tournaments:
        try:
            service(tournament, by=officer(request))
        except Refused as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, done[service] % {"name": tournament.name})
