"""Win, draw and loss behind an expected score: Davidson's relation, the score kept, and a rate read off the games."""

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.bradley_terry import odds as davidson
from ratings.systems.draws import ASSUMED_DRAWS, ASSUMED_GAMES, LARGEST_RATE, draw_rate, odds_of, rate_between_equals

scores = st.floats(0.0, 1.0)
rates = st.floats(0.0, LARGEST_RATE)


@given(scores, rates)
def test_the_three_add_up_keep_the_expected_score_and_are_the_same_game_to_the_other(
    expected: float, rate: float
) -> None:
    odds, other = odds_of(expected, rate), odds_of(1.0 - expected, rate)
    assert odds.win + odds.draw + odds.loss == pytest.approx(1.0, abs=1e-12)
    assert min(odds.win, odds.draw, odds.loss) >= 0.0
    assert odds.expected == pytest.approx(expected, abs=1e-15)
    assert (odds.win, odds.draw) == pytest.approx((other.loss, other.draw), abs=1e-9)


@given(scores, scores, rates)
def test_who_is_expected_to_score_more_wins_more_and_the_more_even_the_more_draws(
    one: float, other: float, rate: float
) -> None:
    low, high = (odds_of(each, rate) for each in sorted((one, other)))
    assert low.win <= high.win + 1e-12
    assert low.loss >= high.loss - 1e-12
    near, far = sorted((one, other), key=lambda expected: abs(expected - 0.5))
    assert odds_of(near, rate).draw >= odds_of(far, rate).draw - 1e-9


@given(scores, rates, rates)
def test_a_higher_rate_means_more_draws(expected: float, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert odds_of(expected, low).draw <= odds_of(expected, high).draw + 1e-9


@given(st.floats(0.001, 0.999), st.floats(0.0, 10.0))
def test_draws_are_to_wins_and_losses_as_davidson_says(expected: float, rate: float) -> None:
    odds = odds_of(expected, rate)
    assert odds.draw == pytest.approx(rate * sqrt(odds.win * odds.loss), abs=1e-6)


@given(st.floats(-5.0, 5.0), st.floats(0.0, 5.0))
def test_the_same_as_in_the_system_of_that_name(gap: float, rate: float) -> None:
    win, draw, loss = davidson(gap, rate)
    odds = odds_of(win + draw / 2.0, rate)
    assert (odds.win, odds.draw, odds.loss) == pytest.approx((win, draw, loss), abs=1e-9)


def test_odds_by_hand() -> None:
    odds = odds_of(0.5, 1.0)
    assert (odds.win, odds.draw, odds.loss) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert (odds_of(0.64, 0.0).win, odds_of(0.64, 0.0).draw) == (0.64, 0.0)
    for certain in (0.0, 1.0):
        odds = odds_of(certain, 1.0)
        assert (odds.win, odds.draw, odds.loss) == (certain, 0.0, 1.0 - certain)
    assert odds_of(0.5, draw_rate(0, 0, 0.0)).draw == pytest.approx(0.3), "a list without games"
    assert draw_rate(10_000, 10_000, 0.2) == LARGEST_RATE, "all is drawn, and the rate stays a number"
    assert odds_of(0.5, LARGEST_RATE).draw < 1.0


def test_what_is_no_expected_score_and_no_share_is_refused() -> None:
    for expected in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="between 0 and 1"):
            odds_of(expected, 1.0)
    for share in (-0.1, 1.0):
        with pytest.raises(ValueError, match="less than 1"):
            rate_between_equals(share)


@given(st.integers(0, 5000), st.floats(0.0, 1.0), st.floats(0.16, 0.25))
def test_the_rate_gives_back_the_draws_it_was_read_off(games: int, drawn: float, even: float) -> None:
    draws = round(games * drawn)
    rate = draw_rate(games, draws, even)
    share = (draws + ASSUMED_DRAWS) / (games + ASSUMED_GAMES)
    mean = (games * even + ASSUMED_GAMES * 0.25) / (games + ASSUMED_GAMES)
    typical = 0.5 + sqrt(max(0.25 - mean, 0.0))
    if rate < LARGEST_RATE:
        assert odds_of(typical, rate).draw == pytest.approx(share, abs=1e-6)


@given(st.floats(0.0, 0.95))
def test_equals_draw_the_share_their_rate_was_made_of(share: float) -> None:
    assert odds_of(0.5, rate_between_equals(share)).draw == pytest.approx(share, abs=1e-9)
