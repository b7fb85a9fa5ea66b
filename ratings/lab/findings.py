"""The study's findings, tested by replications of our own, and the first-move advantage.

Findings: every claim of the Russian study of six rating systems (`ratings.lab.claims`), measured
(`ratings.lab.variants`) and judged (`ratings.lab.rules`), as one document. All runs of a replication share one stream
of random numbers, so the figures are paired; runs that take longer are made in fewer replications, and every figure
says in how many. Not done: spreading the runs over processes.

First-move (or home) advantage: a constant a added to White's lead x = ln E / (1 − E), whoever plays, so that
E' = 1 / (1 + e^(−(x + a))); fitted by maximum likelihood, max Σ s ln E' + (1 − s) ln(1 − E'). That is the order effect
of R. Davidson and R. Beaver, "On extending the Bradley–Terry model to incorporate within-pair order effects",
Biometrics 33 (1977), with a draw counted as half a win and half a loss; in Elo points it is a × 400 / ln 10.
Not done: an advantage that differs by player, strength, place or year.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy

from ratings.lab.calibration import MOST_STEPS, TOLERANCE
from ratings.lab.claims import CLAIMS, Claim
from ratings.lab.engine import Engine
from ratings.lab.measures import CLIP, Figures
from ratings.lab.rules import judge, verdict, written
from ratings.lab.variants import (
    Row,
    fresh_row,
    long_row,
    looks_row,
    newcomers_row,
    starts_row,
    steps_row,
    study_row,
    top_row,
)

# --- findings --------------------------------------------------------------------------------------------------------
GAMES = 100_000
REPLICATIONS = 200
FEWEST = 5  # replications of any run, where so many are asked for


@dataclass(frozen=True, slots=True)
class Run:
    """What is measured, (games, seed, replication, engine) → row; in every `thin`th replication only."""

    key: str
    row: Callable[[int, int, int, Engine], Row]
    thin: int

    def replications(self, asked: int) -> int:
        """How many of the replications asked for this run makes."""
        return min(asked, max(FEWEST, asked // self.thin))


RUNS: tuple[Run, ...] = (
    Run("study", study_row, 1),
    Run("long", long_row, 10),
    Run("newcomers", newcomers_row, 8),
    Run("steps", steps_row, 8),
    Run("looks", looks_row, 20),
    Run("starts", starts_row, 5),
    Run("top", top_row, 5),
    Run("fresh", fresh_row, 5),
)


def findings_report(
    *, games: int = GAMES, replications: int = REPLICATIONS, seed: int, engine: Engine, tell: Callable[[int], None]
) -> dict[str, Any]:
    """The document: every claim with its verdict and figures. `tell` is called with the number of rows made so far
    (`work` of them in all). `first` holds the figures of replication 0, by which the document can be checked quickly.
    Raises ValueError for fewer than 1000 games or no replication."""
    if games < 1000 or replications < 1:
        raise ValueError("The findings need 1000 games and one replication at least.")
    rows: list[Row] = [{} for _ in range(replications)]
    done = 0
    for run in RUNS:
        for replication in range(run.replications(replications)):
            rows[replication] |= run.row(games, seed, replication, engine)
            done += 1
            tell(done)
    return {
        "study": "findings",
        "made_by": f"manage.py run_study findings --games {games} --replications {replications} --seed {seed}",
        "games": games,
        "seed": seed,
        "replications": {run.key: run.replications(replications) for run in RUNS},
        "claims": [judged(claim, rows) for claim in CLAIMS],
        "first": rows[0],
    }


def work(replications: int) -> int:
    """How many rows a report of so many replications makes."""
    return sum(run.replications(replications) for run in RUNS)


def judged(claim: Claim, rows: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """A claim by those rows: its key, the verdict, and the figures of each part that was measured."""
    found = [(part, judge(part, rows)) for part in claim.parts]
    return {
        "key": claim.key,
        "verdict": str(verdict([each for _, each in found])),
        "figures": {part.key: written(part, each) for part, each in found if each},
    }


# --- first-move advantage --------------------------------------------------------------------------------------------
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
        found = _scores(leads + advantage)
        step = (points - float(found.sum())) / float((found * (1.0 - found)).sum())
        # Far from the maximum the curve is flat and a full Newton step would overshoot.
        advantage += max(-1.0, min(step, 1.0))
        if abs(step) <= TOLERANCE:
            break
    return advantage * POINTS


def moved(expected: Figures, advantage: float) -> Any:
    """The expected scores with so many Elo points more for White, as an array; nan stays nan."""
    return _scores(_leads(expected) + advantage / POINTS)


def _leads(expected: Figures) -> Any:
    found = numpy.clip(numpy.asarray(expected, dtype=float), CLIP, 1.0 - CLIP)
    return numpy.log(found) - numpy.log1p(-found)


def _scores(leads: Any) -> Any:
    return (1.0 + numpy.tanh(leads / 2.0)) / 2.0
