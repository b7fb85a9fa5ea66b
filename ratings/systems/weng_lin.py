"""Weng and Lin: five closed forms for contests of any number of sides, each side a sum of normal distributions.

Source: R. C. Weng, C.-J. Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12 (2011), 267-300. The
paper was not at hand: the formulas are those that the open library `openskill` 6.2.0 (MIT) cites by its algorithms.

A member has (μ, σ), in points of skill; σ² grows by τ² before each contest. A side is the sum of its members: its mean
Σ μ, its variance s² = Σ σ². Every model says of a side how far its mean is pulled (Ω) and what part of its variance
goes (Δ); a member takes a part of both by its share of the side's variance:

    μ ← μ + σ²/s² Ω            σ² ← σ² max(1 − σ²/s² Δ, κ)

Not done: partial play, margins of victory, another γ than s/c.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, sqrt
from typing import NamedTuple

from ratings.systems.rules import ranged
from ratings.systems.trueskill import truncated

WINDOW = 4  # places up and down that the partial models look at


class Model(StrEnum):
    """How pairs of sides are compared: Bradley–Terry or Thurstone–Mosteller of all pairs (full) or of near ones (part),
    or Plackett–Luce, which draws the places one after the other."""

    BT_FULL = "bt_full"
    BT_PART = "bt_part"
    PL = "pl"
    TM_FULL = "tm_full"
    TM_PART = "tm_part"


@dataclass(frozen=True, slots=True)
class WengLin:
    """In points of skill: `mu`, `sigma` of a newcomer, `beta` the spread of one performance, `tau` what σ gains per
    contest, `epsilon` the draw margin of the Thurstone–Mosteller models. `kappa`: what is left of σ² at least."""

    model: Model = Model.BT_FULL
    mu: float = ranged(25.0, -100_000, 100_000)
    sigma: float = ranged(25.0 / 3.0, 0.001, 100_000)
    beta: float = ranged(25.0 / 6.0, 0.001, 100_000)
    tau: float = ranged(25.0 / 300.0, 0, 100_000)
    kappa: float = ranged(1e-4, 1e-12, 0.99)
    epsilon: float = ranged(0.1, 0, 100_000)


Players = Sequence[tuple[float, float]]  # (μ, σ) of a side's members


class _Side(NamedTuple):
    """A side before the contest: mean and variance of the sum of its members, and its place."""

    mean: float
    variance: float
    place: int


class _Learned(NamedTuple):
    """Ω and Δ of a side."""

    pull: float
    cut: float


def rate_sides(sides: Sequence[Players], places: Sequence[int], settings: WengLin) -> list[list[tuple[float, float]]]:
    """Everybody's (μ, σ) after a contest, in the shape of `sides`: (μ, σ) before it, in points of skill.

    `places`: 1 is first, equal numbers are tied. Two sides at least. The full models and Plackett–Luce do not depend on
    the order of the sides; the partial ones look at neighbours, so within a tie of more than two they do."""
    growth = settings.tau * settings.tau
    grown = [[(mu, sigma * sigma + growth) for mu, sigma in side] for side in sides]
    whole = [
        _Side(sum(mu for mu, _ in side), sum(variance for _, variance in side), place)
        for side, place in zip(grown, places, strict=True)
    ]
    learned = _plackett_luce(whole, settings) if settings.model == Model.PL else _pairs(whole, settings)
    return [
        [_moved(mu, variance, side.variance, known, settings.kappa) for mu, variance in members]
        for members, side, known in zip(grown, whole, learned, strict=True)
    ]


def chance(one: Players, other: Players, settings: WengLin) -> float:
    """How likely the first of two sides is placed better, by Bradley–Terry: a tie counts half."""
    mean = sum(mu for mu, _ in one) - sum(mu for mu, _ in other)
    variance = sum(sigma * sigma for _, sigma in (*one, *other)) + 2.0 * settings.beta * settings.beta
    return _logistic(mean / sqrt(variance))


def _moved(mu: float, variance: float, of_side: float, learned: _Learned, kappa: float) -> tuple[float, float]:
    share = variance / of_side
    return mu + share * learned.pull, sqrt(variance * max(1.0 - share * learned.cut, kappa))


# --- pairs of sides: Bradley–Terry and Thurstone–Mosteller -----------------------------------------------------------
def _pairs(sides: Sequence[_Side], settings: WengLin) -> list[_Learned]:
    """Each side against the others: the sum over all of them, or the mean over the near ones."""
    is_part = settings.model in (Model.BT_PART, Model.TM_PART)
    # The library doubles c in this model; whether the paper does was not to be found out.
    factor = 2.0 if settings.model == Model.TM_PART else 1.0
    noise = 2.0 * settings.beta * settings.beta
    learned = []
    for side, others in _opponents(sides, is_part):
        pull = cut = 0.0
        for other in others:
            c = factor * sqrt(side.variance + other.variance + noise)
            v, w = _compared(side, other, c, settings)
            pull += side.variance / c * v
            cut += sqrt(side.variance) / c * side.variance / (c * c) * w  # γ = s/c
        count = len(others) if is_part else 1
        learned.append(_Learned(pull / count, cut / count))
    return learned


def _opponents(sides: Sequence[_Side], is_part: bool) -> Iterator[tuple[_Side, list[_Side]]]:
    """Every side in the order given, with those it is compared with."""
    ranked = sorted(range(len(sides)), key=lambda each: sides[each].place)
    standing = {side: position for position, side in enumerate(ranked)}
    for number, side in enumerate(sides):
        at = standing[number]
        near = ranked[max(at - WINDOW, 0) : at + WINDOW + 1] if is_part else range(len(sides))
        yield side, [sides[each] for each in near if each != number]


def _compared(side: _Side, other: _Side, c: float, settings: WengLin) -> tuple[float, float]:
    """How far the result lies above what was expected, and how much it says: for Bradley–Terry S − p and p(1 − p), for
    Thurstone–Mosteller v and W of a normal distribution cut at the margin."""
    x = (side.mean - other.mean) / c
    if settings.model in (Model.BT_FULL, Model.BT_PART):
        p = _logistic(x)
        score = 0.5 if side.place == other.place else float(side.place < other.place)
        return score - p, p * (1.0 - p)
    margin = settings.epsilon / c
    if side.place > other.place:
        v, w = truncated(-x, margin, tied=False)
        return -v, w
    return truncated(x, margin, tied=side.place == other.place)


def _logistic(x: float) -> float:
    """1/(1 + e^−x), for every x."""
    if x >= 0.0:
        return 1.0 / (1.0 + exp(-x))
    grown = exp(x)
    return grown / (1.0 + grown)


# --- all sides at once: Plackett–Luce --------------------------------------------------------------------------------
def _plackett_luce(sides: Sequence[_Side], settings: WengLin) -> list[_Learned]:
    """The places are drawn from the first to the last, each among those not placed better. For every side q from its
    own place up: p is the chance that it takes q's place, A the number of sides that share that place."""
    c = sqrt(sum(side.variance for side in sides) + len(sides) * settings.beta * settings.beta)
    top = max(side.mean for side in sides)
    weights = [exp((side.mean - top) / c) for side in sides]
    left = [sum(w for w, each in zip(weights, sides, strict=True) if each.place >= side.place) for side in sides]
    shared = [sum(each.place == side.place for each in sides) for side in sides]
    learned = []
    for number, side in enumerate(sides):
        pull = cut = 0.0
        for other, drawn in enumerate(sides):
            if drawn.place <= side.place and left[other] > 0.0:
                p = weights[number] / left[other]
                pull += ((other == number) - p) / shared[other]
                cut += p * (1.0 - p) / shared[other]
        gamma = sqrt(side.variance) / c
        learned.append(_Learned(pull * side.variance / c, cut * gamma * side.variance / (c * c)))
    return learned
