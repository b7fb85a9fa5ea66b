"""A study's journal: a file that gains one line as each replication is done, so an interrupted run can go on.

The first line says what is run; every other is one replication with all its looks, in order. A line that was cut off
while it was written is taken away before the run goes on. Journals of the shards of one study merge into the journal
of the undivided run, byte for byte.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from heapq import merge
from pathlib import Path
from typing import Any, Protocol, TextIO

from ratings.lab.contenders import contenders
from ratings.lab.diary_study import DiaryReplication, DiaryStudy
from ratings.lab.study import Replication, Study

NAME = "replications.jsonl"
HINT = "Give the same parameters, or leave --resume out to begin anew."


class JournalError(ValueError):
    """A journal that cannot be used; the text says why and what to do."""


class Gathered(Protocol):
    """Replications so far."""

    @property
    def rows(self) -> Mapping[int, Any]: ...

    @property
    def count(self) -> int: ...

    def add(self, made: Any) -> None: ...


AnyStudy = Study | DiaryStudy
Made = Replication | DiaryReplication


@dataclass(frozen=True, slots=True)
class Order:
    """What is run: a study, how many replications it has, and which share of them (`shard` of `shards`, from 1)."""

    study: AnyStudy
    replications: int
    shard: int = 1
    shards: int = 1

    @property
    def numbers(self) -> range:
        """The replications of this share: every `shards`th, from `shard` - 1 on."""
        return range(self.shard - 1, self.replications, self.shards)

    def document(self) -> dict[str, Any]:
        study = self.study
        return {
            "study": study.kind,
            "games": study.games,
            "replications": self.replications,
            "seed": study.seed,
            **study.details,
            "shard": f"{self.shard}/{self.shards}",
        }

    @classmethod
    def from_document(cls, found: dict[str, Any]) -> "Order":
        shard, shards = map(int, found["shard"].split("/"))
        return cls(_study(found), found["replications"], shard, shards)

    def differences(self, other: "Order") -> list[str]:
        """What differs, as words: "seed 1, not 2"."""
        own, others = self.document(), other.document()
        names = [name for name in own | others if own.get(name) != others.get(name)]
        return [f"{name} {_plain(own.get(name))}, not {_plain(others.get(name))}" for name in names]


def _study(found: Mapping[str, Any]) -> AnyStudy:
    if found["study"] == "diary":
        return DiaryStudy(found["games"], found["seed"], found["bug"] is not None)
    return Study(found["study"], found["games"], found["seed"], contenders(found["systems"]))


def _plain(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value or "none")


# --- writing --------------------------------------------------------------------------------------------------
def line_of(made: Made) -> str:
    """A replication as its line."""
    return _line(made.document())


def begin(path: Path, order: Order) -> TextIO:
    """A new journal, open for its lines. Raises OSError."""
    file = path.open("w", encoding="utf-8", newline="\n")
    file.write(_line(order.document()))
    file.flush()
    return file


def go_on(path: Path, order: Order) -> tuple[TextIO, Gathered]:
    """An existing journal of the same order, open for more lines, and what it holds. Raises JournalError where it is of
    another order, OSError where the disk refuses."""
    known = order_of(path)
    differing = known.differences(order)
    if differing:
        raise JournalError(f"{path} was made with other parameters ({'; '.join(differing)}). {HINT}")
    _cut_off_half_a_line(path)
    found: Gathered = order.study.begin()
    try:
        for made in replications_of(path, order.study):
            found.add(made)
    except JournalError:
        raise
    except ValueError as fault:  # a replication that is there twice
        raise JournalError(f"{path}: {fault} {HINT}") from None
    return path.open("a", encoding="utf-8", newline="\n"), found


def _line(document: dict[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":")) + "\n"


def _cut_off_half_a_line(path: Path) -> None:
    with path.open("r+b") as file:
        whole = 0
        for line in file:
            whole += len(line) if line.endswith(b"\n") else 0
        file.truncate(whole)


# --- reading --------------------------------------------------------------------------------------------------
def order_of(path: Path) -> Order:
    """What a journal is of. Raises JournalError where it is none, OSError where it cannot be read."""
    with path.open(encoding="utf-8", errors="replace") as file:
        first = file.readline()
    try:
        return Order.from_document(json.loads(first))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise JournalError(f"{path}, line 1: this is no journal. Leave --resume out to begin anew.") from None


def replications_of(path: Path, study: AnyStudy) -> Iterator[Made]:
    """Its replications, one at a time. A last line without an end is left out. Raises JournalError for a line that is
    none."""
    with path.open(encoding="utf-8", errors="replace") as file:
        file.readline()
        for number, line in enumerate(file, start=2):
            if not line.endswith("\n"):
                return
            try:
                made = study.read(json.loads(line))
            except (ValueError, KeyError, TypeError):
                raise JournalError(
                    f"{path}, line {number}: this is no replication. Run that part of the study again."
                ) from None
            yield made


# --- merging --------------------------------------------------------------------------------------------------
def whole_order(paths: Sequence[Path]) -> Order:
    """The undivided order of the journals. Raises JournalError where they are not of one study."""
    orders = [order_of(path) for path in paths]
    wholes = [Order(each.study, each.replications) for each in orders]
    for path, whole in zip(paths, wholes, strict=True):
        differing = whole.differences(wholes[0])
        if differing:
            raise JournalError(f"{path} is of another study than {paths[0]}: {'; '.join(differing)}.")
    return wholes[0]


def merged(paths: Sequence[Path], order: Order) -> Iterator[Made]:
    """All replications of the journals in order, one at a time. Raises JournalError where one is missing or there
    twice."""
    expected = 0
    with ExitStack() as stack:
        streams = []
        for path in paths:
            stream = replications_of(path, order.study)
            stack.callback(stream.close)  # type: ignore[attr-defined]
            streams.append(stream)
        for made in merge(*streams, key=lambda each: each.number):
            if made.number < expected:
                raise JournalError(f"Replication {made.number} is there twice: name every shard once.")
            if made.number > expected:
                break
            yield made
            expected += 1
    if expected < order.replications:
        raise JournalError(
            f"Replication {expected} of {order.replications} (counted from 0) is missing: name the directories of all "
            "shards, and let --resume finish the one that was interrupted."
        )
