"""Rating lists for programs: `/api/v1/ratings/…` as JSON, and a list as a file.

The API has the same privacy as the pages: names as the viewer sees them, ratings as they are shown (unrounded ones
would reveal changes, and so an age). `/ratings/<list>/list.csv` and `list.json` hold the same in two formats: the list
as published (`?on=`), as now known (`?known=`), or today's.
"""

from django.http import HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.site.lists.services import known_file, published_file
from clubrating.site.lists.views.days import asked_moment
from clubrating.site.lists.views.leaderboard import list_seen
from clubrating.web.api import answer, refuse, whole
from clubrating.web.requests import ClubRequest
from players.privacy.rules import OFFICER, Viewer, shown_name
from players.refusals import Refused
from ratings.lists.selectors.listing import listing_of, plain_figures
from ratings.lists.selectors.lists import count_ranked, find_list, from_place, place_of, rating_of
from ratings.lists.selectors.published import published_days, published_on
from ratings.models import PlayerRating, RatingList
from tournaments.interchange.list_csv import write_json, write_list

# --- JSON ------------------------------------------------------------------------------------------------------------
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
    """One player's place and rating; `place` is null for a player who is not ranked."""
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
        **plain_figures(row, listing_of(rating_list)),
        "games": row.games,
        "provisional": rating_list.probation.holds(row),
    }


# --- files -----------------------------------------------------------------------------------------------------------
KINDS = {"csv": (write_list, "text/csv; charset=utf-8"), "json": (write_json, "application/json")}


def list_file(request: ClubRequest, slug: str, kind: str) -> HttpResponse:
    """The file; a sentence with status 400 for a day that is none, with 404 where nothing was published by then."""
    found, _lists = list_seen(request, slug)
    try:
        asked = asked_moment(request)
    except Refused as refusal:
        return HttpResponse(f"{refusal}\n", status=400, content_type="text/plain; charset=utf-8")
    write, content_type = KINDS[kind]
    day = asked.day if asked else timezone.localdate()
    if asked is None or asked.known:
        text, name = known_file(found, day, request.viewer, write), f"{found.slug}-known-{day}.{kind}"
    else:
        published = published_on(found, day)
        if published is None:
            sentence = _("No list was published by that day.")
            return HttpResponse(f"{sentence}\n", status=404, content_type="text/plain; charset=utf-8")
        text, name = published_file(published, request.viewer, write), f"{found.slug}-{published.on}.{kind}"
    return HttpResponse(
        text, content_type=content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
