"""Ranks with ties, and Spearman's coefficient by hand and by properties."""

from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.lab.summary import average_ranks, spearman

COLUMNS = st.lists(st.integers(0, 9), min_size=2, max_size=12)


def test_equals_share_the_mean_of_their_ranks() -> None:
    assert average_ranks([30, 10, 20, 20]) == [4.0, 1.0, 2.5, 2.5]
    assert average_ranks([7, 7, 7]) == [2.0, 2.0, 2.0]


def test_coefficients_with_and_without_ties_by_hand() -> None:
    """1 − 6 Σd² / n(n² − 1): differences 1, 1, 2, 0, 2 over five."""
    assert spearman([1, 2, 3, 4, 5], [2, 1, 5, 4, 3]) == pytest.approx(1 - 6 * 10 / (5 * 24))
    assert spearman([1, 2, 2, 3], [1, 2, 3, 4]) == pytest.approx(4.5 / (4.5 * 5.0) ** 0.5)
    assert isnan(spearman([5, 5, 5], [1, 2, 3]))
    with pytest.raises(ValueError, match="2 figures against 3"):
        spearman([1, 2], [1, 2, 3])


@given(COLUMNS)
def test_the_ranks_of_n_values_add_up_to_those_of_1_to_n(values: list[int]) -> None:
    assert sum(average_ranks(values)) == len(values) * (len(values) + 1) / 2


@given(st.permutations(range(8)), st.permutations(range(8)))
def test_only_the_order_counts_and_turning_it_turns_the_sign(ones: list[int], others: list[int]) -> None:
    found = spearman(ones, others)
    assert spearman([value**3 - 50.0 for value in ones], others) == pytest.approx(found)
    assert spearman([-value for value in ones], others) == pytest.approx(-found)
    assert spearman(others, ones) == pytest.approx(found)
