"""`manage.py backup`: write everything the club keeps to one file, or read such a file back."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from clubrating.ops.backups.archive import Manifest, verify
from clubrating.ops.backups.snapshot import write_backup
from clubrating.ops.backups.staging import check_is_known
from clubrating.ops.backups.store import make_daily
from players.refusals import Refused
from tournaments.management.club_command import ClubCommand
from tournaments.management.plain_command import bad_input


class Command(ClubCommand):
    help = """Write everything the club keeps to FILE, a zip with a digest over every byte. Others may go on working:
the file shows the database as it was at one moment. With --verify the file is read back, and nothing is written: a
damaged one is refused, and one made by a newer version of this program, which could not restore it.

With --daily the day's backup is made in the folder CLUB_DATA/backups, read back, and old ones are put away; where it is
there already nothing happens. bin/serve does this by itself.

  manage.py backup club.zip
  manage.py backup --verify club.zip
  manage.py backup --daily"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, metavar="FILE")
        parser.add_argument("--force", action="store_true", help="write FILE even where something stands there")
        parser.add_argument("--verify", action="store_true", help="read FILE back: is it whole and not too new?")
        parser.add_argument("--daily", action="store_true", help="the day's backup, in CLUB_DATA/backups")
        parser.add_argument("--quiet", action="store_true", help="say nothing where all went well")

    def handle(self, *args: Any, **options: Any) -> None:
        # Reading a file back asks no database: on the way back from an upgrade a new, empty one waits.
        if options["file"] is None or options["daily"] or not options["verify"]:
            super().handle(*args, **options)
            return
        try:
            self._verify(options["file"])
        except Refused as refusal:
            raise bad_input(str(refusal)) from None

    def run(self, *, file: Path | None, force: bool, daily: bool, **options: Any) -> None:
        if daily == (file is not None) or (daily and (force or options["verify"])):
            raise bad_input("Name one file, or write --daily alone.")
        if file is None:
            self._daily(quiet=options["quiet"])
        else:
            progress = self._show_rows if options["verbosity"] else None
            self.stdout.write(f"{file}: {_summary(write_backup(file, force=force, progress=progress))}")

    def _verify(self, file: Path) -> None:
        manifest = verify(file)
        check_is_known(manifest)
        self.stdout.write(f"{file} is whole: {_summary(manifest)}")

    def _daily(self, *, quiet: bool) -> None:
        made = make_daily(timezone.localdate())
        if made and not quiet:
            self.stdout.write(f"{made.path}: {made.size} bytes, read back whole")

    def _show_rows(self, table: str, rows: int) -> None:
        self.stderr.write(f"  {table}: {rows}")


def _summary(manifest: Manifest) -> str:
    made = f"{manifest.made_at:%Y-%m-%d %H:%M:%S} UTC"
    return f"{manifest.rows} rows in {len(manifest.tables)} tables, as they were at {made} ({manifest.engine})"
