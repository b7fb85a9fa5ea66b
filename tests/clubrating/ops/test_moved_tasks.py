"""Work that waits in the queue survives an upgrade in which its function moved."""

import pytest
from django.core.management import call_command
from django.utils import timezone
from django.utils.module_loading import import_string
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from clubrating.management.commands.upgrade import MOVED_TASKS
from players.models import Club

pytestmark = pytest.mark.django_db


@pytest.mark.extended
@pytest.mark.parametrize("before", MOVED_TASKS)
def test_a_waiting_task_is_found_where_its_function_stands_now(club: Club, before: str) -> None:
    arguments = {"args": [1], "kwargs": {}}
    waiting = DBTaskResult.objects.create(
        args_kwargs=arguments, task_path=before, backend_name="default", run_after=timezone.now()
    )
    call_command("upgrade")
    waiting.refresh_from_db()
    assert waiting.task_path == MOVED_TASKS[before]
    assert isinstance(import_string(waiting.task_path), Task)
    assert waiting.args_kwargs == arguments


def test_no_task_is_named_as_it_was_before() -> None:
    for before in MOVED_TASKS:
        with pytest.raises(ImportError):
            import_string(before)
