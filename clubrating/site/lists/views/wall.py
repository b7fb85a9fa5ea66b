"""`/ratings/<list>/wall/`: the list on paper, for the club's wall: today's, or as published (`?on=`).

A wall is read by everybody, so names stand as the public sees them, whoever prints. The square code leads to the list.
"""

from dataclasses import dataclass

import segno
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from clubrating.ground.figures import round_half_away
from clubrating.site.lists.views.days import asked_moment
from clubrating.site.lists.views.leaderboard import list_seen
from clubrating.web.requests import ClubRequest
from players.models import Player
from players.privacy.rules import NOBODY
from players.refusals import Refused
from ratings.lists.selectors.lists import leaderboard, published_lists, published_on, published_rows
from ratings.models import PublishedList, RatingList

# Some fifteen sheets; whoever has a larger club prints the part people look for.
MOST = 2000


@dataclass(frozen=True, slots=True)
class WallRow:
    """One line on the wall; `place` is None on probation."""

    player: Player
    place: int | None
    rating: int
    games: int


def wall(request: ClubRequest, slug: str) -> HttpResponse:
    """The sheet, as it is printed; a sentence for a day that is none or before the first publication."""
    found, _lists = list_seen(request, slug)
    try:
        asked = asked_moment(request)
        published = published_on(found, asked.day) if asked else None
        if asked and (asked.known or published is None):
            raise Refused(_("No list was published by that day."))
    except Refused as refusal:
        context = {"sentence": refusal, "list": found, "publications": published_lists(found)}
        return render(request, "ratings/bad_day.html", context, status=400)
    ranked, provisional = _published_rows(published) if published else _live_rows(found)
    here = reverse("ratings:list", args=[found.slug])
    context = {
        "list": found,
        "published": published,
        "day": published.on if published else timezone.localdate(),
        "printed": timezone.localtime(),
        "ranked": ranked[:MOST],
        "provisional": provisional[:MOST],
        "left_out": max(len(ranked) - MOST, 0) + max(len(provisional) - MOST, 0),
        "viewer": NOBODY,
        "address": request.build_absolute_uri(here),
        "code": _square_code(request.build_absolute_uri(here)),
    }
    response = render(request, "ratings/wall.html", context)
    # The hour of printing is each copy's own.
    response.headers["Cache-Control"] = "no-store"
    return response


def _live_rows(found: RatingList) -> tuple[list[WallRow], list[WallRow]]:
    """Those with a place, and active people on probation, one more of each than there is room for."""
    rows = leaderboard(found).filter(player__active=True)
    ranked = [
        WallRow(row.player, place, round_half_away(row.rating), row.games)
        for place, row in enumerate(rows.filter(ranked=True)[: MOST + 1], start=1)
    ]
    others = rows.filter(ranked=False)[: MOST + 1]
    return ranked, [WallRow(row.player, None, round_half_away(row.rating), row.games) for row in others]


def _published_rows(published: PublishedList) -> tuple[list[WallRow], list[WallRow]]:
    """The same of a published list. Who was away then has no place and is not on probation: he is left out."""
    rows = [
        (row.provisional, WallRow(row.player, row.place, round_half_away(row.rating), row.games))
        for row in published_rows(published)
    ]
    ranked = [row for _provisional, row in rows if row.place is not None]
    return ranked, [row for provisional, row in rows if provisional and row.place is None]


def _square_code(address: str) -> SafeString:
    """The address as a QR code: black on white whatever the page's colours, so that every camera reads it."""
    code = segno.make(address, error="m", micro=False)
    markup = code.svg_inline(dark="#000", light="#fff", omitsize=True, svgclass="code", lineclass=None, border=4)
    return mark_safe(markup)
