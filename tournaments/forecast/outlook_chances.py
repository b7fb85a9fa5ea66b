"""How many games may end at once (pure, numpy): win, draw and loss from strengths, by Elo and Davidson.

The formulas are those of `ratings.systems.draws.odds_of` and `ratings.systems.elo.expected_score`, written for arrays;
a test holds them equal. Nobody has the advantage of White.
"""

from dataclasses import dataclass

import numpy

from tournaments.forecast.outlook import Floats, Strengths

SCALE = 400.0
MOST_GAP = 80_000.0  # points beyond which the power could not be written down, as in `expected_score`


@dataclass(frozen=True, slots=True)
class Chances:
    """Of games seen from one side, arrays of one shape: the chance of a win, of a draw and of a loss."""

    win: Floats
    draw: Floats
    loss: Floats

    @property
    def decided(self) -> Floats:
        """The chance of a win in a game that has a winner; a half where no game of theirs has one."""
        decisive = self.win + self.loss
        sure = decisive > 0.0
        return numpy.where(sure, self.win / numpy.where(sure, decisive, 1.0), 0.5)


def chances_of(own: Floats, other: Floats, rate: float) -> Chances:
    """Games between strengths in Elo points (arrays of one shape), draws coming at that `rate` (Davidson's ν)."""
    expected = 1.0 / (1.0 + 10.0 ** (numpy.clip(other - own, -MOST_GAP, MOST_GAP) / SCALE))
    even, square = expected * (1.0 - expected), rate * rate
    root = numpy.sqrt(square * square * numpy.maximum(0.25 - even, 0.0) + 4.0 * square * even)
    below = square / 2.0 + root
    draw = 2.0 * square * even / numpy.where(below > 0.0, below, 1.0)
    draw = numpy.minimum(draw, 2.0 * numpy.minimum(expected, 1.0 - expected))
    return Chances(expected - draw / 2.0, draw, 1.0 - expected - draw / 2.0)


def rows_for(strengths: Strengths, samples: int) -> Floats:
    """The rows of `Strengths.draws` the samples take, in order: spread evenly over all of them, so that each row is
    taken equally often, or, with fewer samples than rows, those taken lie far apart in the chain they come from."""
    return numpy.arange(samples) * len(strengths.draws) // samples


def columns_of(strengths: Strengths, players: tuple[int, ...]) -> Floats:
    """The column of each player in `Strengths.draws`. Raises ValueError where somebody has no strength."""
    at = {player: column for column, player in enumerate(strengths.players)}
    missing = [player for player in players if player not in at]
    if missing:
        raise ValueError(f"Nobody has said how strong number {missing[0]} is.")
    return numpy.array([at[player] for player in players], int)
