"""What replications say together: mean, standard deviation and standard error of a figure.

The deviation is the sample's (divided by n - 1), the standard error the deviation over the root of n.
"""

from collections.abc import Sequence
from math import fsum, sqrt
from typing import NamedTuple


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
