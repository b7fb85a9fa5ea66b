from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubrating.ground.figures import fraction_text, percents, points_text, round_half_away, signed, signed_tenths


@pytest.mark.parametrize(("value", "whole"), [(2.5, 3), (-2.5, -3), (0.49, 0), (-0.5, -1), (1511.5, 1512)])
def test_halves_are_rounded_away_from_zero(value: float, whole: int) -> None:
    assert round_half_away(value) == whole


@pytest.mark.parametrize(("value", "text"), [(7.6, "+8"), (-8, "−8"), (0.2, "0"), (-0.2, "0")])
def test_a_change_carries_a_true_sign(value: float, text: str) -> None:
    assert signed(value) == text


@pytest.mark.parametrize(("half_points", "text"), [(0, "0"), (1, "½"), (7, "3½"), (18, "9")])
def test_half_points_are_shown_with_a_half(half_points: int, text: str) -> None:
    assert points_text(half_points) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(Fraction(161, 4), "40¼"), (Fraction(57), "57"), (Fraction(3, 4), "¾"), (Fraction(37, 3), "12.33")],
)
def test_exact_numbers_are_shown_with_quarters(value: Fraction, text: str) -> None:
    assert fraction_text(value) == text


@pytest.mark.parametrize(("value", "written"), [(12.34, "+12.3"), (-0.37, "−0.4"), (-0.04, "0.0"), (0.0, "0.0")])
def test_a_small_change_is_told_to_a_tenth(value: float, written: str) -> None:
    assert signed_tenths(value) == written


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=6).filter(any))
def test_per_cents_add_up_to_a_hundred_and_none_is_a_whole_one_off(weights: list[int]) -> None:
    shares = [weight / sum(weights) for weight in weights]
    shown = percents(shares)
    assert sum(shown) == 100
    assert all(abs(whole - 100 * share) < 1 for whole, share in zip(shown, shares, strict=True))


def test_thirds_give_the_rest_to_the_first() -> None:
    assert percents([1 / 3, 1 / 3, 1 / 3]) == [34, 33, 33]
    assert percents([]) == []
