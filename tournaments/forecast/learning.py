"""Which boards of tonight bring a list nearer to the truth: the whole of it, its first places, or its newcomers (pure,
numpy): docs/algorithms/pair-to-learn.md.

What is known of a field is a normal distribution of its strengths s: the mode of the posterior of Bradley–Terry with
normal priors, and the inverse curvature there as covariance Σ (Laplace's approximation; D. MacKay, Information Theory,
Inference, and Learning Algorithms, ch. 27). The list stands at r, which need not be the mean μ. Its loss is a quadratic
form, (r − s)ᵀ L (r − s):

- of an order Σ w ((r_k − r_l) − (s_k − s_l))² over pairs. Where who is above whom is known, w is near 0: it is
  e^(−h²)/v, h the pair's lead in deviations, v the variance of its difference;
- of a title the same, each pair weighted by the chances that either is the strongest;
- of newcomers Σ (r_k − s_k)² over them.

A game of i and j moves r by δ a, a = e_i − e_j, δ = STEP (score − E(r)). What it takes from the loss is expected to be

    2 STEP ((Ē − E(r)) aᵀL(μ − r) + Ē' aᵀLΣa) − STEP² (Ē (1 − Ē) + (Ē − E(r))²) aᵀLa

where Ē is the score the belief expects, Ē' its slope over the difference (C. Stein's identity for a normal variable).
The first term sets mistakes right that are known, the second learns what is not, the third is the noise of one result.
All games at once are a few products of matrices.

Not done: several games of an evening together, draws (their share of the variance is left out), strengths that drift,
White's advantage, steps of other lists than Elo's.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from math import erf, log, pi, sqrt
from typing import Any

import numpy

from tournaments.forecast.posterior import Meeting, Outside, Prior
from tournaments.pairing.evening import FINEST, Telling, in_order

Floats = Any  # an array
Q = log(10.0) / 400.0
STEPS, CLOSE = 50, 1e-9  # of Newton's method: at most, and the step in Elo points that ends it
LONGEST = 400.0  # Elo points: no step goes further
STEP = 20.0  # Elo points: K
GAP = 400.0  # Elo points: who is further apart is too far for a board
NOWHERE: Mapping[int, float] = {}
GRID = 241  # points at which the best player's strength is looked for


class Aim(StrEnum):
    """What is to become certain."""

    ORDER = "order"  # who is above whom
    TITLE = "title"  # who is the first
    NEWCOMERS = "newcomers"  # how strong they are


@dataclass(frozen=True, slots=True)
class Games:
    """Games of a field by places: `count` of each two (symmetric), `points` of the row against the column. `outside`:
    place, opponent's strength and score of games against others, a column each."""

    count: Floats
    points: Floats
    outside: Floats


@dataclass(frozen=True, slots=True)
class Belief:
    """Strengths of `players`: normal with that mean and covariance, Elo points. `listed`: where the list has them."""

    players: tuple[int, ...]
    mean: Floats
    covariance: Floats
    listed: Floats

    @property
    def leads(self) -> Floats:
        """By how many deviations the row is the stronger of two; 0 on the diagonal."""
        return _gaps(self.mean) / numpy.sqrt(self.variances + numpy.eye(len(self.mean)))

    @property
    def variances(self) -> Floats:
        """Variance of the difference of two, Elo points squared."""
        return _between(self.covariance)

    def among(self, players: Collection[int]) -> "Belief":
        """What is believed of some of them alone."""
        at = [self.players.index(player) for player in players]
        return Belief(tuple(players), self.mean[at], self.covariance[numpy.ix_(at, at)], self.listed[at])

    def above(self, one: int, other: int) -> float:
        """Probability that `one` is the stronger, both as places."""
        own, shared = self.covariance, 2.0 * self.covariance[one, other]
        deviation = sqrt(own[one, one] + own[other, other] - shared)
        return (1.0 + erf(float(self.mean[one] - self.mean[other]) / deviation / sqrt(2.0))) / 2.0

    def firsts(self) -> Floats:
        """Probability of each to be the strongest, as if strengths were independent."""
        deviation = numpy.sqrt(numpy.diag(self.covariance))
        low, high = (self.mean - 4.0 * deviation).max(), (self.mean + 4.0 * deviation).max()
        at = (numpy.linspace(low, high, GRID)[:, None] - self.mean) / deviation
        below = numpy.maximum(_normal(at), 1e-300)
        density = numpy.exp(-at * at / 2.0) / deviation
        chances = (density / below * below.prod(axis=1, keepdims=True)).sum(axis=0)
        return chances / chances.sum()


def games_of(players: Collection[int], meetings: Iterable[Meeting], outside: Iterable[Outside]) -> Games:
    """The games of those players, who stand in the order of their places."""
    place = {player: at for at, player in enumerate(players)}
    count, points = numpy.zeros((2, len(place), len(place)))
    for one, other, score in meetings:
        row, column = place[one], place[other]
        count[row, column] += 1.0
        count[column, row] += 1.0
        points[row, column] += score
        points[column, row] += 1.0 - score
    beyond = [(place[player], opponent, score) for player, opponent, score in outside]
    return Games(count, points, numpy.array(beyond).reshape(-1, 3).T)


def belief_of(priors: Mapping[int, Prior], games: Games, listed: Mapping[int, float] = NOWHERE) -> Belief:
    """The field's strengths after its games; `priors` in the order of places. Who is not `listed` stands where the
    games put him. Raises ValueError for nobody."""
    if not priors:
        raise ValueError("There is nobody whose strength could be told.")
    start = numpy.array([prior.mean for prior in priors.values()])
    sharp = numpy.array([prior.deviation for prior in priors.values()]) ** -2.0
    mean = start
    for _step in range(STEPS):
        slope, curvature = _slopes(mean, games)
        step = numpy.linalg.solve(curvature + numpy.diag(sharp), slope - sharp * (mean - start))
        mean = mean + numpy.clip(step, -LONGEST, LONGEST)
        if numpy.abs(step).max() < CLOSE:
            break
    curvature = _slopes(mean, games)[1] + numpy.diag(sharp)
    where = [listed.get(player, float(own)) for player, own in zip(priors, mean, strict=True)]
    return Belief(tuple(priors), mean, numpy.linalg.inv(curvature), numpy.array(where))


def gains(belief: Belief, aim: Aim, newcomers: Collection[int] = ()) -> Floats:
    """How much of the loss a game of row and column is expected to take, in its own unit; symmetric, 0 on the diagonal.
    Below 0: it does harm. `newcomers`: places, of whom the aim NEWCOMERS asks."""
    loss = _loss(belief, aim, newcomers)
    wrong = loss @ (belief.mean - belief.listed)
    shared = loss @ belief.covariance
    flat = 1.0 / numpy.sqrt(1.0 + pi * Q * Q * belief.variances / 8.0)
    expected = _expected(flat * _gaps(belief.mean))
    surprise = expected - _expected(_gaps(belief.listed))
    even = expected * (1.0 - expected)
    learned = Q * flat * even * _between((shared + shared.T) / 2.0)
    noise = STEP * STEP * (even + surprise**2) * _between(loss)
    return 2.0 * STEP * (surprise * _gaps(wrong) + learned) - noise


def telling(belief: Belief, aim: Aim, newcomers: Collection[int] = ()) -> Telling:
    """What the boards of the belief's players tell, for the pairing of an evening. `newcomers`: players."""
    place = {player: at for at, player in enumerate(belief.players)}
    found = gains(belief, aim, [place[player] for player in newcomers])
    pairs = {in_order(one, two): (place[one], place[two]) for one, two in combinations(place, 2)}
    values = [float(found[places]) for places in pairs.values()]
    least, spread = min(values, default=0.0), max(values, default=0.0) - min(values, default=0.0)
    gain = {pair: int((value - least) / spread * FINEST) for pair, value in zip(pairs, values, strict=True) if spread}
    far = {pair for pair, (one, two) in pairs.items() if abs(belief.mean[one] - belief.mean[two]) > GAP}
    return Telling(gain, far)


def _loss(belief: Belief, aim: Aim, newcomers: Collection[int]) -> Floats:
    """L, symmetric."""
    size = len(belief.players)
    if aim == Aim.NEWCOMERS:
        asked = numpy.zeros(size)
        asked[list(newcomers)] = 1.0
        return numpy.diag(asked)
    firsts = belief.firsts() if aim == Aim.TITLE else numpy.ones(size)
    weights = numpy.outer(firsts, firsts) * numpy.exp(-(belief.leads**2)) / (belief.variances + numpy.eye(size))
    numpy.fill_diagonal(weights, 0.0)
    return numpy.diag(weights.sum(axis=1)) - weights


def _slopes(mean: Floats, games: Games) -> tuple[Floats, Floats]:
    """Gradient of the games' log-likelihood at those strengths, and its curvature with the sign changed."""
    expected = _expected(_gaps(mean))
    slope = Q * (games.points - games.count * expected).sum(axis=1)
    shown = Q * Q * games.count * expected * (1.0 - expected)
    curvature = numpy.diag(shown.sum(axis=1)) - shown
    place = games.outside[0].astype(numpy.intp)
    beyond = _expected(mean[place] - games.outside[1])
    size = len(mean)
    slope += Q * numpy.bincount(place, games.outside[2] - beyond, size)
    return slope, curvature + numpy.diag(Q * Q * numpy.bincount(place, beyond * (1.0 - beyond), size))


def _expected(gap: Floats) -> Floats:
    return 1.0 / (1.0 + numpy.exp(-Q * gap))


def _gaps(values: Floats) -> Floats:
    """Row less column."""
    return values[:, None] - values


def _between(matrix: Floats) -> Floats:
    """aᵀ M a for all a = e_i − e_j."""
    own = numpy.diag(matrix)
    return own[:, None] + own - 2.0 * matrix


def _normal(at: Floats) -> Floats:
    """The normal distribution function to 0.0002, by the logistic of a cubic (G. Page, Applied Statistics 26, 1977)."""
    return 1.0 / (1.0 + numpy.exp(-numpy.clip(1.5976 * at + 0.070566 * at**3, -60.0, 60.0)))
