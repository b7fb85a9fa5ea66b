"""The JSON API `/api/v1/…`: read only, with the names of things and the privacy rules of the pages.

What docs/api.md documents does not change within version 1: fields are added, none is changed or removed. Programs on
other sites may read it too; browsers then send no cookies, so they get what the public sees.

Here: answers, errors and paging for all views of the API; its index, and the answer for unknown addresses.
"""

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.urls import reverse

from clubrating.ground.numbers import whole_number
from clubrating.web.requests import ClubRequest

VERSION = 1
MOST = 100  # rows of a page


def answer(data: dict[str, Any], status: int = 200) -> JsonResponse:
    """The data as JSON, names in their own letters."""
    headers = {"Access-Control-Allow-Origin": "*"}
    return JsonResponse(data, status=status, headers=headers, json_dumps_params={"ensure_ascii": False})


def refuse(sentence: str, status: int = 404) -> JsonResponse:
    """Why there is no answer: {"error": sentence}."""
    return answer({"error": sentence}, status)


def whole(request: HttpRequest, name: str, default: int) -> int | None:
    """A whole number from 1 on out of the address; None for anything else."""
    return whole_number(request.GET.get(name, str(default))) or None


def page_of(request: ClubRequest, rows: Any) -> tuple[list[Any], dict[str, Any]] | None:
    """The rows of the page asked for (`?page=`) and what is said of the pages; None for a page that is no number.

    `rows` is a queryset or a list. A page behind the last one is empty.
    """
    number = whole(request, "page", 1)
    if number is None:
        return None
    first = min((number - 1) * MOST, 2**31 - 1)
    found = list(rows[first : first + MOST + 1])
    follows = len(found) > MOST
    return found[:MOST], {"page": number, "next": number + 1 if follows else None}


PAGE_IS_A_NUMBER = "page is a whole number from 1 on."


def index(request: ClubRequest) -> JsonResponse:
    """The club and the addresses of everything there is."""
    nouns = {name: request.build_absolute_uri(reverse(f"api:{name}")) for name in ("ratings", "tournaments", "players")}
    return answer({"version": VERSION, "club": request.club.name, "time_zone": request.club.time_zone, **nouns})


def nothing(request: ClubRequest, path: str) -> JsonResponse:
    """Any other address under `/api/`: a sentence instead of a page."""
    return refuse("There is nothing at this address: /api/v1/ tells what there is.")
