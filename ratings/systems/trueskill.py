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

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import cosh, erfc, exp, fsum, inf, pi, sinh, sqrt
from statistics import NormalDist

from ratings.systems.rules import Skills, SkillSystem, Weights, ranged
from ratings.systems.sides import NODES, ROOT_2, ROOT_2_PI, Chances, PlayedContest, Shown, alone_in_front, below

SETTLED = 1e-10  # of a difference's own spread: smaller moves of the messages end the sweeps …
ROUNDED = 1e-14  # … and so do moves of its mean that are rounding
COARSE = 1e-7  # in place of SETTLED in the later half: sides that drew hundreds of σ apart keep moving by rounding
ROOT_2_OVER_PI, MINUS_ROOT_HALF = sqrt(2.0 / pi), -sqrt(0.5)
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
    moved = _rate_in_order(
        [sides[side] for side in ranked],
        [places[side] for side in ranked],
        [shares[side] for side in ranked],
        settings,
    )
    return [after for _side, after in sorted(zip(ranked, moved, strict=True))]


def _rate_in_order(
    sides: Sequence[Players], places: Sequence[int], shares: Sequence[Shares], settings: TrueSkill
) -> list[list[tuple[float, float]]]:
    """The same for sides that stand in order of place."""
    growth = settings.tau * settings.tau
    noise = growth + settings.beta * settings.beta
    shown = [_performance(side, share, noise) for side, share in zip(sides, shares, strict=True)]
    tied = [better == worse for better, worse in pairwise(places)]
    learned = (_learn_from_two if len(sides) == 2 else _learn_from_chain)(shown, tied, settings)
    return [_moved(side, share, what, growth) for side, share, what in zip(sides, shares, learned, strict=True)]


def chances(sides: Sequence[Players], settings: TrueSkill, weights: Sequence[Shares] | None = None) -> Chances:
    """How likely each side is placed first alone, and that the place is shared: who shows the most is first, and shares
    it with whoever shows less by no more than the draw margin."""
    shares = weights or [[1.0] * len(side) for side in sides]
    noise = settings.tau * settings.tau + settings.beta * settings.beta
    shown = [_performance(side, share, noise) for side, share in zip(sides, shares, strict=True)]
    if len(shown) > 2:
        counts = [count for _mean, _variance, count in shown]
        sides_shown = [Shown(mean, variance) for mean, variance, _members in shown]
        first = alone_in_front(sides_shown, counts, lambda own, other: draw_margin(settings, own + other))
        return Chances(first, max(1.0 - fsum(first), 0.0) if settings.draw_probability else 0.0)
    (one, one_variance, members), (other, other_variance, others) = shown
    spread, gap = sqrt(one_variance + other_variance), one - other
    margin = draw_margin(settings, members + others)
    win, loss = below((gap - margin) / spread), below((-gap - margin) / spread)
    return Chances((win, loss), max(1.0 - win - loss, 0.0))


def draw_margin(settings: TrueSkill, members: int) -> float:
    """ε for two sides with so many members together, whatever their shares: Φ⁻¹((p + 1)/2) √m β."""
    return _margin(settings.draw_probability, settings.beta, members)


@lru_cache(maxsize=256)
def _margin(draw_probability: float, beta: float, members: int) -> float:
    return NormalDist().inv_cdf((draw_probability + 1.0) / 2.0) * sqrt(members) * beta


# --- from players to sides and back ----------------------------------------------------------------------------------
# What a side is expected to show before the contest, t ~ N(mean, variance), and how many its members are.
Performance = tuple[float, float, int]
# What the places say of a side, pull and cut: a member of share w and variance s² gains w s² · pull in μ, and his
# variance is multiplied by 1 − w² s² · cut.
Learned = tuple[float, float]


def _performance(players: Players, shares: Shares, noise: float) -> Performance:
    """Down: skill and `noise` (growth τ² and performance β²) of the members, weighed and summed."""
    if len(players) == 1 and shares[0] == 1.0:  # as below, without the sum
        ((mu, sigma),) = players
        return mu, sigma * sigma + noise, 1
    mean = variance = 0.0
    for (mu, sigma), share in zip(players, shares, strict=True):
        mean += share * mu
        variance += share * share * (sigma * sigma + noise)
    return mean, variance, len(players)


def _moved(players: Players, shares: Shares, learned: Learned, growth: float) -> list[tuple[float, float]]:
    """Up: each member takes from what the side learned by the share of the side's variance that is his."""
    pull, cut = learned
    if len(players) == 1 and shares[0] == 1.0:
        ((mu, sigma),) = players
        own = sigma * sigma + growth
        return [(mu + own * pull, sqrt(own * (1.0 - own * cut)))]
    after = []
    for (mu, sigma), share in zip(players, shares, strict=True):
        grown = sigma * sigma + growth
        own = share * grown
        after.append((mu + own * pull, sqrt(grown * (1.0 - share * own * cut))))
    return after


# --- two sides: closed form ------------------------------------------------------------------------------------------
def _learn_from_two(shown: Sequence[Performance], tied: Sequence[bool], settings: TrueSkill) -> list[Learned]:
    """With c² the variance of the difference: pull ±v/c and cut W/c², v and W at x = Δ/c and e = ε/c."""
    (better, better_variance, members), (worse, worse_variance, others) = shown
    variance = better_variance + worse_variance
    spread = sqrt(variance)
    margin = draw_margin(settings, members + others) / spread
    v, w = truncated((better - worse) / spread, margin, tied[0])
    return [(v / spread, w / variance), (-v / spread, w / variance)]


# --- three sides and more: messages along the chain ------------------------------------------------------------------
# A message is a normal distribution as precision 1/σ² and precision times mean: to multiply two is to add them, and
# (0, 0) says nothing. Both halves stand in lists of their own: `heard…[i]` is what side i hears from the difference
# with the side before it, `told…[i]` from that with the side after it.
def _learn_from_chain(shown: Sequence[Performance], tied: Sequence[bool], settings: TrueSkill) -> list[Learned]:
    """Sweep there and back until every difference, before it is cut, stays where it was.

    Each side comes to a difference with what it is known to show from everywhere else, N(b, B) and N(c, C). The cut
    gives the difference, N(m, s²), the mean m + s v and the variance s² (1 − W). What that says beyond m and s² is for
    the worse side the precision W/(B + C (1 − W)) with the weighed mean (c W − s v)/(B + C (1 − W)), and for the better
    side the same with B and C exchanged and (b W + s v).

    The last difference on the way there is the first on the way back, and the last of that the first of the next way
    there: nothing has changed in between, so it is compared once. One loop without calls or objects, `beyond` written
    out in it: lists of tables are rated here."""
    count, last = len(shown), len(tied) - 1
    draws, beta = settings.draw_probability, settings.beta
    margins = [_margin(draws, beta, one[2] + other[2]) for one, other in pairwise(shown)]
    own = [1.0 / variance for _mean, variance, _members in shown]
    own_weighed = [mean / variance for mean, variance, _members in shown]
    heard, heard_weighed, told, told_weighed = [0.0] * count, [0.0] * count, [0.0] * count, [0.0] * count
    seen, seen_spread = [inf] * (last + 1), [inf] * (last + 1)  # each difference before its cut, when last looked at
    back = range(last - 1, -1, -1)
    sweep, further = (*range(last + 1), *back), (*range(1, last + 1), *back)
    for turn in range(SWEEPS):
        settled, near = True, SETTLED if turn < SWEEPS // 2 else COARSE
        for place in sweep:
            after = place + 1
            better_variance = 1.0 / (own[place] + heard[place])
            worse_variance = 1.0 / (own[after] + told[after])
            better = (own_weighed[place] + heard_weighed[place]) * better_variance
            worse = (own_weighed[after] + told_weighed[after]) * worse_variance
            mean, spread = better - worse, sqrt(better_variance + worse_variance)
            if tied[place]:
                v, w = within(mean / spread, margins[place] / spread)
            else:
                x = (mean - margins[place]) / spread
                if x > TAIL:
                    v = exp(-0.5 * x * x) * ROOT_2_OVER_PI / erfc(x * MINUS_ROOT_HALF)
                    w = v * (v + x)
                else:
                    v, w = beyond(x)
            left, push = 1.0 - w, spread * v
            whole = better_variance + worse_variance * left
            heard[after], heard_weighed[after] = w / whole, (worse * w - push) / whole
            whole = worse_variance + better_variance * left
            told[place], told_weighed[place] = w / whole, (better * w + push) / whole
            if settled:
                limit = near * spread + ROUNDED * abs(mean)
                settled = abs(mean - seen[place]) <= limit and abs(spread - seen_spread[place]) <= limit
            seen[place], seen_spread[place] = mean, spread
        if settled:
            together = zip(shown, heard, heard_weighed, told, told_weighed, strict=True)
            return [_learned(*side) for side in together]
        sweep = further
    raise ArithmeticError(f"The messages of a contest of {count} sides do not settle in {SWEEPS} sweeps.")


def _learned(shown: Performance, one: float, one_weighed: float, other: float, other_weighed: float) -> Learned:
    """Both messages together, against what was expected of the side."""
    mean, variance, _members = shown
    precision = one + other
    whole = 1.0 + variance * precision
    return (one_weighed + other_weighed - mean * precision) / whole, precision / whole


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
        return _rate_in_order(before, places, weights, settings)

    def first_places(self, settings: TrueSkill, sides: Skills, weights: Weights = None) -> Chances:
        return chances(sides, settings, weights)
