"""Mean, sample deviation, standard error; the order of the values does not matter to the last bit."""

import statistics
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.lab.summary import Summary, summarise

FIGURES = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30)


def test_by_hand() -> None:
    assert summarise([1.0, 2.0, 6.0]) == Summary(3.0, sqrt(7.0), sqrt(7.0) / sqrt(3.0))
    assert summarise([4.5]) == (4.5, 0.0, 0.0)
    with pytest.raises(ValueError, match="no replication"):
        summarise([])


@given(FIGURES)
def test_the_standard_library_says_the_same(values: list[float]) -> None:
    found = summarise(values)
    assert found.mean == pytest.approx(statistics.fmean(values))
    assert found.sd == pytest.approx(statistics.stdev(values), abs=1e-6)


@given(FIGURES, st.randoms(use_true_random=False))
def test_order_does_not_matter(values: list[float], rng: object) -> None:
    shuffled = list(values)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    assert summarise(shuffled) == summarise(values)
