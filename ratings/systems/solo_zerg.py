"""Solo-Zerg: the farther apart two players stand, the less their game moves, whoever of them wins.

Source: the Russian study that lets six rating systems watch the same simulated games, its rule "SZ".
Not done: draws (the rule knows none), an expected score. The field is normalised by the replay, not here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clubrating.ground.marks import marked
from ratings.systems.base import Figures, GameRater, Memory, Normalisation, PlayedGame, PlayerState
from ratings.systems.rules import SystemDefaults, number, refuse_unknown

HIGHEST_BONUS = 100.0
EXPONENT = 0.6652  # the bonus is used up at a gap of 1015.3

_NO_FIGURES = Figures()


@dataclass(frozen=True, slots=True)
class SoloZergSettings:
    """`start`: rating of a newcomer; `floor`: nobody falls below it; `normalise_above`: as soon as anybody stands
    higher, all ratings are multiplied by `factor`."""

    start: float = 1000.0
    floor: float = 1000.0
    normalise_above: float = 3000.0
    factor: float = 0.75


_DEFAULTS = SoloZergSettings()


def solo_zerg_game(winner: float, loser: float, floor: float = _DEFAULTS.floor) -> tuple[float, float]:
    """Ratings of winner and loser after the game, the loser's not below the floor."""
    bonus = max(0.0, HIGHEST_BONUS - abs(loser - winner) ** EXPONENT)
    return winner + bonus, max(floor, loser - bonus)


class SoloZerg(SystemDefaults):
    key = "solo-zerg"
    name = marked("Solo-Zerg")
    elo_scale = False

    def read_settings(self, raw: Mapping[str, Any]) -> SoloZergSettings:
        """Settings from stored values. Raises ValueError naming the setting that is wrong."""
        refuse_unknown(raw, SoloZergSettings, self.name)
        floor = number(raw, "floor", _DEFAULTS.floor, low=0, high=100_000)
        above = number(raw, "normalise_above", _DEFAULTS.normalise_above, low=floor, high=1_000_000)
        return SoloZergSettings(
            start=number(raw, "start", _DEFAULTS.start, low=floor, high=above),
            floor=floor,
            normalise_above=above,
            factor=number(raw, "factor", _DEFAULTS.factor, low=0.01, high=1),
        )

    def memory(self, settings: SoloZergSettings) -> Memory:
        return Memory.FIELD

    def normalisation(self, settings: SoloZergSettings) -> Normalisation:
        return Normalisation(settings.normalise_above, settings.factor, settings.floor)

    def game_rater(self, settings: SoloZergSettings) -> GameRater:
        floor = settings.floor

        def rate(white: PlayerState, black: PlayerState, game: PlayedGame) -> Figures | None:
            if game.score == 0.5:
                return None
            if game.score == 1.0:
                white.rating, black.rating = solo_zerg_game(white.rating, black.rating, floor)
            else:
                black.rating, white.rating = solo_zerg_game(black.rating, white.rating, floor)
            return _NO_FIGURES

        return rate
