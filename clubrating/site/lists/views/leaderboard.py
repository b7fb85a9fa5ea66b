"""Leaderboards: `/ratings/` leads to the club's main list, `/ratings/<list>/` shows one, `…/wall/` is for print.

The printed list is today's or the published one (`?on=`). It is meant for the club's wall, where everybody reads it, so
names are as the public sees them, whoever prints. Its QR code leads to the list.
"""

from dataclasses import dataclass, replace

import segno
from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from clubrating.site.lists.tables import LeaderboardTable
from clubrating.site.lists.views.days import asked_moment, named_in_full
from clubrating.site.lists.views.filters import (
    AGE_GROUPS,
    address_of_me,
    few,
    filtered,
    number_asked,
    page_of,
    read_filter,
)
from clubrating.site.lists.views.past_list import past_list
from clubrating.web.formatting import show_page
from clubrating.web.forms import asked_for
from clubrating.web.frames import frame_lines
from clubrating.web.requests import ClubRequest, with_query
from players.models import Player
from players.privacy.rules import NOBODY, OFFICER
from players.refusals import Refused
from ratings.lists.markup import listed_figure
from ratings.lists.selectors.listing import listing_of, listing_when_published
from ratings.lists.selectors.lists import (
    count_rows,
    leaderboard,
    places_before,
    primary_list,
    public_lists,
    ranked_players,
    with_places,
)
from ratings.lists.selectors.movements import trends
from ratings.lists.selectors.published import published_lists, published_on, published_rows, with_last_published
from ratings.lists.services import rules_of
from ratings.models import PlayerRating, PublishedList, PublishedRow, RatingList
from ratings.systems.rules import Listing

PER_PAGE = 50


# --- the page of a list ----------------------------------------------------------------------------------------------
def index(request: ClubRequest) -> HttpResponse:
    """The main list, or a page that says there is none yet."""
    found = primary_list()
    if found is None:
        return render(request, "ratings/no_list.html")
    return redirect(with_query(request, found.get_absolute_url()))


def rating_list(request: ClubRequest, slug: str) -> HttpResponse:
    """One list: today's, or that of an earlier day."""
    found, lists = list_seen(request, slug)
    try:
        asked = asked_moment(request)
    except Refused as refusal:
        context = {"sentence": refusal, "list": found, "publications": published_lists(found)}
        return render(request, "ratings/bad_day.html", context, status=400)
    if asked is not None:
        return named_in_full(request, asked) or past_list(request, found, lists, asked)
    if "me" in request.GET and asked_for(request):
        return redirect(address_of_me(found, request))
    player = number_asked(request, "player")
    if player is not None and len(request.GET) == 1 and (address := page_of(found, player, PER_PAGE)):
        return redirect(address)
    return _live_list(request, found, lists)


def _live_list(request: ClubRequest, found: RatingList, lists: list[RatingList]) -> HttpResponse:
    """Everybody where the rating stands, those on probation marked and without a place; or whoever is asked for."""
    viewer, today, tiers = request.viewer, timezone.localdate(), list(found.tiers.all())
    chosen = read_filter(request, tiers, viewer)
    rule = rules_of(found).on(today)
    listing = rule.system.listing(rule.settings)
    publications = published_lists(found)
    last = publications[0] if publications else None
    rows = few(found, chosen.start, chosen.around)
    if rows is None:
        chosen = replace(chosen, start=None, around=None)
        rows = filtered(leaderboard(found), found, tiers, chosen, viewer, today)
    in_order, cautious = not chosen.narrows and "sort" not in request.GET, listing.deviations > 0
    table = LeaderboardTable(
        with_last_published(rows if in_order or cautious else with_places(rows), last, listing),
        rating_list=found,
        viewer=viewer,
        marked=chosen.marked,
        titles=rule.system.elo_scale,
        listing=listing,
        exclude=() if last else ("since",),
    )
    if chosen.narrows:
        table.empty_text = _("Nobody of that kind is in the list.")
    counts = count_rows(found)
    # Filters and sorting combine to thousands of addresses; crawlers should not follow them.
    table.nofollow = combined = not in_order
    show_page(request, table, PER_PAGE, count=None if chosen.narrows else counts.everybody)
    if in_order:
        number_rows(found, table)
    elif cautious:
        _number_apart(found, table)
    table.trends = trends(found, [row.record.player_id for row in table.paginated_rows])
    context = {
        "list": found,
        "lists": lists,
        "table": table,
        "counts": counts,
        "chosen": chosen,
        "box_is_empty": "q" in request.GET and not chosen.search,
        "combined": combined,
        "found": table.paginator.count,
        "tiers": tiers,
        "ages": AGE_GROUPS if viewer != NOBODY else (),
        "publications": publications,
        "last": last,
        "period": rule.period.value,
        "cautious": cautious,
        "forecasts": settings.FORECASTS,
        "frame_lines": frame_lines(request, found.shown_name, [(_("Ratings"), "embed:list", found.slug)]),
    }
    return render(request, "ratings/leaderboard.html", context)


def number_rows(found: RatingList, table: LeaderboardTable) -> None:
    """Give the page's rows their places, counted once for the first: at a million players one count costs as much as
    the rest of the page."""
    place = None
    for row in table.paginated_rows:
        record = row.record
        if record.ranked:
            place = places_before(found, record) + 1 if place is None else place + 1
        record.place = place if record.ranked else None


def _number_apart(found: RatingList, table: LeaderboardTable) -> None:
    """The same for rows in whatever order, of a list without an index of its order: all of it is numbered once."""
    places = {player: place for place, player in enumerate(ranked_players(found), start=1)}
    for row in table.paginated_rows:
        row.record.place = places.get(row.record.player_id)


def list_seen(request: ClubRequest, slug: str) -> tuple[RatingList, list[RatingList]]:
    """The list of that address and all the viewer may see. Raises Http404 for one he may not see."""
    lists = public_lists() if request.viewer != OFFICER else list(RatingList.objects.all())
    found = next((row for row in lists if row.slug == slug), None)
    if found is None:
        raise Http404
    return found, lists


# --- the printed list ------------------------------------------------------------------------------------------------
# About fifteen sheets; a larger club prints the first part of its list.
MOST = 2000
FEW, SOME = 50, 64  # rows that fill a sheet in two columns of large and of middle type


@dataclass(frozen=True, slots=True)
class WallRow:
    """One line of the printed list; `place` is None on probation."""

    player: Player
    place: int | None
    rating: str
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
    rows = len(ranked) + len(provisional)
    context = {
        "size": "few" if rows <= FEW else "some" if rows <= SOME else "",
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
    # Each copy shows its own time of printing.
    response.headers["Cache-Control"] = "no-store"
    return response


def _live_rows(found: RatingList) -> tuple[list[WallRow], list[WallRow]]:
    """Those with a place, and active people on probation, one more of each than there is room for."""
    rows, listing = leaderboard(found).filter(player__active=True), listing_of(found)
    ranked = [_wall_row(row, place, listing) for place, row in enumerate(rows.filter(ranked=True)[: MOST + 1], start=1)]
    return ranked, [_wall_row(row, None, listing) for row in rows.filter(ranked=False)[: MOST + 1]]


def _wall_row(row: PlayerRating | PublishedRow, place: int | None, listing: Listing) -> WallRow:
    return WallRow(row.player, place, listed_figure(listing, row.rating, row.deviation), row.games)


def _published_rows(published: PublishedList) -> tuple[list[WallRow], list[WallRow]]:
    """The same of a published list. Who was away then has no place and is not on probation: he is left out."""
    listing = listing_when_published(published)
    rows = [(row.provisional, _wall_row(row, row.place, listing)) for row in published_rows(published)]
    ranked = [row for _provisional, row in rows if row.place is not None]
    return ranked, [row for provisional, row in rows if provisional and row.place is None]


def _square_code(address: str) -> SafeString:
    """The address as a QR code: black on white whatever the page's colours, so that every camera reads it."""
    code = segno.make(address, error="m", micro=False)
    markup = code.svg_inline(dark="#000", light="#fff", omitsize=True, svgclass="code", lineclass=None, border=4)
    return mark_safe(markup)
