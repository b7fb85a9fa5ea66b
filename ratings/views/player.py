"""A player's page: rating, career, record and games in one list at a time (`?list=`)."""

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from clubrating.requests import ClubRequest
from players.models import Player
from players.privacy import Viewer, sees_name, sees_page
from players.selectors import find_player
from ratings.careers import fold_career
from ratings.models import PlayerRating
from ratings.selectors import career, place_of, rated_games_of, standings_of
from ratings.tables import CareerEventsTable, GameTable

PER_PAGE = 50


def player(request: ClubRequest, slug: str) -> HttpResponse:
    """The page of whoever the viewer may see; an address that is not the player's present one leads there, or, for
    somebody not public, nowhere."""
    viewer = request.viewer
    found = find_player(slug)
    if found is None or not sees_page(found, viewer):
        raise Http404
    if found.merged_into is not None:
        return redirect(found.merged_into)
    if found.slug != slug:
        if found.slug == str(found.number):
            raise Http404
        return redirect(found)
    standings = standings_of(found)
    wanted = request.GET.get("list", "")
    row = next((row for row in standings if row.rating_list.slug == wanted), standings[0] if standings else None)
    # Without the name there is neither title nor chart nor a game's change: they would tell an age, or a person.
    knows = sees_name(found, viewer)
    context = {"player": found, "standings": standings, "row": row, "knows": knows}
    if row is not None:
        context |= _career(request, found, row, viewer, knows=knows)
    return render(request, "ratings/player.html", context)


def _career(
    request: ClubRequest, found: Player, row: PlayerRating, viewer: Viewer, *, knows: bool
) -> dict[str, object]:
    rating_list = row.rating_list
    rows = career(rating_list, found)
    games = rated_games_of(rating_list, found).order_by("-game__played_on", "-game__sequence")
    page = Paginator(range(len(rows)), PER_PAGE).get_page(request.GET.get("page"))
    first = (page.number - 1) * PER_PAGE
    table = GameTable(
        games[first : first + PER_PAGE],
        player=found,
        provisional_games=rating_list.provisional_games,
        viewer=viewer,
        exclude=() if knows else ("change", "after"),
    )
    folded = fold_career(rows, rating_list.provisional_games)
    return {
        "career": folded,
        "events_table": CareerEventsTable(folded.events, exclude=() if knows else ("change",)),
        "place": place_of(rating_list, row),
        "games_left": max(rating_list.provisional_games - row.games, 0),
        "table": table,
        "page": page,
    }
