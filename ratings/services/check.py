"""Does the ledger equal a fresh replay? Every column of every row, bit for bit, and the current ratings too."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db import models

from players.models import Player
from ratings.models import LedgerEntry, PlayerRating, RatingList, RatingStep
from ratings.services.ledger import fresh_replay, ledger_row, rating_row, step_row
from ratings.systems.base import PlayedGame
from ratings.systems.replay import RatedGame, Started

_IGNORED = {"id", "rating_list", "generation"}  # what a row is called, not what it says


def differences(rating_list: RatingList, games: Iterable[PlayedGame]) -> Iterator[str]:
    """One line per difference between what is stored and a fresh replay of `games`; nothing where they are equal.

    Lines name games by key and players by number.
    """
    rating_list.refresh_from_db(fields=["live_generation"])
    rows, states = fresh_replay(rating_list, games)
    generation = rating_list.live_generation
    numbers = dict(Player.objects.values_list("pk", "number"))
    active = dict(Player.objects.values_list("pk", "active"))
    live = {"rating_list": rating_list, "generation": generation}

    fresh_games = {
        row.played.game: ledger_row(rating_list, generation, row) for row in rows if isinstance(row, RatedGame)
    }
    stored_games = {row.game_id: row for row in LedgerEntry.objects.filter(**live)}
    yield from _compare("game", fresh_games, stored_games)
    if (
        list(fresh_games) != [row for row in stored_games if row in fresh_games]
        and fresh_games.keys() == stored_games.keys()
    ):
        yield "the ledger's rows stand in another order than the games were played"

    fresh_steps = {
        (row.start.order, row.start.player): step_row(rating_list, generation, row)
        for row in rows
        if isinstance(row, Started)
    }
    stored_steps = {(row.order, row.player_id): row for row in RatingStep.objects.filter(**live)}
    yield from _compare("starting rating", fresh_steps, stored_steps)

    fresh_ratings = {
        numbers[player]: rating_row(rating_list, player, state, active[player]) for player, state in states.items()
    }
    stored_ratings = {numbers[row.player_id]: row for row in PlayerRating.objects.filter(rating_list=rating_list)}
    yield from _compare("player", fresh_ratings, stored_ratings)


def _compare(what: str, fresh: dict[Any, Any], stored: dict[Any, Any]) -> Iterator[str]:
    for key in [*fresh, *(key for key in stored if key not in fresh)]:
        if key not in stored:
            yield f"{what} {_shown(key)}: missing, a replay has it"
        elif key not in fresh:
            yield f"{what} {_shown(key)}: stored, a replay does not have it"
        else:
            yield from (
                f"{what} {_shown(key)}: {difference}" for difference in _columns_that_differ(fresh[key], stored[key])
            )


def _shown(key: Any) -> str:
    return " of player key ".join(str(part) for part in key) if isinstance(key, tuple) else str(key)


def _columns_that_differ(fresh: models.Model, stored: models.Model) -> Iterator[str]:
    for field in fresh._meta.concrete_fields:
        if field.name in _IGNORED:
            continue
        should, has = getattr(fresh, field.attname), getattr(stored, field.attname)
        if should != has:
            yield f"{field.name} is {has}, a replay gives {should}"
