"""Work of a worker that is killed: real processes, SIGKILL, on SQLite and on PostgreSQL; leases are made short."""

import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.databases import copy_template
from tests.live import Site

LEASE = 3
SETUP = "import django; django.setup(); from tests.clubrating.site.jobs import slow_work; "
QUEUE = f"""{SETUP}
from players.jobs.services import Question, ask
slow_work.mail.enqueue()
ask(Question("forecast"))
"""
# Told anew for every line that comes in.
SEEN = f"""{SETUP}
import json, sys
from clubrating.ops.health import state
from django_tasks_db.models import DBTaskResult
from players.models import Job
for _line in sys.stdin:
    queue = next(part for part in state.parts() if part.name == "queue")
    tasks = {{each.task_path.rpartition(".")[2]: each.status for each in DBTaskResult.objects.all()}}
    jobs = [[job.state, job.chunks.get().result] for job in Job.objects.all()]
    print(json.dumps({{"queue": [queue.status, queue.figures["lost"]], "tasks": tasks, "jobs": jobs}}), flush=True)
"""


@contextmanager
def worker(site: Site, *words: str) -> Iterator[subprocess.Popen[str]]:
    process = site.start("-c", f"{SETUP} slow_work.work(*{words})", stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def onlooker(site: Site) -> Iterator[Callable[[], dict[str, Any]]]:
    """A process that tells how things stand, as often as it is asked."""
    with site.start("-c", SEEN, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:

        def seen() -> dict[str, Any]:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("\n")
            process.stdin.flush()
            return dict(json.loads(process.stdout.readline()))

        yield seen


def wait_until(look: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 300
    while not look():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def is_killed_and_done_by_the_next(site: Site, *words: str) -> None:
    """Two workers are killed, one at a chunk, one at another task; one worker does both again."""
    if not site.database:
        copy_template(site.data)
    site.run("-c", QUEUE)
    with onlooker(site) as seen:
        two_are_killed(site, seen, alone=bool(words))
        with worker(site, *words):
            wait_until(lambda: seen()["jobs"] == [["done", 2]])
            wait_until(lambda: seen()["tasks"] == {"mail": "SUCCESSFUL", "answer_chunk": "SUCCESSFUL"})
        assert seen()["queue"] == ["ok", 0]
    assert [(site.data / name).read_text() for name in ("mail", "chunk")] == ["..", ".."], "once more, not twice"


def two_are_killed(site: Site, seen: Callable[[], dict[str, Any]], *, alone: bool) -> None:
    with worker(site) as one, worker(site) as other:
        wait_until(lambda: all((site.data / name).exists() for name in ("mail", "chunk")))
        if not alone:
            time.sleep(LEASE + 1)  # whoever lives keeps what he is at
        assert seen()["queue"] == ["ok", 0]
        for process in (one, other):
            process.send_signal(signal.SIGKILL)
            process.wait()
    if not alone:
        wait_until(lambda: seen()["queue"] == ["warning", 2])


@pytest.mark.slow
def test_the_next_worker_does_it_once_the_lease_is_over(tmp_path: Path, django_db_setup: None) -> None:
    is_killed_and_done_by_the_next(Site(tmp_path, extra={"CLUB_WORK_LEASE": f"{LEASE}"}))


@pytest.mark.slow
def test_the_next_worker_does_it_on_postgresql(tmp_path: Path, migrated_postgres: str) -> None:
    is_killed_and_done_by_the_next(Site(tmp_path, migrated_postgres, {"CLUB_WORK_LEASE": f"{LEASE}"}))


@pytest.mark.slow
def test_where_no_other_runs_the_next_does_it_at_once(tmp_path: Path, django_db_setup: None) -> None:
    """As `bin/serve` starts it again. The lease would last for ten minutes."""
    is_killed_and_done_by_the_next(Site(tmp_path, extra={"CLUB_WORK_LEASE": "600"}), "--alone")
