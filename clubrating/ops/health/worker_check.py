"""Checks that a worker runs even while there is no work: once an hour (`manage.py daily`) a task that does nothing is
queued. Where no worker takes it up, `/readyz` and the administrators' page warn after a minute, as for any task
(docs/decisions/0024).
"""

from datetime import timedelta

from django.utils import timezone
from django_tasks import task
from django_tasks_db.models import DBTaskResult

KEPT = timedelta(days=14)  # as long as failed jobs are reported


@task()
def answer() -> None:
    """Does nothing; that a worker took it up is the answer."""


def queue_worker_check() -> None:
    """Queue the task, unless the last one is still waiting."""
    if not DBTaskResult.objects.ready().filter(task_path=answer.module_path).exists():
        answer.enqueue()


def delete_finished_tasks() -> int:
    """Take finished tasks out of the queue's table; how many. The results of jobs are in `Job`."""
    done, _by_table = DBTaskResult.objects.finished().filter(finished_at__lt=timezone.now() - KEPT).delete()
    return done
