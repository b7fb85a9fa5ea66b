"""Reading the lists: leaderboards, a player's standing, a player's rated games."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Case, Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from players.models import Player
from ratings.models import LedgerEntry, PlayerRating, RatingList


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


def live_ratings() -> QuerySet[PlayerRating]:
    """Current ratings: those of every list's live generation."""
    return PlayerRating.objects.filter(generation=F("rating_list__live_generation"))


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
    return live_ratings().filter(ahead, rating_list=rating_list, ranked=True).count()


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
    change: float
    after: float
    event: str
    event_slug: str


def career(rating_list: RatingList, player: Player) -> list[CareerRow]:
    """The player's rated games in one list, oldest first, without the people he met."""
    columns = ("game__played_on", "game__white_id", "score", "game__tournament__name", "game__tournament__slug")
    sides = ("white_games", "white_change", "white_after", "black_games", "black_change", "black_after")
    rows = []
    for on, white, score, event, slug, *both in rated_games_of(rating_list, player).values_list(*columns, *sides):
        is_white = white == player.pk
        games, change, after = both[:3] if is_white else both[3:]
        rows.append(CareerRow(on, is_white, score if is_white else 1.0 - score, games, change, after, event, slug))
    return rows


def place_of(rating_list: RatingList, row: PlayerRating) -> int | None:
    """The player's place, or None for whoever takes none."""
    return places_before(rating_list, row) + 1 if row.ranked else None


def with_places(rows: QuerySet[PlayerRating]) -> QuerySet[PlayerRating]:
    """The same rows with `place`: how many ranked players of the list stand ahead, plus one; None without a place.

    Counted for the rows that are drawn only, along the index (list, ranked, rating).
    """
    ahead = (
        PlayerRating.objects.filter(
            rating_list=OuterRef("rating_list"),
            generation=OuterRef("generation"),
            ranked=True,
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
