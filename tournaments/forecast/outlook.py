"""What a forecast needs, and what it says (pure): strengths drawn from what is known, and the chance of each place.

Strengths are not known, only likely: a sample of them (`Strengths.draws`, a row a draw) stands for what the games so
far leave open, and every playout takes one row. So a forecast of somebody new is a wider one. A game between two
strengths ends as Davidson's model says (`ratings.systems.draws`): the expected score is Elo's logistic of the gap, and
draws come at one rate ν.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ratings.systems.draws import Odds, odds_of
from ratings.systems.elo import expected_score

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
