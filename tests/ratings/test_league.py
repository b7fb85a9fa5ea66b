"""League: the source's printed examples, and what they make of the pool."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import Memory, Period, PlayedGame, PlayerState
from ratings.systems.league import League, LeagueSettings, league_game

LEAGUE = League()
SETTINGS = LeagueSettings()
RATINGS = st.integers(-20_000, 20_000).map(float)


def play(white: float, black: float, score: float, settings: LeagueSettings = SETTINGS) -> tuple[float, float] | None:
    """Both ratings after one game; None where it is not rated."""
    one, two = PlayerState(white, 0, white), PlayerState(black, 0, black)
    figures = LEAGUE.game_rater(settings)(one, two, PlayedGame(1, 1, 2, score, 0, 0))
    if figures is None:
        assert (one, two) == (PlayerState(white, 0, white), PlayerState(black, 0, black))
        return None
    assert tuple(figures) == (None, None, None, None)
    return one.rating, two.rating


@pytest.mark.parametrize(
    ("winner", "loser", "gain", "loss"),
    [(1500, 2500, 60, -50), (1500, 2000, 60, -50), (1500, 1500, 40, -30), (2000, 1500, 20, -10), (2500, 1500, 20, -10)],
)
def test_the_examples_the_source_prints(winner: float, loser: float, gain: float, loss: float) -> None:
    assert play(winner, loser, 1.0) == (winner + gain, loser + loss)
    assert play(loser, winner, 0.0) == (loser + loss, winner + gain)


@pytest.mark.parametrize(
    ("gap", "loss"),
    [(0, 30), (24, 30), (25, 31), (49, 31), (-24, 30), (-25, 29), (-49, 29), (-50, 28), (499, 49), (-499, 11)],
)
def test_steps_of_25_points_are_cut_toward_zero_on_both_sides(gap: float, loss: float) -> None:
    assert league_game(1500.0, 1500.0 + gap) == (1500 + loss + 10, 1500 + gap - loss)


def test_a_draw_is_not_rated() -> None:
    assert play(1500, 2000, 0.5) is None


@given(RATINGS, RATINGS)
def test_every_game_brings_ten_points_into_the_pool(winner: float, loser: float) -> None:
    assert sum(league_game(winner, loser)) == winner + loser + 10


@given(RATINGS, RATINGS)
def test_without_the_ten_points_league_is_zero_sum(winner: float, loser: float) -> None:
    after = play(winner, loser, 1.0, LeagueSettings(inflation=0.0))
    assert after is not None
    assert sum(after) == winner + loser


@given(RATINGS, RATINGS)
def test_whole_ratings_stay_whole_and_the_winner_gains_20_to_60(winner: float, loser: float) -> None:
    winner_after, loser_after = league_game(winner, loser)
    assert winner_after.is_integer()
    assert loser_after.is_integer()
    assert 20 <= winner_after - winner <= 60
    assert 10 <= loser - loser_after <= 50


def test_there_is_no_floor() -> None:
    assert league_game(0.0, 0.0) == (40.0, -30.0)


def test_a_newcomer_stands_at_750_and_no_score_is_expected() -> None:
    newcomer = LEAGUE.newcomer(SETTINGS, 2001, 0)
    assert newcomer == PlayerState(750.0, 0, 750.0, 2001)
    assert newcomer is not None
    assert LEAGUE.expected(SETTINGS, newcomer, newcomer) is None


def test_rated_game_by_game_from_the_ledger_alone() -> None:
    assert LEAGUE.period(SETTINGS) is Period.GAME
    assert LEAGUE.memory(SETTINGS) is Memory.LEDGER
    assert LEAGUE.normalisation(SETTINGS) is None


def test_settings_survive_storing() -> None:
    settings = LEAGUE.read_settings({"start": "1000", "inflation": 0})
    assert settings == LeagueSettings(1000.0, 0.0)
    assert LEAGUE.read_settings(LEAGUE.stored_settings(settings)) == settings
    assert LEAGUE.read_settings({}) == SETTINGS


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"k": 20}, "League has no setting “k”"),
        ({"inflation": -1}, "inflation must lie"),
        ({"start": "x"}, "start is no number"),
    ],
)
def test_a_wrong_setting_is_named(raw: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        LEAGUE.read_settings(raw)
