"""The list of players."""

from django.http import HttpResponse
from django.shortcuts import render
from django_tables2 import RequestConfig

from clubrating.requests import ClubRequest
from clubrating.search import SearchForm, asked_for
from players.selectors import list_players
from players.tables import PlayerTable

PER_PAGE = 100


def index(request: ClubRequest) -> HttpResponse:
    """Everybody by name, searched by `?q=` in any script."""
    search = asked_for(request)
    table = PlayerTable(list_players(request.viewer, search=search), viewer=request.viewer)
    RequestConfig(request, paginate={"per_page": PER_PAGE, "silent": True}).configure(table)
    context = {
        "table": table,
        "search": search,
        "search_form": SearchForm(initial={"q": search}),
        "found": table.paginator.count,
    }
    return render(request, "players/index.html", context)
