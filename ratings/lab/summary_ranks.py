"""Ranks and what two orders have in common: Spearman's coefficient, equals sharing the mean of their ranks."""

from collections.abc import Sequence
from itertools import groupby
from math import nan, sqrt


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
