"""Queue background work again that a stopped worker left behind."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from clubrating.site.jobs.services import requeue_lost_work


class Command(BaseCommand):
    help = "Queue background work again that a stopped worker left behind; doing it twice does no harm."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--no-worker-runs",
            action="store_true",
            help="Also what a worker still holds, because none is running: for the start of a single machine.",
        )

    def handle(self, *args: Any, no_worker_runs: bool, **options: Any) -> None:
        count = requeue_lost_work(no_worker_runs=no_worker_runs)
        if count:
            self.stderr.write(f"{count} unfinished pieces of background work are queued again.")
