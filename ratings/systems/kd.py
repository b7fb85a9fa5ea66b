"""KD: a percentage. The winner comes nearer to 100 and the loser nearer to 0, by a stake that grows with the upset.

Source: the Russian study that lets six rating systems watch the same simulated games, its rule "KD". The source
walks a thousand small steps; each multiplies by the same number, so one power does.
Not done: draws (the rule knows none), an expected score, normalisation (a percentage needs none).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clubrating.ground.marks import marked
from ratings.systems.base import Figures, GameRater, PlayedGame, PlayerState
from ratings.systems.rules import SystemDefaults, number, refuse_unknown

TOP = 100.0
# A float on purpose: a compiler may multiply out a whole exponent, which gives other last digits than a power.
STEPS = 1000.0

_NO_FIGURES = Figures()


@dataclass(frozen=True, slots=True)
class KDSettings:
    """`start`: percentage of a newcomer; `stake`: what a game between equals is about."""

    start: float = 15.0
    stake: float = 2.0


_DEFAULTS = KDSettings()


def kd_game(winner: float, loser: float, stake: float = _DEFAULTS.stake) -> tuple[float, float]:
    """Percentages of winner and loser after the game, both between 0 and 100."""
    at_stake = stake * (loser + stake) / (winner + stake)
    kept = (1.0 - at_stake / (TOP * STEPS)) ** STEPS
    return TOP - (TOP - winner) * kept, loser * kept


class KD(SystemDefaults):
    key = "kd"
    name = marked("KD")
    elo_scale = False

    def read_settings(self, raw: Mapping[str, Any]) -> KDSettings:
        """Settings from stored values. Raises ValueError naming the setting that is wrong."""
        refuse_unknown(raw, KDSettings, self.name)
        return KDSettings(
            start=number(raw, "start", _DEFAULTS.start, low=0, high=TOP),
            stake=number(raw, "stake", _DEFAULTS.stake, low=0.01, high=TOP),  # 0 would divide by it at the bottom
        )

    def game_rater(self, settings: KDSettings) -> GameRater:
        stake = settings.stake

        def rate(white: PlayerState, black: PlayerState, game: PlayedGame) -> Figures | None:
            if game.score == 0.5:
                return None
            if game.score == 1.0:
                white.rating, black.rating = kd_game(white.rating, black.rating, stake)
            else:
                black.rating, white.rating = kd_game(black.rating, white.rating, stake)
            return _NO_FIGURES

        return rate
