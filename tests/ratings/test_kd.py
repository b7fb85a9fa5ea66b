"""KD: the source's printed examples beside the exact figures, and the power against the source's loop."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import Memory, Period, PlayedGame, PlayerState
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


@pytest.mark.parametrize(("players", "exact"), [(players, exact) for players, _, exact in EXAMPLES])
def test_the_exact_figures_of_the_examples(players: Pair, exact: Words) -> None:
    up, down = changes(*players)
    assert (f"{up:+.4f}", f"{down:+.4f}") == exact


@pytest.mark.parametrize(("players", "printed"), [(players, printed) for players, printed, _ in EXAMPLES])
def test_the_source_prints_them_rounded_or_cut_but_for_three(players: Pair, printed: Words) -> None:
    up, down = changes(*players)
    assert printed[0] in as_printed(up)
    misprinted: dict[Pair, str] = {(80, 80): "-1.59", (10, 60): "-5.90", (60, 20): "-0.15"}
    assert (printed[1] in as_printed(down)) != (misprinted.get(players) == printed[1])
    assert float(printed[1]) == pytest.approx(down, abs=0.01)


def test_80_against_80_is_printed_1_59_and_exact_is_1_584() -> None:
    assert f"{changes(80, 80)[1]:.3f}" == "-1.584"


def test_10_against_60_is_printed_5_90_and_exact_is_5_891() -> None:
    assert f"{changes(10, 60)[1]:.3f}" == "-5.891"


def test_60_against_20_is_printed_0_15_and_exact_is_0_141() -> None:
    assert f"{changes(60, 20)[1]:.3f}" == "-0.141"


@given(PERCENT, PERCENT, STAKES)
def test_the_power_agrees_with_the_thousand_steps(winner: float, loser: float, stake: float) -> None:
    assert kd_game(winner, loser, stake) == pytest.approx(source_loop(winner, loser, stake), abs=1e-9)


@given(PERCENT, PERCENT, STAKES)
def test_nobody_leaves_0_to_100_and_a_win_never_lowers(winner: float, loser: float, stake: float) -> None:
    winner_after, loser_after = kd_game(winner, loser, stake)
    assert winner - 1e-12 <= winner_after <= 100
    assert 0 <= loser_after <= loser


def test_at_the_ends_nothing_is_left_to_win_or_lose() -> None:
    assert kd_game(100.0, 0.0) == (100.0, 0.0)
    assert kd_game(0.0, 100.0) == pytest.approx((63.959272, 36.040728))


@given(PERCENT)
def test_zero_sum_where_the_two_make_100(winner: float) -> None:
    assert sum(kd_game(winner, 100 - winner)) == pytest.approx(100)


@pytest.mark.parametrize(("players", "grows"), [((15, 15), True), ((60, 20), True), ((60, 60), False)])
def test_the_pool_grows_below_that_and_shrinks_above(players: Pair, grows: bool) -> None:
    assert (sum(changes(*players)) > 0) == grows


@pytest.mark.parametrize("score", [1.0, 0.0])
def test_the_rater_moves_both(score: float) -> None:
    winner, loser = PlayerState(20.0, 0, 20.0), PlayerState(40.0, 0, 40.0)
    white, black = (winner, loser) if score else (loser, winner)
    assert RATING_SYSTEM.game_rater(SETTINGS)(white, black, GAME._replace(score=score)) == (None, None, None, None)
    assert (winner.rating, loser.rating) == kd_game(20.0, 40.0)


def test_the_stake_of_the_settings_counts() -> None:
    white, black = PlayerState(20.0, 0, 20.0), PlayerState(40.0, 0, 40.0)
    RATING_SYSTEM.game_rater(KDSettings(stake=5.0))(white, black, GAME)
    assert (white.rating, black.rating) == kd_game(20.0, 40.0, 5.0)


def test_a_draw_is_not_rated() -> None:
    white, black = PlayerState(20.0, 0, 20.0), PlayerState(40.0, 0, 40.0)
    assert RATING_SYSTEM.game_rater(SETTINGS)(white, black, GAME._replace(score=0.5)) is None
    assert (white, black) == (PlayerState(20.0, 0, 20.0), PlayerState(40.0, 0, 40.0))


def test_a_newcomer_stands_at_15_and_no_score_is_expected() -> None:
    newcomer = RATING_SYSTEM.newcomer(SETTINGS, None, 0)
    assert newcomer == PlayerState(15.0, 0, 15.0)
    assert newcomer is not None
    assert RATING_SYSTEM.expected(SETTINGS, newcomer, newcomer) is None


def test_rated_game_by_game_from_the_ledger_alone() -> None:
    assert RATING_SYSTEM.period(SETTINGS) is Period.GAME
    assert RATING_SYSTEM.memory(SETTINGS) is Memory.LEDGER
    assert RATING_SYSTEM.normalisation(SETTINGS) is None


def test_settings_survive_storing() -> None:
    settings = RATING_SYSTEM.read_settings({"start": "50", "stake": 4})
    assert settings == KDSettings(50.0, 4.0)
    assert RATING_SYSTEM.read_settings(RATING_SYSTEM.stored_settings(settings)) == settings
    assert RATING_SYSTEM.read_settings({}) == SETTINGS


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"k": 20}, "KD has no setting “k”"),
        ({"start": 101}, "start must lie between 0 and 100"),
        ({"stake": 0}, "stake must lie between 0.01 and 100"),
    ],
)
def test_a_wrong_setting_is_named(raw: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        RATING_SYSTEM.read_settings(raw)
