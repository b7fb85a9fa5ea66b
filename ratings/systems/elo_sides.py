"""Elo over sides: a contest of n sides is n − 1 games for each, played at once against every other side.

Source: the formula of `ratings.systems.elo`, summed over the other sides. Side i has the rating R, the mean of its
members (or their sum); against side j its score S is 1, ½ or 0 by place, its expected score E the logistic one:

    change of side i = K/(n − 1) Σ (S − E)

Every member takes the change of the side. S and E of a pair each add up to 1, so the changes of all sides add up to 0.
Two sides of one player are a game, to the last bit, with the first side as White.
Not done: a K for each member (multiply by own K over K), shares of unequal sides, margins of victory.
"""

from collections.abc import Sequence
from itertools import combinations
from math import fsum
from typing import Literal, NamedTuple

from ratings.systems.elo import expected_score

Combine = Literal["mean", "sum"]
Normaliser = Literal["n-1", "none", "half"]


class SideFigures(NamedTuple):
    """A side's part of a contest: the share of the others it was expected to leave behind and the share it did, 0 … 1;
    `change` = `k` (`score` − `expected`), in rating points."""

    expected: float
    score: float
    k: float
    change: float


def side_figures(
    sides: Sequence[Sequence[float]],
    places: Sequence[int],
    k: float,
    *,
    combine: Combine = "mean",
    normaliser: Normaliser = "n-1",
) -> list[SideFigures]:
    """What each side was expected to score, scored, and is to change by. `sides`: the members' ratings before; two
    sides at least, none empty. `places`: 1 is first, equal numbers are tied.

    A pair counts K/(n − 1); under "none" K, so that n sides play for (n − 1) K; under "half" 2K/n."""
    ratings = [side_rating(side, combine) for side in sides]
    others = len(ratings) - 1
    of_pair = {"n-1": k / others, "none": k, "half": 2.0 * k / len(ratings)}[normaliser]
    expected: list[list[float]] = [[] for _ in ratings]
    scores: list[list[float]] = [[] for _ in ratings]
    surpluses: list[list[float]] = [[] for _ in ratings]
    for one, other in combinations(range(len(ratings)), 2):
        expectation = expected_score(ratings[one], ratings[other])
        score = 0.5 if places[one] == places[other] else float(places[one] < places[other])
        surplus = score - expectation
        for side, e, s, gain in ((one, expectation, score, surplus), (other, 1.0 - expectation, 1.0 - score, -surplus)):
            expected[side].append(e)
            scores[side].append(s)
            surpluses[side].append(gain)
    return [
        SideFigures(fsum(e) / others, fsum(s) / others, of_pair * others, of_pair * fsum(gain))
        for e, s, gain in zip(expected, scores, surpluses, strict=True)
    ]


def side_changes(
    sides: Sequence[Sequence[float]],
    places: Sequence[int],
    k: float,
    *,
    combine: Combine = "mean",
    normaliser: Normaliser = "n-1",
) -> list[float]:
    """By how many points each side changes, and with it each of its members; the arguments as for `side_figures`."""
    return [side.change for side in side_figures(sides, places, k, combine=combine, normaliser=normaliser)]


def side_rating(members: Sequence[float], combine: Combine = "mean") -> float:
    """A side's rating from its members', in any order of them the same to the last bit."""
    total = fsum(members)
    return total / len(members) if combine == "mean" else total
