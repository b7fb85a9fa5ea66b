"""What White, or the home side, is worth: a constant of rating points added to his lead, whoever plays.

E' = 1 / (1 + e^(−(x + a))) with x = ln E / (1 − E), the lead a system sees, and a fitted by maximum likelihood,
max Σ s ln E' + (1 − s) ln(1 − E'). That is the order effect of R. Davidson and R. Beaver, "On extending the
Bradley–Terry model to incorporate within-pair order effects", Biometrics 33 (1977), a draw counted as half a win and
half a loss; in points of Elo it is a × 400 / ln 10. Not done: an advantage that differs by player, strength, place or
year.
"""

from math import log
from typing import Any

import numpy

from ratings.lab.calibration import MOST_STEPS, TOLERANCE
from ratings.lab.measures import CLIP, Figures

POINTS = 400.0 / log(10.0)  # Elo points of one unit of x


def fit_first_move(expected: Figures, scores: Figures) -> float | None:
    """The advantage in Elo points that makes White's scores likeliest on top of these expected scores: Newton's method
    on a concave likelihood. None where there is no game, and where all went one way: no finite one is the best. Raises
    ValueError where the two differ in length."""
    leads, made = _leads(expected), numpy.asarray(scores, dtype=float)
    if leads.shape != made.shape:
        raise ValueError(f"{leads.size} expected scores for {made.size} games.")
    points = float(made.sum())
    if not 0.0 < points < made.size:
        return None
    advantage = 0.0
    for _ in range(MOST_STEPS):
        told = _scores(leads + advantage)
        step = (points - float(told.sum())) / float((told * (1.0 - told)).sum())
        # Far out the curve is flat and a whole step would leap over the answer.
        advantage += max(-1.0, min(step, 1.0))
        if abs(step) <= TOLERANCE:
            break
    return advantage * POINTS


def moved(expected: Figures, advantage: float) -> Any:
    """The expected scores with so many Elo points more for White, as an array; nan stays nan."""
    return _scores(_leads(expected) + advantage / POINTS)


def _leads(expected: Figures) -> Any:
    told = numpy.clip(numpy.asarray(expected, dtype=float), CLIP, 1.0 - CLIP)
    return numpy.log(told) - numpy.log1p(-told)


def _scores(leads: Any) -> Any:
    return (1.0 + numpy.tanh(leads / 2.0)) / 2.0
