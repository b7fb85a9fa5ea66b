"""What a gap in rating points means for the score, and a score for the gap, by every law the systems use.

Sources: FIDE's tables 8.1.2 and 8.1.1 and the xiangqi table (`fide_tables`); the logistic curve (`elo`); the normal law
with standard deviation 2000/7 that both tables were rounded from; US Chess' straight line (`us_chess`).
Gaps are own − opponent in rating points, scores 0 … 1 for one game.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log10
from statistics import NormalDist

from ratings.systems.elo import expected_score
from ratings.systems.fide_tables import (
    Band,
    expected_percent,
    fide_band,
    rating_difference,
    xiangqi_band,
    xiangqi_expected,
)
from ratings.systems.us_chess import CERTAIN_GAP, expected_special

Gaps = tuple[float, float]  # lowest and highest gap; the same twice where the law knows one only
_NORMAL = NormalDist(0.0, 2000 / 7)


@dataclass(frozen=True, slots=True)
class Law:
    """One law, both ways. `gaps` is None where the law gives this score at no gap."""

    key: str
    expected: Callable[[float], float]
    gaps: Callable[[float], Gaps | None]


def logistic_gap(score: float) -> float:
    """The gap at which the logistic curve expects the score; without end at 0 and 1."""
    return inf if score >= 1 else -inf if score <= 0 else 400 * log10(score / (1 - score))


def normal_gap(score: float) -> float:
    """The gap at which the normal law expects the score; without end at 0 and 1."""
    return inf if score >= 1 else -inf if score <= 0 else _NORMAL.inv_cdf(score)


def linear_gaps(score: float) -> Gaps:
    """The gaps at which US Chess' straight line expects the score."""
    gap = 800 * (score - 0.5)
    return (gap if gap > -CERTAIN_GAP else -inf), (gap if gap < CERTAIN_GAP else inf)


def _once(gap: float) -> Gaps:
    return gap, gap


def _of_band(band: Callable[[int], Band]) -> Callable[[float], Gaps | None]:
    """Tables know whole hundredths only: between them there is no gap."""

    def gaps(score: float) -> Gaps | None:
        hundredths = round(100 * score)
        if abs(100 * score - hundredths) > 1e-9:
            return None
        low, high = band(hundredths)
        return (-inf if low is None else low), (inf if high is None else high)

    return gaps


def _difference(score: float) -> Gaps:
    """dp of table 8.1.1, which is entered with whole hundredths, halves up."""
    return _once(float(rating_difference(int(100 * score + 0.5))))


LAWS: tuple[Law, ...] = (
    Law("fide", lambda gap: expected_percent(gap) / 100, _difference),
    Law("fide-back", lambda gap: expected_percent(gap) / 100, _of_band(fide_band)),
    Law("xiangqi", lambda gap: xiangqi_expected(gap, 0.0), _of_band(xiangqi_band)),
    Law("logistic", lambda gap: expected_score(gap, 0.0), lambda score: _once(logistic_gap(score))),
    Law("normal", _NORMAL.cdf, lambda score: _once(normal_gap(score))),
    Law("linear", lambda gap: expected_special(gap, 0.0), linear_gaps),
)
