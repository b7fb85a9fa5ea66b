"""How far a mean difference could have been otherwise: the paired bootstrap, whole days or blocks at a time.

Source: B. Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7, 1979, its percentile
interval. The games of one evening are not independent of each other (the same people meet, the same rating is wrong
all evening), so days are drawn, not games; games without days are drawn in blocks of 50 neighbours (H. Künsch,
"The jackknife and the bootstrap for general stationary observations", Annals of Statistics 17, 1989, his blocks not
overlapping). Both sides of a pair are drawn together, and every pair with the same seed sees the same drawn days.

Not done: a correction for bias or skewness; dependence beyond a day or a block.
"""

from collections.abc import Sequence

import numpy

from ratings.lab.measures import Figures
from ratings.lab.summary_paired import SHARE, Difference

BLOCK = 50  # games drawn together where nobody knows their days
RESAMPLES = 2000


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
    for at in range(resamples):
        drawn = (generator.random(count) * count).astype(int)  # plain doubles: the same with next year's library
        means[at] = sums[drawn].sum() / sizes[drawn].sum()
    low, high = numpy.quantile(means, [(1.0 - share) / 2.0, (1.0 + share) / 2.0])
    return Difference(mean, float(low), float(high))
