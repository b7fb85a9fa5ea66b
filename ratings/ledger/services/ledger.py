"""The ledger: rate what is new, replay what a correction touched.

`replay_from` is the one way a rating moves. Tonight's result is a tail of one game; a correction is the tail behind
it. The games are handed in, already in order; which of them count is the tournaments' business.

The state of a player just before the tail is read off his first event in the old tail (its "before" columns), or is
his current one where the tail holds nothing of his. So the work grows with the tail, never with the history. Where a
system remembers more than those columns hold (`Memory`), the games before the tail are handed in too and computed
again, but not written again. A whole list is built beside the live one by `ratings.ledger.services.rebuild`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet

from players.models import Player
from ratings.ledger.services.old_tail import old_tail, states_before, undo_returns
from ratings.ledger.services.rows import (
    RATING_COLUMNS,
    in_batches,
    is_ranked,
    rating_values,
    state_from,
    write_ratings,
    write_rows,
)
from ratings.lists.services import lock_lists, reentry_of, rules_of, settle_probation, starts_of
from ratings.models import ContestEntry, LedgerEntry, PlayerRating, RatingList, RatingStep
from ratings.systems.base import Memory, Moment, Period, PlayerState, Start
from ratings.systems.replay import RatedGame, Row, replay
from ratings.systems.rules import DatedRule
from ratings.systems.sides import Played, RatedMember, players_in


@dataclass(frozen=True, slots=True)
class Scope:
    """What a list needs to be rated from a moment on: games rated together must all be there (`periods`), and where
    `from_nothing` is set, everything before too. `handicaps`: whether its games' stones and komi count."""

    periods: frozenset[Period]
    from_nothing: bool
    handicaps: bool


@dataclass(frozen=True, slots=True)
class Rated:
    """A tail rated anew, and nothing of it written: its rows, the state of everybody who was looked at as it was
    stored and as it is now, whom the tail is about, and who of them is active."""

    rows: list[Row]
    stored: Mapping[int, PlayerState]
    states: Mapping[int, PlayerState]
    people: set[int]
    active: Mapping[int, bool]

    @property
    def games(self) -> int:
        """Games and contests."""
        return count_rated_rows(self.rows)


def scope_of(rating_list: RatingList, since: Moment) -> Scope:
    """What `replay_from` has to be handed for that list and moment."""
    rules = rules_of(rating_list).all
    memories = {rule.memory for rule in rules}
    of_field = RatingStep.objects.filter(
        rating_list=rating_list, generation=rating_list.live_generation, player=None, order__gte=since.order
    )
    whole_field = Memory.FIELD in memories and of_field.exists()
    from_nothing = Memory.HISTORY in memories or whole_field
    return Scope(frozenset(rule.period for rule in rules), from_nothing, _reads_handicap(rules))


def reads_handicap(rating_list: RatingList) -> bool:
    """Whether stones and komi of its games count in a list, by any of its rules."""
    return _reads_handicap(rules_of(rating_list).all)


def _reads_handicap(rules: Iterable[DatedRule]) -> bool:
    return any(rule.system.reads_handicap for rule in rules)


def replay_from(rating_list: RatingList, since: Moment, games: Played, *, from_nothing: bool = False) -> int:
    """Rate the list anew from `since` on and return the number of games rated.

    `rating_list` is as it is stored, locked by the caller. `games`: all of its rated games from `since` on, in order of
    replay; with `from_nothing` all it has. No period may span `since` (see `Scope`). Ledger rows rated at or after
    `since` are replaced: where a game moves in time, `since` is the earlier of its two places.
    """
    tail = Tail(rating_list, rating_list.live_generation, since)
    tail.replace(games, from_nothing=from_nothing)
    _note(rating_list, since)
    return tail.rated


def rate_from(rating_list: RatingList, since: Moment, games: Played) -> Rated | None:
    """What `replay_from` would make of those games, computed in memory; nothing is written and nobody waits. None
    where the list was being rated meanwhile, so that what was read does not belong together."""
    rating_list.refresh_from_db(fields=["live_generation", "revision", "has_contests"])
    seen = rating_list.revision
    rated = Tail(rating_list, rating_list.live_generation, since).rate(games)
    rating_list.refresh_from_db(fields=["revision"])
    return rated if rating_list.revision == seen else None


def _note(rating_list: RatingList, since: Moment) -> None:
    """Count the change, and tell a rebuild under way from where on its work is out of date."""
    changes: dict[str, Any] = {"revision": F("revision") + 1}
    if rating_list.building_generation is not None:
        known = rating_list.changed_from
        rating_list.changed_from = since.order if known is None else min(known, since.order)
        changes["changed_from"] = rating_list.changed_from
    RatingList.objects.filter(pk=rating_list.pk).update(**changes)


def replay_list(
    rating_list: RatingList,
    games: Played,
    starts: Sequence[Start],
    states: dict[int, PlayerState],
    births: Mapping[int, int | None],
) -> Iterator[Row]:
    """The rows those games make by the list's rules, beginning from those states, which move with each row drawn."""
    return replay(
        games, starts, states=states, birth_years=births, rules=rules_of(rating_list), reentry=reentry_of(rating_list)
    )


class Tail:
    """The part of one generation of a list's ledger that begins at a moment. To be written the live one must be
    locked."""

    def __init__(self, rating_list: RatingList, generation: int, since: Moment) -> None:
        self.list, self.generation, self.since = rating_list, generation, since
        self.rules = rules_of(rating_list)
        self.rated = 0
        self.old = old_tail(rating_list, generation, since)

    def rate(self, games: Played, *, from_nothing: bool = False) -> Rated:
        """Rate the tail anew. Writes nothing."""
        starts = starts_of(self.list) if from_nothing else starts_of(self.list, since=self.since)
        people = {player for event in self.old for player in event.players}
        people |= players_in(games)
        people |= {start.player for start in starts}
        facts = people_facts(None if self.moves_field() else people)
        births = {player: born for player, (born, _) in facts.items()}
        stored = self._current(people, births)
        reentry = reentry_of(self.list)
        states = {} if from_nothing else states_before(self.old, stored)
        if reentry is not None:
            undo_returns(states, self.old, self.list, self.generation, reentry)
        rows = replay(games, starts, states=states, birth_years=births, rules=self.rules, reentry=reentry)
        new = [row for row in rows if order_of(row) >= self.since.order]
        return Rated(new, stored, states, people, {player: active for player, (_, active) in facts.items()})

    def replace(self, games: Played, *, from_nothing: bool = False) -> None:
        """Rate the tail anew and write it in place of the old one, and the ratings that follow from it."""
        rated = self.rate(games, from_nothing=from_nothing)
        self.rated = rated.games
        if self.old:
            self._delete()
        write_rows(self.list, self.generation, rated.rows)
        self._write_ratings(rated)

    def _delete(self) -> None:
        tail = {"rating_list": self.list, "generation": self.generation, "order__gte": self.since.order}
        LedgerEntry.objects.filter(**tail).delete()
        if self.list.has_contests:
            ContestEntry.objects.filter(**tail).delete()
        RatingStep.objects.filter(**tail).delete()

    def moves_field(self) -> bool:
        """Whether a game may move others than those who played it."""
        return any(rule.memory != Memory.LEDGER for rule in self.rules.all)

    def _current(self, people: set[int], births: Mapping[int, int | None]) -> dict[int, PlayerState]:
        everybody = PlayerRating.objects.filter(rating_list=self.list, generation=self.generation)
        some = [everybody] if self.moves_field() else [everybody.filter(player__in=keys) for keys in in_batches(people)]
        values = (row for rows in some for row in rows.values_list(*RATING_COLUMNS))
        return {row[0]: state_from(row, births.get(row[0])) for row in values}

    def _write_ratings(self, rated: Rated) -> None:
        """Write who moved; a player without any event left loses his row."""
        states, stored = rated.states, rated.stored
        gone = [player for player in {*rated.people, *stored} if player in stored and player not in states]
        for keys in in_batches(gone):
            PlayerRating.objects.filter(rating_list=self.list, generation=self.generation, player__in=keys).delete()
        moved = [player for player, state in states.items() if player in rated.people or state != stored.get(player)]
        rows = [rating_values(self.list, player, states[player], rated.active[player]) for player in moved]
        write_ratings(self.list, self.generation, rows)


def count_rated_rows(rows: Iterable[Row], since: int = 0) -> int:
    """How many games and contests are rated in those rows, of an order key from `since` on."""
    return sum(
        (not since or order_of(row) >= since)
        and (isinstance(row, RatedGame) or (isinstance(row, RatedMember) and row.is_rated))
        for row in rows
    )


def order_of(row: Row) -> int:
    """The order key of what a row is about."""
    if isinstance(row, RatedGame):
        return row.played.order
    return row.contest.order if isinstance(row, RatedMember) else row.order


def people_facts(keys: Iterable[int] | None) -> dict[int, tuple[int | None, bool]]:
    """Year of birth and activity of players (of everybody for None) by key."""
    everybody = Player.objects.order_by()
    some = [everybody] if keys is None else [everybody.filter(pk__in=batch) for batch in in_batches(keys)]
    values = (row for rows in some for row in rows.values_list("pk", "birth_year", "active"))
    return {pk: (born, active) for pk, born, active in values}


def birth_years() -> dict[int, int | None]:
    """Everybody's year of birth by key."""
    return dict(Player.objects.values_list("pk", "birth_year"))


def activity(keys: Iterable[int] | None = None) -> dict[int, bool]:
    """Whether players (everybody for None) are active, by key."""
    return {player: active for player, (_born, active) in people_facts(keys).items()}


@transaction.atomic
def refresh_ranked(player: Player) -> None:
    """Bring `ranked` up to date after a player became active or inactive; points stay untouched."""
    _rank(PlayerRating.objects.filter(player=player))


@transaction.atomic
def settle_probations() -> int:
    """Give places anew in lists with a rule whose day has come and that ends the probation otherwise; points stay
    untouched. How many lists."""
    moved = [rating_list.pk for rating_list in lock_lists() if settle_probation(rating_list)]
    _rank(PlayerRating.objects.filter(rating_list__in=moved))
    return len(moved)


def _rank(rows: QuerySet[PlayerRating]) -> None:
    for row in rows.select_related("rating_list", "player"):
        ranked = is_ranked(row.rating_list, row, row.player.active)
        if ranked != row.ranked:
            PlayerRating.objects.filter(pk=row.pk).update(ranked=ranked)
            RatingList.objects.filter(pk=row.rating_list_id).update(revision=F("revision") + 1)
