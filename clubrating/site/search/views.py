"""`/search/?q=…`: people, events and pages; `/search/found/` is the first of them, for the box of every page.

Without a script the box is a form that leads here.
"""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control

from clubrating.site.search.pages import begins, find_pages
from clubrating.web.forms import asked_for
from clubrating.web.requests import ClubRequest
from players.people.selectors import find_people
from ratings.lists.selectors.lists import foremost_ratings
from tournaments.models import Tournament

MOST, MOST_IN_BOX = 20, 5
LATEST_EVENTS = 2000


def search(request: ClubRequest) -> HttpResponse:
    """The page."""
    return _answer(request, "search/search.html", MOST)


def found(request: ClubRequest) -> HttpResponse:
    """What the box shows while somebody types."""
    return _answer(request, "search/_found.html", MOST_IN_BOX)


def _answer(request: ClubRequest, template: str, most: int) -> HttpResponse:
    asked = asked_for(request)
    context: dict[str, object] = {"asked": asked, "is_too_short": _is_too_short(asked)}
    if asked and not context["is_too_short"]:
        words = asked.casefold().split()
        people = find_people(request.viewer, asked, most + 1)
        ratings = foremost_ratings([person.pk for person in people])
        context |= {
            "people": [(person, ratings.get(person.pk)) for person in people[:most]],
            "more_people": len(people) > most,
            "events": _events(words, most),
            "pages": find_pages(words, most),
        }
    response = render(request, template, context)
    patch_cache_control(response, private=True, no_store=True)  # as many answers as there are questions: none is kept
    return response


def _is_too_short(asked: str) -> bool:
    """One letter of an alphabet finds nearly everybody."""
    return len(asked) == 1 and asked.isascii() and not asked.isdigit()


def _events(words: list[str], most: int) -> list[Tournament]:
    """The latest events with those words in their names. Databases do not fold every script, so names are compared
    here."""
    latest = Tournament.objects.values_list("pk", "name")[:LATEST_EVENTS]
    keys = [key for key, name in latest if begins(words, name)][:most]
    events = Tournament.objects.in_bulk(keys) if keys else {}
    return [events[key] for key in keys]
