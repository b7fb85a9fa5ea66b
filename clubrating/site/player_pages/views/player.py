"""A player's page: `/players/<slug>/` now, `?on=D` as published and `?known=D` as now known for an earlier day.

Today's page has the ratings of every list over time, and the record, events and games of one list (`?list=`). The page
of an earlier day has the player's place and rating in one list.
"""

from django.core.paginator import Paginator
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from clubrating.ground.charts import bar
from clubrating.site.lists.views.days import Asked, asked_moment, named_in_full
from clubrating.site.player_pages.careers import career_chart, fold_career
from clubrating.site.player_pages.tables import CareerEventsTable, GameTable, MarksTable
from clubrating.web.requests import ClubRequest
from players.models import Player
from players.people.selectors import find_player
from players.privacy.rules import Viewer, sees_name, sees_page
from players.refusals import Refused
from ratings.lists.selectors.history import CareerRow, careers, resets_of
from ratings.lists.selectors.lists import (
    main_of,
    place_of,
    public_lists,
    published_on,
    published_rows,
    rated_games_of,
    standings_of,
)
from ratings.lists.selectors.probation import standing_of
from ratings.lists.services import rules_of
from ratings.lists.words import class_words
from ratings.models import PlayerRating, RatingList
from tournaments.meetings.selectors import Met, opponents_of
from tournaments.rated_games.services.past_lists import known_on


# --- whose page -------------------------------------------------------------------------------------------------------
def person_at(slug: str, viewer: Viewer) -> Player:
    """Whoever the address means, as the record stands now: records that were merged lead to the one that was kept.
    Whoever calls compares the present address with the one asked for.

    Raises Http404 for nobody, for whom the viewer may not open, and for the address of a name that is no longer public.
    """
    found = find_player(slug)
    if found is None or not sees_page(found, viewer):
        raise Http404
    if found.merged_into is None and slug != found.slug == str(found.number):
        raise Http404
    while found.merged_into is not None:
        found = found.merged_into
    if not sees_page(found, viewer):
        raise Http404
    return found


# --- an earlier day --------------------------------------------------------------------------------------------------
def past_player(request: ClubRequest, found: Player, asked: Asked) -> HttpResponse:
    """The page, for one of the public lists (`?list=`)."""
    lists = public_lists()
    wanted = request.GET.get("list", "")
    chosen = next((row for row in lists if row.slug == wanted), None) or main_of(lists)
    context = {"player": found, "lists": lists, "list": chosen, "day": asked.day, "known": asked.known}
    if chosen is not None:
        published = published_on(chosen, asked.day)
        # As now known: for the day asked for, or that of the published list.
        day = published.on if published and not asked.known else asked.day
        context |= {
            "published": published,
            "frozen": published_rows(published).filter(player=found).first() if published else None,
            "standing": next((row for row in known_on(chosen, day) if row.player == found.pk), None),
            "here": f"?list={chosen.slug}&",
            "now": f"{found.get_absolute_url()}?list={chosen.slug}",
        }
    return render(request, "ratings/past_player.html", context)


# --- today -----------------------------------------------------------------------------------------------------------
PER_PAGE = 50
MET_MOST = 5


def player(request: ClubRequest, slug: str) -> HttpResponse:
    """The page of whoever the viewer may see; an address that is not the player's present one leads there, or, for
    somebody not public, nowhere."""
    found = person_at(slug, request.viewer)
    if found.slug != slug:
        query = request.GET.urlencode()
        return redirect(f"{found.get_absolute_url()}?{query}" if query else found.get_absolute_url())
    try:
        asked = asked_moment(request)
    except Refused as refusal:
        context = {"sentence": refusal, "back": request.path}
        return render(request, "ratings/bad_day.html", context, status=400)
    if asked is None:
        return _today(request, found)
    return named_in_full(request, asked) or past_player(request, found, asked)


def _today(request: ClubRequest, found: Player) -> HttpResponse:
    """The page as of now."""
    viewer = request.viewer
    standings = standings_of(found)
    prefetch_related_objects(standings, "rating_list__rules")
    wanted = request.GET.get("list", "")
    row = next((row for row in standings if row.rating_list.slug == wanted), standings[0] if standings else None)
    # Without the name: no class, chart or changes of games, since they could reveal an age or the person.
    knows = sees_name(found, viewer)
    met = opponents_of(found)
    # Opponents for whom the comparison page can be opened.
    open_to = [each for each in met if sees_page(each.player, viewer)]
    context: dict[str, object] = {"player": found, "standings": standings, "row": row, "knows": knows}
    context |= {"met": open_to, "met_most": open_to[:MET_MOST]}
    if row is not None:
        lists = [each.rating_list for each in standings]
        rows = careers(found, lists)
        context["resets"] = resets_of(row) if knows else []
        context |= _career(found, row, rows[row.rating_list_id], met, knows=knows)
        context |= _games(request, found, row, len(rows[row.rating_list_id]), knows=knows)
        if knows and (chart := career_chart(_drawn_together(lists, row.rating_list), rows, row.rating_list)):
            hidden = () if len(chart.lists) > 1 else ("list_name",)
            context |= {"chart": chart, "marks": MarksTable(chart.marks, exclude=hidden)}
    return render(request, "ratings/player.html", context)


def _drawn_together(lists: list[RatingList], chosen: RatingList) -> list[RatingList]:
    """The lists whose points mean the same as the chosen one's: others would need a scale of their own."""

    def is_elo(each: RatingList) -> bool:
        return rules_of(each).on(timezone.localdate()).system.elo_scale

    return [each for each in lists if is_elo(each)] if is_elo(chosen) else [chosen]


def _career(
    found: Player, row: PlayerRating, rows: list[CareerRow], met: list[Met], *, knows: bool
) -> dict[str, object]:
    """The record, and where the player stands."""
    rating_list, today = row.rating_list, timezone.localdate()
    folded = fold_career(rows)
    rule = rules_of(rating_list).on(today)
    standing = standing_of(row, found.birth_year, rule, today)
    best = folded.best_win
    hidden = (*(() if rule.system.elo_scale else ("by_400", "by_fide")), *(() if knows else ("change",)))
    return {
        "career": folded,
        "events_table": CareerEventsTable(folded.events, exclude=hidden),
        "place": place_of(rating_list, row),
        "record_bar": bar((folded.total.wins, folded.total.draws, folded.total.losses)),
        "best_loser": next((each.player for each in met if best and each.player.pk == best.opponent_key), None),
        "games_left": standing.left,
        "standing": standing,
        "class": class_words(row.rating) if rule.system.elo_scale and not standing.provisional else "",
    }


def _games(request: ClubRequest, found: Player, row: PlayerRating, count: int, *, knows: bool) -> dict[str, object]:
    """The rated games, `count` in all, a page at a time, latest first."""
    games = rated_games_of(row.rating_list, found).order_by("-game__played_on", "-game__sequence")
    page = Paginator(range(count), PER_PAGE).get_page(request.GET.get("page"))
    first = (page.number - 1) * PER_PAGE
    table = GameTable(
        games[first : first + PER_PAGE],
        player=found,
        rating_list=row.rating_list,
        exclude=() if knows else ("change", "after"),
    )
    return {"table": table, "page": page}
