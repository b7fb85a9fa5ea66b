"""Split-R̂ and effective sample size: by hand, by the slow sums, and on chains of which the answer is known."""

from math import inf, sqrt
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.forecast.posterior import effective_size, split_rhat

CHAINS, KEPT = 8, 2000


def swinging(memory: float, *, seed: int = 1) -> Any:
    """Chains in which each draw remembers such a share of the one before: of autocorrelation memoryᵗ."""
    rng = numpy.random.default_rng(seed)
    found = numpy.empty((CHAINS, KEPT))
    found[:, 0] = rng.standard_normal(CHAINS)
    for at in range(1, KEPT):
        found[:, at] = memory * found[:, at - 1] + sqrt(1 - memory**2) * rng.standard_normal(CHAINS)
    return found


def by_the_book(chains: Any) -> tuple[float, float]:
    """R̂ and effective size by plain sums, as the book writes them."""
    half = len(chains[0]) // 2
    halves = [list(part) for chain in chains for part in (chain[:half], chain[len(chain) - half :])]
    means = [sum(each) / half for each in halves]
    grand = sum(means) / len(means)
    between = half / (len(halves) - 1) * sum((mean - grand) ** 2 for mean in means)
    inner = [sum((x - mean) ** 2 for x in each) / (half - 1) for each, mean in zip(halves, means, strict=True)]
    within = sum(inner) / len(inner)
    pooled = (half - 1) / half * within + between / half
    correlations = [1.0]
    for lag in range(1, half):
        sums = []
        for each, mean in zip(halves, means, strict=True):
            products = ((each[at] - mean) * (each[at + lag] - mean) for at in range(half - lag))
            sums.append(sum(products) / (half - 1))
        correlations.append(1.0 - (within - sum(sums) / len(sums)) / pooled)
    time, smallest = -1.0, inf
    for at in range(0, half - 1, 2):
        pair = correlations[at] + correlations[at + 1]
        if pair <= 0:
            break
        smallest = min(smallest, pair)
        time += 2 * smallest
    draws = len(halves) * half
    return sqrt(pooled / within), min(draws / time, draws * numpy.log10(draws)) if time > 0 else inf


@given(st.integers(4, 40), st.integers(1, 4), st.integers(0, 10_000), st.floats(-0.5, 0.95))
def test_they_are_what_the_book_says(kept: int, chains: int, seed: int, memory: float) -> None:
    rng = numpy.random.default_rng(seed)
    walk = rng.standard_normal((chains, kept))
    for at in range(1, kept):
        walk[:, at] += memory * walk[:, at - 1]
    rhat, size = by_the_book(walk)
    assert split_rhat(walk) == pytest.approx(rhat)
    if size < inf:
        assert effective_size(walk) == pytest.approx(size, rel=1e-6)


def test_independent_draws_are_worth_themselves_and_those_that_swing_more() -> None:
    assert split_rhat(numpy.array([[1.0, 3, 2, 4], [3, 5, 6, 8]])) == pytest.approx(sqrt((1 + 14 / 3) / 2))
    chains = swinging(0.0)
    assert split_rhat(chains) == pytest.approx(1.0, abs=0.005)
    assert effective_size(chains) == pytest.approx(CHAINS * KEPT, rel=0.1)
    assert effective_size(swinging(-0.5)) > 2 * CHAINS * KEPT


@pytest.mark.parametrize("memory", [0.3, 0.6, 0.9])
def test_a_memory_costs_draws(memory: float) -> None:
    """Σ of all correlations is (1 + m) / (1 − m)."""
    assert effective_size(swinging(memory)) == pytest.approx(CHAINS * KEPT * (1 - memory) / (1 + memory), rel=0.15)


def test_chains_that_never_move_and_three_draws_that_cannot_be_halved() -> None:
    assert split_rhat(numpy.ones((3, 6))) == 1.0
    assert split_rhat(numpy.ones((3, 6)) * [[1], [2], [3]]) == inf
    assert effective_size(numpy.ones((3, 6))) == 0.0
    with pytest.raises(ValueError, match="at least four"):
        split_rhat(numpy.ones((2, 3)))
    with pytest.raises(ValueError, match="at least four"):
        effective_size(numpy.ones((2, 3)))
