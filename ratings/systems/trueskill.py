"""TrueSkill: every player is a normal distribution, and a contest of any number of sides moves all of them.

Source: R. Herbrich, T. Minka, T. Graepel, "TrueSkill: A Bayesian Skill Rating System", NIPS 19 (2006, printed 2007),
sections 2 and 3 (also MSR-TR-2006-80). The formulas were taken from the open library `trueskill` 0.4.5 and derived
again; the paper's own numbering was not at hand.

The model, all in points of skill: skill s ~ N(μ, σ²), σ² grown by τ² before each contest; what a player shows in it
p ~ N(s, β²); what a side shows t = Σ w p, w being the share of the contest a member took part in. The sides are put in
order of place, and only neighbours are compared: t₁ − t₂ > ε where the first is placed better, |t₁ − t₂| ≤ ε where they
are tied. The draw margin ε is such that two equal sides tie with the chance `draw_probability`.

Two sides have a closed form. Three and more are a chain of differences, and each difference is cut to what was seen:
messages go along the chain, there and back, until they stay (expectation propagation: exact for two sides, near for
more). Sides that share a place are compared in the order given, and the answer for three and more depends on it in the
third digit; `ratings.systems.sides` fixes that order by the lowest player number.

Not done: skill that changes with time (τ is per contest), an importance of contests, margins of victory.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import cosh, erfc, exp, inf, sinh, sqrt
from statistics import NormalDist
from typing import NamedTuple

from ratings.systems.rules import Skills, SkillSystem, Weights, ranged
from ratings.systems.sides import NODES, ROOT_2, ROOT_2_PI, Chances, PlayedContest, Shown, below, first_of_normals

SETTLED = 1e-10  # of a difference's own spread: smaller moves of the messages end the sweeps …
ROUNDED = 1e-14  # … and so do moves of its mean that are rounding
SWEEPS = 100  # there and back; random contests of up to 64 sides needed at most 15


@dataclass(frozen=True, slots=True)
class TrueSkill:
    """In points of skill: `mu`, `sigma` of a newcomer, `beta` the spread of one performance (whoever is β stronger
    wins 76 of 100), `tau` what σ gains per contest. `draw_probability`: how often equal sides of one draw."""

    mu: float = ranged(25.0, -100_000, 100_000)
    sigma: float = ranged(25.0 / 3.0, 0.001, 100_000)
    beta: float = ranged(25.0 / 6.0, 0.001, 100_000)
    tau: float = ranged(25.0 / 300.0, 0, 100_000)
    draw_probability: float = ranged(0.1, 0, 0.99)


Players = Sequence[tuple[float, float]]  # (μ, σ) of a side's members
Shares = Sequence[float]  # w of a side's members, 0 < w ≤ 1


def rate_sides(
    sides: Sequence[Players], places: Sequence[int], settings: TrueSkill, weights: Sequence[Shares] | None = None
) -> list[list[tuple[float, float]]]:
    """Everybody's (μ, σ) after a contest, in the shape of `sides`: (μ, σ) before it, in points of skill.

    `places`: 1 is first, equal numbers are tied; `weights`: each member's share of the contest, 0 < w ≤ 1 (None: all
    1). Two sides at least. Raises ArithmeticError where the messages do not settle: figures out of all proportion."""
    shares = weights or [[1.0] * len(side) for side in sides]
    ranked = sorted(range(len(sides)), key=places.__getitem__)
    shown = [_performance(sides[side], shares[side], settings) for side in ranked]
    tied = [places[better] == places[worse] for better, worse in pairwise(ranked)]
    learn = _learn_from_two if len(sides) == 2 else _learn_from_chain
    learned = dict(zip(ranked, learn(shown, tied, settings), strict=True))
    return [_moved(sides[side], shares[side], learned[side], settings) for side in range(len(sides))]


def chances(sides: Sequence[Players], settings: TrueSkill, weights: Sequence[Shares] | None = None) -> Chances:
    """How likely each side is placed first. Two sides draw as often as the margin says; among three and more the
    margin is left out: who shows the most is first."""
    shares = weights or [[1.0] * len(side) for side in sides]
    shown = [_performance(side, share, settings) for side, share in zip(sides, shares, strict=True)]
    if len(shown) > 2:
        return Chances(first_of_normals([Shown(side.mean, side.variance) for side in shown]))
    one, other = shown
    spread, gap = sqrt(one.variance + other.variance), one.mean - other.mean
    margin = draw_margin(settings, one.members + other.members)
    win, loss = below((gap - margin) / spread), below((-gap - margin) / spread)
    return Chances((win, loss), max(1.0 - win - loss, 0.0))


def draw_margin(settings: TrueSkill, members: int) -> float:
    """ε for two sides with so many members together, whatever their shares: Φ⁻¹((p + 1)/2) √m β."""
    return _unit_margin(settings.draw_probability) * sqrt(members) * settings.beta


@lru_cache(maxsize=16)
def _unit_margin(draw_probability: float) -> float:
    return NormalDist().inv_cdf((draw_probability + 1.0) / 2.0)


# --- from players to sides and back ----------------------------------------------------------------------------------
class Performance(NamedTuple):
    """What a side is expected to show before the contest: t ~ N(mean, variance)."""

    mean: float
    variance: float
    members: int


class Learned(NamedTuple):
    """What the places say of a side: a member of share w and variance s² gains w s² · `pull` in μ, and his variance
    is multiplied by 1 − w² s² · `cut`."""

    pull: float
    cut: float


def _performance(players: Players, shares: Shares, settings: TrueSkill) -> Performance:
    """Down: skill, growth τ² and performance β² of the members, weighed and summed."""
    noise = settings.tau * settings.tau + settings.beta * settings.beta
    mean = variance = 0.0
    for (mu, sigma), share in zip(players, shares, strict=True):
        mean += share * mu
        variance += share * share * (sigma * sigma + noise)
    return Performance(mean, variance, len(players))


def _moved(players: Players, shares: Shares, learned: Learned, settings: TrueSkill) -> list[tuple[float, float]]:
    """Up: each member takes from what the side learned by the share of the side's variance that is his."""
    growth = settings.tau * settings.tau
    after = []
    for (mu, sigma), share in zip(players, shares, strict=True):
        own = share * (sigma * sigma + growth)
        after.append((mu + own * learned.pull, sqrt((sigma * sigma + growth) * (1.0 - share * own * learned.cut))))
    return after


# --- two sides: closed form ------------------------------------------------------------------------------------------
def _learn_from_two(shown: Sequence[Performance], tied: Sequence[bool], settings: TrueSkill) -> list[Learned]:
    """With c² the variance of the difference: pull ±v/c and cut W/c², v and W at x = Δ/c and e = ε/c."""
    better, worse = shown
    variance = better.variance + worse.variance
    spread = sqrt(variance)
    margin = draw_margin(settings, better.members + worse.members) / spread
    v, w = truncated((better.mean - worse.mean) / spread, margin, tied[0])
    return [Learned(v / spread, w / variance), Learned(-v / spread, w / variance)]


# --- three sides and more: messages along the chain ------------------------------------------------------------------
# A normal distribution as precision 1/σ² and precision times mean: to multiply two is to add them. (0, 0) says nothing.
Message = tuple[float, float]
SILENCE: Message = (0.0, 0.0)


def _learn_from_chain(shown: Sequence[Performance], tied: Sequence[bool], settings: TrueSkill) -> list[Learned]:
    """Sweep there and back until every difference, before it is cut, stays where it was.

    The last difference on the way there is the first on the way back, and the last of that the first of the next way
    there: nothing has changed in between, so it is compared once."""
    chain, last = _Chain(shown, tied, settings), len(tied) - 1
    back = range(last - 1, -1, -1)
    sweep = (*range(last + 1), *back)
    for _ in range(SWEEPS):
        if chain.compare(sweep):
            return [chain.learned(side) for side in range(len(shown))]
        sweep = (*range(1, last + 1), *back)
    raise ArithmeticError(f"The messages of a contest of {len(shown)} sides do not settle in {SWEEPS} sweeps.")


class _Chain:
    """The sides in order of place and, between neighbours, the differences. `from_better[i]` and `from_worse[i]` are
    what side i hears from the difference with the side before and after it."""

    def __init__(self, shown: Sequence[Performance], tied: Sequence[bool], settings: TrueSkill) -> None:
        self.shown, self.tied = shown, tied
        self.margins = [draw_margin(settings, one.members + other.members) for one, other in pairwise(shown)]
        self.priors: list[Message] = [(1.0 / variance, mean / variance) for mean, variance, _ in shown]
        self.from_better = [SILENCE] * len(shown)
        self.from_worse = [SILENCE] * len(shown)
        self.seen = [(inf, inf)] * len(tied)  # each difference before its cut, mean and spread, when last looked at

    def compare(self, places: Iterable[int]) -> bool:
        """Cut the difference of the sides at each place and after it, and tell both. True where none had moved.

        Each side comes with what it is known to show from everywhere but this difference. The cut gives the difference
        the mean m + s v and the variance s² (1 − W); what that says beyond m and s² is a message of mean m + s v/W and
        variance s² (1 − W)/W, written so because a tie without margin has W = 1. One loop without calls: a list of
        tables is rated here."""
        priors, from_better, from_worse, seen = self.priors, self.from_better, self.from_worse, self.seen
        margins, tied, settled = self.margins, self.tied, True
        for place in places:
            (precision, weighed), (heard, heard_weighed) = priors[place], from_better[place]
            precision += heard
            better, better_variance = (weighed + heard_weighed) / precision, 1.0 / precision
            (precision, weighed), (heard, heard_weighed) = priors[place + 1], from_worse[place + 1]
            precision += heard
            worse, worse_variance = (weighed + heard_weighed) / precision, 1.0 / precision
            mean, spread = better - worse, sqrt(better_variance + worse_variance)
            x, margin = mean / spread, margins[place] / spread
            v, w = within(x, margin) if tied[place] else beyond(x - margin)
            if w < 1e-200:  # nothing was cut away
                from_better[place + 1] = from_worse[place] = SILENCE
            else:
                told, variance = mean + spread * v / w, spread * spread * (1.0 - w if w < 1.0 else 0.0) / w
                least = better_variance + variance
                from_better[place + 1] = (1.0 / least, (better - told) / least)
                least = worse_variance + variance
                from_worse[place] = (1.0 / least, (worse + told) / least)
            if settled:
                last_mean, last_spread = seen[place]
                limit = SETTLED * spread + ROUNDED * abs(mean)
                settled = abs(mean - last_mean) <= limit and abs(spread - last_spread) <= limit
            seen[place] = (mean, spread)
        return settled

    def learned(self, side: int) -> Learned:
        """Both messages together, against what was expected of the side."""
        mean, variance, _ = self.shown[side]
        (one, one_weighed), (other, other_weighed) = self.from_better[side], self.from_worse[side]
        precision = one + other
        whole = 1.0 + variance * precision
        return Learned((one_weighed + other_weighed - mean * precision) / whole, precision / whole)


# --- a normal distribution of which a part was seen ------------------------------------------------------------------
TAIL = -10.0  # below it a fraction takes the place of the error function
DEPTH = 24  # of the fraction; at −10 its twelfth step no longer matters
NARROW = 0.05  # margins, in spreads, whose moments are summed: the difference of two integrals would lose digits


def truncated(x: float, margin: float, tied: bool) -> tuple[float, float]:
    """v and W of a difference that stands at `x` and was seen beyond `margin` (`tied`: within it), all in units of its
    spread: the cut moves its mean by v and takes the share W of its variance, 0 ≤ W ≤ 1."""
    return within(x, margin) if tied else beyond(x - margin)


def beyond(x: float) -> tuple[float, float]:
    """v = φ(x)/Φ(x) and W = v (v + x), for every x.

    In the tail Φ is no number any more, and v + x would be a difference of two equal ones; there Laplace's continued
    fraction v = z + 1/(z + 2/(z + 3/(z + …))), z = −x, gives both without subtracting."""
    if x > TAIL:
        v = exp(-0.5 * x * x) / ROOT_2_PI / (0.5 * erfc(-x / ROOT_2))
        return v, v * (v + x)
    rest = 0.0
    for step in range(DEPTH, 0, -1):
        rest = step / (rest - x)
    return rest - x, (rest - x) * rest


def within(x: float, margin: float) -> tuple[float, float]:
    """v = [φ(a) − φ(b)]/D and W = v² + [bφ(b) − aφ(a)]/D, with a = −margin − x, b = margin − x, D = Φ(b) − Φ(a).

    A margin of 0 is the limit v = −x, W = 1: the two sides showed the same."""
    if x < 0.0:
        v, w = within(-x, margin)
        return -v, w
    near, far = margin - x, -margin - x
    if margin * x > 20.0:  # the far end is out of sight
        v, w = beyond(near)
        return -v, w
    if margin < NARROW and margin * x < 1.0:
        return _within_narrow(x, margin)
    if near > 30.0:  # all of it lies within
        return 0.0, 0.0
    ratio = exp(-2.0 * margin * x)  # φ(a)/φ(b); everything below is divided by φ(b)
    whole = _mills(near) - ratio * _mills(far)
    v = (ratio - 1.0) / whole
    return v, min(v * v + (near - far * ratio) / whole, 1.0)


def _within_narrow(x: float, margin: float) -> tuple[float, float]:
    """Mean and variance of y in ±margin with density e^(xy − y²/2), seen from −x; x ≥ 0."""
    whole = first = second = 0.0
    for node, weight in NODES:
        y = margin * node
        weight *= exp(-0.5 * y * y)
        whole += weight * cosh(x * y)
        first += weight * y * sinh(x * y)
        second += weight * y * y * cosh(x * y)
    mean = first / whole
    return mean - x, 1.0 - (second / whole - mean * mean)


def _mills(x: float) -> float:
    """Φ(x)/φ(x)."""
    return 1.0 / beyond(x)[0]


class TrueSkillSystem(SkillSystem):
    """TrueSkill as a system of lists."""

    key = "trueskill"
    name = "TrueSkill"
    settings_type = TrueSkill

    def rated(self, settings: TrueSkill, contest: PlayedContest, before: Skills) -> Skills:
        places, weights = [side.place for side in contest.sides], [side.weights for side in contest.sides]
        return rate_sides(before, places, settings, weights)

    def first_places(self, settings: TrueSkill, sides: Skills, weights: Weights = None) -> Chances:
        return chances(sides, settings, weights)
