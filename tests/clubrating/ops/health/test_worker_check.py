"""Whether a worker is there is asked every hour, even where nobody wants anything of one."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone
from django_tasks_db.management.commands import db_worker
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from clubrating.ops.health import state
from clubrating.ops.health import worker_check as roll_call
from clubrating.ops.health.worker_check import delete_finished_tasks, queue_worker_check
from players.models import Club
from tests import factory
from tournaments.forecasts.services.due import follow_up

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _a_queue_of_its_own(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the site has it; the other tests do everything at once. The worker leaves the test's line to the database."""
    monkeypatch.setattr(db_worker, "close_old_connections", lambda: None)
    settings.TASKS = factory.QUEUE


def queue() -> state.Part:
    return next(part for part in state.parts() if part.name == "queue")


def let_pass(time: timedelta) -> None:
    """What waits has been waiting so much longer."""
    for task in DBTaskResult.objects.ready():
        DBTaskResult.objects.filter(pk=task.pk).update(enqueued_at=task.enqueued_at - time)


def work() -> None:
    """The library's worker, until nothing waits; its command would take the signals too."""
    db_worker.Worker(
        queue_names=["default"],
        interval=0,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id="one",
        excluded_queue_names=[],
    ).run()


def test_a_worker_that_is_there_answers_and_nothing_is_said() -> None:
    queue_worker_check()
    assert queue().figures["waiting"] == 1
    work()
    assert [task.status for task in DBTaskResult.objects.all()] == ["SUCCESSFUL"]
    let_pass(timedelta(minutes=2))
    assert (queue().status, queue().figures["waiting"]) == ("ok", 0)


def test_where_none_is_there_the_queue_is_warned_of_after_a_minute() -> None:
    queue_worker_check()
    assert queue().status == "ok"
    let_pass(timedelta(minutes=2))
    assert queue().status == "warning"


def test_one_question_waits_never_two() -> None:
    follow_up.enqueue(0)  # other work waits beside it
    for _hour in range(3):
        queue_worker_check()
        let_pass(timedelta(hours=1))
    assert DBTaskResult.objects.count() == 1 + 1
    assert (queue().figures["oldest_seconds"] or 0) >= 3 * 3600, "since when nobody answers stays to be seen"
    work()
    queue_worker_check()
    assert DBTaskResult.objects.count() == 1 + 2


def test_the_daily_look_asks(club: Club) -> None:
    call_command("daily", quiet=True)
    (asked,) = DBTaskResult.objects.filter(task_path=roll_call.answer.module_path)
    assert asked.status == "READY"


def test_finished_tasks_go_after_two_weeks_and_what_waits_stays() -> None:
    queue_worker_check()
    work()
    queue_worker_check()
    assert delete_finished_tasks() == 0
    DBTaskResult.objects.finished().update(finished_at=timezone.now() - roll_call.KEPT - timedelta(minutes=1))
    DBTaskResult.objects.ready().update(enqueued_at=timezone.now() - 2 * roll_call.KEPT)
    assert delete_finished_tasks() == 1
    assert [task.status for task in DBTaskResult.objects.all()] == ["READY"]
