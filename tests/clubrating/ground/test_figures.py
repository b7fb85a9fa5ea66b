from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubrating.ground.figures import fraction_text, percents, points_text, round_half_away, signed, signed_tenths


@pytest.mark.parametrize(
    ("write", "cases"),
    [
        (round_half_away, {2.5: 3, -2.5: -3, 0.49: 0, -0.5: -1, 1511.5: 1512}),
        (signed, {7.6: "+8", -8: "−8", 0.2: "0", -0.2: "0"}),
        (points_text, {0: "0", 1: "½", 7: "3½", 18: "9"}),
        (fraction_text, {Fraction(161, 4): "40¼", Fraction(57): "57", Fraction(3, 4): "¾", Fraction(37, 3): "12.33"}),
        (signed_tenths, {12.34: "+12.3", -0.37: "−0.4", -0.04: "0.0", 0.0: "0.0"}),
    ],
)
def test_halves_true_signs_and_quarters(write: Callable[[Any], object], cases: dict[Any, object]) -> None:
    assert {value: write(value) for value in cases} == cases


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=6).filter(any))
def test_per_cents_add_up_to_a_hundred_and_none_is_a_whole_one_off(weights: list[int]) -> None:
    shares = [weight / sum(weights) for weight in weights]
    shown = percents(shares)
    assert sum(shown) == 100
    assert all(abs(whole - 100 * share) < 1 for whole, share in zip(shown, shares, strict=True))


def test_thirds_give_the_rest_to_the_first() -> None:
    assert percents([1 / 3, 1 / 3, 1 / 3]) == [34, 33, 33]
    assert percents([]) == []
