"""`manage.py restore`: put a backup in the place of what the database holds."""

import sys
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandParser

from clubrating.ops.backups.archive import Manifest
from clubrating.ops.backups.restoring import check_backup, restore_backup
from clubrating.ops.backups.store import BEFORE_RESTORE, make_now
from tournaments.management.club_command import ClubCommand
from tournaments.management.plain_command import bad_input


class Command(ClubCommand):
    help = """Put the backup FILE in the place of everything the club's database holds. A damaged file, and one made by
a newer version, is refused; an older one is brought up to date. The change is made at once or not at all. What was
there before is kept in CLUB_DATA/backups first.

Everybody is signed out, background work is ended, and people erased since the backup are erased again. Restart the
site afterwards. The file may come from another machine and another kind of database.

  manage.py restore club.zip
  manage.py restore --yes --check club.zip"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--yes", action="store_true", help="do not ask")
        parser.add_argument("--check", action="store_true", help="compare every rating with a fresh replay afterwards")

    def run(self, *, file: Path, yes: bool, check: bool, **options: Any) -> None:
        manifest = check_backup(file)
        if not yes and not self._agreed(manifest):
            raise bad_input("Nothing was changed.")
        kept = make_now(BEFORE_RESTORE, spare=file)
        self.stderr.write(f"What was there is kept: {kept.path}")
        done = restore_backup(file, progress=self._show_rows if options["verbosity"] else None)
        self.stdout.write(f"Restored: {done.rows} rows, as they were at {_moment(manifest)}. Now restart the site.")
        if done.erased:
            self.stdout.write(f"Erased again: {done.erased} people.")
        if done.jobs:
            self.stdout.write(f"Background work of that day was ended: {done.jobs} jobs, see the administration.")
        if check:
            call_command("rebuild_ratings", check=True, stdout=self.stdout, stderr=self.stderr)
        else:
            self.stdout.write("“manage.py rebuild_ratings --check” tells whether every rating equals a fresh replay.")

    def _agreed(self, manifest: Manifest) -> bool:
        if not sys.stdin.isatty():
            raise bad_input("Nobody is there to ask: write --yes to replace everything the database holds.")
        self.stderr.write(f"This replaces everything the database holds by what it held at {_moment(manifest)}.")
        return input("Write “yes” to go on: ").strip().lower() == "yes"

    def _show_rows(self, table: str, rows: int) -> None:
        self.stderr.write(f"  {table}: {rows}")


def _moment(manifest: Manifest) -> str:
    return f"{manifest.made_at:%Y-%m-%d %H:%M:%S} UTC"
