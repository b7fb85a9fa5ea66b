"""How every part is, and what of it keeps visitors out: `/healthz`, `/readyz`."""

from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings as club_settings
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import DjangoAssertNumQueries, Settings

from clubrating.ops.backups import store as shelf
from clubrating.ops.health import state
from clubrating.ops.maintenance import close
from players.models import Club, Job, JobChunk
from ratings.models import RatingList
from tests import factory

pytestmark = pytest.mark.django_db


def part(name: str) -> state.Part:
    return next(row for row in state.parts() if row.name == name)


def queue(minutes: float, **given: Any) -> DBTaskResult:
    """A task that has been waiting so long."""
    now = timezone.now()
    task = DBTaskResult.objects.create(
        args_kwargs={"args": [1], "kwargs": {}}, task_path="x.y", backend_name="default", run_after=now, **given
    )
    since = now - timedelta(minutes=minutes)
    DBTaskResult.objects.filter(pk=task.pk).update(enqueued_at=since, run_after=since)
    return task


def chunk(minutes_left: float | None, state: str = Job.State.RUNNING) -> JobChunk:
    job = Job.objects.create(kind="rebuild-list", state=state)
    until = timezone.now() + timedelta(minutes=minutes_left) if minutes_left is not None else None
    return JobChunk.objects.create(job=job, number=1, lease_until=until)


def test_a_process_that_answers_is_healthy(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_a_site_with_everything_in_order_is_ready(client: Client, club: Club) -> None:
    shelf.make_now()
    answer = client.get("/readyz")
    found = answer.json()
    assert (answer.status_code, found["status"]) == (200, "ok")
    names = ["database", "migrations", "queue", "jobs", "backup", "room", "maintenance"]
    assert list(found["parts"]) == names
    assert all(each["status"] == "ok" for each in found["parts"].values())
    assert found["parts"]["migrations"]["pending"] == 0
    assert found["parts"]["backup"]["age_seconds"] < 60
    assert "no-store" in answer.headers["Cache-Control"]


def test_a_warning_keeps_nobody_out(client: Client, club: Club) -> None:
    answer = client.get("/readyz/")
    assert (answer.status_code, answer.json()["status"]) == (200, "warning")
    assert answer.json()["parts"]["backup"] == {"status": "warning", "age_seconds": None}


def test_before_there_is_a_club_the_site_is_ready_too(client: Client) -> None:
    assert client.get("/readyz").status_code == 200


def test_a_database_that_does_not_answer_keeps_visitors_out(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object) -> None:
        raise DatabaseError("no route to database.internal as club")

    monkeypatch.setattr(state, "MigrationExecutor", refuse)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "failed")
    assert answer.json()["parts"]["database"] == {"status": "failed"}
    assert "migrations" not in answer.json()["parts"]
    assert "internal" not in answer.text
    assert client.get("/healthz").status_code == 200


def test_a_missing_migration_keeps_visitors_out(client: Client) -> None:
    recorder = MigrationRecorder(connection)
    last = sorted(name for app, name in recorder.applied_migrations() if app == "tournaments")[-1]
    recorder.record_unapplied("tournaments", last)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["parts"]["migrations"] == {"status": "failed", "pending": 1}
    assert "queue" not in answer.json()["parts"]


def test_nothing_told_is_a_secret(client: Client, club: Club, data_dir: Path) -> None:
    """Figures are numbers; no path, no version, no key, no name."""
    shelf.make_now()
    found = client.get("/readyz")
    assert all(
        value is None or isinstance(value, int) or value in state.LEVELS
        for each in found.json()["parts"].values()
        for value in each.values()
    )
    for secret in (str(data_dir), club_settings.SECRET_KEY, club.name, connection.vendor, "django"):
        assert secret not in found.text


# --- the queue ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("waits", "at_work", "status"),
    [
        (0, False, "ok"),
        (0.5, False, "ok"),
        (2, True, "ok"),
        (14, True, "ok"),
        (2, False, "warning"),
        (16, True, "warning"),
    ],
)
def test_the_queue_is_late_when_nobody_works_or_all_work_too_long(waits: float, at_work: bool, status: str) -> None:
    queue(waits)
    if at_work:
        chunk(5)
    found = part("queue")
    assert found.status == status
    assert found.figures["waiting"] == 1
    assert abs((found.figures["oldest_seconds"] or 0) - waits * 60) < 5


def test_what_is_done_or_for_tomorrow_does_not_wait() -> None:
    queue(60, status="SUCCESSFUL")
    tomorrow = queue(60)
    DBTaskResult.objects.filter(pk=tomorrow.pk).update(run_after=timezone.now() + timedelta(days=1))
    assert part("queue") == state.Part("queue", "ok", {"waiting": 0, "oldest_seconds": 0, "at_work": 0, "lost": 0})


def test_a_worker_that_went_away_is_told_of() -> None:
    chunk(-1)
    assert part("queue").figures["lost"] == 1
    assert part("queue").status == "warning"


@pytest.mark.parametrize("over", [Job.State.DONE, Job.State.FAILED, Job.State.CANCELLED])
def test_work_that_is_over_is_nobodys(over: str) -> None:
    chunk(-1, over)
    chunk(5, over)
    assert part("queue").status == "ok"


def test_a_failed_job_is_told_of_for_two_weeks() -> None:
    job = Job.objects.create(kind="correct", state=Job.State.FAILED)
    assert (part("jobs").status, part("jobs").figures["failed"]) == ("warning", 1)
    Job.objects.filter(pk=job.pk).update(requested_at=timezone.now() - timedelta(days=15))
    assert (part("jobs").status, part("jobs").figures["failed"]) == ("ok", 1)


# --- backup, room, switch -----------------------------------------------------------------------------------------
def test_an_old_backup_and_a_damaged_one_are_told_of(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    made = shelf.make_now()
    assert part("backup").status == "ok"
    with monkeypatch.context() as changed:
        changed.setattr(shelf, "OLD_AFTER", timedelta(0))
        assert part("backup").status == "warning"
    made.path.write_bytes(b"half")
    assert part("backup").status == "warning"


def test_little_room_and_a_folder_that_is_gone_are_told_of(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> None:
    assert (part("room").figures["free_bytes"] or 0) > 0
    for free, status in ((state.LEAST_ROOM, "ok"), (state.LEAST_ROOM - 1, "warning")):
        monkeypatch.setattr(state.shutil, "disk_usage", lambda _path, free=free: SimpleNamespace(free=free))
        assert part("room").status == status
    monkeypatch.undo()
    settings.DATA_DIR = tmp_path / "gone"
    assert part("room") == state.Part("room", "warning", {"free_bytes": None})


def test_a_closed_site_says_so_and_still_answers_its_probes(client: Client) -> None:
    close("", 5, timezone.now())
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["parts"]["maintenance"]["status"]) == (200, "warning")


def test_all_parts_take_as_many_queries_in_a_busy_club(
    standard: RatingList, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(12):
        queue(1)
        chunk(1)
    with django_assert_max_num_queries(8):
        state.parts()


def test_the_counters_say_how_much_there_is(standard: RatingList) -> None:
    factory.play_all(factory.make_round_robin(factory.make_players(4)))
    players, results = state.numbers_given()
    assert players == 4
    assert results == 6
    assert state.database_bytes() > 50_000
