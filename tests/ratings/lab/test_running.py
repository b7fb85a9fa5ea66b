"""Replications in order, whoever makes them."""

import os

import pytest

from ratings.lab.study import WorkerStoppedError, in_order


@pytest.mark.extended
@pytest.mark.parametrize("workers", [1, 2, 3, 9])
def test_answers_come_in_order_whatever_the_workers(workers: int) -> None:
    numbers = [5, 1, 4, 2, 9]
    assert list(in_order(lambda number: number**2, numbers, workers)) == [number**2 for number in numbers]
    assert list(in_order(lambda number: number, [], workers)) == []


def test_workers_are_processes_of_their_own() -> None:
    found = set(in_order(lambda number: os.getpid(), range(4), 2))
    assert len(found) == 2
    assert os.getpid() not in found


def test_a_worker_that_dies_is_told() -> None:
    def make(number: int) -> int:
        if number == 2:
            os._exit(3)
        return number

    answers = in_order(make, range(6), 2)
    assert [next(answers), next(answers)] == [0, 1]
    with pytest.raises(WorkerStoppedError, match="before its work was done"):
        next(answers)


def test_leaving_early_ends_the_workers() -> None:
    answers = in_order(lambda number: os.getpid(), range(100_000), 2)
    workers = [next(answers), next(answers)]
    answers.close()
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)
