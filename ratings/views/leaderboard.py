"""Leaderboards: `/ratings/` leads to the club's main list, `/ratings/<list>/` shows one."""

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from clubrating.columns import show_page
from clubrating.requests import ClubRequest
from clubrating.search import SearchForm, asked_for
from players.privacy import OFFICER, Viewer, names_seen
from players.selectors import named
from ratings.models import PlayerRating, RatingList
from ratings.selectors import count_rows, leaderboard, on_probation, primary_list, public_lists, with_places
from ratings.tables import LeaderboardTable

PER_PAGE = 50
FILTERS = ("all", "ranked", "provisional", "inactive")


def index(request: ClubRequest) -> HttpResponse:
    """The main list, or a page that says there is none yet."""
    found = primary_list()
    return redirect(found) if found else render(request, "ratings/no_list.html")


def rating_list(request: ClubRequest, slug: str) -> HttpResponse:
    """One list: everybody where the rating stands, those on probation marked and without a place."""
    viewer = request.viewer
    lists = public_lists() if viewer != OFFICER else list(RatingList.objects.all())
    found = next((row for row in lists if row.slug == slug), None)
    if found is None:
        raise Http404
    chosen = request.GET.get("show", "all")
    chosen = chosen if chosen in FILTERS else "all"
    search = asked_for(request)
    rows = _search(_filter(leaderboard(found), found, chosen), search, viewer)
    table = LeaderboardTable(with_places(rows), rating_list=found, viewer=viewer)
    if search or chosen != "all":
        table.empty_text = _("Nobody of that kind is in the list.")
    show_page(request, table, PER_PAGE)
    context = {
        "list": found,
        "lists": lists,
        "table": table,
        "counts": count_rows(found),
        "show": chosen,
        "search": search,
        "search_form": SearchForm(initial={"q": search, "show": chosen}),
        "found": table.paginator.count,
    }
    return render(request, "ratings/leaderboard.html", context)


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
