"""A player's page: `/players/<slug>/` now, `?on=D` as published and `?known=D` as now known for an earlier day.

Today's page has the ratings of every list over time (`?span=`), and the record, events and latest games of one list
(`?list=`); `/players/<slug>/games/` has all of its games. The page of an earlier day has the player's place and rating
in one list.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from django.core.paginator import Paginator
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubrating.ground.bars import Histogram, bar, histogram
from clubrating.site.lists.views.days import Asked, asked_moment, named_in_full
from clubrating.site.player_pages.careers import career_chart, fold_career
from clubrating.site.player_pages.contest_tables import ContestTable
from clubrating.site.player_pages.fans import fan_of
from clubrating.site.player_pages.records import favourite, record_of, toughest
from clubrating.site.player_pages.selectors import contests_played, next_game_of, placings_of
from clubrating.site.player_pages.tables import CareerEventsTable, GameTable, MarksTable
from clubrating.web.requests import ClubRequest, with_query
from players.models import Player
from players.people.selectors import find_player
from players.privacy.rules import NOBODY, Viewer, sees_name, sees_page
from players.refusals import Refused
from ratings.lists.selectors.distribution import Distribution, distribution_of, percent_behind
from ratings.lists.selectors.history import CareerRow, careers, contest_rows_of, resets_of
from ratings.lists.selectors.listing import shown_of
from ratings.lists.selectors.lists import (
    ledger_rows_of,
    main_of,
    place_of,
    public_lists,
    rated_games_of,
    standings_of,
)
from ratings.lists.selectors.probation import standing_of
from ratings.lists.selectors.published import published_on, published_rows
from ratings.lists.services import rules_of
from ratings.lists.words import class_words
from ratings.models import PlayerRating, RatingList
from ratings.systems.probation import Record
from tournaments.contests.selectors import best_partner, partners_of
from tournaments.meetings.selectors import Met, opponents_of
from tournaments.rated_games.services.past_lists import known_on
from tournaments.teams.selectors.records import team_records_of


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
    if not sees_page(found.kept, viewer):
        raise Http404
    return found.kept


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
FIRST_GAMES = 15
PER_PAGE = 50
MET_MOST = 5
MOST_CHOICES = 50
FIRST_EVENTS, MOST_EVENTS = 8, 100
# What `?span=` may ask the chart for; anything else is the whole career.
SPANS = {"3-months": timedelta(days=91), "year": timedelta(days=365)}
SPAN_WORDS = (("3-months", _("3 months")), ("year", _("Year")), ("all", _("All")))


@dataclass(frozen=True, slots=True)
class Among:
    """Where the player stands among the ranked ones of a list: ahead of so many per cent of the others."""

    place: int
    ranked: int
    percent: int | None
    spread: Distribution
    drawing: Histogram


def player(request: ClubRequest, slug: str) -> HttpResponse:
    """The page of whoever the viewer may see; an address that is not the player's present one leads there, or, for
    somebody not public, nowhere."""
    found = person_at(slug, request.viewer)
    if found.slug != slug:
        return redirect(with_query(request, found.get_absolute_url()))
    try:
        asked = asked_moment(request)
    except Refused as refusal:
        context = {"sentence": refusal, "back": request.path}
        return render(request, "ratings/bad_day.html", context, status=400)
    if asked is None and "page" in request.GET:
        return redirect(with_query(request, reverse("players:games", args=[found.slug])))
    if asked is None:
        return _today(request, found)
    return named_in_full(request, asked) or past_player(request, found, asked)


def games(request: ClubRequest, slug: str) -> HttpResponse:
    """All rated games of one list, a page at a time, latest first."""
    found = person_at(slug, request.viewer)
    if found.slug != slug:
        return redirect(with_query(request, reverse("players:games", args=[found.slug])))
    standings = standings_of(found)
    row = _chosen(request, standings)
    if row is None:
        raise Http404
    count = ledger_rows_of(found.pk, [row.rating_list_id]).count()
    if row.rating_list.has_contests:
        count = max(count, contest_rows_of(row.rating_list, found).count())
    page = Paginator(range(count), PER_PAGE).get_page(request.GET.get("page"))
    first = (page.number - 1) * PER_PAGE
    context = {"player": found, "standings": standings, "row": row, "page": page}
    context["table"] = _games(request, found, row, first, first + PER_PAGE)
    if row.rating_list.has_contests:
        context["contest_table"] = _contests(request, found, row, first, first + PER_PAGE)
    return render(request, "ratings/player_games.html", context)


def _chosen(request: ClubRequest, standings: list[PlayerRating]) -> PlayerRating | None:
    """The row of the list that `?list=` names, else the first."""
    wanted = request.GET.get("list", "")
    return next((row for row in standings if row.rating_list.slug == wanted), standings[0] if standings else None)


def _today(request: ClubRequest, found: Player) -> HttpResponse:
    """The page as of now."""
    viewer, today = request.viewer, timezone.localdate()
    standings = standings_of(found)
    prefetch_related_objects(standings, "rating_list__rules")
    row = _chosen(request, standings)
    # Without the name: no class, chart or changes of games, since they could reveal an age or the person.
    knows = sees_name(found, viewer)
    met = opponents_of(found)
    # Opponents for whom the comparison page can be opened.
    open_to = [each for each in met if sees_page(each.player, viewer)]
    context: dict[str, object] = {"player": found, "standings": standings, "row": row, "knows": knows}
    context["is_public"] = sees_name(found, NOBODY)
    context |= {"met": open_to[:MOST_CHOICES], "met_most": open_to[:MET_MOST], "next": next_game_of(found, today)}
    context["team_records"] = team_records_of(found)
    if row is not None:
        lists = [each.rating_list for each in standings]
        rows = careers(found, lists)
        own = rows[row.rating_list_id]
        resets = resets_of(row)
        context |= {"resets": resets if knows else [], "more": len(own) > FIRST_GAMES}
        # A starting rating that holds only after games here counts games of its own in their place.
        contests = contest_rows_of(row.rating_list, found).count() if row.rating_list.has_contests else 0
        context |= {"elsewhere": 0 if resets else max(row.games - len(own), 0), "among": _among(row)}
        if contests:
            context |= {"contest_table": _contests(request, found, row, 0, FIRST_GAMES), "contests": contests}
            partners = [each for each in partners_of(found) if sees_page(each.player, viewer)]
            context |= {"best_partner": best_partner(partners)}
        context |= _career(found, row, own, met, knows=knows)
        context["table"] = _games(request, found, row, 0, FIRST_GAMES)
        if knows:
            deviations = {each.rating_list_id: each.deviation for each in standings}
            context |= _chart(request, found, row, rows, _drawn_together(lists, row.rating_list), deviations)
            context["fan"] = fan_of(row.rating_list, found, today)
    return render(request, "ratings/player.html", context)


def _among(row: PlayerRating) -> Among | None:
    """Place and percentile; None for whoever takes no place."""
    place = place_of(row.rating_list, row)
    spread = distribution_of(row.rating_list) if place else None
    if place is None or spread is None:
        return None
    shown = shown_of(row)
    at = (shown - spread.low) / (spread.high - spread.low)
    drawing = histogram(spread.counts, spread.class_of(shown), at)
    return Among(place, spread.ranked, percent_behind(place, spread.ranked), spread, drawing)


def _chart(
    request: ClubRequest,
    found: Player,
    row: PlayerRating,
    rows: dict[int, list[CareerRow]],
    lists: list[RatingList],
    deviations: Mapping[int, float | None],
) -> dict[str, object]:
    """The ratings over the time asked for; without it only where there are two games to draw at all."""
    wanted = request.GET.get("span", "")
    span = wanted if wanted in SPANS else "all"
    since: date | None = timezone.localdate() - SPANS[span] if span in SPANS else None
    chart = career_chart(lists, rows, row.rating_list, since, deviations)
    spans = [(key, words, key == span) for key, words in SPAN_WORDS]
    context: dict[str, object] = {
        "chart": chart,
        "spans": spans,
        "span": span,
        "charted": len(rows[row.rating_list_id]) > 1,
    }
    if chart:
        hidden = () if len(chart.wide.lines) > 1 else ("list_name",)
        context["marks"] = MarksTable(chart.marks, player=found, exclude=hidden)
    return context


def _drawn_together(lists: list[RatingList], chosen: RatingList) -> list[RatingList]:
    """The lists whose points mean the same as the chosen one's: others would need a scale of their own."""

    def is_elo(each: RatingList) -> bool:
        return rules_of(each).on(timezone.localdate()).system.elo_scale

    return [each for each in lists if is_elo(each)] if is_elo(chosen) else [chosen]


def _career(
    found: Player, row: PlayerRating, rows: list[CareerRow], met: list[Met], *, knows: bool
) -> dict[str, object]:
    """The record, the events, and where the player stands."""
    rating_list, today = row.rating_list, timezone.localdate()
    folded = fold_career(rows)
    rule = rules_of(rating_list).on(today)
    standing = standing_of(row, found.birth_year, rule, today)
    best = folded.best_win
    events = folded.events[:MOST_EVENTS]
    places = placings_of(found, [event.slug for event in events[:FIRST_EVENTS]], today)
    hidden = (*(() if rule.system.elo_scale else ("by_400", "by_fide")), *(() if knows else ("change",)))
    return {
        "career": folded,
        "record": record_of(rows),
        "toughest": toughest(met),
        "favourite": favourite(met),
        "elo_scale": rule.system.elo_scale,
        "events_table": CareerEventsTable(events[:FIRST_EVENTS], places=places, exclude=hidden),
        "more_events": CareerEventsTable(events[FIRST_EVENTS:], places={}, exclude=(*hidden, "place")),
        "record_bar": bar((folded.total.wins, folded.total.draws, folded.total.losses)),
        "best_loser_known": Record(best.opponent_games, deviation=best.opponent_deviation) if best else None,
        "best_loser": next((each.player for each in met if best and each.player.pk == best.opponent_key), None),
        "games_left": standing.left,
        "standing": standing,
        "class": class_words(row.rating) if rule.system.elo_scale and not standing.provisional else "",
    }


def _games(request: ClubRequest, found: Player, row: PlayerRating, first: int, end: int) -> GameTable:
    """Some of the rated games, counted from the latest on."""
    games = rated_games_of(row.rating_list, found).order_by("-game__played_on", "-game__sequence")
    rows, deviation = list(games[max(first - 1, 0) : end]), row.deviation
    if first and rows:
        later = rows.pop(0)
        deviation = later.white_deviation if later.game.white_id == found.pk else later.black_deviation
    hidden = () if sees_name(found, request.viewer) else ("change", "after")
    return GameTable(rows, player=found, rating_list=row.rating_list, deviation=deviation, exclude=hidden)


def _contests(request: ClubRequest, found: Player, row: PlayerRating, first: int, end: int) -> ContestTable:
    """The same of contests."""
    rows = contests_played(row.rating_list, found, first, end)
    hidden = () if sees_name(found, request.viewer) else ("change", "after")
    return ContestTable(rows, player=found, rating_list=row.rating_list, exclude=hidden)
