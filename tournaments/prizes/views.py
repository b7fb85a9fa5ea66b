"""`/tournaments/<slug>/prizes/`: the prizes of an event, and who gets them as it stands."""

from django.http import Http404, HttpResponse
from django.shortcuts import render

from clubrating.web.requests import ClubRequest
from tournaments.event_pages.views.event import event_context, pages_or_404
from tournaments.prizes.selectors import fund_of, prizes_of


def prizes(request: ClubRequest, slug: str) -> HttpResponse:
    """Prizes and winners; 404 where the event has no prizes."""
    event, sections = pages_or_404(request, slug)
    fund = fund_of(event.tournament)
    if fund is None:
        raise Http404
    found = prizes_of(fund, [section.facts for section in sections], request.viewer)
    return render(request, "tournaments/prizes.html", event_context(event, sections, "prizes") | {"prizes": found})
