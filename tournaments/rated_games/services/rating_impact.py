"""What a change of facts moves: everybody's rating in the lists behind it, before and after.

An `ImpactRecorder` is made before the facts change and read once they are rated again. It looks at the people of the
tail only, where the system allows it. Not done here: places and standings, which only a preview needs.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import F

from players.models import Player
from ratings.ledger.services.ledger import Scope, activity, scope_of
from ratings.ledger.services.rows import in_batches, is_ranked
from ratings.lists.services import rules_of
from ratings.models import ContestEntry, LedgerEntry, PlayerRating, RatingList
from ratings.systems.base import Memory, Moment, PlayerState
from ratings.systems.probation import Record
from tournaments.rated_games.selectors.games import count_rated, whole_periods_from

LARGEST = 5
Effect = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class RatedBeside:
    """The lists are rated already, or the change will be taken back: nothing is rated. `effect`: what it moves."""

    effect: Effect = field(default_factory=dict)


class Stand(NamedTuple):
    """Where a player stands in a list: on probation, ranked, or neither (away)."""

    rating: float
    games: int
    provisional: bool
    ranked: bool


def has_later(pool: str, moment: Moment) -> bool:
    """Whether games or contests are rated already that were played after that moment."""
    live = {"rating_list__pool": pool, "generation": F("rating_list__live_generation"), "order__gt": moment.order}
    return LedgerEntry.objects.filter(**live).exists() or ContestEntry.objects.filter(**live).exists()


@dataclass(frozen=True, slots=True)
class Move:
    """One player (by key) whose standing moved; None where the list did not know him, or knows him no more."""

    player: int
    before: Stand | None
    after: Stand | None

    @property
    def rating_before(self) -> float | None:
        """None for somebody the list did not know."""
        return self.before.rating if self.before else None

    @property
    def rating_after(self) -> float | None:
        """None for somebody who leaves the list."""
        return self.after.rating if self.after else None

    @property
    def difference(self) -> float | None:
        """Rating points; None for somebody new in the list or gone from it."""
        return self.after.rating - self.before.rating if self.before and self.after else None

    @property
    def size(self) -> float:
        """What moves are sorted by: whoever comes or goes moves most."""
        return float("inf") if self.difference is None else abs(self.difference)

    @property
    def exit(self) -> int:
        """1 where the probation ends with the change, −1 where an ended one is open again, else 0."""
        if not self.before or not self.after:
            return 0
        return self.before.provisional - self.after.provisional


@dataclass(frozen=True, slots=True)
class ListEffect:
    """What moved in one list: `games` (and contests) were rated anew, the changed one among them; `moves` the largest
    first."""

    rating_list: RatingList
    games: int
    moves: tuple[Move, ...]


class ImpactRecorder:
    """Looks at the lists of some pools, each from a moment on. The lists must be locked.

    `players`: whoever may come into the tail by the change; None looks at everybody.
    """

    def __init__(self, since: Mapping[str, Moment], players: Iterable[int] | None) -> None:
        known = None if players is None else set(players)
        lists = RatingList.objects.filter(pool__in=since).order_by("order", "pk").prefetch_related("rules")
        self._lists = [_RecordedList(row, since[row.pool], known) for row in lists]

    def moved(self) -> tuple[ListEffect, ...]:
        """What moved since it was made, in each list that was rated since."""
        return tuple(effect for recorded in self._lists if (effect := recorded.moved()) is not None)

    def effect(self, beside: RatedBeside | None = None) -> Effect:
        """The same as the audit trail keeps it: per list the games rated anew, how many players moved, and the
        largest differences by player's number. No names. What was rated beside is known already."""
        return effect_of(self.moved()) if beside is None else beside.effect


def count_from(begin: Mapping[str, Moment]) -> int:
    """How many rated games stand at or after those moments, in the pool that has the most."""
    return max((count_rated(pool, since) for pool, since in begin.items()), default=0)


def effect_of(lists: Iterable[ListEffect]) -> Effect:
    """See `ImpactRecorder.effect`."""
    return {row.rating_list.slug: _kept(row) for row in lists if row.games or row.moves}


def _kept(row: ListEffect) -> dict[str, Any]:
    largest = [(move.player, round(move.difference, 1)) for move in row.moves if move.difference is not None]
    largest = [(player, points) for player, points in largest if points][:LARGEST]
    numbers = dict(Player.objects.filter(pk__in=[player for player, _ in largest]).values_list("pk", "number"))
    return {
        "games": row.games,
        "players": len(row.moves),
        "largest": [[numbers[player], points] for player, points in largest],
    }


class _RecordedList:
    """One list: who is looked at, and how they stood."""

    def __init__(self, rating_list: RatingList, since: Moment, players: set[int] | None) -> None:
        self.list, self.since, self.revision = rating_list, since, rating_list.revision
        scope = scope_of(rating_list, since)
        field = scope.from_nothing or any(rule.memory == Memory.FIELD for rule in rules_of(rating_list).all)
        self.players = None if players is None or field else players | self._tail_players(scope)
        self.before = self._stands()

    def moved(self) -> ListEffect | None:
        """What moved in it; None where nothing was rated: a starting rating, say, is of one list of its pool."""
        looked_at = ["provisional_games", "evidence", "live_generation", "has_contests", "revision"]
        self.list.refresh_from_db(fields=looked_at)
        if self.list.revision == self.revision:
            return None
        moves = _moves(self.before, self._stands())
        return ListEffect(self.list, _count_rated(self.list, self.list.live_generation, self.since), moves)

    def _tail_players(self, scope: Scope) -> set[int]:
        begin = whole_periods_from(self.list.pool, self.since, scope.periods)
        live = {"rating_list": self.list, "generation": self.list.live_generation, "order__gte": begin.order}
        pairs = LedgerEntry.objects.filter(**live).order_by().values_list("game__white_id", "game__black_id")
        players = {player for pair in pairs for player in pair}
        if self.list.has_contests:
            players |= set(ContestEntry.objects.filter(**live).order_by().values_list("player", flat=True))
        return players

    def _stands(self) -> dict[int, Stand]:
        return _stands_in(self.list, self.list.live_generation, self.players)


def effect_of_generation(rating_list: RatingList, generation: int, since: Moment) -> ListEffect:
    """What would move if that generation became the live one; its games from `since` on are rated anew."""
    rating_list.refresh_from_db(fields=["live_generation"])
    now = _stands_in(rating_list, rating_list.live_generation, None)
    games = _count_rated(rating_list, generation, since)
    return ListEffect(rating_list, games, _moves(now, _stands_in(rating_list, generation, None)))


def _count_rated(rating_list: RatingList, generation: int, since: Moment) -> int:
    """How many games and contests are rated in the list from that moment on."""
    rows = {"rating_list": rating_list, "generation": generation, "order__gte": since.order}
    games = LedgerEntry.objects.filter(**rows).count()
    if not rating_list.has_contests:
        return games
    return games + ContestEntry.objects.filter(**rows).values("contest").distinct().count()


def effect_of_states(
    rating_list: RatingList, states: Mapping[int, PlayerState], games: int, among: Collection[int] | None = None
) -> ListEffect:
    """What would move if the states of those players (`among`, by key) were that; `games` are rated anew."""
    probation, active = rating_list.probation, activity(among)
    then = {
        player: Stand(
            state.rating,
            state.games,
            probation.holds(state),
            is_ranked(rating_list, state, active[player]),
        )
        for player, state in states.items()
    }
    now = _stands_in(rating_list, rating_list.live_generation, among)
    return ListEffect(rating_list, games, _moves(now, then))


def _stands_in(rating_list: RatingList, generation: int, players: Collection[int] | None) -> dict[int, Stand]:
    """Those players' (None: everybody's) standing in one generation of a list."""
    everybody = PlayerRating.objects.filter(rating_list=rating_list, generation=generation).order_by()
    some = [everybody] if players is None else [everybody.filter(player__in=keys) for keys in in_batches(players)]
    columns = ("player_id", "rating", "ranked", "games", "reentry", "deviation")
    probation = rating_list.probation
    return {
        player: Stand(rating, known[0], probation.holds(Record(*known)), ranked)
        for rows in some
        for player, rating, ranked, *known in rows.values_list(*columns)
    }


def _moves(before: Mapping[int, Stand], after: Mapping[int, Stand]) -> tuple[Move, ...]:
    moves = [
        Move(player, before.get(player), after.get(player))
        for player in before.keys() | after.keys()
        if before.get(player) != after.get(player)
    ]
    return tuple(sorted(moves, key=lambda move: (-move.size, move.player)))
