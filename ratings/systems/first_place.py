"""The chance that each side of a contest is placed first, before it is played.

Two laws, both with strengths that are independent of each other. *Gumbel*: what a side shows is its strength and a
Gumbel noise; then it is first with the chance e^s / Σ e^s, and of any two sides the pair's law is the logistic curve
(R. D. Luce, "Individual Choice Behavior", 1959; R. L. Plackett, Applied Statistics 24, 1975). *Normal*: what it shows
is t ~ N(m, v); then it is first with the chance

    P = ∫ φ((t − m)/√v)/√v ∏ Φ((t − m_j)/√v_j) dt, the product over the other sides.

The integral is a sum by Gauss–Legendre over pieces in which every factor is smooth: no randomness, the same figures
always. Not done: a first place that is shared, among three sides and more.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import erfc, exp, pi, prod, sqrt
from typing import NamedTuple

from clubrating.ground.figures import percents

ROOT_2, ROOT_2_PI = sqrt(2.0), sqrt(2.0 * pi)
# Nodes and weights of Gauss–Legendre with eight points (Abramowitz and Stegun, table 25.4), the positive half.
NODES = (
    (0.1834346424956498, 0.3626837833783620),
    (0.5255324099163290, 0.3137066458778873),
    (0.7966664774136267, 0.2223810344533745),
    (0.9602898564975363, 0.1012285362903763),
)
REACH = 9.0  # deviations up and down in which a normal distribution is looked at; 10⁻¹⁹ lies beyond
PIECE = 0.75  # deviations a piece of the integral has at most
PIECES = round(REACH / PIECE)


class SaidChances(NamedTuple):
    """Whole per cents that add up to 100: each side's chance of first place; `tied`: of two sides that of a draw, where
    the system knows it."""

    sides: tuple[int, ...]
    tied: int | None = None


class Chances(NamedTuple):
    """`first`: each side's chance of being placed first, in the order given. `tied`: of two sides the chance that they
    share the place, where the system knows it; else a tie counts half for each. Together they are 1."""

    first: tuple[float, ...]
    tied: float = 0.0

    @property
    def expected(self) -> float:
        """Of two sides: the score expected of the first one, 0 … 1."""
        return self.first[0] + self.tied / 2.0

    @property
    def said(self) -> SaidChances:
        """As pages write them."""
        *sides, tied = percents([*self.first, self.tied])
        return SaidChances(tuple(sides), tied if self.tied else None)


class Shown(NamedTuple):
    """What a side is expected to show: t ~ N(mean, variance)."""

    mean: float
    variance: float


def first_of_gumbels(strengths: Sequence[float]) -> tuple[float, ...]:
    """Each side's chance of being first, from strengths in units of the noise: one e^strength to the other's."""
    top = max(strengths)
    shares = [exp(strength - top) for strength in strengths]
    whole = sum(shares)
    return tuple(share / whole for share in shares)


def first_of_normals(sides: Sequence[Shown]) -> tuple[float, ...]:
    """Each side's chance of being first. Two sides have the closed form Φ(Δ/√(v₁ + v₂))."""
    if len(sides) == 2:
        one, other = sides
        gap = (one.mean - other.mean) / sqrt(one.variance + other.variance)
        return below(gap), below(-gap)
    spreads = [(side.mean, sqrt(side.variance)) for side in sides]
    first = [0.0] * len(sides)
    for low, high in pairwise(_cuts(spreads)):
        middle, half = (low + high) / 2.0, (high - low) / 2.0
        for node, weight in NODES:
            for at in (middle - half * node, middle + half * node):
                _add(first, spreads, at, half * weight)
    return tuple(first)


def below(x: float) -> float:
    """Φ(x), exact in the lower tail down to −37."""
    return 0.5 * erfc(-x / ROOT_2)


def _cuts(spreads: Sequence[tuple[float, float]]) -> list[float]:
    """Where the pieces meet, from the least to the most the best side can show: no piece is longer than PIECE
    deviations of a side that moves in it."""
    lowest = max(mean - REACH * spread for mean, spread in spreads)
    highest = max(mean + REACH * spread for mean, spread in spreads)
    cuts = {mean + PIECE * step * spread for mean, spread in spreads for step in range(-PIECES, PIECES + 1)}
    return sorted({lowest, highest, *(cut for cut in cuts if lowest < cut < highest)})


def _add(first: list[float], spreads: Sequence[tuple[float, float]], at: float, weight: float) -> None:
    """The share of one node: the density of the side times the chance that all others show less. Φ is nowhere 0, as
    `at` is not below the reach of any side."""
    points = [(at - mean) / spread for mean, spread in spreads]
    under = [below(x) for x in points]
    all_under = weight * prod(under)
    for side, (x, share) in enumerate(zip(points, under, strict=True)):
        first[side] += all_under * exp(-0.5 * x * x) / (ROOT_2_PI * share * spreads[side][1])
