"""What a measurement is, and how one is taken: the best of several runs, in turns with its baseline."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

Run = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Measured:
    """`ratio` is seconds over the baseline's seconds; `goal` the ratio it should not exceed, None where there is none.
    `note` says why a measurement is missing, where it is."""

    what: str
    against: str
    ratio: float | None
    seconds: float | None = None
    baseline_seconds: float | None = None
    goal: float | None = None
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the goal is reached; None without a goal or a measurement."""
        return None if self.goal is None or self.ratio is None else self.ratio <= self.goal

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"met": self.met}


def compare(
    what: str,
    run: Run,
    against: str,
    baseline: Run,
    *,
    goal: float | None = None,
    rounds: int = 5,
    clock: Callable[[], float] = perf_counter,
) -> Measured:
    """The best of `rounds` runs of each by that `clock`, taken in turns, so that a busy machine slows both."""
    own: list[float] = []
    other: list[float] = []
    with _undisturbed():
        for _ in range(rounds):
            other.append(_seconds(baseline, clock))
            own.append(_seconds(run, clock))
    return Measured(what, against, min(own) / min(other), min(own), min(other), goal)


def seconds(run: Run) -> float:
    """How long one run takes."""
    with _undisturbed():
        return _seconds(run)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """What is loaded already is out of the collector's sight: it would be looked through again and again, for the one
    as for the other, and belongs to neither."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _seconds(run: Run, clock: Callable[[], float] = perf_counter) -> float:
    gc.collect()
    begun = clock()
    run()
    return clock() - begun


def missing(what: str, against: str, note: str, goal: float | None = None) -> Measured:
    """A measurement that cannot be taken here, and why."""
    return Measured(what, against, None, goal=goal, note=note)


def resident() -> int:
    """This process's resident size in pages; 0 where the system does not tell."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text(encoding="ascii").split()[1]) if statm.exists() else 0
