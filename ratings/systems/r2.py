"""R2: a bonus that shrinks with the gap, the gap weighed by a success coefficient that every player carries along.

Source: the Russian study that lets six rating systems watch the same simulated games, its rule "R2".
Not done: draws (the rule knows none), an expected score. Settings and normalisation are Solo-Zerg's, with
another factor; the coefficients stay as they are when the field is normalised.
"""

from dataclasses import dataclass

from clubrating.ground.marks import marked
from ratings.systems.base import Figures, GameRater, PlayedGame, PlayerState
from ratings.systems.solo_zerg import SoloZerg, SoloZergSettings

FIRST_COEFFICIENT = 1.0
HIGHEST_COEFFICIENT = 1.27
LOWEST_COEFFICIENT = 0.79
HIGHEST_BONUS = 100.0
LARGEST_DISCOUNT = 99.0  # a win is worth one point at least
GAP_PER_POINT = 10.0
COEFFICIENT_SCALE = 2000.0

_NO_FIGURES = Figures()


@dataclass(frozen=True, slots=True)
class R2Settings(SoloZergSettings):
    """Solo-Zerg's, with another `factor`."""

    factor: float = 0.8


def r2_game(
    winner: float, loser: float, winner_coefficient: float, loser_coefficient: float, floor: float = R2Settings().floor
) -> tuple[float, float, float, float]:
    """After the game: ratings of winner and loser, then coefficients of winner and loser."""
    winner_weight = winner * winner_coefficient
    loser_weight = loser * loser_coefficient
    discount = min(LARGEST_DISCOUNT, abs(loser_weight - winner_weight) / GAP_PER_POINT)
    bonus = HIGHEST_BONUS - discount
    surprise = bonus if winner_weight > loser_weight else HIGHEST_BONUS + discount
    growth = 1.0 + surprise / COEFFICIENT_SCALE

    # The order is the source's and matters: what exceeds a bound moves the rating that already holds the bonus, and
    # the floor comes last.
    winner_after = winner + bonus
    loser_after = loser - bonus
    winner_coefficient_after = winner_coefficient * growth
    if winner_coefficient_after > HIGHEST_COEFFICIENT:
        winner_after *= winner_coefficient_after - (HIGHEST_COEFFICIENT - 1.0)
        winner_coefficient_after = HIGHEST_COEFFICIENT
    loser_coefficient_after = loser_coefficient / growth
    if loser_coefficient_after < LOWEST_COEFFICIENT:
        loser_after /= (1.0 + LOWEST_COEFFICIENT) - loser_coefficient_after
        loser_coefficient_after = LOWEST_COEFFICIENT
    return winner_after, max(floor, loser_after), winner_coefficient_after, loser_coefficient_after


class R2(SoloZerg):
    key = "r2"
    name = marked("R2")
    settings_type = R2Settings

    def game_rater(self, settings: SoloZergSettings) -> GameRater:
        floor = settings.floor

        def rate(white: PlayerState, black: PlayerState, game: PlayedGame) -> Figures | None:
            if game.score == 0.5:
                return None
            winner, loser = (white, black) if game.score == 1.0 else (black, white)
            winner.rating, loser.rating, winner.coefficient, loser.coefficient = r2_game(
                winner.rating,
                loser.rating,
                FIRST_COEFFICIENT if winner.coefficient is None else winner.coefficient,
                FIRST_COEFFICIENT if loser.coefficient is None else loser.coefficient,
                floor,
            )
            return _NO_FIGURES

        return rate
