"""Which work counts as lost, and what becomes of it."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as club_settings
from django.utils import timezone
from django_tasks_db.models import DBTaskResult, get_date_max
from pytest_django import Settings

from clubrating.accounts.mail import mail_link
from clubrating.ops.health import state
from clubrating.ops.health.worker_check import answer as worker_check
from clubrating.site.jobs import services
from clubrating.site.jobs.services import MOST_TRIES, answer_chunk, renew_leases, requeue_lost_work
from players.jobs.services import Question, lease_chunk, write_question
from players.models import Job, JobChunk
from ratings.lab_pages.services import run_part
from tests import factory
from tournaments.corrections.services.jobs import run_chunk
from tournaments.forecasts.services.due import follow_up

pytestmark = pytest.mark.django_db
LEASE = club_settings.WORK_LEASE
WITH_CHUNK = {"forecast": answer_chunk, "lab-study": run_part, "correct": run_chunk, "rebuild-list": run_chunk}


@pytest.fixture(autouse=True)
def _a_queue_of_its_own(settings: Settings) -> None:
    settings.TASKS = factory.QUEUE


def begun(task: Any, *words: Any, ago: timedelta, by: int = 1) -> DBTaskResult[Any, Any]:
    """A task that its `by`th worker began so long ago and has not renewed since."""
    task.enqueue(*words)
    row = DBTaskResult.objects.get(status="READY")
    workers = [f"worker {number}" for number in range(by)]
    DBTaskResult.objects.filter(pk=row.pk).update(
        status="RUNNING", started_at=timezone.now() - ago, worker_ids=workers, run_after=get_date_max()
    )
    row.refresh_from_db()
    return row


def leased(kind: str, ago: timedelta) -> JobChunk:
    _job, chunk = write_question(Question(kind), by=None)
    assert chunk is not None
    assert lease_chunk(chunk.pk)
    JobChunk.objects.filter(pk=chunk.pk).update(lease_until=timezone.now() - ago + LEASE)
    return chunk


def status() -> list[str]:
    return [row.status for row in DBTaskResult.objects.all()]


def lost() -> int:
    return next(part for part in state.parts() if part.name == "queue").figures["lost"] or 0


def test_a_lease_is_short_enough() -> None:
    """Requeued within a minute: the lease, and the beat of the worker that looks for what is lost."""
    assert timedelta(minutes=1) > LEASE + LEASE / 4


def test_a_chunk_is_leased_to_one_until_the_lease_is_over() -> None:
    _job, chunk = write_question(Question("forecast"), by=None)
    assert chunk is not None
    assert [bool(lease_chunk(chunk.pk)) for _worker in range(2)] == [True, False]


@pytest.mark.parametrize("kind", WITH_CHUNK)
def test_a_chunk_of_every_kind_is_queued_again_once(kind: str) -> None:
    chunk = leased(kind, LEASE * 2)
    begun(WITH_CHUNK[kind], chunk.pk, ago=LEASE * 2)
    assert lost() == 1
    assert requeue_lost_work() == 1
    assert (status(), lost()) == (["READY"], 0)
    assert lease_chunk(chunk.pk), "whoever takes the task up gets the chunk"
    assert requeue_lost_work() == 0


def test_where_no_worker_runs_a_renewed_lease_delays_nothing() -> None:
    """Taken back before its lease is over, a task may be taken at once, as its chunk may."""
    chunk = leased("forecast", timedelta(0))
    begun(answer_chunk, chunk.pk, ago=LEASE * 2)
    renew_leases("worker 0")
    assert requeue_lost_work(no_worker_runs=True) == 1
    assert DBTaskResult.objects.ready().count() == 1
    assert lease_chunk(chunk.pk)


@pytest.mark.parametrize("kind", WITH_CHUNK)
def test_a_chunk_the_queue_lost_is_queued_again_once(kind: str) -> None:
    leased(kind, LEASE * 2)
    assert [requeue_lost_work() for _beat in range(3)] == [1, 0, 0]
    assert [row.task_path for row in DBTaskResult.objects.all()] == [WITH_CHUNK[kind].module_path]


@pytest.mark.parametrize(("task", "words"), [(mail_link, ([1], "/")), (follow_up, (1,)), (worker_check, ())])
def test_a_task_that_is_no_chunk_is_queued_again_too(task: Any, words: tuple[Any, ...]) -> None:
    begun(task, *words, ago=LEASE * 2)
    assert lost() == 1
    assert [requeue_lost_work() for _beat in range(2)] == [1, 0]
    assert (status(), lost()) == (["READY"], 0)


def test_what_somebody_is_at_is_left_alone_unless_no_worker_runs() -> None:
    chunk = leased("forecast", timedelta(0))
    row = begun(answer_chunk, chunk.pk, ago=timedelta(seconds=1))
    assert (requeue_lost_work(), status(), lost()) == (0, ["RUNNING"], 0)
    long_ago = timezone.now() - LEASE * 9
    DBTaskResult.objects.filter(pk=row.pk).update(started_at=long_ago)
    JobChunk.objects.filter(pk=chunk.pk).update(lease_until=long_ago)
    renew_leases("worker 0")
    assert (requeue_lost_work(), status(), lost()) == (0, ["RUNNING"], 0)
    assert requeue_lost_work(no_worker_runs=True) == 1
    assert status() == ["READY"]


def test_a_worker_renews_its_own_work_only() -> None:
    """Two began at the same moment."""
    chunk = leased("forecast", LEASE * 2)
    task = begun(answer_chunk, chunk.pk, ago=LEASE * 2, by=2)
    begun(worker_check, ago=LEASE * 2)
    DBTaskResult.objects.update(started_at=task.started_at)
    assert lost() == 2
    renew_leases("worker 0")
    task.refresh_from_db()
    assert (lost(), task.run_after) == (1, get_date_max())
    renew_leases("worker 1")
    assert lost() == 0


def test_a_worker_that_has_not_taken_its_chunk_yet_may_still_take_it() -> None:
    _job, chunk = write_question(Question("forecast"), by=None)
    assert chunk is not None
    begun(answer_chunk, chunk.pk, ago=timedelta(0))
    renew_leases("worker 0")
    assert lease_chunk(chunk.pk)


@pytest.mark.parametrize("column", ["run_after", "started_at"])
def test_what_was_renewed_or_taken_since_it_was_found_lost_is_left_alone(
    column: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(worker_check, ago=LEASE * 2)
    found = services.lost_tasks()
    DBTaskResult.objects.update(**{column: timezone.now()})
    monkeypatch.setattr(services, "lost_tasks", lambda **how: found)
    assert (requeue_lost_work(), status()) == (0, ["RUNNING"])


def test_a_task_that_is_no_chunk_renews_none() -> None:
    chunk = leased("forecast", LEASE * 2)
    JobChunk.objects.filter(pk=chunk.pk).update(id=1)
    begun(mail_link, [1], "/", ago=LEASE * 2)
    assert lost() == 2
    renew_leases("worker 0")
    assert lost() == 1


def test_only_work_that_kills_its_workers_is_given_up() -> None:
    leased("rebuild-list", timedelta(0))
    chunk = leased("forecast", LEASE * 2)
    leased("correct", timedelta(0))
    begun(answer_chunk, chunk.pk, ago=LEASE * 2, by=MOST_TRIES)
    assert [requeue_lost_work() for _beat in range(2)] == [0, 0]
    assert (status(), lost()) == (["FAILED"], 0)
    failed = Job.objects.filter(state=Job.State.FAILED)
    assert [(job.kind, bool(job.message)) for job in failed] == [("forecast", True)]


def test_a_mail_of_yesterday_is_not_sent_but_a_chunk_is_done() -> None:
    begun(mail_link, [1], "/", ago=timedelta(days=2))
    assert (requeue_lost_work(), status()) == (0, ["FAILED"])
    chunk = leased("forecast", timedelta(days=2))
    begun(answer_chunk, chunk.pk, ago=timedelta(days=2))
    assert requeue_lost_work() == 1
    assert sorted(status()) == ["FAILED", "FAILED", "READY"]
