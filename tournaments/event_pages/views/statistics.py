"""`/tournaments/<slug>/statistics/`: the event in figures."""

from django.http import Http404, HttpResponse
from django.shortcuts import render

from clubrating.web.requests import ClubRequest
from tournaments.event_pages.selectors.statistics import statistics_of
from tournaments.event_pages.views.event import frame, pages_or_404
from tournaments.events.selectors.standings import rating_changes


def statistics(request: ClubRequest, slug: str) -> HttpResponse:
    """Results by colour, round and board, the field, upsets and changes; 404 while nothing is paired."""
    event, sections = pages_or_404(request, slug)
    if not event.rounds:
        raise Http404
    changes: dict[int, float] = {}
    for own in rating_changes(event).values():
        for player, change in own.items():
            changes[player] = changes.get(player, 0.0) + change
    found = statistics_of(event, changes, request.viewer)
    return render(request, "tournaments/statistics.html", frame(event, sections, "statistics") | {"statistics": found})
