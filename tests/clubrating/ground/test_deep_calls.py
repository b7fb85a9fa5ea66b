"""Room for deep calls: the same answers, and no page of memory asked for at every end of a piece."""

from collections.abc import Callable
from resource import RUSAGE_SELF, getrusage
from threading import Thread

from clubrating.ground.deep_calls import with_room


def deep(calls: int) -> int:
    return 1 + deep(calls - 1) if calls else 0


def faults(work: Callable[[], object]) -> int:
    """Pages of memory that were new to the process, in a thread with frames of its own."""
    thread = Thread(target=work)
    before = getrusage(RUSAGE_SELF).ru_minflt
    thread.start()
    thread.join()
    return getrusage(RUSAGE_SELF).ru_minflt - before


def test_the_answer_is_the_functions_own() -> None:
    assert with_room(deep)(calls=30) == 30
    assert with_room(sorted)([2, 1], reverse=True) == [2, 1]


def test_what_is_called_again_and_again_finds_its_room() -> None:
    def work() -> None:
        for _ in range(100):
            deep(800)

    assert faults(with_room(work)) < faults(work) / 4
