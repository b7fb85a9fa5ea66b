"""Statistics over replications: rank correlation, summaries, paired differences, bootstrap intervals.

Rank correlation: Spearman's coefficient; equal values share the mean of their ranks.

Paired differences: two contenders on the same games, replication by replication, so that what the games did to both
cancels. The interval is Student's: mean ± t × standard error, t of n − 1 degrees of freedom at 95 % (M. Abramowitz and
I. Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4, for whole degrees of freedom).

Bootstrap: the percentile interval of a mean difference on one history of games (B. Efron, "Bootstrap methods: another
look at the jackknife", Annals of Statistics 7, 1979). The games of one evening are not independent of each other, so
days are drawn, not games; games without days are drawn in blocks of 50 neighbours (H. Künsch, "The jackknife and the
bootstrap for general stationary observations", Annals of Statistics 17, 1989, here with blocks that do not overlap).
Both sides of a pair are drawn together, and every pair with the same seed is resampled with the same days.
Not done: a correction for bias or skewness; dependence beyond a day or a block.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import groupby
from math import atan, cos, fsum, nan, pi, sin, sqrt
from typing import NamedTuple

import numpy

from ratings.lab.measures import Figures


# --- rank correlation ------------------------------------------------------------------------------------------------
def average_ranks(values: Sequence[float]) -> list[float]:
    """Rank of each value, 1 for the lowest; equal values share the mean of the ranks they take together."""
    ranks = [0.0] * len(values)
    taken = 0
    order = sorted(range(len(values)), key=lambda place: values[place])
    for _value, group in groupby(order, key=lambda place: values[place]):
        equals = list(group)
        for place in equals:
            ranks[place] = taken + (len(equals) + 1) / 2
        taken += len(equals)
    return ranks


def spearman(ones: Sequence[float], others: Sequence[float]) -> float:
    """Correlation of the ranks of two columns, −1 … 1; nan where one of them is the same throughout. Raises ValueError
    for columns of different lengths."""
    if len(ones) != len(others):
        raise ValueError(f"{len(ones)} figures against {len(others)}.")
    middle = (len(ones) + 1) / 2
    pairs = [(x - middle, y - middle) for x, y in zip(average_ranks(ones), average_ranks(others), strict=True)]
    spread = sqrt(sum(x * x for x, _ in pairs) * sum(y * y for _, y in pairs))
    return sum(x * y for x, y in pairs) / spread if spread else nan


# --- summaries -------------------------------------------------------------------------------------------------------
class Summary(NamedTuple):
    """Mean, sample standard deviation and standard error of the mean, in the figure's own unit."""

    mean: float
    sd: float
    se: float


def summarise(values: Sequence[float]) -> Summary:
    """The summary of one figure over replications; one value alone has no spread (0.0). Whatever the order of the
    values, the answer is the same to the last bit. Raises ValueError where there is none."""
    if not values:
        raise ValueError("There is nothing to summarise: no replication.")
    count = len(values)
    mean = fsum(values) / count
    if count == 1:
        return Summary(mean, 0.0, 0.0)
    sd = sqrt(fsum((value - mean) ** 2 for value in values) / (count - 1))
    return Summary(mean, sd, sd / sqrt(count))


def summaries(figures: Mapping[str, Sequence[float]]) -> dict[str, dict[str, float]]:
    """`summarise` of every measure, as plain values."""
    return {measure: summarise(values)._asdict() for measure, values in figures.items()}


# --- paired differences ----------------------------------------------------------------------------------------------
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


def differences(
    figures: Mapping[str, Sequence[float]], baseline: Mapping[str, Sequence[float]]
) -> dict[str, dict[str, float | None]]:
    """`difference` of every measure, as plain values. One that some replication lacks (nobody came) has none."""
    return {
        measure: difference(values, baseline[measure])._asdict()
        for measure, values in figures.items()
        if len(values) == len(baseline.get(measure, ()))
    }


# --- bootstrap -------------------------------------------------------------------------------------------------------
BLOCK = 50  # games drawn together where nobody knows their days
RESAMPLES = 2000
_DRAWN_AT_ONCE = 100_000  # groups: some megabytes


def blocks(games: int, size: int = BLOCK) -> list[int]:
    """The block of each of so many games in a row; the last block may be shorter."""
    return [at // size for at in range(games)]


def mean_interval(
    differences: Figures, groups: Sequence[int], *, seed: int, resamples: int = RESAMPLES, share: float = SHARE
) -> Difference:
    """Mean of the differences and the interval that holds `share` of the means of `resamples` draws, each drawing as
    many groups as there are, with repetition. `groups[i]`: what game i is drawn with (a day's number, a block's). One
    group alone has no interval (None). Raises ValueError without games or where the two differ in length."""
    values = numpy.asarray(differences, dtype=float)
    if values.shape != (len(groups),) or not values.size:
        raise ValueError(f"{values.size} differences for {len(groups)} games.")
    _labels, place = numpy.unique(numpy.asarray(groups), return_inverse=True)
    sums, sizes = numpy.bincount(place, weights=values), numpy.bincount(place)
    mean, count = float(values.mean()), len(sizes)
    if count < 2:
        return Difference(mean, None, None)
    generator = numpy.random.Generator(numpy.random.PCG64(seed))
    means = numpy.empty(resamples)
    together = max(1, _DRAWN_AT_ONCE // count)
    for first in range(0, resamples, together):
        part = means[first : first + together]
        drawn = (generator.random((len(part), count)) * count).astype(int)  # the same in any version of numpy
        part[:] = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = numpy.quantile(means, [(1.0 - share) / 2.0, (1.0 + share) / 2.0])
    return Difference(mean, float(low), float(high))
