"""KD: the source's printed examples beside the exact figures, and the power against the source's loop."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import PlayedGame, PlayerState
from ratings.systems.kd import KD, KDSettings, kd_game

RATING_SYSTEM = KD()
SETTINGS = KDSettings()
GAME = PlayedGame(1, 1, 2, 1.0, 0, 0)
PERCENT = st.floats(0, 100)
STAKES = st.floats(0.01, 100)

Pair = tuple[float, float]
Words = tuple[str, str]
# winner, loser: change of the winner and the loser as printed, then exact
EXAMPLES: list[tuple[Pair, Words, Words]] = [
    ((15, 15), ("+1.68", "-0.29"), ("+1.6831", "-0.2970")),
    ((35, 35), ("+1.28", "-0.69"), ("+1.2871", "-0.6931")),
    ((60, 60), ("+0.79", "-1.19"), ("+0.7921", "-1.1881")),
    ((80, 80), ("+0.39", "-1.59"), ("+0.3960", "-1.5841")),
    ((10, 80), ("+11.49", "-10.22"), ("+11.4972", "-10.2198")),
    ((10, 60), ("+8.83", "-5.90"), ("+8.8361", "-5.8907")),
    ((20, 40), ("+2.99", "-1.50"), ("+2.9970", "-1.4985")),
    ((70, 30), ("+0.26", "-0.26"), ("+0.2655", "-0.2655")),
    ((60, 20), ("+0.28", "-0.15"), ("+0.2829", "-0.1414")),
]


def changes(winner: float, loser: float) -> tuple[float, float]:
    winner_after, loser_after = kd_game(winner, loser)
    return winner_after - winner, loser_after - loser


def source_loop(winner: float, loser: float, stake: float) -> tuple[float, float]:
    """A thousand small steps, as the source walks them."""
    at_stake = stake * (loser + stake) / (winner + stake)
    for _ in range(1000):
        loser -= (loser / 100) * at_stake / 1000
        winner += (1 - winner / 100) * at_stake / 1000
    return winner, loser


def as_printed(change: float) -> set[str]:
    """The source rounds some figures and cuts others: both ways to write two digits."""
    return {f"{change:+.2f}", f"{int(100 * change) / 100:+.2f}"}


@pytest.mark.parametrize(("players", "printed", "exact"), EXAMPLES)
def test_the_exact_figures_which_the_source_prints_rounded_or_cut_but_for_three(
    players: Pair, printed: Words, exact: Words
) -> None:
    up, down = changes(*players)
    assert (f"{up:+.4f}", f"{down:+.4f}") == exact
    assert printed[0] in as_printed(up)
    misprinted: dict[Pair, str] = {(80, 80): "-1.59", (10, 60): "-5.90", (60, 20): "-0.15"}
    assert (printed[1] in as_printed(down)) != (misprinted.get(players) == printed[1])
    assert float(printed[1]) == pytest.approx(down, abs=0.01)


@given(PERCENT, PERCENT, STAKES)
def test_the_power_agrees_with_the_thousand_steps_and_nobody_leaves_0_to_100(
    winner: float, loser: float, stake: float
) -> None:
    winner_after, loser_after = kd_game(winner, loser, stake)
    assert (winner_after, loser_after) == pytest.approx(source_loop(winner, loser, stake), abs=1e-9)
    assert winner - 1e-12 <= winner_after <= 100
    assert 0 <= loser_after <= loser


def test_at_the_ends_nothing_is_left_and_the_pool_grows_below_100_and_shrinks_above() -> None:
    assert kd_game(100.0, 0.0) == (100.0, 0.0)
    assert kd_game(0.0, 100.0) == pytest.approx((63.959272, 36.040728))
    assert [sum(changes(*players)) > 0 for players in ((15, 15), (60, 20), (60, 60))] == [True, True, False]


@given(PERCENT)
def test_zero_sum_where_the_two_make_100(winner: float) -> None:
    assert sum(kd_game(winner, 100 - winner)) == pytest.approx(100)


@pytest.mark.parametrize("score", [1.0, 0.0])
def test_the_rater_moves_both(score: float) -> None:
    winner, loser = PlayerState(20.0, 0, 20.0), PlayerState(40.0, 0, 40.0)
    white, black = (winner, loser) if score else (loser, winner)
    assert RATING_SYSTEM.game_rater(SETTINGS)(white, black, GAME._replace(score=score)) == (None, None, None, None)
    assert (winner.rating, loser.rating) == kd_game(20.0, 40.0)


def test_the_stake_of_the_settings_counts_and_a_draw_is_not_rated() -> None:
    white, black = PlayerState(20.0, 0, 20.0), PlayerState(40.0, 0, 40.0)
    assert RATING_SYSTEM.game_rater(SETTINGS)(white, black, GAME._replace(score=0.5)) is None
    assert (white, black) == (PlayerState(20.0, 0, 20.0), PlayerState(40.0, 0, 40.0))
    RATING_SYSTEM.game_rater(KDSettings(stake=5.0))(white, black, GAME)
    assert (white.rating, black.rating) == kd_game(20.0, 40.0, 5.0)
