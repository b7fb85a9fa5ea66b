"""The study's findings put to the test: every claim against replications of our own, as one document.

Source: the Russian study of six rating systems, the chapter in which its author sums up. Claims stand in
`ratings.lab.claims`, how they are judged in `ratings.lab.rules`, what is measured in `ratings.lab.variants`. All
runs of a replication share one stream of random numbers, so the figures are paired; runs that take longer are made in
fewer replications, and every figure says in how many. Not done: spreading the runs over processes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ratings.lab.claims import CLAIMS, Claim
from ratings.lab.engine import Engine
from ratings.lab.rules import judge, verdict, written
from ratings.lab.variants import Row, long_row, looks_row, newcomers_row, steps_row, study_row

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
