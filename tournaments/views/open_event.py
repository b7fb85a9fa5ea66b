"""An open-ended event: its games by day. There are no rounds, hence no standings."""

from django.http import HttpResponse
from django.shortcuts import render

from clubrating.columns import show_page
from clubrating.requests import ClubRequest
from tournaments.models import Stage
from tournaments.selectors.events import free_games
from tournaments.tables import GamesTable

PER_PAGE = 50


def open_event(request: ClubRequest, stage: Stage) -> HttpResponse:
    """The games, latest day first, 50 a page."""
    table = GamesTable(free_games(stage.tournament))
    show_page(request, table, PER_PAGE)
    context = {"tournament": stage.tournament, "stage": stage, "table": table, "games": table.paginator.count}
    return render(request, "tournaments/open_event.html", context)
