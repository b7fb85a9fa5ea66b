"""`/ratings/<list>/?on=D`: the list as published on a day. `?known=D`: as it is known now for that day. Both with what
differs between them, and the corrections behind it."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render

from clubrating.site.lists.selectors import changes_since, compare, ended_since
from clubrating.site.lists.tables import ChangeTable, DifferenceRow, DifferenceTable, PastListTable, PastRow
from clubrating.site.lists.views.days import Asked
from clubrating.web.forms import asked_for
from clubrating.web.requests import ClubRequest
from players.models import Player
from players.people.selectors import named
from players.privacy.rules import Viewer, names_seen
from ratings.lists.selectors.listing import listing_of, listing_when_published
from ratings.lists.selectors.published import published_lists, published_on, published_rows
from ratings.models import PublishedList, RatingList
from ratings.published.services import Standing
from tournaments.rated_games.services.past_lists import known_on

PER_PAGE = 50
DIFFERENCES_SHOWN = 50


def past_list(request: ClubRequest, found: RatingList, lists: list[RatingList], asked: Asked) -> HttpResponse:
    """The page; in words, with status 404, where nothing was published by that day."""
    published = published_on(found, asked.day)
    context: dict[str, Any] = {"list": found, "lists": lists, "day": asked.day, "known": asked.known}
    context |= {"published": published, "publications": published_lists(found)}
    if asked.known:
        shown, listing = known_on(found, asked.day), listing_of(found, asked.day)
    elif published is not None:
        shown, listing = _rows_of(published), listing_when_published(published)
    else:
        return render(request, "ratings/nothing_published.html", context, status=404)
    search = asked_for(request)
    rows = _searched(shown, search, request.viewer)
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    people = Player.objects.in_bulk([row.player for row in page.object_list])
    lines = [PastRow(people[row.player], row) for row in page.object_list]
    context |= {
        "table": PastListTable(lines, listing=listing),
        "page": page,
        "counts": {"ranked": sum(row.place is not None for row in shown), "everybody": len(shown)},
        "search": search,
        "found": len(rows),
    }
    # As known now, a day is compared with the publication of that very day.
    if published is not None and (not asked.known or published.on == asked.day):
        frozen = _rows_of(published) if asked.known else shown
        known = shown if asked.known else known_on(found, published.on)
        context |= _compared(published, frozen, known)
    return render(request, "ratings/past_list.html", context)


def _rows_of(published: PublishedList) -> list[Standing]:
    columns = ("player_id", "place", "rating", "games", "provisional", "deviation")
    return [Standing(*row) for row in published_rows(published).values_list(*columns)]


def _searched(rows: list[Standing], search: str, viewer: Viewer) -> list[Standing]:
    """Only names the viewer may read are searched, else the search would confirm a guess."""
    words = search.casefold().split()
    if not words:
        return rows
    keys = set(Player.objects.filter(names_seen(viewer), named(words)).values_list("pk", flat=True))
    return [row for row in rows if row.player in keys]


def _compared(published: PublishedList, frozen: list[Standing], known: list[Standing]) -> dict[str, Any]:
    """The differences between the list as published and as known now for the same day, and what explains them."""
    differences = compare(*({row.player: row.rating for row in rows} for rows in (frozen, known)))
    if not differences:
        return {"compared": True, "differences": 0}
    shown = differences[:DIFFERENCES_SHOWN]
    people = Player.objects.in_bulk([row.player for row in shown])
    return {
        "compared": True,
        "differences": len(differences),
        "difference_table": DifferenceTable([DifferenceRow(people[row.player], row) for row in shown]),
        "differences_shown": len(shown),
        "change_table": ChangeTable(changes_since(published)),
        "ended": ended_since(published),
    }
