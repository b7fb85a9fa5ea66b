"""The list of players."""

from django.http import HttpResponse
from django.shortcuts import render

from clubrating.web.formatting import show_page
from clubrating.web.forms import SearchForm, asked_for
from clubrating.web.requests import ClubRequest
from players.people.selectors import list_players
from players.people.tables import PlayerTable

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
