"""How much strengths differ and how fast they drift, found from the games: by how well left-out games are predicted.

Games are dealt into folds, one after another in the order given. Each fold is predicted by the history of the others,
and what is compared is the log-loss of these predictions (cross-validation: M. Stone, JRSS B 36, 1974). A prediction is
the mean over what the two strengths may be (others held fixed); without that, predictions seem too bold wherever
strengths move much, and too small a drift is found. First the drift is found, then the prior deviation. The value taken
is the root of the mean square over all that were tried, each weighted by the likelihood of its predictions
(pseudo-Bayesian averaging: S. Geisser and W. Eddy, JASA 74, 1979): where few games say little, no small value wins by
chance, and intervals stay wide. Draws (ν) and the advantage of the first side are shared by everybody and well known;
they are fitted to all games, each in turn with the strengths.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy

from ratings.history.chains import Floats
from ratings.history.whole_history import (
    UNIT,
    Field,
    HistoryGame,
    Model,
    Tell,
    expected,
    field_of,
    fitted,
    gaps_of,
    log_odds,
)
from ratings.systems.draws import draw_rate

DRIFTS = (10.0, 20.0, 35.0, 50.0, 75.0, 110.0, 160.0)
PRIORS = (100.0, 150.0, 220.0, 320.0, 460.0)
FOLDS = 5
MANY = 5_000  # games from which on one fold is predicted, and not each
SHARED_STEPS = 3
NODES, WEIGHTS = numpy.polynomial.hermite_e.hermegauss(9)  # means over a normal distribution
WEIGHTS = WEIGHTS / WEIGHTS.sum()
ROUGHLY = 1e-3  # the last step of a fit that is only compared with others


@dataclass(frozen=True, slots=True)
class Tried:
    """A model, and the mean log-loss of the games it was left to predict."""

    model: Model
    loss: float


@dataclass(frozen=True, slots=True)
class Tuned:
    """The model found, and all that were tried."""

    model: Model
    tried: tuple[Tried, ...]


def tuned(games: Sequence[HistoryGame], *, tell: Tell = lambda done, of: None, many: int = MANY) -> Tuned:
    """`tell` is called with the models tried; from so `many` games on one fold is predicted. Raises ValueError as
    `field_of`."""
    field = field_of(games, {})
    model, at = _shared(field, Model())
    folds = _Folds(field, at, many)
    tried: list[Tried] = []
    for name, values in (("drift", DRIFTS), ("prior", PRIORS)):
        some = []
        for value in values:
            candidate = replace(model, **{name: value})
            some.append(Tried(candidate, folds.loss(candidate)))
            tell(len(tried) + len(some), len(DRIFTS) + len(PRIORS))
        tried += some
        model = replace(model, **{name: averaged(some, name, folds.games)})
    return Tuned(_shared(field, model)[0], tuple(tried))


def averaged(tried: Sequence[Tried], name: str, games: int) -> float:
    """The root of the mean square of that parameter, each weighted by the likelihood of its so many predictions."""
    values = numpy.array([getattr(each.model, name) for each in tried])
    behind = numpy.array([each.loss for each in tried]) - min(each.loss for each in tried)
    return float(numpy.sqrt(numpy.average(values**2, weights=numpy.exp(-games * behind))))


def _shared(field: Field, model: Model) -> tuple[Model, Floats]:
    """ν and the first side's advantage that suit the strengths, and the strengths."""
    at = numpy.zeros(len(field.days))
    drawn = int((field.scores == 0.5).sum())
    for _step in range(SHARED_STEPS):
        at = fitted(field, model, begin=at).strengths
        score, curvature = expected(gaps_of(field, model, at), model.draw_rate)
        step = float((field.scores - score).sum() / curvature.sum())
        even = float((score * (1.0 - score)).mean())
        rate = draw_rate(len(score), drawn, even) if drawn else 0.0
        model = replace(model, advantage=model.advantage + UNIT * step, draw_rate=rate)
    return model, at


class _Folds:
    """Every so-manieth game left out in turn."""

    def __init__(self, field: Field, begin: Floats, many: int) -> None:
        self._field, self._begin = field, begin
        self._count = 1 if len(field.scores) >= many else FOLDS

    @property
    def games(self) -> int:
        """How many are predicted."""
        return len(range(0, len(self._field.scores), FOLDS)) if self._count == 1 else len(self._field.scores)

    def loss(self, model: Model) -> float:
        """Mean log-loss of the games left out."""
        return -float(numpy.concatenate(list(self._told(model))).mean())

    def _told(self, model: Model) -> Iterator[Floats]:
        one, other = self._field.places
        for fold in range(self._count):
            out = numpy.arange(len(self._field.scores)) % FOLDS == fold
            known = fitted(self._field, model, begin=self._begin, weights=1.0 - out, tolerance=ROUGHLY)
            own = known.precision.own_variances()
            deviations = numpy.sqrt(own[one] + own[other])[out, None]
            gaps = gaps_of(self._field, model, known.strengths)[out, None] + deviations * NODES
            chances = numpy.exp(log_odds(gaps, self._field.scores[out, None], model.draw_rate))
            yield numpy.log(chances @ WEIGHTS)
