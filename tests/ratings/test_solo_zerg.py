"""Solo-Zerg: the source's printed examples, the training game, the floor and the normalisation."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import Memory, Normalisation, Period, PlayedGame, PlayerState
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


@pytest.mark.parametrize(
    ("winner", "loser", "bonus"), [(1500, 2500, "1.0"), (1500, 1500, "100.0"), (2500, 1500, "1.0")]
)
def test_the_examples_the_source_prints(winner: float, loser: float, bonus: str) -> None:
    winner_after, loser_after = solo_zerg_game(winner, loser)
    assert f"{winner_after - winner:.1f}" == f"{loser - loser_after:.1f}" == bonus


@pytest.mark.parametrize(("winner", "loser"), [(1500, 2000), (2000, 1500)])
def test_at_500_points_the_source_prints_37_5_and_exact_is_37_58(winner: float, loser: float) -> None:
    winner_after, loser_after = solo_zerg_game(winner, loser)
    assert f"{winner_after - winner:.2f}" == f"{loser - loser_after:.2f}" == "37.58"
    assert int(10 * (winner_after - winner)) / 10 == 37.5  # the source cuts instead of rounding


def test_from_a_gap_of_1015_3_on_a_game_is_training() -> None:
    assert solo_zerg_game(1000.0, 2015.4) == (1000.0, 2015.4)
    assert solo_zerg_game(2015.4, 1000.0) == (2015.4, 1000.0)
    assert play(2900, 1100, 0.0) == (2900, 1100)  # rated all the same: it moves by nothing
    assert solo_zerg_game(1500.0, 2515.3)[0] > 1500.0


def test_a_draw_is_not_rated() -> None:
    assert play(1500, 2000, 0.5) is None


@pytest.mark.parametrize("score", [1.0, 0.0])
def test_colour_does_not_matter(score: float) -> None:
    winner, loser = solo_zerg_game(1600.0, 1500.0)
    assert play(*((1600, 1500) if score else (1500, 1600)), score) == ((winner, loser) if score else (loser, winner))


@given(RATINGS, RATINGS)
def test_whoever_wins_the_same_is_at_stake(one: float, two: float) -> None:
    assert solo_zerg_game(one, two)[0] - one == pytest.approx(solo_zerg_game(two, one)[0] - two, abs=1e-9)


@given(RATINGS, RATINGS)
def test_a_win_never_lowers_and_a_loss_never_raises(winner: float, loser: float) -> None:
    winner_after, loser_after = solo_zerg_game(winner, loser)
    assert winner <= winner_after <= winner + 100
    assert 1000 <= loser_after <= loser


@given(RATINGS, st.floats(1100, 3000))
def test_zero_sum_while_the_loser_stays_above_the_floor(winner: float, loser: float) -> None:
    assert sum(solo_zerg_game(winner, loser)) == pytest.approx(winner + loser, abs=1e-9)


def test_at_the_floor_the_pool_grows() -> None:
    assert solo_zerg_game(1000.0, 1000.0) == (1100.0, 1000.0)
    assert play(1000, 1000, 1.0, SoloZergSettings(floor=950.0)) == (1100.0, 950.0)


def test_who_starts_below_the_floor_rises_to_it_by_losing() -> None:
    assert solo_zerg_game(2500.0, 900.0) == (2500.0, 1000.0)


def test_above_3000_everybody_keeps_three_quarters() -> None:
    assert SOLO_ZERG.normalisation(SETTINGS) == Normalisation(above=3000.0, factor=0.75, floor=1000.0)
    tested = SOLO_ZERG.read_settings({"normalise_above": 4500, "factor": 0.5, "floor": 800})
    assert SOLO_ZERG.normalisation(tested) == Normalisation(above=4500.0, factor=0.5, floor=800.0)


def test_an_append_needs_the_whole_field() -> None:
    assert SOLO_ZERG.memory(SETTINGS) is Memory.FIELD
    assert SOLO_ZERG.period(SETTINGS) is Period.GAME


def test_a_newcomer_stands_at_1000_and_no_score_is_expected() -> None:
    newcomer = SOLO_ZERG.newcomer(SETTINGS, None, 0)
    assert newcomer == PlayerState(1000.0, 0, 1000.0)
    assert newcomer is not None
    assert SOLO_ZERG.expected(SETTINGS, newcomer, newcomer) is None


def test_settings_survive_storing() -> None:
    settings = SOLO_ZERG.read_settings({"start": 1200, "normalise_above": "5000"})
    assert settings == SoloZergSettings(1200.0, 1000.0, 5000.0, 0.75)
    assert SOLO_ZERG.read_settings(SOLO_ZERG.stored_settings(settings)) == settings
    assert SOLO_ZERG.read_settings({}) == SETTINGS


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"k": 20}, "Solo-Zerg has no setting “k”"),
        ({"start": 999}, "start must lie between 1000 and 3000"),
        ({"start": 3001}, "start must lie between 1000 and 3000"),
        ({"normalise_above": 900}, "normalise_above must lie between 1000"),
        ({"factor": 1.1}, "factor must lie"),
    ],
)
def test_a_wrong_setting_is_named(raw: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        SOLO_ZERG.read_settings(raw)
