"""Strengths drawn together: everybody's on all his days at once, as all games of a list say them (pure).

The model is the whole history's (`ratings.history.whole_history`): strengths drift, and the expected score of a game is
Elo's. How games are drawn is left open, as the list does: a draw is half a win and half a loss, and every game counts
1/φ, φ being how far scores vary against what they would without draws (quasi-likelihood: R. Wedderburn, Biometrika 61,
1974; P. McCullagh and J. Nelder, "Generalized Linear Models", 2nd ed. 1989, ch. 9). So the scale is Elo's, and a drawn
game tells more than half a won and half a lost one.

How widely newcomers spread and how fast strengths drift is found from the games themselves, as what makes them the most
likely. The slope of that likelihood is known from draws (R. Fisher's identity: A. Dempster, N. Laird, D. Rubin, JRSS B
39, 1977): mean squares of first strengths, and of steps, over what the model says of them. The spread follows it as in
EM. Of the drift games tell little, and those of a year next to nothing; so it has a wide prior (half or twice the usual
one is nothing strange), and the zero of the slope is found by halving.

Around its best fit a history is normal, with the inverse of its precision H as covariance. H is a sum of squares: the
prior on each first day, the drift from day to day, each game's curvature. So b with covariance H is drawn term by term,
and x with H x = b is a draw of the normal distribution with covariance H⁻¹. Source: G. Papandreou and A. Yuille,
"Gaussian sampling by local perturbations", NIPS 2010. Nobody's strength is held fixed while another one's is drawn.

Not done: what the posterior has beyond its curvature at the best fit (skewness); how sure the spread and the drift are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import exp, log, sqrt
from typing import Any

import numpy

from ratings.history.whole_history import (
    COLUMNS,
    UNIT,
    Field,
    History,
    HistoryGame,
    Model,
    expected,
    field_of,
    fitted,
    gaps_of,
)

CLOSE = 1e-6  # share of the rest's first length, squared: a thousandth of a deviation, and far below what draws tell
LEAST_PRIOR = 20.0  # points: less is nothing
LEAST_DRIFT, MOST_DRIFT = 4.0, 400.0  # points in a year
USUAL_DRIFT, DOUBT = 60.0, 1.0  # its logarithm is normal around that of the usual one, with this deviation
ROUNDS = 9  # all but the first halve what the drift may be: it is then known to two hundredths of itself
LEAST_VARIATION = 0.1  # φ of a list of nothing but draws
FIRST_PRIOR = 250.0
TRIED = 32  # draws of a round
Rng = numpy.random.Generator
Tell = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class Strengths:
    """`draws` (rows) of the strengths at all places of the field, Elo points; `model` has the spread and the drift
    found, `variation` is φ."""

    field: Field
    draws: Any
    model: Model
    variation: float


def strengths_from(games: Sequence[HistoryGame], count: int, rng: Rng, tell: Tell = lambda done, of: None) -> Strengths:
    """So many draws, by the games alone. `tell` is called with the rounds done. Raises ValueError for no game."""
    field = field_of(games, {})
    low, high = log(LEAST_DRIFT), log(MOST_DRIFT)
    model, at, variation = Model(FIRST_PRIOR, exp((low + high) / 2.0)), numpy.zeros(len(field.days)), 1.0
    for done in range(ROUNDS):
        history = _fit(field, model, at, variation)
        at, variation = history.strengths, _variation(history)
        spread, slope = _slopes(history, rng)
        model = replace(model, prior=max(model.prior * sqrt(spread), LEAST_PRIOR))
        if done:  # the first round began anywhere
            pull = log(USUAL_DRIFT / model.drift) / DOUBT**2
            low, high = (log(model.drift), high) if slope + pull > 0.0 else (low, log(model.drift))
            model = replace(model, drift=exp((low + high) / 2.0))
        tell(done + 1, ROUNDS)
    history = _fit(field, model, at, variation)
    draws = [_drawn(history, _Noise(history, min(COLUMNS, count - at), rng)) for at in range(0, count, COLUMNS)]
    strengths = model.mean + UNIT * (history.strengths + numpy.concatenate(draws, axis=1).T)
    return Strengths(field, strengths, model, variation)


def _fit(field: Field, model: Model, begin: Any, variation: float) -> History:
    return fitted(field, model, begin=begin, weights=numpy.full(len(field.scores), 1.0 / variation))


def _variation(history: History) -> float:
    """φ: the variance of the games' scores over what it would be if none was drawn."""
    _, without = expected(gaps_of(history.field, history.model, history.strengths), 0.0)
    drawn = numpy.count_nonzero(history.field.scores == 0.5)
    return float(max(1.0 - drawn / 4.0 / without.sum(), LEAST_VARIATION))


def _slopes(history: History, rng: Rng) -> tuple[float, float]:
    """By what factor the square of the spread should change, and the likelihood's slope in the drift's logarithm."""
    noise = _Noise(history, TRIED, rng)
    draws = _drawn(history, noise)
    at, roots, is_first = history.strengths, noise.roots, noise.is_first
    firsts = (at[is_first] ** 2 + (draws[is_first] ** 2).mean(axis=1)) * roots[is_first] ** 2
    # What drove a draw is known, and its square is one in the mean: less chance is left when it is taken off.
    moved = numpy.diff(draws, axis=0, prepend=0.0) * roots[:, None]
    steps = (numpy.diff(at, prepend=0.0) * roots) ** 2 + (moved**2 - noise.tied**2).mean(axis=1)
    return float(firsts.mean()), float(steps[~is_first].sum())


# --- draws around a best fit -----------------------------------------------------------------------------------------
class _Noise:
    """Standard normal numbers, so many columns: `tied` drives first days and steps, `played` the games. `roots`: of
    the precision of each first day and step (natural units)."""

    def __init__(self, history: History, count: int, rng: Rng) -> None:
        gaps, model = history.field.gaps, history.model
        self.is_first = gaps == 0.0
        years = numpy.where(self.is_first, 1.0, gaps)
        self.roots = UNIT / numpy.where(self.is_first, model.prior, model.drift * numpy.sqrt(years))
        self.tied = rng.standard_normal((len(gaps), count))
        self.played = rng.standard_normal((len(history.field.scores), count))


def _drawn(history: History, noise: _Noise) -> Any:
    """How far each draw (columns) is from the best fit, at all places, natural units."""
    b = noise.roots[:, None] * noise.tied
    b[:-1] -= numpy.where(noise.is_first[1:, None], 0.0, b[1:])
    one, other = history.field.places
    pulls = numpy.sqrt(history.curvatures)[:, None] * noise.played
    for column, pull in enumerate(pulls.T):
        b[:, column] += numpy.bincount(one, pull, len(b)) - numpy.bincount(other, pull, len(b))
    return history.precision.solve(b, close=CLOSE)
