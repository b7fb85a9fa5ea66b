"""An evening of tables on paper: its standing, and every table as it ended.

An event without rounds has no other sheets; cards to be filled in at the tables come from the seating
(`tournaments.contests.admin.seating`).
"""

from datetime import date

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from clubrating.web.requests import ClubRequest
from tournaments.contests.selectors import contests_of, shown_contests
from tournaments.event_pages.selectors.series import has_series, series_of
from tournaments.models import Stage, Tournament


def evening(request: ClubRequest, event: Tournament) -> HttpResponse:
    """The sheets of the day asked for (`?on=`), the latest one where none is; 404 for a day without tables."""
    on = _day(request, event)
    tables = shown_contests(contests_of(event).filter(played_on=on).order_by("sequence")) if on else []
    if not tables:
        raise Http404
    stage = Stage.objects.filter(tournament=event).select_related("tournament").order_by("order").first()
    context = {
        "tournament": event,
        "day": on,
        "series": series_of(stage, on) if stage and has_series(stage) else None,
        "contests": tables,
        "as_of": timezone.localtime(),
    }
    return render(request, "tournaments/print/evening.html", context)


def _day(request: ClubRequest, event: Tournament) -> date | None:
    asked = request.GET.get("on")
    if asked is None:
        return contests_of(event).values_list("played_on", flat=True).first()
    try:
        return date.fromisoformat(asked)
    except ValueError:
        raise Http404 from None
