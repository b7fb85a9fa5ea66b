"""Rebuild of a whole rating list beside the live one, and comparison of the ledger with a fresh replay.

Rebuild: the rows of a new generation are written in chunks, each in a short transaction with a pause after it, so that
a result entered meanwhile waits for one chunk at most. Readers see the live generation until a last short transaction
rates what arrived meanwhile and moves the pointer. A rebuild that is interrupted leaves rows nobody reads; the next one
removes them.

Comparison: every column of every row, bit for bit, and the current ratings too.
"""

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from time import sleep
from typing import Any

from django.db import transaction
from django.db.models import F, Max, Min

from players.models import Player
from ratings.ledger.services.ledger import Tail, activity, birth_years, count_rated_rows, replay_list
from ratings.ledger.services.rows import (
    CONTEST_COLUMNS,
    LEDGER_COLUMNS,
    RATING_COLUMNS,
    STEP_COLUMNS,
    contest_values,
    ledger_values,
    rating_values,
    write_ratings,
    write_rows,
)
from ratings.lists.services import starts_of
from ratings.models import ContestEntry, LedgerEntry, PlayerRating, RatingList, RatingStep
from ratings.systems.base import Moment, PlayerState
from ratings.systems.replay import RatedGame, Row, Step
from ratings.systems.sides import Played, RatedMember

# --- rebuild ---------------------------------------------------------------------------------------------------------
CHUNK = 1000
CATCH_UPS = 5
BREATH = 0.012  # seconds in which others may write
Tell = Callable[[int], None]


class GamesOf:
    """Where a rebuild gets its games: `all` of them in order, and those `since` a moment, together with the moment
    from which no period spans (see `ratings.ledger.services.ledger.Scope`)."""

    def all(self) -> Played:
        raise NotImplementedError

    def since(self, moment: Moment) -> tuple[Moment, Played, bool]:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Built:
    """A generation that is written and waits to become the live one; `games`: how many are rated in it."""

    rating_list: RatingList
    generation: int
    games: int


def rebuild(rating_list: RatingList, games: GamesOf, *, tell: Tell | None = None, pause: float = BREATH) -> int:
    """Rate the list from nothing as a new generation and make that the live one, unless a later rebuild has begun
    meanwhile. `tell` is told the number of games rated so far. Returns how many were rated. The former generation stays
    until `clear_generations`."""
    built = build(rating_list, games, tell=tell, pause=pause)
    if not take_over(built, games):
        abandon(built)
    return built.games


def build(rating_list: RatingList, games: GamesOf, *, tell: Tell | None = None, pause: float = BREATH) -> Built:
    """Write a new generation of the list beside the live one, up to what arrived meanwhile."""
    building = _begin(rating_list)
    generation = building.building_generation or 0
    states: dict[int, PlayerState] = {}
    with _collector_at_rest():
        rows = replay_list(building, games.all(), starts_of(building), states, birth_years())
        rated = _write(building, generation, rows, tell, pause)
    _write_ratings(building, generation, states, pause)
    _catch_up(building, generation, games)
    return Built(building, generation, rated)


@transaction.atomic
def _begin(rating_list: RatingList) -> RatingList:
    """Give the new generation its number; from here on changes of the live one are noted."""
    locked = RatingList.objects.select_for_update(no_key=True).get(pk=rating_list.pk)
    locked.last_generation += 1
    locked.building_generation = locked.last_generation
    locked.changed_from = None
    locked.save(update_fields=["last_generation", "building_generation", "changed_from"])
    return locked


def _write(building: RatingList, generation: int, rows: Iterator[Row], tell: Tell | None, pause: float) -> int:
    """Draw the rows and write them; how many games were rated."""
    rated = 0
    while chunk := list(islice(rows, CHUNK)):
        with transaction.atomic():
            write_rows(building, generation, chunk)
        rated += count_rated_rows(chunk)
        if tell:
            tell(rated)
        sleep(pause)
    return rated


def _write_ratings(rating_list: RatingList, generation: int, states: Mapping[int, PlayerState], pause: float) -> None:
    players = list(states)
    for start in range(0, len(players), CHUNK):
        some = players[start : start + CHUNK]
        with transaction.atomic():
            active = activity(some)
            rows = [rating_values(rating_list, player, states[player], active[player]) for player in some]
            write_ratings(rating_list, generation, rows)
        sleep(pause)


def _catch_up(building: RatingList, generation: int, games: GamesOf) -> None:
    """Rate what arrived while the generation was written, before the lock is taken: the less is left under it."""
    for _ in range(CATCH_UPS):
        since = _take_changes(building, generation)
        if since is None:
            return
        with transaction.atomic():
            _rate_tail(building, generation, since, games)


@transaction.atomic
def _take_changes(building: RatingList, generation: int) -> Moment | None:
    """From where on the generation is out of date; from here on changes are noted anew."""
    locked = RatingList.objects.select_for_update(no_key=True).get(pk=building.pk)
    if locked.building_generation != generation or locked.changed_from is None:
        return None
    RatingList.objects.filter(pk=locked.pk).update(changed_from=None)
    return Moment.of(locked.changed_from)


def _rate_tail(building: RatingList, generation: int, since: Moment, games: GamesOf) -> None:
    begin, tail_games, from_nothing = games.since(since)
    Tail(building, generation, begin).replace(tail_games, from_nothing=from_nothing)


@transaction.atomic
def take_over(built: Built, games: GamesOf) -> bool:
    """Rate the last that arrived and move the pointer; False where another rebuild began later."""
    locked = RatingList.objects.select_for_update(no_key=True).get(pk=built.rating_list.pk)
    if locked.building_generation != built.generation:
        return False
    if locked.changed_from is not None:
        _rate_tail(locked, built.generation, Moment.of(locked.changed_from), games)
    RatingList.objects.filter(pk=locked.pk).update(
        live_generation=built.generation, building_generation=None, changed_from=None, revision=F("revision") + 1
    )
    return True


def abandon(built: Built) -> None:
    """Give a generation up that did not take over, and remove its rows; nothing where it did."""
    lists = RatingList.objects.filter(pk=built.rating_list.pk)
    lists.filter(building_generation=built.generation).update(building_generation=None, changed_from=None)
    if not lists.filter(live_generation=built.generation).exists():
        _remove(built.rating_list, built.generation)


def clear_generations(rating_list: RatingList) -> None:
    """Remove the rows of former generations: numbers only grow, so those below the live one are read by nobody."""
    live = RatingList.objects.values_list("live_generation", flat=True).get(pk=rating_list.pk)
    former: set[int] = set()
    for table in (LedgerEntry, ContestEntry, RatingStep, PlayerRating):
        rows: Any = table._default_manager.filter(rating_list=rating_list, generation__lt=live)
        former.update(rows.order_by().values_list("generation", flat=True).distinct())
    for generation in sorted(former):
        _remove(rating_list, generation)


def _remove(rating_list: RatingList, generation: int) -> None:
    """Range by range of the keys: a generation was written in one go, so its keys stand together, and no statement has
    to look for them. After each range others may write."""
    for table in (LedgerEntry, ContestEntry, RatingStep, PlayerRating):
        rows: Any = table._default_manager.filter(rating_list=rating_list, generation=generation)
        ends = rows.aggregate(first=Min("pk"), last=Max("pk"))
        if ends["first"] is None:
            continue
        for start in range(ends["first"], ends["last"] + 1, CHUNK):
            removed, _kinds = rows.filter(pk__gte=start, pk__lt=start + CHUNK).delete()
            if removed:
                sleep(BREATH)


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """No garbage collection: rows are many and make no cycles, and looking for some takes a fifth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


# --- comparison with a fresh replay ----------------------------------------------------------------------------------
Values = tuple[Any, ...]


def fresh_replay(rating_list: RatingList, games: Played) -> tuple[list[Row], dict[int, PlayerState]]:
    """Every row of the list and every player's state, computed from the facts alone. Writes nothing."""
    states: dict[int, PlayerState] = {}
    rows = replay_list(rating_list, games, starts_of(rating_list), states, birth_years())
    return list(rows), states


def differences(rating_list: RatingList, games: Played) -> Iterator[str]:
    """One line per difference between what is stored and a fresh replay of `games`; nothing where they are equal.

    Lines name games by key and players by number.
    """
    rating_list.refresh_from_db(fields=["live_generation", "has_contests"])
    rows, states = fresh_replay(rating_list, games)
    live = {"rating_list": rating_list, "generation": rating_list.live_generation}

    fresh_games = {row.played.game: ledger_values(row) for row in rows if isinstance(row, RatedGame)}
    stored = LedgerEntry.objects.filter(**live).order_by("id").values_list(*LEDGER_COLUMNS)
    stored_games = {values[0]: values for values in stored}
    yield from _compare("game", LEDGER_COLUMNS, fresh_games, stored_games)
    if fresh_games.keys() == stored_games.keys() and list(fresh_games) != list(stored_games):
        yield "the ledger's rows stand in another order than the games were played"

    # Contest and player tell one member from another.
    fresh_members = {
        (row.contest.contest, row.player): contest_values(row) for row in rows if isinstance(row, RatedMember)
    }
    members = ContestEntry.objects.filter(**live).order_by("id").values_list(*CONTEST_COLUMNS)
    stored_members = {(values[0], values[5]): values for values in members}
    yield from _compare("contest", CONTEST_COLUMNS, fresh_members, stored_members)
    if fresh_members.keys() == stored_members.keys() and list(fresh_members) != list(stored_members):
        yield "the ledger's rows of contests stand in another order than they were played"
    if fresh_members and not rating_list.has_contests:
        yield "the list does not know that it has rows of contests: rebuild it"

    # Kind, order key and player tell one step from another.
    fresh_steps = {row[:3]: tuple(row) for row in rows if isinstance(row, Step)}
    steps = RatingStep.objects.filter(**live).values_list(*STEP_COLUMNS)
    yield from _compare("step", STEP_COLUMNS, fresh_steps, {values[:3]: values for values in steps})

    numbers = dict(Player.objects.values_list("pk", "number"))
    active = activity()
    fresh = {
        numbers[player]: rating_values(rating_list, player, state, active[player]) for player, state in states.items()
    }
    ratings = PlayerRating.objects.filter(**live).values_list(*RATING_COLUMNS)
    yield from _compare("player", RATING_COLUMNS, fresh, {numbers[values[0]]: values for values in ratings})


def _compare(what: str, columns: Sequence[str], fresh: dict[Any, Values], stored: dict[Any, Values]) -> Iterator[str]:
    for key in [*fresh, *(key for key in stored if key not in fresh)]:
        if key not in stored:
            yield f"{what} {_shown(key)}: missing, a replay has it"
        elif key not in fresh:
            yield f"{what} {_shown(key)}: stored, a replay does not have it"
        elif fresh[key] != stored[key]:
            yield from (
                f"{what} {_shown(key)}: {name} is {has}, a replay gives {should}"
                for name, should, has in zip(columns, fresh[key], stored[key], strict=True)
                if should != has
            )


def _shown(key: Any) -> str:
    return " / ".join(str(part) for part in key) if isinstance(key, tuple) else str(key)
