"""Weng and Lin: five closed forms for contests of any number of sides, each side a sum of normal distributions.

Source: R. C. Weng, C.-J. Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12 (2011), 267-300. The
paper was not at hand: the formulas are those that the open library `openskill` 6.2.0 (MIT) cites by its algorithms.

A member has (μ, σ), in points of skill; σ² grows by τ² before each contest. A side is the sum of its members: its mean
Σ μ, its variance s² = Σ σ². Every model compares sides: v says how far a result lies above what was expected, W how
much it says, c is the spread of what was compared. The paper's Ω = s² Σ v/c and Δ = γ s² Σ W/c², with γ = s/c, are
shared among the members by σ²/s², so that

    μ ← μ + σ² Σ v/c            σ² ← σ² max(1 − σ² s Σ W/c³, κ)

Not done: partial play, margins of victory, another γ than s/c.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, inf, log1p, sqrt

from ratings.systems.rules import Skills, SkillSystem, Weights, ranged
from ratings.systems.sides import Chances, PlayedContest, Shown, first_of_gumbels, first_of_normals
from ratings.systems.trueskill import beyond, within

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
Learned = tuple[list[float], list[float]]  # of every side: Σ v/c and Σ W/c³


def rate_sides(sides: Sequence[Players], places: Sequence[int], settings: WengLin) -> list[list[tuple[float, float]]]:
    """Everybody's (μ, σ) after a contest, in the shape of `sides`: (μ, σ) before it, in points of skill.

    `places`: 1 is first, equal numbers are tied. Two sides at least. The full models and Plackett–Luce do not depend on
    the order of the sides; the partial ones look at neighbours, so within a tie of more than two they do."""
    growth, kappa = settings.tau * settings.tau, settings.kappa
    grown = [[(mu, sigma * sigma + growth) for mu, sigma in side] for side in sides]
    means = [sum([mu for mu, _ in side]) for side in grown]
    variances = [sum([variance for _, variance in side]) for side in grown]
    compare = _plackett_luce if settings.model == Model.PL else _pairs
    after = []
    for side, whole, pull, cut in zip(grown, variances, *compare(means, variances, places, settings), strict=True):
        cut *= sqrt(whole)
        after.append([(mu + own * pull, sqrt(own * max(1.0 - own * cut, kappa))) for mu, own in side])
    return after


def chances(sides: Sequence[Players], settings: WengLin) -> Chances:
    """How likely each side is placed first by the model; a tie of two counts half for each.

    Thurstone–Mosteller: normal distributions of variance s² + β². Plackett–Luce: its own e^(μ/c). Bradley–Terry says
    nothing of more than two; there it is e^(μ/c) with the mean of the pairs' c², so that of equal deviations every two
    sides stand to each other as the model has it."""
    growth, noise = settings.tau * settings.tau, settings.beta * settings.beta
    means = [sum(mu for mu, _ in side) for side in sides]
    variances = [sum(sigma * sigma + growth for _, sigma in side) + noise for side in sides]
    if settings.model in (Model.TM_FULL, Model.TM_PART):
        return Chances(first_of_normals([Shown(*side) for side in zip(means, variances, strict=True)]))
    c = sqrt(sum(variances) * (1.0 if settings.model == Model.PL else 2.0 / len(sides)))
    return Chances(first_of_gumbels([mean / c for mean in means]))


# --- pairs of sides: Bradley–Terry and Thurstone–Mosteller -----------------------------------------------------------
def _pairs(means: Sequence[float], variances: Sequence[float], places: Sequence[int], settings: WengLin) -> Learned:
    """Each pair once, the better placed side first: what the one gains the other loses. All pairs are summed; of near
    ones a side takes the mean over those it is in."""
    count, model = len(means), settings.model
    is_part, is_logistic = model in (Model.BT_PART, Model.TM_PART), model in (Model.BT_FULL, Model.BT_PART)
    # The library doubles c in this model; whether the paper does was not to be found out.
    factor = 2.0 if model == Model.TM_PART else 1.0
    noise, reach = 2.0 * settings.beta * settings.beta, WINDOW if is_part else count
    ranked = sorted(range(count), key=places.__getitem__)
    pulls, cuts = [0.0] * count, [0.0] * count
    for at, one in enumerate(ranked):
        mean, variance, place = means[one], variances[one] + noise, places[one]
        for other in ranked[at + 1 : at + 1 + reach]:
            c = factor * sqrt(variance + variances[other])
            x, tied = (mean - means[other]) / c, place == places[other]
            v, w = _logistic(x, tied) if is_logistic else _normal(x, settings.epsilon / c, tied)
            v, w = v / c, w / (c * c * c)
            pulls[one] += v
            pulls[other] -= v
            cuts[one] += w
            cuts[other] += w
    if is_part:
        for at, one in enumerate(ranked):
            near = min(at, WINDOW) + min(count - 1 - at, WINDOW)
            pulls[one] /= near
            cuts[one] /= near
    return pulls, cuts


def _logistic(x: float, tied: bool) -> tuple[float, float]:
    """Bradley–Terry's v = S − p and W = p (1 − p) of the better placed side, p = 1/(1 + e^−x), for every x."""
    small = exp(-abs(x))
    upset = small / (1.0 + small)  # the chance of the one who is expected to lose
    missed = upset if x >= 0.0 else 1.0 - upset
    return (missed - 0.5 if tied else missed), upset * (1.0 - upset)


def _normal(x: float, margin: float, tied: bool) -> tuple[float, float]:
    """Thurstone–Mosteller's v and W: a normal distribution cut at the margin, or to what lies within it."""
    return within(x, margin) if tied else beyond(x - margin)


# --- all sides at once: Plackett–Luce --------------------------------------------------------------------------------
def _plackett_luce(
    means: Sequence[float], variances: Sequence[float], places: Sequence[int], settings: WengLin
) -> Learned:
    """The places are drawn from the first to the last, each among the sides not placed better: a side takes one with
    the chance p = e^(μ/c) / Σ e^(μ/c) over those still there. v = 1/A − Σ p and W = Σ p (1 − p) over every place it was
    drawn for; A sides share its own. Σ is kept as a logarithm: no gap hides what others show of each other."""
    c = sqrt(sum(variances) + len(means) * settings.beta * settings.beta)
    strengths = [mean / c for mean in means]
    sums: list[float] = []  # ln Σ of each place, from the last one up
    own_sum = [0] * len(means)
    last, whole = 0, -inf
    for one in sorted(range(len(means)), key=places.__getitem__, reverse=True):
        strength, place = strengths[one], places[one]
        least, most = (whole, strength) if whole < strength else (strength, whole)
        whole = most + log1p(exp(least - most))
        if place == last:
            sums[-1] = whole
        else:
            sums.append(whole)
        own_sum[one], last = len(sums) - 1, place
    pulls, cuts, cube = [], [], c * c * c
    for strength, place, own in zip(strengths, places, own_sum, strict=True):
        chances = [exp(strength - whole) for whole in sums[own:]]
        pulls.append((1.0 / places.count(place) - sum(chances)) / c)
        cuts.append(sum([p * (1.0 - p) for p in chances]) / cube)
    return pulls, cuts


class WengLinSystem(SkillSystem):
    """Weng and Lin's models as a system of lists."""

    key = "weng-lin"
    name = "Weng–Lin"
    settings_type = WengLin
    uses_weights = False

    def rated(self, settings: WengLin, contest: PlayedContest, before: Skills) -> Skills:
        return rate_sides(before, [side.place for side in contest.sides], settings)

    def first_places(self, settings: WengLin, sides: Skills, weights: Weights = None) -> Chances:
        return chances(sides, settings)
