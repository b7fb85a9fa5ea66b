"""Reading the lists: leaderboards, a player's standing, a player's rated games."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Case, Count, F, FloatField, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from players.models import Player
from ratings.models import LedgerEntry, PlayerRating, PublishedList, PublishedRow, RatingList, RatingStep, RatingTier
from ratings.systems.base import Moment, Period, order_key

# The largest key every database takes; an address may ask for more.
LARGEST_KEY = 2**31 - 1


def main_of(lists: Iterable[RatingList]) -> RatingList | None:
    """Of several lists the one that is shown where one is: the club's main list, else the first in order."""
    return min(lists, key=lambda row: (not row.primary, row.order, row.pk), default=None)


def main_list_of(pool: str) -> RatingList | None:
    """The list a pool's ratings are taken from."""
    return main_of(RatingList.objects.filter(pool=pool))


def public_lists() -> list[RatingList]:
    """Lists anybody may read, in their order."""
    return list(RatingList.objects.filter(public=True))


def primary_list() -> RatingList | None:
    """The club's main list, among those anybody may read."""
    return main_of(public_lists())


def find_list(slug: str, *, private: bool = False) -> RatingList | None:
    """The list of that address; `private`: also one that is not public."""
    rows = RatingList.objects.filter(slug=slug) if private else RatingList.objects.filter(slug=slug, public=True)
    return rows.first()


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
    """Everybody in the list with the person joined in, best first; of equal ratings the one reached first is ahead."""
    return (
        live_ratings()
        .filter(rating_list=rating_list)
        .select_related("player")
        .order_by("-rating", "reached_order", "player_id")
    )


def places_before(rating_list: RatingList, row: PlayerRating) -> int:
    """How many ranked players stand before this row."""
    ahead = Q(rating__gt=row.rating) | Q(rating=row.rating, reached_order__lt=row.reached_order)
    ahead |= Q(rating=row.rating, reached_order=row.reached_order, player_id__lt=row.player_id)
    # `rating__gte` says nothing new, but gives the database a range of the index to count.
    return live_rows(rating_list).filter(ahead, RANKED, rating__gte=row.rating).count()


def on_probation(rating_list: RatingList) -> Q:
    """Whoever has played too few rated games, or came back after a long absence and not played enough since."""
    return Q(games__lt=rating_list.provisional_games) | Q(reentry__gt=0)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many stand in a list: `provisional` are on probation, `inactive` rated but away."""

    everybody: int
    ranked: int
    provisional: int
    inactive: int


def count_rows(rating_list: RatingList) -> Counts:
    """The list's counts, in one query."""
    counts = (
        live_ratings()
        .filter(rating_list=rating_list)
        .aggregate(
            everybody=Count("pk"),
            ranked=Count("pk", filter=Q(ranked=True)),
            provisional=Count("pk", filter=on_probation(rating_list)),
            inactive=Count("pk", filter=Q(player__active=False)),
        )
    )
    return Counts(**counts)


def standings_of(player: Player) -> list[PlayerRating]:
    """The player's current rating in every public list, in the lists' order."""
    rows = live_ratings().filter(player=player, rating_list__public=True).select_related("rating_list")
    return list(rows.order_by("rating_list__order", "rating_list_id"))


def rated_games_of(rating_list: RatingList, player: Player) -> QuerySet[LedgerEntry]:
    """The player's rows of the live ledger, oldest first, with game, event and both people joined in."""
    return (
        LedgerEntry.objects.filter(
            Q(game__white=player) | Q(game__black=player),
            rating_list=rating_list,
            generation=F("rating_list__live_generation"),
        )
        .select_related("game__white", "game__black", "game__tournament", "game__pairing__round")
        .order_by("game__played_on", "game__sequence")
    )


def ratings_now(rating_list: RatingList, players: list[int]) -> dict[int, PlayerRating]:
    """Current rows of those players (by key) in one list; whoever has none is missing."""
    rows = live_ratings().filter(rating_list=rating_list, player__in=players)
    return {row.player_id: row for row in rows}


@dataclass(frozen=True, slots=True)
class CareerRow:
    """One rated game from one player's side, as far as a career needs it."""

    on: date
    is_white: bool
    score: float
    games: int
    change: float | None
    after: float | None
    opponent: float | None
    event: str
    event_slug: str


def career(rating_list: RatingList, player: Player) -> list[CareerRow]:
    """The player's rated games in one list, oldest first, without the people he met. Where a game has no rating after
    it, the one its period led to stands there."""
    columns = (
        "order",
        "game__played_on",
        "game__white_id",
        "score",
        "game__tournament__name",
        "game__tournament__slug",
    )
    sides = [f"{side}_{name}" for side in ("white", "black") for name in ("before", "games", "change", "after")]
    found = list(rated_games_of(rating_list, player).values_list(*columns, *sides))
    steps = _steps_after(rating_list, player) if any(row[9] is None for row in found) else []
    rows = []
    for order, on, white, score, event, slug, *both in found:
        is_white = white == player.pk
        (_own, games, change, after), (opponent, *_rest) = (both[:4], both[4:]) if is_white else (both[4:], both[:4])
        if after is None:
            after = next((step for at, step in steps if at >= order), None)
        own_score = score if is_white else 1.0 - score
        rows.append(CareerRow(on, is_white, own_score, games, change, after, opponent, event, slug))
    return rows


def _steps_after(rating_list: RatingList, player: Player) -> list[tuple[int, float | None]]:
    """(order, rating after) of every period that moved the player, oldest first."""
    steps = RatingStep.objects.filter(player=player, kind__in=PERIOD_KINDS, **_live_rows(rating_list))
    return list(steps.order_by("order").values_list("order", "after"))


PERIOD_KINDS = (RatingStep.Kind.EVENT, RatingStep.Kind.PERIOD, RatingStep.Kind.FIT)


def _live_rows(rating_list: RatingList) -> dict[str, Any]:
    return {"rating_list": rating_list, "generation": F("rating_list__live_generation")}


def ledger_row(rating_list: RatingList, game: int, player: Player) -> LedgerEntry | None:
    """The row of that game (by key) in the list's live ledger, if the player played it."""
    return rated_games_of(rating_list, player).filter(game=game).first() if game <= LARGEST_KEY else None


def period_rows(entry: LedgerEntry, player: Player, period: Period) -> list[LedgerEntry]:
    """The player's rows that were rated in one period with this one, itself among them, in order."""
    rows = rated_games_of(entry.rating_list, player)
    if period == Period.EVENT:
        rows = rows.filter(game__tournament=entry.game.tournament_id)
    elif period in (Period.DAY, Period.MONTH):
        first, last = _orders_of(entry, period)
        rows = rows.filter(order__gte=first, order__lt=last)
    return list(rows)


def period_step(entry: LedgerEntry, player: Player, period: Period) -> RatingStep | None:
    """What that period did to the player; None while it runs."""
    steps = RatingStep.objects.filter(player=player, kind__in=PERIOD_KINDS, **_live_rows(entry.rating_list))
    if period == Period.EVENT:
        games = LedgerEntry.objects.filter(
            rating_list=entry.rating_list, generation=entry.generation, game__tournament=entry.game.tournament_id
        )
        steps = steps.filter(order__in=games.values("order"))
    elif period in (Period.DAY, Period.MONTH):
        first, last = _orders_of(entry, period)
        steps = steps.filter(order__gte=first, order__lt=last)
    return steps.order_by("-order").first()


def _orders_of(entry: LedgerEntry, period: Period) -> tuple[int, int]:
    """The order keys of the entry's day or month: from … below."""
    day = Moment.of(entry.order).on
    if period == Period.DAY:
        return order_key(day, 0), order_key(day + timedelta(days=1), 0)
    month = day.replace(day=1)
    return order_key(month, 0), order_key((month + timedelta(days=31)).replace(day=1), 0)


def field_step(entry: LedgerEntry) -> float | None:
    """The factor by which the whole field was multiplied right after this game; None where it was not."""
    steps = RatingStep.objects.filter(player=None, order=entry.order, **_live_rows(entry.rating_list))
    return steps.values_list("factor", flat=True).first()


def place_of(rating_list: RatingList, row: PlayerRating) -> int | None:
    """The player's place, or None for whoever takes none."""
    return places_before(rating_list, row) + 1 if row.ranked else None


def rows_before(rating_list: RatingList, row: PlayerRating) -> int:
    """How many rows, with a place or without, stand before this one in the whole list."""
    ahead = Q(rating__gt=row.rating) | Q(rating=row.rating, reached_order__lt=row.reached_order)
    ahead |= Q(rating=row.rating, reached_order=row.reached_order, player_id__lt=row.player_id)
    return live_rows(rating_list).filter(ahead, rating__gte=row.rating).count()


def rating_of(rating_list: RatingList, number: int) -> PlayerRating | None:
    """The current row of the player with that number, the person joined in."""
    if number > LARGEST_KEY:
        return None
    rows = live_ratings().filter(rating_list=rating_list, player__number=number)
    return rows.select_related("player", "rating_list").first()


def from_place(rating_list: RatingList, place: int, count: int = 10) -> QuerySet[PlayerRating]:
    """The ranked rows from that place on, at most `count`. The database steps along the index to the place."""
    first = min(max(place, 1), LARGEST_KEY) - 1
    ranked = live_rows(rating_list).filter(RANKED)
    keys = ranked.order_by("-rating", "reached_order", "player_id").values_list("pk", flat=True)
    # By keys alone: told the list too, a database may prefer to walk all of it in order.
    rows = PlayerRating.objects.filter(pk__in=list(keys[first : first + count])).select_related("player")
    return rows.order_by("-rating", "reached_order", "player_id")


def count_ranked(rating_list: RatingList) -> int:
    """How many take a place."""
    return live_rows(rating_list).filter(RANKED).count()


def tier_bounds(tiers: Iterable[RatingTier], chosen: RatingTier) -> tuple[float | None, float | None]:
    """A tier's range of unrounded ratings, from … below; None is no bound.

    A tier goes by the rating as it is shown, so its bounds stand half a point lower."""
    bounds = [tier.below for tier in tiers if tier.below is not None]
    lower = [bound for bound in bounds if chosen.below is None or bound < chosen.below]
    return (max(lower) - 0.5 if lower else None, None if chosen.below is None else chosen.below - 0.5)


def with_places(rows: QuerySet[PlayerRating]) -> QuerySet[PlayerRating]:
    """The same rows with `place`: how many ranked players of the list stand ahead, plus one; None without a place.

    Counted for the rows that are drawn only, along the index (list, ranked, rating).
    """
    ahead = (
        PlayerRating.objects.filter(
            RANKED,
            rating_list=OuterRef("rating_list"),
            generation=OuterRef("generation"),
            rating__gte=OuterRef("rating"),
        )
        .filter(
            Q(rating__gt=OuterRef("rating"))
            | Q(reached_order__lt=OuterRef("reached_order"))
            | Q(reached_order=OuterRef("reached_order"), player_id__lt=OuterRef("player_id"))
        )
        .order_by()
        .annotate(one=Value(1))
        .values("one")
        .annotate(count=Count("pk"))
        .values("count")
    )
    place = Coalesce(Subquery(ahead, output_field=IntegerField()), 0) + 1
    return rows.annotate(place=Case(When(ranked=True, then=place), default=None, output_field=IntegerField()))


def newcomers(rating_list: RatingList, count: int = 5) -> list[PlayerRating]:
    """Active players on probation, whoever played last first."""
    rows = live_ratings().filter(on_probation(rating_list), rating_list=rating_list, player__active=True)
    return list(rows.select_related("player").order_by(F("last_played").desc(nulls_last=True), "-games")[:count])


# --- lists as published ---------------------------------------------------------------------------------------
def published_lists(rating_list: RatingList) -> list[PublishedList]:
    """Every publication of the list, latest day first, without settings."""
    return list(PublishedList.objects.filter(rating_list=rating_list).defer("settings"))


def published_on(rating_list: RatingList, day: date) -> PublishedList | None:
    """The list as published on a day: the last one published for that day or an earlier one."""
    return PublishedList.objects.filter(rating_list=rating_list, on__lte=day).select_related("rating_list").first()


def published_rows(published: PublishedList) -> QuerySet[PublishedRow]:
    """The rows in the list's order, with the person joined in."""
    return PublishedRow.objects.filter(published_list=published).select_related("player").order_by("pk")


def with_last_published(rows: QuerySet[PlayerRating], published: PublishedList | None) -> QuerySet[PlayerRating]:
    """The same rows with `published_rating`: what the player stood at in that list, None where he was not in it."""
    last = PublishedRow.objects.filter(published_list=published, player=OuterRef("player")).values("rating")
    return rows.annotate(published_rating=Subquery(last[:1], output_field=FloatField()))
