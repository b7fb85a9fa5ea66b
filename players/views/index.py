"""The list of players."""

from django.http import HttpResponse
from django.shortcuts import render

from clubrating.columns import show_page
from clubrating.requests import ClubRequest
from clubrating.search import SearchForm, asked_for
from players.selectors import list_players
from players.tables import PlayerTable

PER_PAGE = 100


def index(request: ClubRequest) -> HttpResponse:
    """Everybody by name, searched by `?q=` in any script."""
    search = asked_for(request)
    table = PlayerTable(list_players(request.viewer, search=search), viewer=request.viewer)
    show_page(request, table, PER_PAGE)
    context = {
        "table": table,
        "search": search,
        "search_form": SearchForm(initial={"q": search}),
        "found": table.paginator.count,
    }
    return render(request, "players/index.html", context)
