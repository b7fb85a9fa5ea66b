"""R2: the source's printed examples, its order of steps, and where a win may lower after all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import Normalisation, PlayedGame, PlayerState
from ratings.systems.r2 import R2, R2Settings, r2_game

RATING_SYSTEM = R2()
SETTINGS = R2Settings()
RATINGS = st.floats(1000, 3000)
COEFFICIENTS = st.floats(0.79, 1.27)
GAME = PlayedGame(1, 1, 2, 1.0, 0, 0)


def state(rating: float, coefficient: float | None = None) -> PlayerState:
    return PlayerState(rating, 0, rating, coefficient=coefficient)


def test_the_examples_the_source_prints() -> None:
    for winner, loser, printed in (
        ((1500, 1.0), (2500, 1.0), ("+1", "1.0995", "-1", "0.9095")),
        ((1500, 1.2), (2000, 0.8), ("+80", "1.2480", "-119.0656", "0.7900")),
        ((1500, 1.0), (1500, 1.0), ("+100", "1.0500", "-100", "0.9524")),
        ((2000, 1.0), (1500, 1.0), ("+50", "1.0250", "-50", "0.9756")),
        ((2500, 1.0), (1500, 1.0), ("+1", "1.0005", "-1", "0.9995")),
    ):
        up, down, winner_coefficient, loser_coefficient = r2_game(winner[0], loser[0], winner[1], loser[1])
        changes = (f"{round(up - winner[0], 4):+.7g}", f"{round(down - loser[0], 4):+.7g}")
        assert (changes[0], f"{winner_coefficient:.4f}", changes[1], f"{loser_coefficient:.4f}") == printed


def test_beyond_1_27_the_excess_multiplies_the_rating_that_holds_the_bonus() -> None:
    # Weights 1905 and 1500: discount 40.5, bonus 59.5, growth 1.02975, coefficient 1.3077825 before the bound.
    winner, loser, coefficient, _ = r2_game(1500.0, 1500.0, 1.27, 1.0)
    assert winner == pytest.approx((1500 + 59.5) * (1.3077825 - 0.27))
    assert winner != pytest.approx(1500 * (1.3077825 - 0.27) + 59.5)
    assert (loser, coefficient) == (1440.5, 1.27)


def test_below_0_79_the_lack_divides_the_rating_that_has_paid_the_bonus() -> None:
    # Weights 1500 and 1185: discount 31.5, bonus 68.5, growth 1.03425.
    _, loser, _, coefficient = r2_game(1500.0, 1500.0, 1.0, 0.79)
    assert loser == pytest.approx((1500 - 68.5) / (1.79 - 0.79 / 1.03425))
    assert coefficient == 0.79


def test_exactly_on_a_bound_nothing_is_multiplied_and_equal_weights_are_an_upset_of_nothing() -> None:
    winner, _, coefficient, _ = r2_game(1500.0, 1500.0, 1.27 / 1.05, 1.27 / 1.05)
    assert coefficient == pytest.approx(1.27)
    assert winner == pytest.approx(1600)
    assert r2_game(1500.0, 1500.0, 1.0, 1.0)[2] == 1.05


def test_points_come_in_at_the_floor_which_leaves_the_coefficient_alone_and_at_the_bounds() -> None:
    assert r2_game(1100.0, 1020.0, 1.0, 0.79)[1::2] == (1000.0, 0.79)
    assert r2_game(1000.0, 1000.0, 1.0, 1.0)[1::2] == (1000.0, 1 / 1.05)
    assert r2_game(1000.0, 1000.0, 1.0, 1.0, 500.0)[1] == 900.0
    assert sum(r2_game(1000.0, 1000.0, 1.0, 1.0)[:2]) == 2100
    assert sum(r2_game(1500.0, 1500.0, 1.27, 1.0)[:2]) > 3000
    assert sum(r2_game(1500.0, 1500.0, 1.0, 0.79)[:2]) < 3000


@given(RATINGS, RATINGS, COEFFICIENTS, COEFFICIENTS)
def test_from_the_floor_up_a_game_never_lowers_its_winner(one: float, two: float, k_one: float, k_two: float) -> None:
    """The bonus is one point at least, and what a bound multiplies by is more than one."""
    winner, loser, k_winner, k_loser = r2_game(one, two, k_one, k_two)
    assert winner >= one + 1 - 1e-9
    assert 1000 <= loser <= two
    assert k_one <= k_winner <= 1.27
    assert 0.79 <= k_loser <= k_two


def test_below_zero_a_win_lowers_and_below_the_floor_a_loss_raises() -> None:
    """Growth 1.05 takes 1.27 to 1.3335, and 1.0635 times a negative rating is a loss greater than the bonus."""
    winner, *_ = r2_game(-2000.0, -2000.0, 1.27, 1.27)
    assert winner == pytest.approx(-1900 * 1.0635)
    assert winner < -2000
    assert r2_game(1500.0, 900.0, 1.0, 1.0)[1] == 1000.0


def test_a_win_past_the_threshold_lowers_by_normalisation() -> None:
    winner, loser, *_ = r2_game(2950.0, 2950.0, 1.0, 1.0)
    step = RATING_SYSTEM.normalisation(SETTINGS)
    assert step == Normalisation(above=3000.0, factor=0.8, floor=1000.0)
    assert (winner, loser) == (3050.0, 2850.0)
    assert winner > step.above
    assert max(step.floor, winner * step.factor) == 2440.0  # 510 points less than before the win


@given(RATINGS, st.floats(1100, 3000), st.floats(0.83, 1.15), st.floats(0.88, 1.27))
def test_zero_sum_away_from_the_floor_and_the_bounds(one: float, two: float, k_one: float, k_two: float) -> None:
    winner, loser, *_ = r2_game(one, two, k_one, k_two)
    assert winner + loser == pytest.approx(one + two, abs=1e-9)


def test_the_coefficient_is_1_until_the_first_rated_game() -> None:
    white, black = state(1500), state(1500)
    assert RATING_SYSTEM.game_rater(SETTINGS)(white, black, GAME) == (None, None, None, None)
    assert (white.rating, black.rating) == (1600.0, 1400.0)
    assert white.coefficient == pytest.approx(1.05)
    assert black.coefficient == pytest.approx(1 / 1.05)


def test_black_wins_and_a_draw_is_not_rated() -> None:
    white, black = state(2000, 0.8), state(1500, 1.2)
    rate = RATING_SYSTEM.game_rater(SETTINGS)
    assert rate(white, black, GAME._replace(score=0.5)) is None
    assert (white, black) == (state(2000, 0.8), state(1500, 1.2))
    rate(white, black, GAME._replace(score=0.0))
    assert (black.rating, black.coefficient) == pytest.approx((1580, 1.248))
    assert (white.rating, white.coefficient) == (pytest.approx(1880.9344, abs=5e-5), 0.79)
