"""`manage.py upgrade`: a database of an earlier version is kept as it is, then brought up to this program's."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import connection
from django_tasks_db.models import DBTaskResult

from clubrating.ops.backups.store import (
    BEFORE_UPGRADE,
    Kept,
    forget_way_back,
    make_before_upgrade,
    make_now,
    note_way_back,
)
from players.refusals import Refused
from ratings.lab_pages.services import ask_for_pictures
from tournaments.management.plain_command import bad_input

# Tasks that waited in the queue while their functions moved: path before → path now.
MOVED_TASKS = {
    "clubrating.operations.roll_call.answer": "clubrating.ops.health.worker_check.answer",
    "ratings.services.lab_runs.run_part": "ratings.lab_pages.services.run_part",
    "tournaments.services.jobs.run_chunk": "tournaments.corrections.services.jobs.run_chunk",
    "tournaments.services.questions.answer_chunk": "clubrating.site.jobs.services.answer_chunk",
}


class Command(BaseCommand):
    help = """Bring the database up to this version: “migrate”, and before it, where there is something to lose, a
backup in CLUB_DATA/backups (before-upgrade-…), which “restore” brings back. Without a backup nothing is changed. What
fails may be tried again: the backup it began with stays the way back, however often. bin/serve does this at every
start, bin/upgrade at every upgrade."""
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--keep",
            action="store_true",
            help="a backup also where the database is of this version; its note, CLUB_DATA/upgrade-kept, whoever asks "
            "removes in the end",
        )

    def handle(self, *args: Any, keep: bool, **options: Any) -> None:
        # No club yet whose day and words could be used: its table may be of the earlier version.
        is_new = not connection.introspection.table_names()
        try:
            kept = make_before_upgrade() or (make_now(BEFORE_UPGRADE) if keep and not is_new else None)
            back = note_way_back(kept) if kept else None
        except Refused as refusal:
            raise bad_input(f"{refusal} The database is as it was, of the earlier version.") from None
        self._report(kept, back)
        call_command("migrate", interactive=False, verbosity=0)
        call_command("createcachetable", verbosity=0)  # only where CLUB_CACHE_URL is db://, and once
        for before, now in MOVED_TASKS.items():
            DBTaskResult.objects.filter(task_path=before).update(task_path=now)
        ask_for_pictures()
        # An empty database is one to go back on: that is over when the backup is restored there.
        if not keep and not is_new:
            forget_way_back()

    def _report(self, kept: Kept | None, back: Path | None) -> None:
        if kept:
            self.stdout.write(f"Before the upgrade everything was kept: {kept.path}")
        if kept and back != kept.path:
            self.stdout.write(f"The way back stays what the first try began with: {back}")
