"""Do games expected to be won in 70 of 100 cases come in at 70 of 100? And predictions for systems that make none.

Bins: games sorted into equal ranges of White's expected score, in each the mean prediction beside the mean score and
the score's interval (E. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927).

League, Solo-Zerg, R2 and KD know no expected score. Where one is needed it is a logistic of the rating gap,
E = 1 / (1 + e^(−slope × gap)), its slope fitted by maximum likelihood. Not done: a first-move term, a slope that
changes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import numpy

from ratings.lab.measures import Figures, checked

Z95 = 1.959963984540054  # the normal law leaves 5 % beyond ± this
TOLERANCE = 1e-12  # a step so small a share of the slope ends the fit
MOST_STEPS = 200


def wilson(points: float, games: int) -> tuple[float, float]:
    """The interval of a true score of which `points` were seen in `games`, at 95 %. It is that of games without draws;
    draws scatter less, so with them it is wider than it need be. (0, 1) without games."""
    if not games:
        return 0.0, 1.0
    share, extra = points / games, Z95 * Z95 / games
    centre = (share + extra / 2.0) / (1.0 + extra)
    reach = Z95 * sqrt(max(0.0, share * (1.0 - share) / games + extra / (4.0 * games))) / (1.0 + extra)
    return max(0.0, centre - reach), min(1.0, centre + reach)


@dataclass(frozen=True, slots=True)
class Bin:
    """The games with an expected score from `low` up to (not with) `high`, the last bin with it: how many, and White's
    expected and real points in them."""

    low: float
    high: float
    games: int
    expected_points: float
    points: float

    @property
    def expected(self) -> float | None:
        """Mean expected score; None without games."""
        return self.expected_points / self.games if self.games else None

    @property
    def score(self) -> float | None:
        """Mean real score; None without games."""
        return self.points / self.games if self.games else None

    @property
    def interval(self) -> tuple[float, float]:
        """`wilson` at 95 % around the score."""
        return wilson(self.points, self.games)

    @property
    def holds(self) -> bool:
        """Whether the mean expected score lies in the interval; an empty bin holds."""
        low, high = self.interval
        return self.expected is None or low <= self.expected <= high


def calibration(expected: Figures, scores: Figures, bins: int = 10) -> tuple[Bin, ...]:
    """White's expected scores against his real ones in `bins` equal ranges of 0 … 1, empty ones too. Raises ValueError
    as `measures.checked`."""
    found, made = checked(expected, scores)
    edges = numpy.arange(1, bins) / bins
    place = numpy.searchsorted(edges, found, side="right")
    counts = numpy.bincount(place, minlength=bins)
    expected_points = numpy.bincount(place, weights=found, minlength=bins)
    points = numpy.bincount(place, weights=made, minlength=bins)
    return tuple(
        Bin(at / bins, (at + 1) / bins, int(counts[at]), float(expected_points[at]), float(points[at]))
        for at in range(bins)
    )


def pooled(runs: Iterable[Sequence[Bin]]) -> tuple[Bin, ...]:
    """The bins of several runs put together, as if all games had been one stream. Raises ValueError where runs are not
    cut alike."""
    found = []
    for alike in zip(*runs, strict=True):
        if len({(each.low, each.high) for each in alike}) > 1:
            raise ValueError("The runs are not cut into the same bins.")
        games, points = sum(each.games for each in alike), sum(each.points for each in alike)
        found.append(Bin(alike[0].low, alike[0].high, games, sum(each.expected_points for each in alike), points))
    return tuple(found)


def calibration_error(bins: Sequence[Bin]) -> float:
    """How far predictions are off, in mean over the games: each bin's |expected − real points|, together, over all
    games. 0 is perfect; 0.0 without games."""
    games = sum(each.games for each in bins)
    return sum(abs(each.expected_points - each.points) for each in bins) / games if games else 0.0


def logistic(gaps: Figures, slope: float) -> Any:
    """1 / (1 + e^(−slope × gap)) of each gap, as an array; ½ at no gap, even with an infinite slope."""
    leads = numpy.asarray(gaps, dtype=float)
    if abs(slope) == inf:
        return (1.0 + numpy.sign(leads) * numpy.sign(slope)) / 2.0
    return (1.0 + numpy.tanh(leads * (slope / 2.0))) / 2.0


def fit_logistic(gaps: Figures, scores: Figures) -> float:
    """The slope (per point of rating) of greatest likelihood for White's scores at those gaps: Newton's method inside a
    bracket, on the concave log-likelihood Σ s ln E + (1 − s) ln(1 − E). Elo's own 400 points are ln 10 / 400 = 0.00576.

    inf where every game went to the higher rated (−inf: to the lower), for then no finite slope is the best; 0.0 where
    no gap says anything. Raises ValueError where the two differ in length.
    """
    leads, made = numpy.asarray(gaps, dtype=float), numpy.asarray(scores, dtype=float)
    if leads.shape != made.shape:
        raise ValueError(f"{leads.size} gaps for {made.size} games.")
    unit = float(numpy.abs(leads).max(initial=0.0))
    if unit == 0.0:
        return 0.0
    leads = leads / unit
    for sign in (1.0, -1.0):  # the greatest pull any slope can leave: all certain, and still too few or too many points
        if float((leads * made).sum()) * sign >= float(numpy.clip(leads * sign, 0.0, None).sum()):
            return sign * inf
    return _root(leads, made) / unit


def _root(leads: Any, made: Any) -> float:
    """Where the likelihood's derivative, which only falls, is zero."""
    slope, low, high = 0.0, -inf, inf
    for _ in range(MOST_STEPS):
        found = logistic(leads, slope)
        pull = float((leads * (made - found)).sum())
        low, high = (slope, high) if pull > 0.0 else (low, slope)
        curvature = float((leads * leads * found * (1.0 - found)).sum())
        step = pull / curvature if curvature > 0.0 else inf
        if pull == 0.0 or abs(step) <= TOLERANCE * max(1.0, abs(slope)):
            break
        slope = slope + step if low < slope + step < high else _between(low, high)
    return slope


def _between(low: float, high: float) -> float:
    """A slope inside the bracket, where Newton's step would leave it."""
    if low == -inf:
        return 2.0 * min(high, -1.0)
    return 2.0 * max(low, 1.0) if high == inf else (low + high) / 2.0
