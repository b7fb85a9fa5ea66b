"""`/ratings/<list>/?on=D`: the list as published on a day. `?known=D`: as it is known now for that day. Both in one
frame, with what tells them apart and the corrections behind it."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse

from clubrating.site.lists.selectors import Difference, changes_since, compare, ended_since
from clubrating.site.lists.tables import ChangeTable, DifferenceRow, DifferenceTable, PastListTable, PastRow
from clubrating.site.lists.views.days import Asked
from clubrating.web.forms import asked_for
from clubrating.web.requests import ClubRequest
from players.models import Player
from players.people.selectors import named
from players.privacy.rules import Viewer, names_seen
from ratings.lists.selectors.lists import published_lists, published_on, published_rows
from ratings.models import PublishedList, RatingList
from ratings.published.services import Standing
from tournaments.rated_games.services.past_lists import known_on

PER_PAGE = 50
DIFFERENCES_SHOWN = 50


@dataclass(frozen=True, slots=True)
class _List:
    """The rows to be shown: by key, to be joined with their people a page at a time."""

    rows: list[Standing]
    published: PublishedList | None


def past_list(request: ClubRequest, found: RatingList, lists: list[RatingList], asked: Asked) -> HttpResponse:
    """The page; in words, with status 404, where nothing was published by that day."""
    published = published_on(found, asked.day)
    frame = {"list": found, "lists": lists, "day": asked.day, "known": asked.known, "published": published}
    frame["publications"] = published_lists(found)
    if not asked.known and published is None:
        return render(request, "ratings/nothing_published.html", frame, status=404)
    shown = _known(found, asked.day, published) if asked.known else _published(published)
    search = asked_for(request)
    rows = _searched(shown.rows, search, request.viewer)
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        **frame,
        "table": _table(page, found, request.viewer),
        "page": page,
        "counts": {"ranked": sum(row.place is not None for row in shown.rows), "everybody": len(shown.rows)},
        "search": search,
        "found": len(rows),
        **_compared(found, asked, shown, request.viewer),
    }
    return render(request, "ratings/past_list.html", context)


def _published(published: PublishedList | None) -> _List:
    columns = ("player_id", "place", "rating", "games", "provisional", "deviation")
    rows = published_rows(published).values_list(*columns) if published else []
    return _List([Standing(*row) for row in rows], published)


def _known(found: RatingList, day: date, published: PublishedList | None) -> _List:
    """With the publication of that very day, where there is one, to compare with."""
    same_day = published if published is not None and published.on == day else None
    return _List(known_on(found, day), same_day)


def _searched(rows: list[Standing], search: str, viewer: Viewer) -> list[Standing]:
    """Only names the viewer may read are searched, else the search would confirm a guess."""
    words = search.casefold().split()
    if not words:
        return rows
    keys = set(Player.objects.filter(names_seen(viewer), named(words)).values_list("pk", flat=True))
    return [row for row in rows if row.player in keys]


def _table(page: Page, found: RatingList, viewer: Viewer) -> PastListTable:
    people = Player.objects.in_bulk([row.player for row in page.object_list])
    rows = [PastRow(people[row.player], row) for row in page.object_list]
    return PastListTable(rows, provisional_games=found.provisional_games, viewer=viewer)


# --- what tells the published list and the known one apart -----------------------------------------------------------
def _compared(found: RatingList, asked: Asked, shown: _List, viewer: Viewer) -> dict[str, Any]:
    """The differences for the published day, and what explains them; nothing where there is nothing to compare."""
    published = shown.published
    if published is None:
        return {"compared": False}
    known = shown.rows if asked.known else known_on(found, published.on)
    frozen = _published(published).rows if asked.known else shown.rows
    differences = compare(_ratings(frozen), _ratings(known))
    if not differences:
        return {"compared": True, "differences": 0}
    return {
        "compared": True,
        "differences": len(differences),
        "difference_table": _difference_table(differences[:DIFFERENCES_SHOWN], viewer),
        "differences_shown": min(len(differences), DIFFERENCES_SHOWN),
        "change_table": ChangeTable(changes_since(published)),
        "ended": ended_since(published),
        "corrections_page": corrections_page(),
    }


def _ratings(rows: list[Standing]) -> dict[int, float]:
    return {row.player: row.rating for row in rows}


def _difference_table(differences: list[Difference], viewer: Viewer) -> DifferenceTable:
    people = Player.objects.in_bulk([row.player for row in differences])
    return DifferenceTable([DifferenceRow(people[row.player], row) for row in differences], viewer=viewer)


def corrections_page() -> str:
    """The address of the public corrections, empty while there is no such page."""
    try:
        return reverse("ratings:corrections")
    except NoReverseMatch:
        return ""
