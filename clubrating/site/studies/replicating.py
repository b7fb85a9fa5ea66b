"""Running a study's replications from the command line: journal, workers, interruption.

What is finished stands in the directory's journal before the next one is begun to be read; Ctrl-C (or being told to
end) stops the run there, and `--resume` goes on.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from ratings.lab.engine import PLAIN, Engine, best_engine
from ratings.lab.journal import NAME, AnyStudy, Gathered, Order, begin, go_on, line_of, merged
from ratings.lab.study import in_order

WORTH_COMPILING = 500_000  # games: so many are rated plainly in the time compiling takes
WARM_UP = 200  # games that make everything compile
INTERRUPTED = 130  # what a shell reports of a program that was stopped from the keyboard


class StoppedError(Exception):
    """The run was interrupted after so many replications."""

    def __init__(self, done: int) -> None:
        self.done = done
        super().__init__(done)


def engine_for(games: int) -> Engine:
    """Compiled where so many games are sooner done that way, plain where not: the figures are the same."""
    return best_engine() if games >= WORTH_COMPILING else PLAIN


def compile_for(study: AnyStudy, engine: Engine) -> None:
    """Have everything compiled that the study needs, before it is divided among workers."""
    if engine.is_compiled:
        replace(study, games=WARM_UP).replication(0, engine)


def open_journal(folder: Path, order: Order, *, resume: bool) -> tuple[TextIO, Gathered]:
    """The directory's journal, and what it holds already. Raises JournalError, OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME
    if resume and path.exists():
        return go_on(path, order)
    return begin(path, order), order.study.begin()


def replicate(
    order: Order, engine: Engine, workers: int, found: Gathered, journal: TextIO | None, tell: Callable[[int], None]
) -> None:
    """Make the replications that `found` lacks, add them to it and to the journal. Raises StoppedError."""
    todo = [number for number in order.numbers if number not in found.rows]
    answers = in_order(lambda number: order.study.replication(number, engine), todo, workers)
    with _one_signal(), _stopping(found), closing(answers):
        for made in answers:
            if journal is not None:
                journal.write(line_of(made))
                journal.flush()
            found.add(made)
            tell(found.count)


def merge_into(folders: list[Path], order: Order, journal: TextIO | None, tell: Callable[[int], None]) -> Gathered:
    """All replications of the directories' journals together. Raises JournalError, OSError."""
    found: Gathered = order.study.begin()
    for made in merged([folder / NAME for folder in folders], order):
        if journal is not None:
            journal.write(line_of(made))
        found.add(made)
        tell(found.count)
    return found


@contextmanager
def _stopping(found: Gathered) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise StoppedError(found.count) from None


@contextmanager
def _one_signal() -> Iterator[None]:
    """Being told to end is taken like Ctrl-C, so that workers are not left behind."""
    before = signal.getsignal(signal.SIGTERM)
    # Only a main thread may set one.
    with suppress(ValueError):
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        with suppress(ValueError):
            signal.signal(signal.SIGTERM, before)
