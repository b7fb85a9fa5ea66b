"""Paired differences: two contenders on the same games, replication by replication.

What the games did to both falls out of the difference, so far fewer replications tell two systems apart than their own
bands would. The interval is Student's: mean ± t × standard error, t of n − 1 degrees of freedom at 95 %
(M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4, for whole degrees of freedom).
"""

from collections.abc import Sequence
from functools import cache
from math import atan, cos, pi, sin, sqrt
from typing import NamedTuple

from ratings.lab.summary import summarise

SHARE = 0.95


class Difference(NamedTuple):
    """Mean of a contender's figure minus the baseline's, in the figure's unit, and the interval of 95 %. One
    replication alone has no interval: None."""

    mean: float
    low: float | None
    high: float | None


def within(t: float, freedom: int) -> float:
    """Probability that Student's t of so many degrees of freedom lies within ± t."""
    angle = atan(t / sqrt(freedom))
    square = cos(angle) ** 2
    if freedom % 2:
        term, total = cos(angle), 0.0
        for k in range(1, freedom, 2):
            total += term
            term *= square * (k + 1) / (k + 2)
        return 2.0 / pi * (angle + sin(angle) * total)
    term, total = 1.0, 0.0
    for k in range(0, freedom, 2):
        total += term
        term *= square * (k + 1) / (k + 2)
    return sin(angle) * total


@cache
def student(freedom: int, share: float = SHARE) -> float:
    """The t within which `share` of Student's distribution lies: 12.71 for 1 degree of freedom, 1.96 for very many."""
    low, high = 0.0, 1.0
    while within(high, freedom) < share:
        high *= 2.0
    for _ in range(80):
        middle = (low + high) / 2.0
        low, high = (middle, high) if within(middle, freedom) < share else (low, middle)
    return high


def difference(figures: Sequence[float], baseline: Sequence[float]) -> Difference:
    """The paired difference over replications. Raises ValueError where the two differ in length or are empty."""
    seen = summarise([one - other for one, other in zip(figures, baseline, strict=True)])
    if len(figures) == 1:
        return Difference(seen.mean, None, None)
    reach = student(len(figures) - 1) * seen.se
    return Difference(seen.mean, seen.mean - reach, seen.mean + reach)
