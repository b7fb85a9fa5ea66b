"""An open-ended event: its games by day, everybody's games of a season, and the places of a ladder. There are no
rounds, hence no standings. A loaded stream, which has no format, shows its games only."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from clubrating.web.formatting import show_page
from clubrating.web.requests import ClubRequest
from tournaments.event_pages.format_tables import LadderTable, SeasonTable
from tournaments.event_pages.selectors.formats import ladder_places, season_table, seasons_of
from tournaments.event_pages.tables import GamesTable
from tournaments.events.selectors.events import free_games
from tournaments.events.selectors.stages import system_of
from tournaments.models import Stage
from tournaments.pairing.base import FreeSystem
from tournaments.standings.points import point_system

PER_PAGE = 50
ALL = "all"


def open_event(request: ClubRequest, stage: Stage) -> HttpResponse:
    """The games, latest day first, 50 a page; everybody's games of a year, the latest one unless asked for another."""
    table = GamesTable(free_games(stage.tournament))
    show_page(request, table, PER_PAGE)
    context = {"tournament": stage.tournament, "stage": stage, "table": table, "games": table.paginator.count}
    system = system_of(stage)
    if isinstance(system, FreeSystem):
        context |= _seasons(request, stage)
        if system.ladder:
            context["ladder"] = LadderTable(ladder_places(stage))
    return render(request, "tournaments/open_event.html", context)


def _seasons(request: ClubRequest, stage: Stage) -> dict[str, Any]:
    years = seasons_of(stage.tournament)
    asked = request.GET.get("season", "")
    latest = years[0] if years else None
    season = None if asked == ALL else next((year for year in years if f"{year}" == asked), latest)
    rows = season_table(stage.tournament, season, request.viewer)
    table = SeasonTable(rows, point_system(stage.tournament.point_system).unit, prefix="players-")
    show_page(request, table, PER_PAGE)
    return {"season_table": table, "season": season, "years": years}
