"""The study of six rating systems over many replications: worker processes, sums over replications, report.

Source: the Russian study of six rating systems, its chapters on the index of disorder and on the variant with newcomers
("imitator", "newcomers"). Every system's table is measured on one stream of games. Index 1 is the mean disorder at
games 100, 200 … 10,000, index 2 at games 10,100 … 100,000; a shorter stream's indices are means over the looks there
are, and null where there is none.

Replications run one after another or in parallel worker processes; each follows from its seed and number alone, and the
answers come in order either way. Workers are forked after everything is compiled; one that is ahead waits until its
answer is wanted, so memory stays constant, and one whose parent has ended ends by itself.

Only exact integers are added up (sums and sums of squares of the disorder at every look), so parts made anywhere and in
any order merge into exactly the figures of an undivided run.
"""

import signal
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import sqrt
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from typing import Any, NamedTuple, TypeVar

from ratings.lab.contenders import Contender
from ratings.lab.engine import Engine
from ratings.lab.summary import Summary, summarise
from ratings.lab.table import EVERY, Table
from ratings.lab.world import stretches

# --- worker processes ------------------------------------------------------------------------------------------------
T = TypeVar("T")


class WorkerStoppedError(RuntimeError):
    """A worker process ended before its work was done."""


def can_fork() -> bool:
    """Whether this machine can run workers side by side."""
    return "fork" in get_all_start_methods()


def in_order(make: Callable[[int], T], numbers: Sequence[int], workers: int = 1) -> Generator[T, None, None]:
    """`make(number)` of every number, in their order. Raises WorkerStoppedError where a worker failed."""
    workers = min(workers, len(numbers))
    if workers < 2 or not can_fork():
        yield from map(make, numbers)
        return
    started: list[tuple[ForkProcess, Connection]] = []
    try:
        for first in range(workers):
            started.append(_started(make, numbers[first::workers], [pipe for _, pipe in started]))
        for at in range(len(numbers)):
            yield _received(started[at % workers][1])
    finally:
        for process, pipe in started:
            pipe.close()
            process.terminate()
        for process, _ in started:
            process.join()


def _started(
    make: Callable[[int], T], numbers: Sequence[int], others: Sequence[Connection]
) -> tuple[ForkProcess, Connection]:
    context = get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(make, numbers, sender, [receiver, *others]), daemon=True)
    process.start()
    sender.close()
    return process, receiver


def _work(make: Callable[[int], T], numbers: Sequence[int], sender: Connection, foreign: Sequence[Connection]) -> None:
    """A worker's life. The ends it inherited and does not need are closed, else it would never learn that its parent
    has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for pipe in foreign:
        pipe.close()
    with suppress(BrokenPipeError):
        for number in numbers:
            sender.send(make(number))


def _received(pipe: Connection) -> Any:
    try:
        return pipe.recv()
    except EOFError:
        raise WorkerStoppedError("A worker stopped before its work was done; what it said is above.") from None


# --- one replication -------------------------------------------------------------------------------------------------
STUDIES = ("imitator", "newcomers")
GAMES = 100_000
YARDSTICK = "elo"  # the system the others are measured by
LOOKS = (slice(0, 100), slice(100, 1000))  # of the first and the second index
THIN = 10  # looks from one value of a thinned curve to the next: 1000 games


@dataclass(frozen=True, slots=True)
class Replication:
    """One run of the study: of every system, by key, the disorder at every look (one per 100 games)."""

    number: int
    index: Mapping[str, Sequence[int]]

    def document(self) -> dict[str, Any]:
        """As plain values; `Study.read` reads them back."""
        return {"replication": self.number, "index": dict(self.index)}


# --- adding up ------------------------------------------------------------------------------------------------
class Sums(NamedTuple):
    """One system's looks and their squares, added up over replications."""

    total: list[int]
    squares: list[int]

    def plus(self, other: "Sums") -> "Sums":
        """Both together. Raises ValueError where they differ in length."""
        both = zip(self, other, strict=True)
        return Sums(*([one + two for one, two in zip(own, more, strict=True)] for own, more in both))


@dataclass(slots=True)
class Accumulated:
    """Replications so far. `rows[number][key]`: the disorder of a system summed over each of the two ranges."""

    sums: dict[str, Sums] = field(default_factory=dict)
    rows: dict[int, dict[str, tuple[int, ...]]] = field(default_factory=dict)

    def add(self, made: Replication) -> None:
        """Add one replication. Raises ValueError where it is in already."""
        sums = {key: Sums(list(looks), [look * look for look in looks]) for key, looks in made.index.items()}
        row = {key: tuple(sum(looks[span]) for span in LOOKS) for key, looks in made.index.items()}
        self._join(Accumulated(sums, {made.number: row}))

    def _join(self, part: "Accumulated") -> None:
        twice = self.rows.keys() & part.rows.keys()
        if twice:
            raise ValueError(f"Replication {min(twice)} is there twice.")
        if self.rows and part.rows and self.sums.keys() != part.sums.keys():
            raise ValueError("The parts are of different systems.")
        self.rows |= part.rows
        for key, sums in part.sums.items():
            self.sums[key] = self.sums[key].plus(sums) if key in self.sums else sums

    @classmethod
    def merged(cls, parts: Iterable["Accumulated"]) -> "Accumulated":
        """All parts together, in whatever order they come. Raises ValueError where they share a replication or are of
        different systems or lengths."""
        whole = cls()
        for part in parts:
            whole._join(part)
        return whole

    def document(self) -> dict[str, Any]:
        """As plain values for JSON; `from_document` reads them back."""
        return {
            "sums": {key: each._asdict() for key, each in self.sums.items()},
            "rows": {str(number): self.rows[number] for number in sorted(self.rows)},
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Accumulated":
        """What `document` gave, also after a journey through JSON."""
        sums = {key: Sums(**each) for key, each in document["sums"].items()}
        rows = {
            int(number): {key: tuple(spans) for key, spans in row.items()} for number, row in document["rows"].items()
        }
        return cls(sums, rows)

    @property
    def count(self) -> int:
        return len(self.rows)

    def in_order(self) -> Iterator[Mapping[str, tuple[int, ...]]]:
        """The rows by number of replication."""
        return (self.rows[number] for number in sorted(self.rows))

    def curve(self, key: str) -> dict[str, Any]:
        """Mean and sample deviation of a system's disorder at every look, from whole numbers."""
        count, sums = self.count, self.sums[key]
        pairs = max(1, count * (count - 1))
        return {
            "every": EVERY,
            "mean": [total / count for total in sums.total],
            "sd": [sqrt((count * squares - total * total) / pairs) for total, squares in zip(*sums, strict=True)],
        }


# --- the study ------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Study:
    """ "imitator" or "newcomers", games of a replication, seed, and who takes part."""

    kind: str
    games: int
    seed: int
    contenders: tuple[Contender, ...]

    @property
    def details(self) -> dict[str, Any]:
        """What tells this study from others of its kind, games and seed."""
        return {"systems": list(self.keys)}

    @property
    def has_newcomers(self) -> bool:
        return self.kind == "newcomers"

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(each.key for each in self.contenders)

    @property
    def looks(self) -> tuple[int, ...]:
        """How many looks there are in each of the two ranges."""
        return tuple(len(range(self.games // EVERY)[span]) for span in LOOKS)

    def replication(self, number: int, engine: Engine) -> Replication:
        """Run all systems side by side on the games of that replication."""
        tables: list[Table] = []
        index: list[list[int]] = [[] for _ in self.contenders]
        # A stretch ends where newcomers join, after a whole number of looks.
        for stretch in stretches(self.games, self.seed, number, engine, newcomers=self.has_newcomers):
            strengths = [person.strength for person in stretch.joining]
            for table in tables:
                table.join(strengths)
            tables = tables or [Table(each, engine, strengths) for each in self.contenders]
            for table, looks in zip(tables, index, strict=True):
                looks += table.play(stretch.white, stretch.black, stretch.scores)
        return Replication(number, dict(zip(self.keys, index, strict=True)))

    def begin(self) -> Accumulated:
        """Nothing yet."""
        return Accumulated()

    def read(self, document: Mapping[str, Any]) -> Replication:
        """A replication as `Replication.document` gave it. Raises ValueError where it is not one of this study."""
        index = {key: list(document["index"][key]) for key in self.keys}
        if any(len(looks) != self.games // EVERY for looks in index.values()):
            raise ValueError("The replication is of another length.")
        return Replication(int(document["replication"]), index)

    def report(self, found: Accumulated) -> dict[str, Any]:
        """What the replications say, as plain values for JSON: of every system both indices, their ratio to Elo's on
        the same stream, and the curve; then the orders of systems, by the share of replications in which each held."""
        return {
            "study": self.kind,
            "games": self.games,
            "replications": found.count,
            "seed": self.seed,
            "systems": {key: self._system(key, found) for key in self.keys},
            "orders": [order for number in range(len(LOOKS)) for order in self._orders(number, found)],
        }

    def indices(self, found: Accumulated, number: int) -> dict[str, dict[str, float | None]]:
        """Both indices of every system in one replication; None where the stream is too short for it."""
        row = found.rows[number]
        return {
            key: {
                f"index_{at + 1}": row[key][at] / looks if looks else None for at, looks in enumerate(self.looks)
            }
            for key in self.keys
        }  # fmt: skip

    def _system(self, key: str, found: Accumulated) -> dict[str, Any]:
        ranges = range(len(LOOKS))
        system: dict[str, Any] = {f"index_{at + 1}": _summary(self._index(key, at, found)) for at in ranges}
        if YARDSTICK in self.keys:
            system["ratio_to_elo"] = {f"index_{at + 1}": _summary(_ratios(key, at, found)) for at in ranges}
        return system | {"curve": found.curve(key)}

    def _index(self, key: str, number: int, found: Accumulated) -> list[float]:
        """That index of every replication; empty where the stream is too short for it."""
        looks = self.looks[number]
        return [row[key][number] / looks for row in found.in_order()] if looks else []

    def _orders(self, number: int, found: Accumulated) -> list[dict[str, Any]]:
        """Full orders, least disorder first (equals as the systems were named), the most frequent order first."""
        if not self.looks[number]:
            return []
        orders = Counter(
            tuple(sorted(self.keys, key=lambda key: row[key][number])) for row in found.in_order()
        )  # fmt: skip
        ranked = sorted(orders.items(), key=lambda each: (-each[1], each[0]))
        return [{"range": number + 1, "order": list(order), "share": held / found.count} for order, held in ranked]


def _ratios(key: str, number: int, found: Accumulated) -> list[float]:
    """The index as a multiple of Elo's in the same replication; empty where Elo once had no disorder at all."""
    pairs = [(row[key][number], row[YARDSTICK][number]) for row in found.in_order()]
    return [own / elo for own, elo in pairs] if all(elo for _, elo in pairs) else []


def _summary(values: Sequence[float]) -> dict[str, float | None]:
    """Mean, sd and se of a figure over replications; all of them None where there is none."""
    return summarise(values)._asdict() if values else dict.fromkeys(Summary._fields)


# --- shapes of the document -----------------------------------------------------------------------------------
def without_curves(report: Mapping[str, Any]) -> dict[str, Any]:
    """The report as it is printed."""
    systems = {key: {name: each[name] for name in each if name != "curve"} for key, each in report["systems"].items()}
    return {**report, "systems": systems}


def with_thin_curves(report: Mapping[str, Any]) -> dict[str, Any]:
    """The report as it is kept with the code: curves with one value per 1000 games."""
    systems = {key: {**each, "curve": _thinned(each["curve"])} for key, each in report["systems"].items()}
    return {**report, "systems": systems}


def _thinned(curve: Mapping[str, Any]) -> dict[str, Any]:
    span = slice(THIN - 1, None, THIN)
    return {"every": THIN * curve["every"], "mean": curve["mean"][span], "sd": curve["sd"][span]}
