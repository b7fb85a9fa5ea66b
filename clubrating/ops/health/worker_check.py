"""Is a worker there while nothing is to be done? Once an hour (`manage.py daily`) a task that does nothing is put into
the queue. Nobody takes it up: after a minute `/readyz` and the administrators' page warn of the queue, as of any task.

Why this and no heartbeat of each worker: docs/decisions/0024.
"""

from datetime import timedelta

from django.utils import timezone
from django_tasks import task
from django_tasks_db.models import DBTaskResult

KEPT = timedelta(days=14)  # as long as failed jobs are told of


@task()
def answer() -> None:
    """Nothing: that somebody took it up is all that is asked."""


def call_roll() -> None:
    """Ask, unless nobody has answered the last time yet."""
    if not DBTaskResult.objects.ready().filter(task_path=answer.module_path).exists():
        answer.enqueue()


def forget_done() -> int:
    """Take finished tasks out of the queue's table; how many. What a job did is told by the job itself."""
    done, _by_table = DBTaskResult.objects.finished().filter(finished_at__lt=timezone.now() - KEPT).delete()
    return done
