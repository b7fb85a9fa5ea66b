"""Bradley–Terry with Davidson's draws: every strength fitted at once to all games of the list, by maximum likelihood.

Source: R. Davidson, "On extending the Bradley–Terry model to accommodate ties", JASA 65 (1970). With strengths p = e^θ
and one draw parameter ν for everybody

    P(i wins) = p_i / s    P(draw) = ν √(p_i p_j) / s    P(j wins) = p_j / s    s = p_i + p_j + ν √(p_i p_j)

The log-likelihood is concave in (θ, ln ν), so there is one best fit; Newton's method finds it, its linear system solved
by conjugate gradients over the pairs that have met. Everybody also has one virtual drawn game against an opponent fixed
at the mean. It is entered as half a win and half a loss of the model without draws (ν = 0): so it keeps whoever only
won or only lost at a finite rating and joins strangers to the rest, but says nothing of how often people draw.
Not done: strengths that change in time, weights of events, the first move.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from typing import NamedTuple

from clubrating.ground.marks import marked
from ratings.systems.base import Contribution, Group, GroupRater, GroupRating, Memory, Move, Period, PlayerState
from ratings.systems.rules import RatingSystem, ranged

TOLERANCE = 1e-11  # a step so small in every ln strength ends the fit
MOST_STEPS = 200
LONGEST = 50.0  # no step goes further in ln strength: e^θ must stay a number
ROUNDING = 1e-12  # the log-likelihood is known to about this share of itself


def whole(x: float, nu: float) -> float:
    """s / √(p_i p_j) of two players `x` = θ_i − θ_j apart."""
    return exp(x / 2.0) + exp(-x / 2.0) + nu


def odds(x: float, nu: float) -> tuple[float, float, float]:
    """(P(win), P(draw), P(loss)) of whoever stands `x` above his opponent in ln strength; `nu` may be infinite."""
    s = whole(x, nu)
    return exp(x / 2.0) / s, 1.0 if nu == inf else nu / s, exp(-x / 2.0) / s


def expected_score(x: float, nu: float) -> float:
    """Expected score, a draw as ½, of whoever stands `x` above his opponent in ln strength."""
    win, draw, _ = odds(x, nu)
    return win + draw / 2.0


class Pairs(NamedTuple):
    """All that was played: in pair k, `firsts[k]` took `points[k]` of `games[k]` against `seconds[k]`; `draws` is the
    number of draws in all games together."""

    firsts: Sequence[int]
    seconds: Sequence[int]
    games: Sequence[float]
    points: Sequence[float]
    draws: float

    def results(self) -> Iterator[tuple[int, int, float, float]]:
        """(first, second, games, points) of each pair."""
        return zip(self.firsts, self.seconds, self.games, self.points, strict=True)


class Curvatures(NamedTuple):
    """The (negative) Hessian of `log_likelihood`: entry k of `by_gap` is that of pair k's gap in θ, of `mixed` that of
    the gap and ln ν; `own` those of each θ by the virtual games, and last that of ln ν (0 without draws: ν stays 0)."""

    by_gap: Sequence[float]
    mixed: Sequence[float]
    own: Sequence[float]


def log_likelihood(theta: Sequence[float], nu: float, pairs: Pairs) -> float:
    """Logarithm of the likelihood, virtual games included."""
    total = pairs.draws * log(nu) if pairs.draws else 0.0
    for i, j, n, s in pairs.results():
        x = theta[i] - theta[j]
        total += (s - n / 2.0) * x - n * log(whole(x, nu))
    for x in theta:
        total -= log(whole(x, 0.0))
    return total


def slopes(theta: Sequence[float], nu: float, pairs: Pairs) -> tuple[list[float], Curvatures]:
    """First and second derivatives of `log_likelihood`; the gradient's last entry is that of ln ν."""
    gradient = [0.5 - expected_score(x, 0.0) for x in theta]
    own = [1.0 / whole(x, 0.0) ** 2 for x in theta]
    by_gap, mixed = [], []
    expected_draws = draw_curvature = 0.0
    for i, j, n, s in pairs.results():
        win, draw, loss = odds(theta[i] - theta[j], nu)
        lead = win - loss
        pull = s - n * (1.0 + lead) / 2.0
        gradient[i] += pull
        gradient[j] -= pull
        by_gap.append(n * (win * loss + draw * (win + loss) / 4.0))
        mixed.append(-n * draw * lead / 2.0)
        expected_draws += n * draw
        draw_curvature += n * draw * (1.0 - draw)
    return [*gradient, pairs.draws - expected_draws], Curvatures(by_gap, mixed, [*own, draw_curvature])


def curved(direction: Sequence[float], pairs: Pairs, hessian: Curvatures) -> list[float]:
    """The (negative) Hessian times a direction."""
    result = [c * d for c, d in zip(hessian.own, direction, strict=True)]
    last = direction[-1]
    turned = 0.0
    for i, j, c, m in zip(pairs.firsts, pairs.seconds, hessian.by_gap, hessian.mixed, strict=True):
        gap = direction[i] - direction[j]
        force = c * gap + m * last
        result[i] += force
        result[j] -= force
        turned += m * gap
    result[-1] += turned
    return result


def diagonal(pairs: Pairs, hessian: Curvatures) -> list[float]:
    """The diagonal of the same matrix, which scales the conjugate gradients; 1 for a ν that is not fitted."""
    result = list(hessian.own)
    for i, j, c in zip(pairs.firsts, pairs.seconds, hessian.by_gap, strict=True):
        result[i] += c
        result[j] += c
    return [c if c > 0.0 else 1.0 for c in result]


def newton_step(gradient: Sequence[float], pairs: Pairs, hessian: Curvatures) -> list[float]:
    """Solve Hessian × step = gradient by conjugate gradients, the more exactly the smaller the gradient already is."""
    scale = diagonal(pairs, hessian)
    step = [0.0] * len(gradient)
    rest = list(gradient)
    scaled = [r / c for r, c in zip(rest, scale, strict=True)]
    direction = scaled
    left = first = _dot(rest, scaled)
    enough = first * min(0.01, first)
    for _ in range(2 * len(gradient)):
        if left <= enough:
            break
        product = curved(direction, pairs, hessian)
        length = left / _dot(direction, product)
        step = [s + length * d for s, d in zip(step, direction, strict=True)]
        rest = [r - length * p for r, p in zip(rest, product, strict=True)]
        scaled = [r / c for r, c in zip(rest, scale, strict=True)]
        before, left = left, _dot(rest, scaled)
        direction = [z + left / before * d for z, d in zip(scaled, direction, strict=True)]
    return step


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def fit(players: int, pairs: Pairs) -> tuple[list[float], float]:
    """(θ of players 0 … players − 1, ν) of greatest likelihood, to 1e-10 in θ.

    Where every game was drawn nobody is stronger than anybody and ν has no finite best value: it is infinite.
    """
    theta, played = [0.0] * players, sum(pairs.games)
    if pairs.draws >= played:
        return theta, inf if pairs.draws else 0.0
    nu = 2.0 * pairs.draws / (played - pairs.draws)  # the best where all are equal
    likelihood = log_likelihood(theta, nu, pairs)
    for _ in range(MOST_STEPS):
        gradient, hessian = slopes(theta, nu, pairs)
        step = newton_step(gradient, pairs, hessian)
        theta, nu, likelihood = _ascend(theta, nu, step, likelihood, pairs)
        if max(map(abs, step)) <= TOLERANCE:
            break
    return theta, nu


def _ascend(
    theta: list[float], nu: float, step: list[float], likelihood: float, pairs: Pairs
) -> tuple[list[float], float, float]:
    """The step, halved until it does not lead down: (θ, ν, log-likelihood) after it."""
    share = LONGEST / max(LONGEST, *map(abs, step))
    while True:
        there = [t + share * s for t, s in zip(theta, step[:-1], strict=True)]
        drawn = nu * exp(share * step[-1])
        reached = log_likelihood(there, drawn, pairs)
        if reached >= likelihood - ROUNDING * abs(likelihood):
            return there, drawn, reached
        share /= 2.0


@dataclass(frozen=True, slots=True)
class BradleyTerrySettings:
    """`mean`: the mean of all ratings of the list; `scale`: the gap at which, without draws, the favourite scores ten
    points of eleven."""

    mean: float = ranged(1500.0, 0, 4000)
    scale: float = ranged(400.0, 100, 2000)

    @property
    def start(self) -> float:
        """A newcomer stands at the mean until the next fit."""
        return self.mean


class BradleyTerry(RatingSystem):
    key = "bradley-terry"
    name = marked("Bradley–Terry–Davidson")
    settings_type = BradleyTerrySettings

    def period(self, settings: BradleyTerrySettings) -> Period:
        return Period.ALL

    def memory(self, settings: BradleyTerrySettings) -> Memory:
        return Memory.HISTORY

    def expected(self, settings: BradleyTerrySettings, own: PlayerState, opponent: PlayerState) -> float:
        """The model without draws: ν belongs to a fit, and two ratings alone do not tell it."""
        return expected_score((own.rating - opponent.rating) * log(10.0) / settings.scale, 0.0)

    def group_rater(self, settings: BradleyTerrySettings) -> GroupRater:
        """All games of the list at once. Every player's rating is replaced, so none is `before` a game."""

        def rate(group: Group) -> GroupRating:
            theta, nu = fit_group(group)
            scores = [expected_score(theta[game.white] - theta[game.black], nu) for game in group.games]
            sides = [(Contribution(expected=score), Contribution(expected=1.0 - score)) for score in scores]
            unit, mean = settings.scale / log(10.0), sum(theta.values()) / len(theta) if theta else 0.0
            fitted = {player: settings.mean + unit * (own - mean) for player, own in theta.items()}
            return GroupRating(sides, {player: Move(enters_at=rating) for player, rating in fitted.items()})

        return rate


def fit_group(group: Group) -> tuple[dict[int, float], float]:
    """`fit` of a group's games: θ by player, and ν. Pairs are taken in order of the players' numbers, so that the
    order of the games does not show even in the last bit."""
    players = sorted({player for game in group.games for player in (game.white, game.black)})
    place = {player: index for index, player in enumerate(players)}
    played: dict[tuple[int, int], tuple[float, float]] = {}
    for game in group.games:
        upright = game.white < game.black
        pair = (game.white, game.black) if upright else (game.black, game.white)
        games, points = played.get(pair, (0.0, 0.0))
        played[pair] = (games + 1.0, points + (game.score if upright else 1.0 - game.score))
    met = sorted(played)
    pairs = Pairs(
        firsts=[place[first] for first, _ in met],
        seconds=[place[second] for _, second in met],
        games=[played[pair][0] for pair in met],
        points=[played[pair][1] for pair in met],
        draws=float(sum(game.score == 0.5 for game in group.games)),
    )
    theta, nu = fit(len(players), pairs)
    return dict(zip(players, theta, strict=True)), nu
