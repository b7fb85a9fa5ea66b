"""Systems of equations whose matrix is one tridiagonal block a player, joined by the games between players (numpy).

The precision of everybody's strengths at all times, given the games, is T − A: `T` holds each player's chain of days
(a strength is tied to its neighbours in time alone) with all the games' curvatures on its diagonal, `A` the curvature
of each game between the two places that met. `Precision.solve` is conjugate gradients with T as preconditioner. T is
solved for all players at once by parallel cyclic reduction (R. Hockney, 1965; R. Hockney and C. Jesshope, "Parallel
Computers", 1981, 5.4): in step k every place is freed from the neighbours 2^k away, so a chain of n days takes log₂ n
steps. No part of the matrix is ever inverted as a whole.

Arrays: `Floats` of places × columns; a column is a right-hand side.
"""

from typing import Any

import numpy

Floats = Any
CLOSE = 1e-18  # share of its first length, squared and in the preconditioner's measure, at which a rest is nothing
MOST_STEPS = 3_000


class Chains:
    """A symmetric tridiagonal matrix: `diagonal`, and `links` between each place and the one before (0: a new chain;
    the first is 0). `longest`: places of the longest chain."""

    def __init__(self, diagonal: Floats, links: Floats, longest: int) -> None:
        self._matrix = diagonal, links
        self._steps: list[tuple[int, Floats, Floats]] = []
        below, above = links.copy(), numpy.append(links[1:], 0.0)
        far = 1
        while far < longest:
            left, right = numpy.zeros_like(diagonal), numpy.zeros_like(diagonal)
            left[far:] = -below[far:] / diagonal[:-far]
            right[:-far] = -above[:-far] / diagonal[far:]
            diagonal = diagonal.copy()
            diagonal[far:] += left[far:] * above[:-far]
            diagonal[:-far] += right[:-far] * below[far:]
            self._steps.append((far, left[far:, None], right[:-far, None]))
            below, above = _moved(left, below, far), _moved(right, above, -far)
            far *= 2
        self._diagonal = diagonal[:, None]

    def solve(self, right_hand: Floats) -> Floats:
        """x of T x = each column."""
        now = right_hand
        for far, left, right in self._steps:
            then = now.copy()
            then[far:] += left * now[:-far]
            then[:-far] += right * now[far:]
            now = then
        return now / self._diagonal

    def variances(self) -> Floats:
        """The diagonal of the inverse: of the pivots from the front and those from behind, at each place."""
        diagonal, links = self._matrix
        before = _pivots(diagonal.tolist(), links.tolist())
        behind = _pivots(diagonal[::-1].tolist(), numpy.append(0.0, links[:0:-1]).tolist())[::-1]
        return 1.0 / (numpy.array(before) + numpy.array(behind) - diagonal)


def _pivots(diagonal: list[float], links: list[float]) -> list[float]:
    """Of Gauss's elimination from the first place on."""
    found, last = [], 1.0
    for own, link in zip(diagonal, links, strict=True):
        last = own - link * link / last
        found.append(last)
    return found


def _moved(factors: Floats, values: Floats, far: int) -> Floats:
    """Each factor times the value `far` places before it."""
    result = numpy.zeros_like(values)
    if far > 0:
        result[far:] = factors[far:] * values[:-far]
    else:
        result[:far] = factors[:far] * values[-far:]
    return result


class Precision:
    """T − A: `diagonal` and `links` of the chains without games, and the games' `curvatures` between their `places`
    (2 × games)."""

    def __init__(self, diagonal: Floats, links: Floats, longest: int, places: Floats, curvatures: Floats) -> None:
        self._own = diagonal[:, None]
        self._links = links[1:, None]
        self._places, self._curvatures = places, curvatures[:, None]
        both = places.ravel()
        self._order = numpy.argsort(both, kind="stable")
        self._met, self._starts = numpy.unique(both[self._order], return_index=True)
        everything = diagonal + numpy.bincount(both, numpy.tile(curvatures, 2), len(diagonal))
        self._chains = Chains(everything, links, longest)

    def own_variances(self) -> Floats:
        """Of each place, everybody else's strengths held fixed: somewhat less than the inverse's diagonal."""
        return self._chains.variances()

    def times(self, columns: Floats) -> Floats:
        """The matrix times each column."""
        result = self._own * columns
        result[1:] += self._links * columns[:-1]
        result[:-1] += self._links * columns[1:]
        if len(self._starts):
            force = self._curvatures * (columns[self._places[0]] - columns[self._places[1]])
            both = numpy.concatenate([force, -force])[self._order]
            result[self._met] += numpy.add.reduceat(both, self._starts, axis=0)
        return result

    def solve(self, columns: Floats, close: float = CLOSE) -> Floats:
        """x of (T − A) x = each column. Raises ArithmeticError where the steps do not come to an end."""
        x = numpy.zeros_like(columns)
        rest = columns
        scaled = direction = self._chains.solve(rest)
        left = first = _lengths(rest, scaled)
        for _step in range(MOST_STEPS):
            if (left <= close * first).all():
                return x
            product = self.times(direction)
            share = _ratio(left, _lengths(direction, product))
            x = x + share * direction
            rest = rest - share * product
            scaled = self._chains.solve(rest)
            before, left = left, _lengths(rest, scaled)
            direction = scaled + _ratio(left, before) * direction
        raise ArithmeticError(f"Conjugate gradients did not come to an end in {MOST_STEPS} steps.")


def _lengths(one: Floats, other: Floats) -> Floats:
    return numpy.einsum("ij,ij->j", one, other)


def _ratio(above: Floats, below: Floats) -> Floats:
    """Of a column that is solved already nothing is left, and 0 / 0 stands for 0."""
    return numpy.divide(above, below, out=numpy.zeros_like(above), where=below > 0.0)
