"""One game by itself, for calculators and previews: the replay's own loop over a single game."""

from copy import copy
from datetime import date
from typing import Any

from ratings.systems.base import PlayedGame, PlayerState, RatingSystem, Side, order_key
from ratings.systems.replay import DatedRule, DatedRules, RatedGame, Step, replay

WHITE, BLACK = 1, 2


def rate_single(
    system: RatingSystem, settings: Any, white: PlayerState, black: PlayerState, score: float, on: date
) -> tuple[Side, Side]:
    """Both sides of one game between two players of those states, as an event of its own. The states stay as they
    are. `score`: White's. Where the system rates by periods, `after` is what the period of this one game gives."""
    states = {WHITE: copy(white), BLACK: copy(black)}
    game = PlayedGame(1, WHITE, BLACK, score, order_key(on, 1), on.toordinal())
    rules = DatedRules([DatedRule(date.min, system, settings)])
    births = {WHITE: white.birth_year, BLACK: black.birth_year}
    rows = list(replay([game], [], states=states, birth_years=births, rules=rules))
    rated = next(row for row in rows if isinstance(row, RatedGame))
    after = {row.player: row.after for row in rows if isinstance(row, Step)}
    return _whole(rated.white, white, after.get(WHITE)), _whole(rated.black, black, after.get(BLACK))


def _whole(side: Side, state: PlayerState, after: float | None) -> Side:
    """The side with what the period gives, and the rating it began with, where the row of a period leaves them out."""
    if side.after is None:
        side = side._replace(after=state.rating if after is None else after)
    return side if side.before is not None else side._replace(before=state.rating)
