"""What a forecast needs and what it gives: strengths, the odds of games, the chance of each place (pure, numpy).

Strengths are not known, only likely: a sample of them (`Strengths.draws`, a row a draw) stands for what the games so
far leave open, and every playout takes one row. So a forecast for somebody new is wider. A game between two strengths
ends by Davidson's model (`ratings.systems.draws`): the expected score is Elo's logistic of the gap, and draws come at
one rate ν.

`chances_of` gives win, draw and loss of many games at once. The formulas are those of `ratings.systems.draws.odds_of`
and `ratings.systems.elo.expected_score`, written for arrays; a test holds them equal. Nobody has the advantage of
White.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy

from ratings.systems.base import Odds
from ratings.systems.draws import odds_of
from ratings.systems.elo import expected_score

# --- strengths and places -----------------------------------------------------------------------------------------
Tell = Callable[[int, int], None]  # so much done, of so much
Floats = Any  # a numpy array of floats; shapes stand where it is used

EXACT, SAMPLED, SAMPLED_FAST = "exact", "sampled", "sampled-fast"


@dataclass(frozen=True, slots=True)
class Strengths:
    """Strengths of a field in Elo points: `draws` (draws × players) in the order of `players`, and Davidson's ν."""

    players: tuple[int, ...]
    draws: Floats
    rate: float

    def __post_init__(self) -> None:
        if self.draws.ndim != 2 or self.draws.shape[1] != len(self.players) or not len(self.draws):
            raise ValueError("Strengths are draws by players, at least one draw.")

    def mean(self, player: int) -> float:
        """Elo points. Raises ValueError for somebody else."""
        return float(self.draws[:, self.players.index(player)].mean())

    def deviation(self, player: int) -> float:
        """Standard deviation of the draws, in Elo points."""
        return float(self.draws[:, self.players.index(player)].std())

    def odds(self, white: int, black: int) -> Odds:
        """Of a game between two of them, over all that their strengths may be."""
        gaps = zip(self.draws[:, self.players.index(white)], self.draws[:, self.players.index(black)], strict=True)
        found = [odds_of(expected_score(float(own), float(his)), self.rate) for own, his in gaps]
        count = len(found)
        return Odds(*(sum(part) / count for part in zip(*((o.win, o.draw, o.loss) for o in found), strict=True)))


@dataclass(frozen=True, slots=True)
class Outlook:
    """The chance of each place (players × places, best place first); those who share places after the last tie-break
    have an equal part of each of them, so every row and every column adds up to one. `points`: the mean at the end,
    in the smallest unit of the event's points (half-points of 1 – ½ – 0), None in a knockout. `method`: `EXACT` (all
    endings reckoned with; `samples` is 0), `SAMPLED`, or `SAMPLED_FAST` where rounds to come are paired by an
    approximation."""

    players: tuple[int, ...]
    places: Floats
    points: Floats | None
    method: str
    samples: int

    def title(self, player: int) -> float:
        """The chance of first place."""
        return float(self.places[self.players.index(player), 0])


# --- the odds of many games ---------------------------------------------------------------------------------------
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
    taken equally often, or, with fewer samples than rows, those taken lie far apart in the chain they come from.
    Raises ValueError for less than one sample."""
    if samples < 1:
        raise ValueError("An event is played out at least once.")
    return numpy.arange(samples) * len(strengths.draws) // samples


def columns_of(strengths: Strengths, players: tuple[int, ...]) -> Floats:
    """The column of each player in `Strengths.draws`. Raises ValueError where somebody has no strength."""
    at = {player: column for column, player in enumerate(strengths.players)}
    missing = [player for player in players if player not in at]
    if missing:
        raise ValueError(f"Nobody has said how strong number {missing[0]} is.")
    return numpy.array([at[player] for player in players], int)
