"""Does the ledger equal a fresh replay? Every column of every row, bit for bit, and the current ratings too."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from players.models import Player
from ratings.models import LedgerEntry, PlayerRating, RatingList, RatingStep
from ratings.ledger.services.ledger import activity, birth_years
from ratings.lists.services import reentry_of, rules_of, starts_of
from ratings.ledger.services.rows import LEDGER_COLUMNS, RATING_COLUMNS, STEP_COLUMNS, ledger_values, rating_values
from ratings.systems.base import PlayedGame, PlayerState
from ratings.systems.replay import RatedGame, Row, replay

Values = tuple[Any, ...]


def fresh_replay(rating_list: RatingList, games: Iterable[PlayedGame]) -> tuple[list[Row], dict[int, PlayerState]]:
    """Every row of the list and every player's state, computed from the facts alone. Writes nothing."""
    births = birth_years()
    states: dict[int, PlayerState] = {}
    rows = replay(
        games,
        starts_of(rating_list),
        states=states,
        birth_years=births,
        rules=rules_of(rating_list),
        reentry=reentry_of(rating_list),
    )
    return list(rows), states


def differences(rating_list: RatingList, games: Iterable[PlayedGame]) -> Iterator[str]:
    """One line per difference between what is stored and a fresh replay of `games`; nothing where they are equal.

    Lines name games by key and players by number.
    """
    rating_list.refresh_from_db(fields=["live_generation"])
    rows, states = fresh_replay(rating_list, games)
    live = {"rating_list": rating_list, "generation": rating_list.live_generation}

    fresh_games = {row.played.game: ledger_values(row) for row in rows if isinstance(row, RatedGame)}
    stored = LedgerEntry.objects.filter(**live).order_by("id").values_list(*LEDGER_COLUMNS)
    stored_games = {values[0]: values for values in stored}
    yield from _compare("game", LEDGER_COLUMNS, fresh_games, stored_games)
    if fresh_games.keys() == stored_games.keys() and list(fresh_games) != list(stored_games):
        yield "the ledger's rows stand in another order than the games were played"

    fresh_steps = {_step_key(row): tuple(row) for row in rows if not isinstance(row, RatedGame)}
    steps = RatingStep.objects.filter(**live).values_list(*STEP_COLUMNS)
    yield from _compare("step", STEP_COLUMNS, fresh_steps, {_step_key(values): tuple(values) for values in steps})

    yield from _compare_ratings(rating_list, states)


def _step_key(values: Sequence[Any]) -> tuple[Any, ...]:
    """Kind, order key and player of a step."""
    return tuple(values[:3])


def _compare_ratings(rating_list: RatingList, states: dict[int, PlayerState]) -> Iterator[str]:
    numbers = dict(Player.objects.values_list("pk", "number"))
    active = activity()
    fresh = {
        numbers[player]: rating_values(rating_list, player, state, active[player]) for player, state in states.items()
    }
    rows = PlayerRating.objects.filter(rating_list=rating_list, generation=rating_list.live_generation)
    stored = {numbers[values[0]]: values for values in rows.values_list(*RATING_COLUMNS)}
    yield from _compare("player", RATING_COLUMNS, fresh, stored)


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
