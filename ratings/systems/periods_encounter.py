"""Two players of a list, before their next game: what it expects of them, how it may end, and what each ending would
do, reckoned by the system itself.

Where a system rates by the event or the month, the game is rated as a period of its own; in a fit of all games a
single one decides nothing by itself, so there is no answer. Not done: colours (no system of ours knows White's
advantage).
"""

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from ratings.systems.base import Period, PlayerState, Side
from ratings.systems.draws import Odds, odds_of
from ratings.systems.rules import DatedRule
from ratings.systems.single import rate_single

SCORES = (1.0, 0.5, 0.0)


class Ending(NamedTuple):
    """What one result, `score` seen from `own`, does to both: None where the system does not rate such a game."""

    score: float
    own_change: float | None
    own_after: float | None
    other_change: float | None
    other_after: float | None


@dataclass(frozen=True, slots=True)
class Encounter:
    """`expected` is the score expected of `own`, None (and no `odds`) in a system that expects nothing; `endings` is
    empty where one game tells nothing. `knows_draws`: whether a draw is rated at all."""

    expected: float | None
    odds: Odds | None
    endings: tuple[Ending, ...]

    @property
    def knows_draws(self) -> bool:
        return all(each.own_change is not None for each in self.endings if each.score == 0.5)


def encounter(rule: DatedRule, own: PlayerState, other: PlayerState, on: date, rate: float) -> Encounter:
    """The next game of those two by the rule in force `on` that day; `rate` is the list's ν of draws."""
    expected = rule.system.expected(rule.settings, own, other)
    endings = () if rule.period == Period.ALL else tuple(_ending(rule, own, other, score, on) for score in SCORES)
    return Encounter(expected, None if expected is None else odds_of(expected, rate), endings)


def _ending(rule: DatedRule, own: PlayerState, other: PlayerState, score: float, on: date) -> Ending:
    first, second = rate_single(rule.system, rule.settings, own, other, score, on)
    return Ending(score, *_moved(first), *_moved(second))


def _moved(side: Side) -> tuple[float | None, float | None]:
    """(change, rating after) of a side, nothing where it was not rated."""
    if side.after is None or (side.change is None and side.expected is None):
        return None, None
    return side.after - (side.before or 0.0), side.after
