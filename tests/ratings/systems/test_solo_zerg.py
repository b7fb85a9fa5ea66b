"""Solo-Zerg: the source's printed examples, the training game, the floor and the normalisation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import Normalisation, PlayedGame, PlayerState
from ratings.systems.solo_zerg import SoloZerg, SoloZergSettings, solo_zerg_game

SOLO_ZERG = SoloZerg()
SETTINGS = SoloZergSettings()
RATINGS = st.floats(1000, 3000)


def play(white: float, black: float, score: float, settings: SoloZergSettings = SETTINGS) -> tuple[float, float] | None:
    """Both ratings after one game; None where it is not rated."""
    one, two = PlayerState(white, 0, white), PlayerState(black, 0, black)
    figures = SOLO_ZERG.game_rater(settings)(one, two, PlayedGame(1, 1, 2, score, 0, 0))
    if figures is None:
        assert (one, two) == (PlayerState(white, 0, white), PlayerState(black, 0, black))
        return None
    assert tuple(figures) == (None, None, None, None)
    return one.rating, two.rating


def test_the_examples_the_source_prints() -> None:
    for winner, loser, bonus in ((1500, 2500, "1.0"), (1500, 1500, "100.0"), (2500, 1500, "1.0")):
        winner_after, loser_after = solo_zerg_game(winner, loser)
        assert f"{winner_after - winner:.1f}" == f"{loser - loser_after:.1f}" == bonus


@pytest.mark.parametrize(("winner", "loser"), [(1500, 2000), (2000, 1500)])
def test_at_500_points_the_source_prints_37_5_and_exact_is_37_58(winner: float, loser: float) -> None:
    winner_after, loser_after = solo_zerg_game(winner, loser)
    assert f"{winner_after - winner:.2f}" == f"{loser - loser_after:.2f}" == "37.58"
    assert int(10 * (winner_after - winner)) / 10 == 37.5  # the source cuts instead of rounding


def test_from_a_gap_of_1015_3_on_a_game_is_training_and_a_draw_is_not_rated() -> None:
    assert solo_zerg_game(1000.0, 2015.4) == (1000.0, 2015.4)
    assert solo_zerg_game(2015.4, 1000.0) == (2015.4, 1000.0)
    assert play(2900, 1100, 0.0) == (2900, 1100)  # rated all the same: it moves by nothing
    assert solo_zerg_game(1500.0, 2515.3)[0] > 1500.0
    assert play(1500, 2000, 0.5) is None


@pytest.mark.parametrize("score", [1.0, 0.0])
def test_colour_does_not_matter(score: float) -> None:
    winner, loser = solo_zerg_game(1600.0, 1500.0)
    assert play(*((1600, 1500) if score else (1500, 1600)), score) == ((winner, loser) if score else (loser, winner))


@given(RATINGS, RATINGS)
def test_whoever_wins_the_same_is_at_stake_and_a_win_never_lowers(winner: float, loser: float) -> None:
    winner_after, loser_after = solo_zerg_game(winner, loser)
    assert winner <= winner_after <= winner + 100
    assert 1000 <= loser_after <= loser
    assert winner_after - winner == pytest.approx(solo_zerg_game(loser, winner)[0] - loser, abs=1e-9)


@given(RATINGS, st.floats(1100, 3000))
def test_zero_sum_while_the_loser_stays_above_the_floor(winner: float, loser: float) -> None:
    assert sum(solo_zerg_game(winner, loser)) == pytest.approx(winner + loser, abs=1e-9)


def test_at_the_floor_the_pool_grows_and_who_starts_below_rises_to_it_by_losing() -> None:
    assert solo_zerg_game(1000.0, 1000.0) == (1100.0, 1000.0)
    assert play(1000, 1000, 1.0, SoloZergSettings(floor=950.0)) == (1100.0, 950.0)
    assert solo_zerg_game(2500.0, 900.0) == (2500.0, 1000.0)


def test_the_line_the_share_and_the_floor_of_a_normalisation_are_settings() -> None:
    tested = SOLO_ZERG.read_settings({"normalise_above": 4500, "factor": 0.5, "floor": 800})
    assert SOLO_ZERG.normalisation(tested) == Normalisation(above=4500.0, factor=0.5, floor=800.0)
