"""The interval of a mean difference: whole days are drawn, the same ones for every pair."""

from itertools import product
from statistics import fmean

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.lab.summary import BLOCK, Difference, blocks, mean_interval

differences = st.lists(st.floats(-3, 3), min_size=1, max_size=40)


def test_blocks_are_fifty_neighbours() -> None:
    assert BLOCK == 50
    assert blocks(101) == [0] * 50 + [1] * 50 + [2]
    assert blocks(5, size=2) == [0, 0, 1, 1, 2]
    assert blocks(0) == []


def test_of_one_day_there_is_no_interval_and_of_two_all_four_draws_are_known() -> None:
    assert mean_interval([0.25, -0.75], [7, 7], seed=1) == Difference(-0.25, None, None)
    assert mean_interval([0.0, 1.0], [1, 2], seed=1) == Difference(0.5, 0.0, 1.0)
    assert mean_interval([0.0, 1.0], [1, 2], seed=1, share=0.4) == Difference(0.5, 0.5, 0.5)
    found = mean_interval([0.0, 0.0, 0.0, 1.0], [1, 1, 1, 2], seed=1, share=0.4)
    assert found == Difference(0.25, 0.25, 0.25)


def test_games_of_a_day_that_agree_widen_the_interval_of_all_possible_draws() -> None:
    """A second way: four days, every one of the 4⁴ draws, against sampled ones."""
    values = [0.0, 1.0, 2.5, -4.0]
    means = [fmean(draw) for draw in product(values, repeat=4)]
    low, high = numpy.quantile(means, [0.025, 0.975])
    found = mean_interval(values, [1, 2, 3, 4], seed=3, resamples=20_000)
    assert (found.low, found.high) == (pytest.approx(low, abs=0.13), pytest.approx(high, abs=0.13))
    # Ten games in step say no more than one: by the day the interval is about √10 times as wide as by the game.
    values = [day for day in (1.0, -1.0) * 20 for _ in range(10)]
    by_day = mean_interval(values, [at // 10 for at in range(400)], seed=1)
    by_game = mean_interval(values, list(range(400)), seed=1)
    assert None not in (*by_day, *by_game)
    ratio = (by_day.high - by_day.low) / (by_game.high - by_game.low)  # type: ignore[operator]
    assert ratio == pytest.approx(10**0.5, rel=0.15)


def test_the_same_seed_draws_the_same_days_for_every_pair_whatever_their_names() -> None:
    one = mean_interval([0.0, 1.0, 5.0], [1, 2, 3], seed=4)
    assert one == mean_interval([0.0, 1.0, 5.0], [1, 2, 3], seed=4)
    doubled = mean_interval([0.0, 2.0, 10.0], [1, 2, 3], seed=4)
    assert doubled == Difference(*(2.0 * figure for figure in one if figure is not None))
    assert mean_interval([1.0, 2.0, 4.0], [3, 3, 9], seed=1) == mean_interval([1.0, 2.0, 4.0], [0, 0, 1], seed=1)


@settings(max_examples=40, deadline=None)
@given(differences)
def test_the_interval_lies_within_the_days_and_turns_with_the_sign(values: list[float]) -> None:
    groups = list(range(len(values)))
    mean, low, high = mean_interval(values, groups, seed=2, resamples=100)
    assert mean == pytest.approx(fmean(values), abs=1e-12)
    if low is None or high is None:
        assert len(values) == 1
        return
    assert min(values) - 1e-12 <= low <= high <= max(values) + 1e-12
    turned = mean_interval([-value for value in values], groups, seed=2, resamples=100)
    assert (turned.low, turned.high) == (pytest.approx(-high, abs=1e-12), pytest.approx(-low, abs=1e-12))


@pytest.mark.parametrize(("values", "groups"), [([], []), ([1.0], []), ([1.0], [1, 2])])
def test_nothing_to_draw_from_is_refused(values: list[float], groups: list[int]) -> None:
    with pytest.raises(ValueError, match=r"differences for \d+ games"):
        mean_interval(values, groups, seed=1)
