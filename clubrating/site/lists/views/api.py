"""`/api/v1/ratings/…`: places as JSON, with the same privacy as the pages: names as the viewer sees them, ratings as
they are shown (unrounded ones would tell changes, and so an age)."""

from django.http import JsonResponse

from clubrating.ground.figures import round_half_away
from clubrating.web.api import answer, refuse, whole
from clubrating.web.requests import ClubRequest
from players.privacy.rules import OFFICER, Viewer, shown_name
from ratings.lists.selectors.lists import count_ranked, find_list, from_place, place_of, published_days, rating_of
from ratings.models import PlayerRating, RatingList

MOST = 10
NO_LIST = "There is no such list."


def lists(request: ClubRequest) -> JsonResponse:
    """Every list there is for this viewer, in the club's order, with the days it was published for."""
    rows = RatingList.objects.all() if request.viewer == OFFICER else RatingList.objects.filter(public=True)
    days = published_days(rows)
    return answer(
        {
            "ratings": [
                {
                    "slug": row.slug,
                    "name": row.name,
                    "pool": row.pool,
                    "primary": row.primary,
                    "provisional_games": row.provisional_games,
                    "published": [day.isoformat() for day in days.get(row.pk, [])],
                }
                for row in rows
            ]
        }
    )


def ranks(request: ClubRequest, slug: str) -> JsonResponse:
    """At most ten ranked players from the place `?from=` on (1)."""
    found = find_list(slug, private=request.viewer == OFFICER)
    if found is None:
        return refuse(NO_LIST)
    start, count = whole(request, "from", 1), whole(request, "count", MOST)
    if start is None or count is None:
        return refuse("from and count are whole numbers from 1 on.", 400)
    rows = enumerate(from_place(found, start, min(count, MOST)), start)
    return answer(
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
        return refuse(NO_LIST)
    row = rating_of(found, number)
    if row is None:
        return refuse("There is no such player in this list.")
    plain = _plain(found, row, place_of(found, row), request.viewer)
    return answer({"list": found.slug, "ranked": count_ranked(found), **plain})


def _plain(rating_list: RatingList, row: PlayerRating, place: int | None, viewer: Viewer) -> dict[str, object]:
    return {
        "place": place,
        "player": row.player.number,
        "name": shown_name(row.player, viewer),
        "rating": round_half_away(row.rating),
        "games": row.games,
        "provisional": row.games < rating_list.provisional_games or row.reentry > 0,
    }
