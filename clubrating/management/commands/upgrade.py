"""`manage.py upgrade`: a database of an earlier version is kept as it is, then brought up to this program's."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import connection

from clubrating.backups.shelf import BEFORE_UPGRADE, Kept, make_before_upgrade, make_now
from players.services.refusals import Refused
from tournaments.management.club_command import bad_input


class Command(BaseCommand):
    help = """Bring the database up to this version: “migrate”, and before it, where there is something to lose, a
backup in CLUB_DATA/backups (before-upgrade-…), which “restore” brings back. Without a backup nothing is changed.
bin/serve does this at every start, bin/upgrade at every upgrade."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--keep", action="store_true", help="a backup also where the database is of this version")

    def handle(self, *args: Any, keep: bool, **options: Any) -> None:
        # No club yet whose day and words could be used: its table may be of the earlier version.
        try:
            kept = make_before_upgrade() or (_make_anyway() if keep else None)
        except Refused as refusal:
            raise bad_input(f"{refusal} The database is as it was, of the earlier version.") from None
        if kept:
            self.stdout.write(f"Before the upgrade everything was kept: {kept.path}")
        call_command("migrate", interactive=False, verbosity=0)
        call_command("createcachetable", verbosity=0)  # only where CLUB_CACHE_URL is db://, and once


def _make_anyway() -> Kept | None:
    """A backup of a database that is of this version already; of an empty one there is none to make."""
    return make_now(BEFORE_UPGRADE) if connection.introspection.table_names() else None
