"""Work that waits in the queue survives an upgrade in which its function moved."""

import pytest
from django.core.management import call_command
from django.utils import timezone
from django.utils.module_loading import import_string
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from clubrating.management.commands import upgrade
from clubrating.management.commands.upgrade import MOVED_TASKS
from players.models import Club

pytestmark = pytest.mark.django_db


def test_a_waiting_task_is_found_where_its_function_stands_now(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upgrade, "call_command", lambda *_what, **_how: None)
    arguments = {"args": [1], "kwargs": {}}
    for path in (*MOVED_TASKS, "elsewhere.answer"):
        DBTaskResult.objects.create(
            args_kwargs=arguments, task_path=path, backend_name="default", run_after=timezone.now()
        )
    call_command("upgrade")
    waiting = DBTaskResult.objects.all()
    assert {each.task_path for each in waiting} == {*MOVED_TASKS.values(), "elsewhere.answer"}
    assert all(isinstance(import_string(path), Task) for path in MOVED_TASKS.values())
    assert all(each.args_kwargs == arguments for each in waiting)


def test_no_task_is_named_as_it_was_before() -> None:
    for before in MOVED_TASKS:
        with pytest.raises(ImportError):
            import_string(before)
