"""League: whole points by the gap, cut to steps of 25 points, and ten points more for the winner.

Source: the Russian study that lets six rating systems watch the same simulated games, its rule "League".
Not done: draws (the rule knows none), a floor or a ceiling (the source has neither), an expected score.
"""

from dataclasses import dataclass

from clubrating.ground.marks import marked
from ratings.systems.base import GameRater
from ratings.systems.rules import RatingSystem, ranged, winner_rater

LONGEST_GAP = 500.0  # a longer gap counts as this one
STEP = 25.0
EVEN_STAKE = 30.0  # what the loser pays where both stand level


@dataclass(frozen=True, slots=True)
class LeagueSettings:
    """`start`: rating of a newcomer; `inflation`: what the winner gets beyond what the loser pays."""

    start: float = ranged(750.0, 0, 100_000)
    inflation: float = ranged(10.0, 0, 100)


def league_game(winner: float, loser: float, inflation: float = LeagueSettings().inflation) -> tuple[float, float]:
    """Ratings of winner and loser after the game. Whole numbers stay whole numbers."""
    gap = min(LONGEST_GAP, max(-LONGEST_GAP, loser - winner))
    # int() cuts toward zero, as the source's integer division does; floor division would not.
    stake = float(int(gap / STEP)) + EVEN_STAKE
    return winner + stake + inflation, loser - stake


class League(RatingSystem):
    key = "league"
    name = marked("League")
    settings_type = LeagueSettings
    elo_scale = False

    def game_rater(self, settings: LeagueSettings) -> GameRater:
        return winner_rater(league_game, settings.inflation)
