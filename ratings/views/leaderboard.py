"""Leaderboards: `/ratings/` leads to the club's main list, `/ratings/<list>/` shows one."""

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.columns import show_page
from clubrating.requests import ClubRequest
from clubrating.search import SearchForm, asked_for
from players.privacy import OFFICER, Viewer, names_seen
from players.selectors import named
from players.services.refusals import Refused
from ratings.forms import RankForm
from ratings.models import PlayerRating, RatingList
from ratings.selectors import (
    count_rows,
    leaderboard,
    on_probation,
    places_before,
    primary_list,
    public_lists,
    published_lists,
    with_last_published,
    with_places,
)
from ratings.services.lists import rules_of
from ratings.tables import LeaderboardTable
from ratings.views import rank
from ratings.views.days import asked_moment, named_in_full
from ratings.views.past_list import past_list

PER_PAGE = 50
FILTERS = ("all", "ranked", "provisional", "inactive")


def index(request: ClubRequest) -> HttpResponse:
    """The main list, or a page that says there is none yet."""
    found = primary_list()
    return redirect(found) if found else render(request, "ratings/no_list.html")


def rating_list(request: ClubRequest, slug: str) -> HttpResponse:
    """One list: today's, or that of an earlier day."""
    found, lists = list_seen(request, slug)
    try:
        asked = asked_moment(request)
    except Refused as refusal:
        context = {"sentence": refusal, "list": found, "publications": published_lists(found)}
        return render(request, "ratings/bad_day.html", context, status=400)
    if asked is None:
        return _live_list(request, found, lists)
    return named_in_full(request, asked) or past_list(request, found, lists, asked)


def _live_list(request: ClubRequest, found: RatingList, lists: list[RatingList]) -> HttpResponse:
    """Everybody where the rating stands, those on probation marked and without a place."""
    viewer = request.viewer
    chosen = request.GET.get("show", "all")
    chosen = chosen if chosen in FILTERS else "all"
    search = asked_for(request)
    marked, start = rank.asked_for(request)
    if marked is not None and "page" not in request.GET and (address := rank.page_of(found, marked, PER_PAGE)):
        return redirect(address)
    rows = _search(_filter(leaderboard(found), found, chosen), search, viewer)
    rows, tiers = rank.narrowed(rows, found, request.GET.get("tier", ""), start)
    rule = rules_of(found).on(timezone.localdate())
    titles = rule.system.elo_scale
    publications = published_lists(found)
    last = publications[0] if publications else None
    narrowed = bool(search or chosen != "all" or start or any(tier.chosen for tier in tiers))
    in_order = not narrowed and "sort" not in request.GET
    rows = with_last_published(rows if in_order else with_places(rows), last)
    table = LeaderboardTable(
        rows, rating_list=found, viewer=viewer, marked=marked, titles=titles, exclude=() if last else ("since",)
    )
    if narrowed:
        table.empty_text = _("Nobody of that kind is in the list.")
    show_page(request, table, PER_PAGE)
    if in_order:
        _number(found, table)
    context = {
        "list": found,
        "lists": lists,
        "table": table,
        "counts": count_rows(found),
        "show": chosen,
        "search": search,
        "search_form": SearchForm(initial={"q": search, "show": chosen}),
        "found": table.paginator.count,
        "tiers": tiers,
        "start": start,
        "rank_form": RankForm(initial={"from": start}),
        "publications": publications,
        "last": last,
        "period": rule.period.value,
    }
    return render(request, "ratings/leaderboard.html", context)


def _number(found: RatingList, table: LeaderboardTable) -> None:
    """Give the page's rows their places, counted once for the first: at a million players one count costs as much as
    the rest of the page."""
    place = None
    for row in table.paginated_rows:
        record = row.record
        if record.ranked:
            place = places_before(found, record) + 1 if place is None else place + 1
        record.place = place if record.ranked else None


def list_seen(request: ClubRequest, slug: str) -> tuple[RatingList, list[RatingList]]:
    """The list of that address and all the viewer may see. Raises Http404 for one he may not see."""
    lists = public_lists() if request.viewer != OFFICER else list(RatingList.objects.all())
    found = next((row for row in lists if row.slug == slug), None)
    if found is None:
        raise Http404
    return found, lists


def _filter(rows: QuerySet[PlayerRating], found: RatingList, chosen: str) -> QuerySet[PlayerRating]:
    return {
        "all": rows,
        "ranked": rows.filter(ranked=True),
        "provisional": rows.filter(on_probation(found)),
        "inactive": rows.filter(player__active=False),
    }[chosen]


def _search(rows: QuerySet[PlayerRating], search: str, viewer: Viewer) -> QuerySet[PlayerRating]:
    """Only names the viewer may read are searched, else the search would confirm a guess."""
    words = search.casefold().split()
    return rows.filter(names_seen(viewer, "player__"), named(words, "player__")) if words else rows
