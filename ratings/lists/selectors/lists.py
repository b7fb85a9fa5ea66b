"""Reading the lists: leaderboards, a player's standing, a player's rated games."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Case, Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from players.models import Player
from players.refusals import listed, sign
from ratings.lists.selectors.listing import best_first, column_of, listing_of, with_listed
from ratings.models import (
    ContestEntry,
    LedgerEntry,
    PlayerRating,
    RatingList,
    RatingStep,
    RatingTier,
)
from ratings.systems.base import Moment, Period, order_key
from ratings.systems.rules import Listing

# The largest key every database takes; an address may ask for more.
LARGEST_KEY = 2**31 - 1


def main_of(lists: Iterable[RatingList]) -> RatingList | None:
    """Of several lists the one that is shown where one is: the club's main list, else the first in order."""
    return min(lists, key=lambda row: (not row.primary, row.order, row.pk), default=None)


def main_list_of(pool: str) -> RatingList | None:
    """The list a pool's ratings are taken from."""
    return main_of(RatingList.objects.filter(pool=pool))


def pool_names() -> dict[str, str]:
    """What a pool is called: as its rating list is in the page's language, or its lists in their order."""
    found: dict[str, list[str]] = {}
    for row in RatingList.objects.all():
        found.setdefault(row.pool, []).append(row.shown_name)
    return {pool: listed(names) for pool, names in found.items()}


def pool_choices() -> list[tuple[str, str]]:
    """The pools for a menu, with the word that files have for them; a club without lists has the standard one."""
    named = [(pool, f"{name}{sign(' (')}{pool}{sign(')')}") for pool, name in pool_names().items()]
    return named or [("standard", "standard")]


def public_lists() -> list[RatingList]:
    """Lists anybody may read, in their order."""
    return list(RatingList.objects.filter(public=True))


def primary_list() -> RatingList | None:
    """The club's main list, among those anybody may read."""
    return main_of(public_lists())


def find_list(slug: str, *, private: bool = False) -> RatingList | None:
    """The list of that address; `private`: also one that is not public."""
    lists = RatingList.objects.all() if private else RatingList.objects.filter(public=True)
    return lists.filter(slug=slug).first()


def live_ratings() -> QuerySet[PlayerRating]:
    """Current ratings: those of every list's live generation."""
    return PlayerRating.objects.filter(generation=F("rating_list__live_generation"))


# "ranked = true" as databases find it in an index: Django writes a bare `ranked` for `ranked=True`, which SQLite's
# planner does not.
RANKED = Q(ranked__in=[True])


def live_rows(rating_list: RatingList) -> QuerySet[PlayerRating]:
    """One list's current ratings, for walks along the index: its live generation is looked up first, not joined, so
    that the index's order holds."""
    live = RatingList.objects.filter(pk=rating_list.pk).values("live_generation")
    return PlayerRating.objects.filter(rating_list=rating_list, generation=Subquery(live))


def leaderboard(rating_list: RatingList) -> QuerySet[PlayerRating]:
    """Everybody in the list with the person joined in, best first."""
    listing = listing_of(rating_list)
    rows = with_listed(live_ratings().filter(rating_list=rating_list), listing)
    return rows.select_related("player").order_by(*best_first(listing))


def _before(rating_list: RatingList, row: PlayerRating) -> QuerySet[PlayerRating]:
    """The list's rows that stand before this one."""
    listing = listing_of(rating_list)
    column, value = column_of(listing), listing.value(row.rating, row.deviation)
    ahead = Q((f"{column}__gt", value)) | Q((column, value), reached_order__lt=row.reached_order)
    ahead |= Q((column, value), reached_order=row.reached_order, player_id__lt=row.player_id)
    # The last condition says nothing new, but gives the database an end of the index to begin at.
    return with_listed(live_rows(rating_list), listing).filter(ahead, (f"{column}__gte", value))


def places_before(rating_list: RatingList, row: PlayerRating) -> int:
    """How many ranked players stand before this row."""
    return _before(rating_list, row).filter(RANKED).count()


def on_probation(rating_list: RatingList) -> Q:
    """Whoever has played too few rated games (where it ends by evidence: told too little), or came back after a long
    absence and not played enough since: `Probation.holds` of a row."""
    probation = rating_list.probation
    new = Q(games__lt=probation.of)
    if probation.deviation is not None:
        known = Q(deviation__lte=probation.deviation) | Q(games__gte=probation.latest)
        new = Q(new, deviation=None) | Q(~known, deviation__isnull=False)
    return new | Q(reentry__gt=0)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many stand in a list: `provisional` are on probation, `inactive` rated but away."""

    everybody: int
    ranked: int
    provisional: int
    inactive: int


def count_rows(rating_list: RatingList) -> Counts:
    """The list's counts, in one query. Each is read off an index as far as it goes: whoever is on probation takes no
    place, so only those without one are looked at."""
    rows = live_rows(rating_list)
    away = Player.objects.filter(active=False).values("pk")
    provisional = rows.filter(on_probation(rating_list), ranked__in=[False])
    counted = (rows, rows.filter(RANKED), provisional, rows.filter(player__in=away))
    return Counts(*counted_in(rating_list, counted))


def counted_in(rating_list: RatingList, some: Iterable[QuerySet[PlayerRating]]) -> tuple[int, ...]:
    """How many rows of the list each of those has, in one query."""
    counts: tuple[int, ...] = (
        RatingList.objects.filter(pk=rating_list.pk).values_list(*(_count_of(rows) for rows in some)).get()
    )
    return counts


def _count_of(rows: QuerySet[PlayerRating]) -> Coalesce:
    """How many those rows are, as part of another query."""
    counted = rows.order_by().annotate(one=Value(1)).values("one").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def standings_of(player: Player) -> list[PlayerRating]:
    """The player's current rating in every public list, in the lists' order."""
    rows = live_ratings().filter(player=player, rating_list__public=True).select_related("rating_list")
    return list(rows.order_by("rating_list__order", "rating_list_id"))


def foremost_ratings(players: Collection[int]) -> dict[int, PlayerRating]:
    """By player (key) the current rating in the main list, or else in the first public list that has one."""
    rows = live_ratings().filter(player__in=players, rating_list__public=True).select_related("rating_list")
    last_counts = list(rows.order_by("rating_list__primary", "-rating_list__order", "-rating_list_id"))
    lists = {row.rating_list_id: row.rating_list for row in last_counts}
    for row in last_counts:
        row.rating_list = lists[row.rating_list_id]  # one object a list: what it shows is asked for once
    return {row.player_id: row for row in last_counts}


def ledger_rows_of(player: int, lists: Iterable[int]) -> QuerySet[LedgerEntry]:
    """A player's rows of the live ledgers of those lists, all by their keys. Either side is read off its own index:
    asked for one or the other at once, a database without fresh statistics may walk over a whole ledger."""
    rows = LedgerEntry.objects.filter(rating_list__in=list(lists), generation=F("rating_list__live_generation"))
    white, black = (
        rows.filter(side).order_by().values("pk") for side in (Q(white_player=player), Q(black_player=player))
    )
    return LedgerEntry.objects.filter(pk__in=white.union(black, all=True))


def rated_games_of(rating_list: RatingList, player: Player) -> QuerySet[LedgerEntry]:
    """The player's rows of the live ledger, oldest first, with game, event and both people joined in."""
    return (
        ledger_rows_of(player.pk, [rating_list.pk])
        .select_related("game__white", "game__black", "game__tournament", "game__pairing__round")
        .order_by("game__played_on", "game__sequence")
    )


def contest_entries(rating_list: RatingList, contest: int) -> list[ContestEntry]:
    """The rows of that contest (by key) in the list's live ledger, side by side; none where the list has not rated
    it."""
    if not rating_list.has_contests or contest > LARGEST_KEY:
        return []
    rows = ContestEntry.objects.filter(rating_list=rating_list, generation=rating_list.live_generation, contest=contest)
    return list(rows.select_related("contest__tournament").order_by("side", "player"))


def contest_members(entry: ContestEntry) -> dict[int, Any]:
    """The members of that row's contest by the players' keys, each with the side. One query."""
    return {member.player_id: member for member in entry.contest.members.select_related("side")}


def ratings_now(rating_list: RatingList, players: list[int]) -> dict[int, PlayerRating]:
    """Current rows of those players (by key) in one list; whoever has none is missing."""
    rows = live_ratings().filter(rating_list=rating_list, player__in=players)
    return {row.player_id: row for row in rows}


PERIOD_KINDS = (RatingStep.Kind.EVENT, RatingStep.Kind.PERIOD, RatingStep.Kind.FIT)


def _live_rows(rating_list: RatingList) -> dict[str, Any]:
    return {"rating_list": rating_list, "generation": F("rating_list__live_generation")}


def ledger_row(rating_list: RatingList, game: int, player: Player) -> LedgerEntry | None:
    """The row of that game (by key) in the list's live ledger, if the player played it."""
    rows = rated_games_of(rating_list, player).select_related("game__footnote").filter(game=game)
    found = rows.first() if game <= LARGEST_KEY else None
    if found is not None:
        found.rating_list = rating_list  # not read twice
    return found


def period_rows(entry: LedgerEntry, player: Player, period: Period) -> list[LedgerEntry]:
    """The player's rows that were rated in one period with this one, itself among them, in order. Without their games:
    a row has all figures itself."""
    rows = ledger_rows_of(player.pk, [entry.rating_list_id])
    if period == Period.EVENT:
        rows = rows.filter(game__tournament=entry.game.tournament_id)
    elif period in (Period.DAY, Period.MONTH):
        rows = rows.filter(_same_days(entry, period))
    return list(rows.order_by("order"))


def period_step(entry: LedgerEntry, player: Player, period: Period) -> RatingStep | None:
    """What that period did to the player; None while it runs."""
    steps = RatingStep.objects.filter(player=player, kind__in=PERIOD_KINDS, **_live_rows(entry.rating_list))
    if period == Period.EVENT:
        games = LedgerEntry.objects.filter(
            rating_list=entry.rating_list, generation=entry.generation, game__tournament=entry.game.tournament_id
        )
        steps = steps.filter(order__in=games.values("order"))
    elif period in (Period.DAY, Period.MONTH):
        steps = steps.filter(_same_days(entry, period))
    return steps.order_by("-order").first()


def _same_days(entry: LedgerEntry, period: Period) -> Q:
    """Rows of the entry's day or month."""
    day = Moment.of(entry.order).on
    first, after = day, day + timedelta(days=1)
    if period == Period.MONTH:
        first = day.replace(day=1)
        after = (first + timedelta(days=31)).replace(day=1)
    return Q(order__gte=order_key(first, 0), order__lt=order_key(after, 0))


def field_step(entry: LedgerEntry) -> float | None:
    """The factor by which the whole field was multiplied right after this game; None where it was not."""
    steps = RatingStep.objects.filter(player=None, order=entry.order, **_live_rows(entry.rating_list))
    return steps.values_list("factor", flat=True).first()


def place_of(rating_list: RatingList, row: PlayerRating) -> int | None:
    """The player's place, or None for whoever takes none."""
    return places_before(rating_list, row) + 1 if row.ranked else None


def rows_before(rating_list: RatingList, row: PlayerRating) -> int:
    """How many rows, with a place or without, stand before this one in the whole list."""
    return _before(rating_list, row).count()


def rating_of(rating_list: RatingList, number: int) -> PlayerRating | None:
    """The current row of the player with that number, the person joined in."""
    if number > LARGEST_KEY:
        return None
    rows = live_ratings().filter(rating_list=rating_list, player__number=number)
    return rows.select_related("player", "rating_list").first()


def from_place(rating_list: RatingList, place: int, count: int = 10) -> QuerySet[PlayerRating]:
    """The ranked rows from that place (1 …) on, at most `count`. The database steps along the index to the place."""
    listing = listing_of(rating_list)
    ranked = with_listed(live_rows(rating_list), listing).filter(RANKED)
    keys = ranked.order_by(*best_first(listing)).values_list("pk", flat=True)
    # By keys alone: given the list too, a database may prefer to walk all of it in order.
    return _in_order(list(keys[place - 1 : place - 1 + count]), listing)


def _in_order(keys: list[int], listing: Listing) -> QuerySet[PlayerRating]:
    """Those rows (by key), best first, the person joined in."""
    rows = with_listed(PlayerRating.objects.filter(pk__in=keys), listing)
    return rows.select_related("player").order_by(*best_first(listing))


def around(rating_list: RatingList, row: PlayerRating, each_side: int = 5) -> QuerySet[PlayerRating]:
    """The row with those right before and right behind it in the whole list, those without a place among them."""
    listing = listing_of(rating_list)
    column, value, order = column_of(listing), listing.value(row.rating, row.deviation), best_first(listing)
    behind = Q((f"{column}__lt", value)) | Q((column, value), reached_order__gt=row.reached_order)
    behind |= Q((column, value), reached_order=row.reached_order, player_id__gt=row.player_id)
    before = _before(rating_list, row).order_by(*order).reverse()
    after = with_listed(live_rows(rating_list), listing).filter(behind, (f"{column}__lte", value)).order_by(*order)
    keys = [key for rows in (before, after) for key in rows.values_list("pk", flat=True)[:each_side]]
    return _in_order([*keys, row.pk], listing)


def ranked_players(rating_list: RatingList) -> QuerySet[PlayerRating, int]:
    """Whoever takes a place (by key), best first."""
    listing = listing_of(rating_list)
    ranked = with_listed(live_ratings().filter(rating_list=rating_list, ranked=True), listing)
    return ranked.order_by(*best_first(listing)).values_list("player_id", flat=True)


def count_ranked(rating_list: RatingList) -> int:
    """How many take a place."""
    return live_rows(rating_list).filter(RANKED).count()


def tier_bounds(tiers: Iterable[RatingTier], chosen: RatingTier) -> tuple[float | None, float | None]:
    """A tier's range of unrounded ratings, from … below; None is no bound.

    A tier goes by the rating as it is shown, so its bounds stand half a point lower.
    """
    bounds = [tier.below for tier in tiers if tier.below is not None]
    lower = [bound for bound in bounds if chosen.below is None or bound < chosen.below]
    return (max(lower) - 0.5 if lower else None, None if chosen.below is None else chosen.below - 0.5)


def with_places(rows: QuerySet[PlayerRating]) -> QuerySet[PlayerRating]:
    """The same rows with `place`: how many ranked players of the list stand ahead, plus one; None without a place.

    Counted for the rows that are drawn only, along the index (list, ranked, rating): not for a cautious list.
    """
    ahead = PlayerRating.objects.filter(
        RANKED,
        Q(rating__gt=OuterRef("rating"))
        | Q(reached_order__lt=OuterRef("reached_order"))
        | Q(reached_order=OuterRef("reached_order"), player_id__lt=OuterRef("player_id")),
        rating_list=OuterRef("rating_list"),
        generation=OuterRef("generation"),
        rating__gte=OuterRef("rating"),
    )
    place = When(ranked=True, then=_count_of(ahead) + 1)
    return rows.annotate(place=Case(place, default=None, output_field=IntegerField()))


def latest_games(rating_list: RatingList) -> QuerySet[LedgerEntry]:
    """The rows of the list's live ledger, the latest game first, read along the index."""
    live = RatingList.objects.filter(pk=rating_list.pk).values("live_generation")
    return LedgerEntry.objects.filter(rating_list=rating_list, generation=Subquery(live)).order_by("-order")


# So many of the last games are looked through for whoever is new, before everybody is.
LATEST_GAMES = 400


def newcomers(rating_list: RatingList, count: int = 5) -> list[PlayerRating]:
    """Active players on probation, whoever played last first. In a large list they are among those who played lately;
    only where they are not is everybody looked at."""
    rows = live_ratings().filter(on_probation(rating_list), rating_list=rating_list, player__active=True)
    rows = rows.select_related("player").order_by(F("last_played").desc(nulls_last=True), "-games", "player__number")
    since, players = _lately(rating_list)
    found = list(rows.filter(player__in=players, last_played__gt=since)[:count]) if since else []
    return found if len(found) == count else list(rows[:count])


def _lately(rating_list: RatingList) -> tuple[date | None, set[int]]:
    """The day before which the list's latest games end, and who (by key) played them; no day where those are all, or
    where the list has contests too."""
    if rating_list.has_contests:
        return None, set()
    rows = latest_games(rating_list).values_list("order", "white_player", "black_player")
    latest = list(rows[:LATEST_GAMES])
    if len(latest) < LATEST_GAMES:
        return None, set()
    # Of the day on which they end there may be more.
    return Moment.of(latest[-1][0]).on, {player for _order, *both in latest for player in both}
