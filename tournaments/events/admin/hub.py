"""Two of an event's tabs in the administration: its standings as officers see them, and its files."""

from typing import Any

from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from players.privacy.rules import OFFICER
from tournaments.event_pages.selectors.lots import lots_of
from tournaments.event_pages.views.sections import Section, sections_of, side_by_side
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.events.selectors.events import facts_of, stages_at
from tournaments.events.selectors.standings import rating_changes
from tournaments.models import Tournament
from tournaments.teams.selectors.facts import is_team_event, team_facts
from tournaments.teams.selectors.table import league_table


def standings(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The standings as they are now; empty before the first round."""
    tournament = tournament_for(model_admin, request, key)
    if is_team_event(tournament):
        facts = team_facts(tournament)
        own: dict[str, Any] = {"facts": facts, "league_table": league_table(facts), "tab": "standings"}
        return page(model_admin, request, "standings", tournament, title=_("Standings"), **own)
    parts = [] if tournament.open_ended else parts_of(tournament)
    return page(model_admin, request, "standings", tournament, title=_("Standings"), parts=parts)


def parts_of(tournament: Tournament) -> list[list[Section]]:
    """The standings of its stages that have rounds, those played side by side in one row."""
    stages = stages_at(tournament.slug)
    facts = facts_of(stages, OFFICER)
    if not facts:
        return []
    sections = sections_of(facts, rating_changes(facts[0]), lots_of(stages, facts), OFFICER)
    return side_by_side([section for section in sections if section.facts.rounds])


def files(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """What can be brought in, taken out and printed."""
    return page(model_admin, request, "files", tournament_for(model_admin, request, key), title=_("Files"))
