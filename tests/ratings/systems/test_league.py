"""League: the source's printed examples, and what they make of the pool."""

from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import PlayedGame, PlayerState
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


def test_the_examples_the_source_prints() -> None:
    for winner, loser, gain, loss in (
        (1500, 2500, 60, -50), (1500, 2000, 60, -50), (1500, 1500, 40, -30), (2000, 1500, 20, -10),
        (2500, 1500, 20, -10),
    ):  # fmt: skip
        assert play(winner, loser, 1.0) == (winner + gain, loser + loss)
        assert play(loser, winner, 0.0) == (loser + loss, winner + gain)


def test_steps_of_25_points_are_cut_toward_zero_on_both_sides() -> None:
    for gap, loss in (
        (0, 30), (24, 30), (25, 31), (49, 31), (-24, 30), (-25, 29), (-49, 29), (-50, 28), (499, 49),
        (-499, 11),
    ):  # fmt: skip
        assert league_game(1500.0, 1500.0 + gap) == (1500 + loss + 10, 1500 + gap - loss)


def test_a_draw_is_not_rated_and_there_is_no_floor() -> None:
    assert play(1500, 2000, 0.5) is None
    assert league_game(0.0, 0.0) == (40.0, -30.0)


@given(RATINGS, RATINGS)
def test_every_game_brings_ten_points_and_whole_ratings_stay_whole(winner: float, loser: float) -> None:
    winner_after, loser_after = league_game(winner, loser)
    assert winner_after + loser_after == winner + loser + 10
    assert (winner_after.is_integer(), loser_after.is_integer()) == (True, True)
    assert 20 <= winner_after - winner <= 60
    assert 10 <= loser - loser_after <= 50
    without = play(winner, loser, 1.0, LeagueSettings(inflation=0.0))
    assert without is not None
    assert sum(without) == winner + loser
