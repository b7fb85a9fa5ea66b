"""`/api/v1/players/…`: people and their ratings as JSON, as the viewer may see them."""

from typing import Any

from django.http import JsonResponse

from clubrating.web.api import PAGE_IS_A_NUMBER, answer, page_of, refuse
from clubrating.web.forms import asked_for
from clubrating.web.requests import ClubRequest
from players.models import Player
from players.people.selectors import find_player, list_players
from players.privacy.rules import Viewer, sees_name, sees_page, shown_name
from ratings.lists.selectors.listing import listing_of, plain_figures
from ratings.lists.selectors.lists import standings_of


def index(request: ClubRequest) -> JsonResponse:
    """Everybody by name, a hundred a page; `?q=` searches the names the viewer may read."""
    page = page_of(request, list_players(request.viewer, search=asked_for(request)))
    if page is None:
        return refuse(PAGE_IS_A_NUMBER, 400)
    rows, pages = page
    return answer({**pages, "players": [_person(row, request.viewer) for row in rows]})


def player(request: ClubRequest, number: int) -> JsonResponse:
    """One person, with the present rating in every public list."""
    found = find_player(str(number))
    if found is None or not sees_page(found, request.viewer):
        return refuse("There is no such player.")
    found = found.kept
    if not sees_page(found, request.viewer):
        return refuse("There is no such player.")
    ratings = [
        {
            "list": row.rating_list.slug,
            **plain_figures(row, listing_of(row.rating_list)),
            "games": row.games,
            "provisional": row.rating_list.probation.holds(row),
        }
        for row in standings_of(found)
    ]
    return answer({**_person(found, request.viewer), "ratings": ratings})


def _person(player: Player, viewer: Viewer) -> dict[str, Any]:
    """Reading, title and whether somebody still plays go with the name: they tell of the person."""
    values = {"number": player.number, "name": shown_name(player, viewer)}
    told = {"reading": player.reading, "title": player.title, "active": player.active}
    return values | (told if sees_name(player, viewer) else {})
