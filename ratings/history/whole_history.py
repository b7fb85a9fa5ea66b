"""Everybody's strength on every day, fitted at once to all games: Bradley–Terry with strengths that drift.

Source: R. Coulom, "Whole-History Rating: A Bayesian Rating System for Players of Time-Varying Strength", Computers and
Games (2008). A player's strength is normal around `mean` on the first day, and drifts from then on as a Wiener process:
over a year it moves by a normal step of deviation `drift`. Draws are Davidson's, with one ν for everybody
(`ratings.systems.bradley_terry`), where Coulom has half a win and half a loss: that takes a game for more than it is
worth where many are drawn, and its intervals are too narrow (docs/algorithms/whole-history.md has the figures).

The logarithm of the posterior is concave, so there is one best history; Newton's method finds it, for all players
jointly (Coulom sweeps over one player after another). Around it the posterior is taken to be normal, with the inverse
of the Hessian as covariance (Laplace's approximation). Everything asked of it is solved for exactly
(`ratings.history.chains`): nobody else's strength is held fixed.

Units: Elo points outside, natural logarithms of odds (`UNIT` points) inside. Days are ordinals. Not done: draws that
become more frequent among strong players; other shapes of drift; newcomers whose mean strength moves in time.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, log, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy

from ratings.history.chains import Floats, Precision

UNIT = 400.0 / log(10.0)
YEAR = 365.25
TOLERANCE = 1e-8  # a step so small in every strength (of `UNIT` points) ends the fit
MOST_STEPS = 100
LONGEST = 5.0  # no step goes further
ROUNDING = 1e-12
COLUMNS = 64  # right-hand sides that are solved side by side

Tell = Callable[[int, int], object]


class HistoryGame(NamedTuple):
    """A game of `first` against `second`, players by key, on a day; `score` is the first's: 1, ½ or 0. `advantage`:
    Elo points the first has besides the model's."""

    first: int
    second: int
    day: int
    score: float
    advantage: float = 0.0


@dataclass(frozen=True, slots=True)
class Model:
    """`prior`: deviation of newcomers' strengths around `mean`; `drift`: deviation of a year's change; `advantage` of
    the first side in every game. Elo points. `draw_rate`: Davidson's ν, 0 where no game is drawn."""

    prior: float = 300.0
    drift: float = 50.0
    draw_rate: float = 0.0
    advantage: float = 0.0
    mean: float = 1500.0

    def __post_init__(self) -> None:
        if not (isfinite(self.prior) and self.prior > 0.0 and isfinite(self.drift) and self.drift > 0.0):
            raise ValueError("The prior deviation and the drift are above 0.")
        if not (isfinite(self.draw_rate) and self.draw_rate >= 0.0):
            raise ValueError(f"Draws come at a rate ν of 0 or more, not at {self.draw_rate}.")


class When(NamedTuple):
    """A player on a day."""

    player: int
    day: int


class Estimate(NamedTuple):
    """What is known of a number: mean and deviation, Elo points."""

    mean: float
    deviation: float


class Prediction(NamedTuple):
    """One game between two strengths: the expected `score` (0 … 1), its 95 % interval, and how likely the first is the
    `stronger` one."""

    score: float
    low: float
    high: float
    stronger: float


@dataclass(frozen=True)
class Field:
    """Everybody's days in one row, a player's together and in order. `places`: of both sides of each game (2 × games);
    `begins`: the place of each player's first day, and the number of places; `gaps`: years since the player's day
    before (0: a first day)."""

    players: tuple[int, ...]
    days: Floats
    begins: Floats
    gaps: Floats
    places: Floats
    scores: Floats
    advantages: Floats

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        return {player: number for number, player in enumerate(self.players)}

    @property
    def longest(self) -> int:
        return int(numpy.diff(self.begins).max())

    def place(self, when: When) -> int:
        """Raises KeyError for a stranger, ValueError for a day that is none of the player's."""
        number = self.numbers[when.player]
        first, behind = int(self.begins[number]), int(self.begins[number + 1])
        at = first + int(numpy.searchsorted(self.days[first:behind], when.day))
        if at == behind or self.days[at] != when.day:
            raise ValueError(f"{when.day} is no day of player {when.player}: name it in `also`.")
        return at


def field_of(games: Sequence[HistoryGame], also: Mapping[int, Iterable[int]]) -> Field:
    """The games' places, and those of the days that are asked of besides. Raises ValueError for no game, a score that
    is none, somebody against himself, and a day before a player's first game."""
    if not games:
        raise ValueError("There is no game, so there is no history.")
    first, second, days, scores, advantages = (numpy.array(column) for column in zip(*games, strict=True))
    if not numpy.isin(scores, (0.0, 0.5, 1.0)).all() or (first == second).any():
        raise ValueError("A game is of two players and scores 1, ½ or 0.")
    asked = [(player, day) for player, wanted in also.items() for day in wanted]
    more = numpy.array(asked, dtype=numpy.int64).reshape(-1, 2)
    who, when = numpy.concatenate([first, second, more[:, 0]]), numpy.concatenate([days, days, more[:, 1]])
    players, numbers = numpy.unique(who, return_inverse=True)
    start, span = int(when.min()), int(when.max() - when.min()) + 1
    codes, places = numpy.unique(numbers * span + (when - start), return_inverse=True)
    owners = codes // span
    begins = numpy.searchsorted(owners, numpy.arange(len(players) + 1))
    every = codes % span + start
    gaps = numpy.diff(every, prepend=every[:1]) / YEAR
    gaps[begins[:-1]] = 0.0
    played = 2 * len(games)
    if not numpy.isin(begins[:-1], places[:played]).all():
        raise ValueError("Nobody's strength is known before his first game.")
    both = places[:played].reshape(2, -1)
    return Field(tuple(players.tolist()), every, begins, gaps, both, scores, advantages / UNIT)


def gaps_of(field: Field, model: Model, at: Floats) -> Floats:
    """By how much the first side of each game was ahead, all advantages counted (natural)."""
    one, other = field.places
    return at[one] - at[other] + field.advantages + model.advantage / UNIT


def expected(gaps: Floats, draw_rate: float) -> tuple[Floats, Floats]:
    """Expected scores at those gaps (natural), and the variance of a score, which is the curvature of a game."""
    far = numpy.exp(-numpy.abs(gaps) / 2.0)
    whole = 1.0 + far * far + draw_rate * far
    behind = (far * far + draw_rate * far / 2.0) / whole
    score = numpy.where(gaps > 0.0, 1.0 - behind, behind)
    return score, score * (1.0 - score) - draw_rate * far / whole / 4.0


def log_odds(gaps: Floats, scores: Floats, draw_rate: float) -> Floats:
    """Logarithm of the probability of each score at its gap (natural); ν = 0 takes a draw for half a win and half a
    loss."""
    far = numpy.exp(-numpy.abs(gaps) / 2.0)
    whole = numpy.abs(gaps) / 2.0 + numpy.log(1.0 + far * far + draw_rate * far)
    drawn = log(draw_rate) * (scores == 0.5) if draw_rate > 0.0 else 0.0
    return (scores - 0.5) * gaps - whole + drawn


@dataclass(frozen=True)
class History:
    """The best history: `strengths` by place (natural, around the mean), the `curvatures` of the games there, and the
    precision of all strengths around it."""

    model: Model
    field: Field
    strengths: Floats
    curvatures: Floats
    precision: Precision

    def days(self, player: int) -> list[int]:
        """The days on which he played or that were asked of. Raises KeyError for a stranger."""
        number = self.field.numbers[player]
        found: list[int] = self.field.days[self.field.begins[number] : self.field.begins[number + 1]].tolist()
        return found

    def mean(self, when: When) -> float:
        """The strength on that day, Elo points. Raises KeyError or ValueError as `Field.place`."""
        return float(self.model.mean + UNIT * self.strengths[self.field.place(when)])

    def covariance(self, whens: Sequence[When]) -> Floats:
        """Joint covariance of those strengths (Elo points squared), exact for the normal approximation."""
        places = [self.field.place(when) for when in whens]
        return UNIT**2 * self._solved(_units(places, len(self.strengths)))[places]

    def path(self, player: int, days: Sequence[int] | None = None) -> list[tuple[int, Estimate]]:
        """His strength on each of his days, or on those."""
        wanted = self.days(player) if days is None else days
        whens = [When(player, day) for day in wanted]
        deviations = numpy.sqrt(numpy.diagonal(self.covariance(whens)))
        return [
            (when.day, Estimate(self.mean(when), float(deviation)))
            for when, deviation in zip(whens, deviations, strict=True)
        ]

    def potentials(self, one: When, other: When) -> Floats:
        """How the difference of two strengths varies together with every strength, by place (natural units squared)."""
        contrast = _contrasts([(self.field.place(one), self.field.place(other))], len(self.strengths))
        return self.precision.solve(contrast)[:, 0]

    def difference(self, one: When, other: When) -> Estimate:
        """How much stronger `one` was than `other`: two people, or one person on two days."""
        return self.differences([(one, other)])[0]

    def differences(self, pairs: Sequence[tuple[When, When]]) -> list[Estimate]:
        """The same for many pairs, each by itself."""
        places = [(self.field.place(one), self.field.place(other)) for one, other in pairs]
        found = []
        for begin in range(0, len(places), COLUMNS):
            some = places[begin : begin + COLUMNS]
            contrasts = _contrasts(some, len(self.strengths))
            solved = self.precision.solve(contrasts)
            variances = numpy.einsum("ij,ij->j", contrasts, solved)
            means = [self.strengths[one] - self.strengths[other] for one, other in some]
            found += [
                Estimate(float(UNIT * mean), UNIT * sqrt(max(float(variance), 0.0)))
                for mean, variance in zip(means, variances, strict=True)
            ]
        return found

    def _solved(self, columns: Floats) -> Floats:
        blocks = range(0, columns.shape[1], COLUMNS)
        solved = [self.precision.solve(columns[:, at : at + COLUMNS]) for at in blocks]
        return numpy.concatenate(solved, axis=1)


def _units(places: Sequence[int], size: int) -> Floats:
    columns = numpy.zeros((size, len(places)))
    columns[places, numpy.arange(len(places))] = 1.0
    return columns


def _contrasts(pairs: Sequence[tuple[int, int]], size: int) -> Floats:
    columns = numpy.zeros((size, len(pairs)))
    for at, (one, other) in enumerate(pairs):
        columns[one, at] += 1.0
        columns[other, at] -= 1.0
    return columns


def whole_history(
    games: Sequence[HistoryGame],
    model: Model,
    *,
    also: Mapping[int, Iterable[int]] | None = None,
    tell: Tell = lambda done, of: None,
) -> History:
    """The history of greatest posterior density. `also`: days to be asked of on which somebody may not have played, by
    player, none before his first game. `tell` is called with the steps done. Raises ValueError as `field_of`."""
    return fitted(field_of(games, also or {}), model, tell=tell)


def fitted(
    field: Field,
    model: Model,
    *,
    begin: Floats | None = None,
    weights: Floats | None = None,
    tolerance: float = TOLERANCE,
    tell: Tell | None = None,
) -> History:
    """The same of a field that is there already. `begin`: where Newton's method begins; `weights`: how much each game
    counts (0: left out); `tolerance`: how small the last step is. What is left then is about its square."""
    fit = _Fit(field, model, numpy.ones(len(field.scores)) if weights is None else weights)
    at = numpy.zeros(len(field.days)) if begin is None else begin
    value = fit.value(at)
    for step in range(MOST_STEPS):
        move = fit.step(at)
        at, value = fit.ascend(at, move, value)
        if tell is not None:
            tell(step + 1, MOST_STEPS)
        if numpy.abs(move).max() <= tolerance:
            break
    return History(model, field, at, fit.curvatures(at), fit.precision(at))


class _Fit:
    """The posterior of a field's strengths: its value, and Newton's step from a point."""

    def __init__(self, field: Field, model: Model, weights: Floats) -> None:
        self._field, self._model, self._weights = field, model, weights
        prior, drift = (model.prior / UNIT) ** -2, (model.drift / UNIT) ** -2
        is_first = field.gaps == 0.0
        ties = drift / numpy.where(is_first, 1.0, field.gaps) * ~is_first
        self._own = prior * is_first + ties + numpy.append(ties[1:], 0.0)
        self._links = -ties

    def value(self, at: Floats) -> float:
        """Logarithm of the posterior density, but for a constant."""
        games = self._weights * log_odds(
            gaps_of(self._field, self._model, at), self._field.scores, self._model.draw_rate
        )
        return float(games.sum() - at @ self._tied(at) / 2.0)

    def step(self, at: Floats) -> Floats:
        """Newton's step."""
        score, _ = expected(gaps_of(self._field, self._model, at), self._model.draw_rate)
        pull = self._weights * (self._field.scores - score)
        one, other = self._field.places
        slope = numpy.bincount(one, pull, len(at)) - numpy.bincount(other, pull, len(at)) - self._tied(at)
        return self.precision(at).solve(slope[:, None], close=1e-12)[:, 0]

    def precision(self, at: Floats) -> Precision:
        """The negative Hessian."""
        field = self._field
        return Precision(self._own, self._links, field.longest, field.places, self.curvatures(at))

    def curvatures(self, at: Floats) -> Floats:
        """How much each game binds the two strengths to each other."""
        return self._weights * expected(gaps_of(self._field, self._model, at), self._model.draw_rate)[1]

    def ascend(self, at: Floats, move: Floats, value: float) -> tuple[Floats, float]:
        """The step, halved until it does not lead down: where to, and the value there."""
        share = LONGEST / max(LONGEST, float(numpy.abs(move).max()))
        while True:
            there = at + share * move
            reached = self.value(there)
            if reached >= value - ROUNDING * abs(value):
                return there, reached
            share /= 2.0

    def _tied(self, at: Floats) -> Any:
        """The prior's precision times the strengths."""
        result = self._own * at
        result[1:] += self._links[1:] * at[:-1]
        result[:-1] += self._links[1:] * at[1:]
        return result


# --- what a difference means ----------------------------------------------------------------------------------------
Z95 = 1.959963984540054
_NODES, _WEIGHTS = numpy.polynomial.hermite_e.hermegauss(32)  # means over a normal distribution


def prediction(difference: Estimate, draw_rate: float) -> Prediction:
    """What a difference in strength (Elo points) means for one game in which neither has an advantage. The expected
    score is the mean over all that the strengths may be."""
    mean, deviation = difference
    gaps = numpy.concatenate([mean + deviation * _NODES, mean + deviation * numpy.array([-Z95, Z95])]) / UNIT
    scores, _ = expected(gaps, draw_rate)
    stronger = NormalDist().cdf(mean / deviation) if deviation > 0.0 else 0.5
    return Prediction(float(scores[:-2] @ _WEIGHTS / _WEIGHTS.sum()), float(scores[-2]), float(scores[-1]), stronger)
