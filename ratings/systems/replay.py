"""The one loop in which every list is rated: starting ratings and games, in order, through the system in force.

The same loop rates tonight's single result, the tail after a correction and a whole list from nothing, so the three
cannot disagree. Order of replay: (day, sequence); a starting rating comes before the games of its day.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from heapq import merge
from typing import Any

from ratings.systems.base import PlayedGame, PlayerState, RatingSystem, Side, Start


@dataclass(frozen=True, slots=True)
class DatedRule:
    """From `valid_from` on the list is rated by `system` with `settings` (the system's own type)."""

    valid_from: date
    system: RatingSystem
    settings: Any


class DatedRules:
    """A list's rules in order of time; before the first one's date the first one holds."""

    def __init__(self, rules: Sequence[DatedRule]) -> None:
        if not rules:
            raise ValueError("A rating list needs at least one rule.")
        self._rules = sorted(rules, key=lambda rule: rule.valid_from)
        self._dates = [rule.valid_from for rule in self._rules]

    def on(self, day: date) -> DatedRule:
        """The rule that holds on a day."""
        return self._rules[max(bisect_right(self._dates, day) - 1, 0)]


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game with both sides rated: one row of the ledger."""

    played: PlayedGame
    white: Side
    black: Side


@dataclass(frozen=True, slots=True)
class Started:
    """A starting rating taking effect. `before` is None for a player the list did not know."""

    start: Start
    before: float | None
    games: int
    peak: float | None


def replay(
    games: Iterable[PlayedGame],
    starts: Iterable[Start],
    *,
    states: dict[int, PlayerState],
    birth_years: Mapping[int, int | None],
    rules: DatedRules,
) -> Iterator[RatedGame | Started]:
    """Rate `games` and `starts` (each in order of replay), yield one row per event, and leave the new `states`.

    `states` are the players' states before the first event and are changed in place; players not in them are new.
    Lazy: nothing is rated until the rows are drawn.
    """
    events: Iterator[Start | PlayedGame] = merge(starts, games, key=_order)
    for event in events:
        if isinstance(event, Start):
            yield _apply_start(event, states, birth_years)
        else:
            yield _apply_game(event, states, birth_years, rules.on(event.rules_on))


def _order(event: Start | PlayedGame) -> int:
    return event.order


def _apply_start(start: Start, states: dict[int, PlayerState], birth_years: Mapping[int, int | None]) -> Started:
    known = states.get(start.player)
    row = Started(start, known.rating if known else None, known.games if known else 0, known.peak if known else None)
    state = known or PlayerState(start.rating, 0, start.rating, birth_years.get(start.player))
    state.rating, state.reached = start.rating, start.order
    state.games = state.games if start.games is None else start.games
    state.peak = max(state.peak, start.rating, start.peak or start.rating)
    states[start.player] = state
    return row


def _apply_game(
    played: PlayedGame, states: dict[int, PlayerState], birth_years: Mapping[int, int | None], rule: DatedRule
) -> RatedGame:
    for player in (played.white, played.black):
        if player not in states:
            first = rule.system.start(rule.settings)
            states[player] = PlayerState(first, 0, first, birth_years.get(player), reached=played.order)
    white, black = states[played.white], states[played.black]
    white_side, black_side = rule.system.rate(white, black, played.score, played.played_on, rule.settings)
    _advance(white, white_side, played.score, played)
    _advance(black, black_side, 1.0 - played.score, played)
    return RatedGame(played, white_side, black_side)


def _advance(state: PlayerState, side: Side, score: float, played: PlayedGame) -> None:
    state.rating = side.after
    state.games += 1
    state.peak = max(state.peak, side.after)
    state.wins += score == 1.0
    state.draws += score == 0.5
    state.losses += score == 0.0
    state.last_played = played.played_on
    if side.after != side.before:
        state.reached = played.order
