"""`/ratings/<list>/list.csv` and `list.json`: the list as a file: as published (`?on=`), as now known (`?known=`), or
today's. Both hold the same, with names as the page shows them."""

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.site.lists.services import known_file, published_file
from clubrating.site.lists.views.days import asked_moment
from clubrating.site.lists.views.leaderboard import list_seen
from clubrating.web.requests import ClubRequest
from players.refusals import Refused
from ratings.lists.selectors.lists import published_on
from tournaments.interchange.list_csv import write_json, write_list

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
