"""Solo-Zerg: the farther apart two players stand, the less their game moves, whoever of them wins.

Source: the Russian study that lets six rating systems watch the same simulated games, its rule "SZ".
Not done: draws (the rule knows none), an expected score. The field is normalised by the replay, not here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clubrating.ground.marks import marked
from ratings.systems.base import GameRater, Memory, Normalisation
from ratings.systems.rules import RatingSystem, number, refuse_unknown, winner_rater

HIGHEST_BONUS = 100.0
EXPONENT = 0.6652  # the bonus is used up at a gap of 1015.3


@dataclass(frozen=True, slots=True)
class SoloZergSettings:
    """`start`: rating of a newcomer; `floor`: nobody falls below it; `normalise_above`: as soon as anybody stands
    higher, all ratings are multiplied by `factor`."""

    start: float = 1000.0
    floor: float = 1000.0
    normalise_above: float = 3000.0
    factor: float = 0.75


def solo_zerg_game(winner: float, loser: float, floor: float = SoloZergSettings().floor) -> tuple[float, float]:
    """Ratings of winner and loser after the game, the loser's not below the floor."""
    bonus = max(0.0, HIGHEST_BONUS - abs(loser - winner) ** EXPONENT)
    return winner + bonus, max(floor, loser - bonus)


class SoloZerg(RatingSystem):
    key = "solo-zerg"
    name = marked("Solo-Zerg")
    settings_type = SoloZergSettings
    elo_scale = False

    def read_settings(self, raw: Mapping[str, Any]) -> SoloZergSettings:
        """Settings from stored values: floor ≤ start ≤ normalise_above. Raises ValueError naming the setting that is
        wrong."""
        refuse_unknown(raw, self.settings_type, self.name)
        plain = self.settings_type()
        floor = number(raw, "floor", plain.floor, low=0, high=100_000)
        above = number(raw, "normalise_above", plain.normalise_above, low=floor, high=1_000_000)
        start = number(raw, "start", plain.start, low=floor, high=above)
        return self.settings_type(start, floor, above, number(raw, "factor", plain.factor, low=0.01, high=1))

    def memory(self, settings: SoloZergSettings) -> Memory:
        return Memory.FIELD

    def normalisation(self, settings: SoloZergSettings) -> Normalisation:
        return Normalisation(settings.normalise_above, settings.factor, settings.floor)

    def game_rater(self, settings: SoloZergSettings) -> GameRater:
        return winner_rater(solo_zerg_game, settings.floor)
