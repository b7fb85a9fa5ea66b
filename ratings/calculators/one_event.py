"""One player's event by itself, for calculators: the replay's own loop over his games, each against another opponent.

A system that rates game by game moves him with every game; one that rates by the period moves him once, at the end.
Not done: what the event does to the opponents, and opponents met more than once.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date
from typing import Any

from ratings.systems.base import PlayedGame, PlayerState, RatedGame, Side, Step, order_key
from ratings.systems.replay import DatedRule, DatedRules, replay
from ratings.systems.rules import RatingSystem

OWN = 0  # the opponents are 1, 2, 3 …


@dataclass(frozen=True, slots=True)
class EventOutcome:
    """His side of every game in order, and his ratings before and after: None where he has none."""

    sides: tuple[Side, ...]
    before: float | None
    after: float | None

    @property
    def expected(self) -> float | None:
        """The points expected of him in the games that are rated; None where the system knows no such figure."""
        known = [side.expected for side in self.sides if side.expected is not None]
        return sum(known) if known else None

    @property
    def change(self) -> float | None:
        """What the event brings him; None for somebody who was not rated before or is not any more."""
        return None if self.before is None or self.after is None else self.after - self.before


def rate_event(
    system: RatingSystem,
    settings: Any,
    own: PlayerState | None,
    opponents: Sequence[PlayerState],
    scores: Sequence[float],
    on: date,
) -> EventOutcome:
    """An event that is over, all on one day, by the rules of that day. `own` is None for somebody unrated; `scores`
    1, ½ or 0, one each opponent. The states stay as they are. Raises ValueError where the two differ in length."""
    states = {number: copy(state) for number, state in enumerate(opponents, start=1)}
    if own is not None:
        states[OWN] = copy(own)
    games = [
        PlayedGame(number, OWN, number, score, order_key(on, number), on.toordinal(), event=1)
        for number, score in zip(range(1, len(opponents) + 1), scores, strict=True)
    ]
    rules = DatedRules([DatedRule(date.min, system, settings)])
    rows = list(replay(games, [], states=states, birth_years={}, rules=rules))
    sides = tuple(row.white for row in rows if isinstance(row, RatedGame))
    before = own.rating if own is not None else next((side.before for side in sides), None)
    return EventOutcome(sides, before, _after(rows, sides, before))


def _after(rows: Sequence[Any], sides: Sequence[Side], before: float | None) -> float | None:
    """The rating of the last thing that moved him: a game, or the period's step."""
    steps = [row.after for row in rows if isinstance(row, Step) and row.player == OWN]
    if steps:
        return steps[-1]
    games = [side.after for side in sides if side.after is not None]
    return games[-1] if games else before
