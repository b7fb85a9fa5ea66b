"""The diary's last version over many replications: the order it finds, the runaway leader, the deficit.

Source: the Elo diary of 2009; see `ratings.lab.diary`. Four figures of every replication are kept, so memory is flat.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ratings.lab.diary import LAST, DiaryFigures, diary_replication
from ratings.lab.engine import Engine
from ratings.lab.summary import summarise

GAMES = 31_000  # a thousand tournaments
MINUS_ONE = "minus-one"


class DiaryReplication(NamedTuple):
    """One run of the diary."""

    number: int
    figures: DiaryFigures

    def document(self) -> dict[str, Any]:
        """As plain values; `DiaryStudy.read` reads them back."""
        return {"replication": self.number, **self.figures._asdict()}


@dataclass(slots=True)
class DiaryRows:
    """Replications so far, by number."""

    rows: dict[int, DiaryFigures] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return len(self.rows)

    def add(self, made: DiaryReplication) -> None:
        """Add one replication. Raises ValueError where it is in already."""
        if made.number in self.rows:
            raise ValueError(f"Replication {made.number} is there twice.")
        self.rows[made.number] = made.figures


@dataclass(frozen=True, slots=True)
class DiaryStudy:
    """Games of a replication (whole tournaments), seed, and whether the fault is in force: a loser scored -1."""

    games: int
    seed: int
    bug: bool = False
    kind: str = "diary"

    @property
    def details(self) -> dict[str, Any]:
        """What tells this study from others of its kind, games and seed."""
        return {"bug": MINUS_ONE if self.bug else None}

    @property
    def tournaments(self) -> int:
        return self.games // LAST.games

    def replication(self, number: int, engine: Engine) -> DiaryReplication:
        """Play all tournaments once."""
        figures = diary_replication(self.tournaments, self.seed, number, bug=self.bug, engine=engine)
        return DiaryReplication(number, figures)

    def begin(self) -> DiaryRows:
        """Nothing yet."""
        return DiaryRows()

    def read(self, document: Mapping[str, Any]) -> DiaryReplication:
        """A replication as `DiaryReplication.document` told it."""
        figures = DiaryFigures(*(float(document[name]) for name in DiaryFigures._fields))
        return DiaryReplication(int(document["replication"]), figures)

    def report(self, found: DiaryRows) -> dict[str, Any]:
        """What the replications say, as plain values for JSON. `deficit`: points recorded - points expected, over all
        players and tournaments."""
        rows = [found.rows[number] for number in sorted(found.rows)]
        head = {"study": self.kind, "games": self.games, "replications": found.count, "seed": self.seed}
        figures = {
            name: dict(summarise([getattr(row, name) for row in rows])._asdict()) for name in DiaryFigures._fields
        }
        return head | self.details | figures
