"""`/ratings/<list>/list.csv`: the list as a file: as published (`?on=`), as now known (`?known=`), or today's."""

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.requests import ClubRequest
from players.services.refusals import Refused
from ratings.selectors import published_on
from ratings.views.days import asked_moment
from ratings.views.leaderboard import list_seen
from tournaments.services.list_files import known_file, published_file


def list_file(request: ClubRequest, slug: str) -> HttpResponse:
    """The file; a sentence with status 400 for a day that is none, with 404 where nothing was published by then."""
    found, _lists = list_seen(request, slug)
    try:
        asked = asked_moment(request)
    except Refused as refusal:
        return HttpResponse(f"{refusal}\n", status=400, content_type="text/plain; charset=utf-8")
    day = asked.day if asked else timezone.localdate()
    if asked is None or asked.known:
        return _file(known_file(found, day, request.viewer), f"{found.slug}-known-{day}.csv")
    published = published_on(found, day)
    if published is None:
        sentence = _("No list was published by that day.")
        return HttpResponse(f"{sentence}\n", status=404, content_type="text/plain; charset=utf-8")
    return _file(published_file(published, request.viewer), f"{found.slug}-{published.on}.csv")


def _file(text: str, name: str) -> HttpResponse:
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers={"Content-Disposition": disposition})
