"""KD: a percentage. The winner comes nearer to 100 and the loser nearer to 0, by a stake that grows with the upset.

Source: the Russian study that lets six rating systems watch the same simulated games, its rule "KD". The source
walks a thousand small steps; each multiplies by the same number, so one power does.
Not done: draws (the rule knows none), an expected score, normalisation (a percentage needs none).
"""

from dataclasses import dataclass

from clubrating.ground.marks import marked
from ratings.systems.base import GameRater
from ratings.systems.rules import RatingSystem, ranged, winner_rater

TOP = 100.0
# A float on purpose: a compiler may multiply out a whole exponent, which gives other last digits than a power.
STEPS = 1000.0


@dataclass(frozen=True, slots=True)
class KDSettings:
    """`start`: percentage of a newcomer; `stake`: what a game between equals is about."""

    start: float = ranged(15.0, 0, TOP)
    stake: float = ranged(2.0, 0.01, TOP)  # 0 would divide by it at the bottom


def kd_game(winner: float, loser: float, stake: float = KDSettings().stake) -> tuple[float, float]:
    """Percentages of winner and loser after the game, both between 0 and 100."""
    at_stake = stake * (loser + stake) / (winner + stake)
    kept = (1.0 - at_stake / (TOP * STEPS)) ** STEPS
    return TOP - (TOP - winner) * kept, loser * kept


class KD(RatingSystem):
    key = "kd"
    name = marked("KD")
    settings_type = KDSettings
    elo_scale = False

    def game_rater(self, settings: KDSettings) -> GameRater:
        return winner_rater(kd_game, settings.stake)
