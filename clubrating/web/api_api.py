"""`/api/v1/`: where a program begins, and what it is told where there is nothing."""

from django.http import JsonResponse
from django.urls import reverse

from clubrating.web.api import VERSION, answer, refuse
from clubrating.web.requests_requests import ClubRequest


def index(request: ClubRequest) -> JsonResponse:
    """The club and the addresses of everything there is."""
    nouns = {name: request.build_absolute_uri(reverse(f"api:{name}")) for name in ("ratings", "tournaments", "players")}
    return answer({"version": VERSION, "club": request.club.name, "time_zone": request.club.time_zone, **nouns})


def nothing(request: ClubRequest, path: str) -> JsonResponse:
    """Any other address under `/api/`: a sentence instead of a page."""
    return refuse("There is nothing at this address: /api/v1/ tells what there is.")
