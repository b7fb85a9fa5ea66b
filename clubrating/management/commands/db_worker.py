"""`manage.py db_worker`: the queue's own worker, and a thread beside it that renews the leases of what this worker is
at and queues again what others left that were killed. It takes the place of the command of django_tasks_db, under its
name, so that every unit and compose file a club has written gets it.
"""

import logging
from argparse import ArgumentParser
from threading import Event, Thread
from typing import Any

from django.conf import settings
from django.db import close_old_connections, connection
from django_tasks_db.management.commands import db_worker

from clubrating.site.jobs.services import renew_leases, requeue_lost_work

BEATS = 4  # in the time of a lease

_log = logging.getLogger(__name__)


class Command(db_worker.Command):
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--alone",
            action="store_true",
            help="No other worker runs: what one had begun is queued again at once, before its lease is over.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options.pop("alone"):
            requeue_lost_work(no_worker_runs=True)
        ended = Event()
        Thread(target=keep_leases, args=(options["worker_id"], ended), daemon=True).start()
        try:
            super().handle(*args, **options)
        finally:
            ended.set()


def keep_leases(worker: str, ended: Event) -> None:
    """Until the worker has ended. A beat that fails, as while the database is away, is followed by the next."""
    while True:
        try:
            renew_leases(worker)
            requeue_lost_work()
        except Exception:
            _log.warning("The leases of a worker were not renewed.", exc_info=True)
            connection.close()
        close_old_connections()
        if ended.wait(settings.WORK_LEASE.total_seconds() / BEATS):
            connection.close()
            return
