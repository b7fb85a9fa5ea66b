"""What the pages of one tournament share: who may open them, and their template."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from players.people.selectors import with_names
from tournaments.events.selectors.officers import may_correct, may_enter
from tournaments.models import Game, Tournament
from tournaments.teams.selectors.facts import is_team_event


def tournament_for(model_admin: ModelAdmin, request: HttpRequest, key: int) -> Tournament:
    """The tournament of that key, for somebody who may change it. Raises PermissionDenied or Http404."""
    tournament = get_object_or_404(Tournament, pk=key)
    if not model_admin.has_change_permission(request, tournament):
        raise PermissionDenied
    return tournament


def open_event_for(model_admin: ModelAdmin, request: HttpRequest, key: int) -> Tournament:
    """The same, for a page of events without rounds. Raises Http404 for another."""
    tournament = tournament_for(model_admin, request, key)
    if not tournament.open_ended:
        raise Http404
    return tournament


def tournament_to_enter(request: HttpRequest, key: int) -> Tournament:
    """The same for somebody who enters its results and who has come. Raises PermissionDenied or Http404."""
    tournament = get_object_or_404(Tournament, pk=key)
    check_may_enter(request, tournament)
    return tournament


def check_may_enter(request: HttpRequest, tournament: Tournament) -> None:
    """Raises PermissionDenied for somebody who does not enter results of the event."""
    if not may_enter(request.user, tournament):
        raise PermissionDenied


def check_may(request: HttpRequest, *permissions: str) -> None:
    """Raises PermissionDenied for somebody who lacks one of the permissions."""
    if not request.user.has_perms(permissions):
        raise PermissionDenied


def check_may_correct(request: HttpRequest, games: Iterable[Game]) -> None:
    """Raises PermissionDenied where one of the games is of an event that others run."""
    events = {game.tournament_id: game.tournament for game in games}
    if not all(may_correct(request.user, event) for event in events.values()):
        raise PermissionDenied


# --- tabs ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of an event: `current` on its own page, which is `here`, and on those below it."""

    words: str
    url: str
    current: bool
    here: bool


# Pages below a tab, by their templates.
_BELOW = {
    "matches": {"team_match", "line_up", "team_round", "team_next", "results", "read"},
    "teams": {"team", "team_rules", "captains", "entries", "entry"},
    "free_boards": {"free_rules", "evening_sheet"},
    "tables": {"seating"},
    "rounds": {"clock", "next_round", "by_hand", "boards", "results", "read", "match"},
    "files": {"papers", "federations", "certificates"},
    "entries": {"entry", "entry_list", "numbers", "prohibited", "leave", "check_in", "requests", "entry_rules"},
}
SETTINGS = "settings"


def tabs_of(request: HttpRequest, tournament: Tournament, name: str) -> list[Tab]:
    """The tabs of an event on the page of that template, for whoever changes events; who came here runs this one."""
    if not request.user.has_perm("tournaments.change_tournament"):
        return []
    own = {
        "change": _("Overview"),
        **_kind_of_tabs(tournament),
        "files": _("Files"),
        "trail": _("Audit trail"),
    }
    tabs = [
        Tab(
            words,
            reverse(f"admin:tournaments_tournament_{each}", args=[tournament.pk]),
            name == each or name in _BELOW.get(each, ()),
            name == each,
        )
        for each, words in own.items()
    ]
    to_settings = f"{tabs[0].url}?{SETTINGS}=1#{SETTINGS}"
    return [*tabs, Tab(_("Settings"), to_settings, name == SETTINGS, name == SETTINGS)]


def _kind_of_tabs(tournament: Tournament) -> dict[str, str]:
    """What is played: games and tables, matches of teams, or rounds of players."""
    if tournament.open_ended:
        return {"evening": _("Games"), "free_boards": _("Boards"), "tables": _("Tables")}
    if is_team_event(tournament):
        return {"matches": _("Matches"), "teams": _("Teams"), "standings": _("Standings")}
    parts = {"rounds": _("Rounds"), "entries": _("Entries")}
    return {**parts, "standings": _("Standings"), "prizes": _("Prizes")}


# --- pages --------------------------------------------------------------------------------------------------------
def page(
    model_admin: ModelAdmin,
    request: HttpRequest,
    name: str,
    tournament: Tournament | None,
    *,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """The template of that name as a page of the administration; a `problem` names whom it means."""
    if context.get("problem"):
        context["problem"] = with_names(context["problem"])
    tabs = tabs_of(request, tournament, name) if tournament and tournament.pk else []  # a deleted one has none
    everything = {**model_admin.admin_site.each_context(request), "tournament": tournament, "tabs": tabs, **context}
    return TemplateResponse(request, f"admin/tournaments/tournament/{name}.html", everything, status=status)
