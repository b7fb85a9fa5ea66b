"""Queue background work again that a stopped worker left behind."""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.services.jobs import requeue_lost_chunks


class Command(BaseCommand):
    help = "Queue background work again that a stopped worker left behind; doing it twice does no harm."

    def handle(self, *args: Any, **options: Any) -> None:
        count = requeue_lost_chunks()
        if count:
            self.stderr.write(f"{count} unfinished pieces of background work are queued again.")
