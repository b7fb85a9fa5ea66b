"""`/api/v1/ratings/…`: places as JSON, with the same privacy as the pages: names as the viewer sees them, ratings as
they are shown (unrounded ones would tell changes, and so an age)."""

from django.http import HttpRequest, JsonResponse

from clubrating.figures import round_half_away
from clubrating.requests import ClubRequest
from players.privacy import OFFICER, Viewer, shown_name
from ratings.models import PlayerRating, RatingList
from ratings.selectors import count_ranked, find_list, from_place, place_of, rating_of

MOST = 10


def ranks(request: ClubRequest, slug: str) -> JsonResponse:
    """At most ten ranked players from the place `?from=` on (1)."""
    found = find_list(slug, private=request.viewer == OFFICER)
    if found is None:
        return _unknown("list")
    start, count = whole(request, "from", 1), whole(request, "count", MOST)
    if start is None or count is None:
        return JsonResponse({"error": "from and count are whole numbers from 1 on."}, status=400)
    rows = enumerate(from_place(found, start, min(count, MOST)), start)
    return JsonResponse(
        {
            "list": found.slug,
            "from": start,
            "ranked": count_ranked(found),
            "players": [_plain(found, row, place, request.viewer) for place, row in rows],
        }
    )


def rank(request: ClubRequest, slug: str, number: int) -> JsonResponse:
    """Where one player stands; `place` is null for whoever takes none."""
    found = find_list(slug, private=request.viewer == OFFICER)
    if found is None:
        return _unknown("list")
    row = rating_of(found, number)
    if row is None:
        return _unknown("player in this list")
    plain = _plain(found, row, place_of(found, row), request.viewer)
    return JsonResponse({"list": found.slug, "ranked": count_ranked(found), **plain})


def whole(request: HttpRequest, name: str, default: int) -> int | None:
    """A whole number from 1 on out of the address; None for anything else."""
    text = request.GET.get(name, str(default))
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 and int(text) else None


def _plain(rating_list: RatingList, row: PlayerRating, place: int | None, viewer: Viewer) -> dict[str, object]:
    return {
        "place": place,
        "player": row.player.number,
        "name": shown_name(row.player, viewer),
        "rating": round_half_away(row.rating),
        "games": row.games,
        "provisional": row.games < rating_list.provisional_games or row.reentry > 0,
    }


def _unknown(what: str) -> JsonResponse:
    return JsonResponse({"error": f"There is no such {what}."}, status=404)
