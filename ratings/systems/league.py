"""League: whole points by the gap, cut to steps of 25 points, and ten points more for the winner.

Source: the Russian study that lets six rating systems watch the same simulated games, its rule "League".
Not done: draws (the rule knows none), a floor or a ceiling (the source has neither), an expected score.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clubrating.ground.marks import marked
from ratings.systems.base import Figures, GameRater, PlayedGame, PlayerState
from ratings.systems.rules import SystemDefaults, number, refuse_unknown

LONGEST_GAP = 500.0  # a longer gap counts as this one
STEP = 25.0
EVEN_STAKE = 30.0  # what the loser pays where both stand level

_NO_FIGURES = Figures()


@dataclass(frozen=True, slots=True)
class LeagueSettings:
    """`start`: rating of a newcomer; `inflation`: what the winner gets beyond what the loser pays."""

    start: float = 750.0
    inflation: float = 10.0


_DEFAULTS = LeagueSettings()


def league_game(winner: float, loser: float, inflation: float = _DEFAULTS.inflation) -> tuple[float, float]:
    """Ratings of winner and loser after the game. Whole numbers stay whole numbers."""
    gap = min(LONGEST_GAP, max(-LONGEST_GAP, loser - winner))
    # int() cuts toward zero, as the source's integer division does; floor division would not.
    stake = float(int(gap / STEP)) + EVEN_STAKE
    return winner + stake + inflation, loser - stake


class League(SystemDefaults):
    key = "league"
    name = marked("League")
    elo_scale = False

    def read_settings(self, raw: Mapping[str, Any]) -> LeagueSettings:
        """Settings from stored values. Raises ValueError naming the setting that is wrong."""
        refuse_unknown(raw, LeagueSettings, self.name)
        return LeagueSettings(
            start=number(raw, "start", _DEFAULTS.start, low=0, high=100_000),
            inflation=number(raw, "inflation", _DEFAULTS.inflation, low=0, high=100),
        )

    def game_rater(self, settings: LeagueSettings) -> GameRater:
        inflation = settings.inflation

        def rate(white: PlayerState, black: PlayerState, game: PlayedGame) -> Figures | None:
            if game.score == 0.5:
                return None
            if game.score == 1.0:
                white.rating, black.rating = league_game(white.rating, black.rating, inflation)
            else:
                black.rating, white.rating = league_game(black.rating, white.rating, inflation)
            return _NO_FIGURES

        return rate
