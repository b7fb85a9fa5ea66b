"""The public ledger of corrections: `/ratings/corrections/`, one player's with `?player=<number>`."""

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render

from clubrating.web.requests import ClubRequest
from players.models import Player
from players.people.selectors import find_player
from players.privacy.rules import OFFICER
from tournaments.corrections.selectors import corrections, told
from tournaments.corrections.tables import CorrectionTable

PER_PAGE = 50


def ledger(request: ClubRequest) -> HttpResponse:
    """The latest first, a page at a time; who it was and the note for officers only."""
    viewer, found = request.viewer, _asked_player(request)
    page = Paginator(corrections(found), PER_PAGE).get_page(request.GET.get("page"))
    hidden = () if viewer == OFFICER else ("note",)
    table = CorrectionTable(told(list(page.object_list), viewer), viewer=viewer, exclude=hidden)
    return render(request, "ratings/corrections.html", {"table": table, "page": page, "player": found})


def _asked_player(request: ClubRequest) -> Player | None:
    """Whose games the address asks for. Raises Http404 for a number nobody has."""
    number = request.GET.get("player")
    if not number:
        return None
    found = find_player(number)
    if found is None:
        raise Http404
    return found
