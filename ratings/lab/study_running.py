"""Many replications: one after another, or side by side in worker processes; the answers come in order either way.

Every replication follows from its seed and number alone, so it does not matter who makes it. Workers are forks, made
after everything is compiled; a worker that is ahead waits until its answer is wanted, so memory stays flat, and one
whose parent has gone ends by itself.
"""

import signal
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from typing import Any, TypeVar

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
