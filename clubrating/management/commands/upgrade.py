"""`manage.py upgrade`: a database of an earlier version is kept as it is, then brought up to this program's."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from clubrating.backups.shelf import make_before_upgrade
from players.services.refusals import Refused
from tournaments.management.club_command import bad_input


class Command(BaseCommand):
    help = """Bring the database up to this version: “migrate”, and before it, where there is something to lose, a
backup in CLUB_DATA/backups (before-upgrade-…), which “restore” brings back. Without a backup nothing is changed.
bin/serve does this at every start."""

    def handle(self, *args: Any, **options: Any) -> None:
        # No club yet whose day and words could be used: its table may be of the earlier version.
        try:
            kept = make_before_upgrade()
        except Refused as refusal:
            raise bad_input(f"{refusal} The database is as it was, of the earlier version.") from None
        if kept:
            self.stdout.write(f"Before the upgrade everything was kept: {kept.path}")
        call_command("migrate", interactive=False, verbosity=0)
