"""One game by itself, and two players before their next game: expected score, odds, and the change after each result.

`rate_single` rates a single game with the replay's own loop, for calculators and previews.

`encounter` does so for every result of the next game between two players of a list. Where a system rates by the event
or the month, the game is rated as a period of its own; in a fit of all games a single one decides nothing by itself, so
there are no results to show. Not done: colours (no system here models White's advantage).
"""

from copy import copy
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from ratings.systems.base import Odds, Period, PlayedGame, PlayerState, Side, order_key
from ratings.systems.draws import odds_of
from ratings.systems.replay import DatedRules, RatedGame, Step, replay
from ratings.systems.rules import DatedRule, RatingSystem

# --- one game --------------------------------------------------------------------------------------------------------
WHITE, BLACK = 1, 2


def rate_single(
    system: RatingSystem, settings: Any, white: PlayerState, black: PlayerState, score: float, on: date
) -> tuple[Side, Side]:
    """Both sides of one game between two players of those states, as an event of its own. The states stay as they
    are. `score`: White's. `change` and `after` are what the game, or its system's period of this one game, does to the
    player; None where the system does not rate such a game."""
    states = {WHITE: copy(white), BLACK: copy(black)}
    game = PlayedGame(1, WHITE, BLACK, score, order_key(on, 1), on.toordinal())
    rules = DatedRules([DatedRule(date.min, system, settings)])
    rows = list(replay([game], [], states=states, birth_years={}, rules=rules))
    rated = next(row for row in rows if isinstance(row, RatedGame))
    after = {row.player: row.after for row in rows if isinstance(row, Step)}
    return _whole(rated.white, white, after.get(WHITE)), _whole(rated.black, black, after.get(BLACK))


def _whole(side: Side, state: PlayerState, end_of_period: float | None) -> Side:
    """The side with the rating it began with and what came of it, where the row of a period leaves them out."""
    before = state.rating if side.before is None else side.before
    if side.change is None and side.expected is None:
        return side._replace(before=before, after=None)
    after = side.after
    if after is None:
        after = before if end_of_period is None else end_of_period
    return side._replace(before=before, change=after - before, after=after)


# --- the next game of two players ------------------------------------------------------------------------------------
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
    return Ending(score, first.change, first.after, second.change, second.after)
