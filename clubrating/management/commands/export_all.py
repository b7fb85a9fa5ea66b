"""`manage.py export_all FOLDER`: everything the club keeps, as files for other programs."""

import os
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from clubrating.ops.backups.snapshot import write_backup
from clubrating.site.export.services import club_files
from tournaments.management.club_command import ClubCommand
from tournaments.management.plain_command import bad_input

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600


class Command(ClubCommand):
    help = """Write everything the club keeps to a new FOLDER, readable to its owner alone: it holds every name.

  players.csv                  the members; import_players and an event's entries read it
  games.csv                    the rated games; load_games, rate and verify_list read it
  ratings/LIST-known-DAY.csv   each rating list as it is known today, and as it was published
  tournaments/EVENT/           entries, boards, standings (CSV), games (PGN), the report (TRF26) where there can be one
  club.zip                     the backup: all of this and the rest, for another copy of this program

  manage.py export_all /media/stick/club"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER", help="made by this command; there is none yet")

    def run(self, *, folder: Path, **options: Any) -> None:
        count = 0
        try:
            folder.mkdir(PRIVATE_FOLDER)
            for name, text in club_files(timezone.localdate()):
                _write(folder, name, text)
                count += 1
        except OSError as error:
            raise bad_input(f"“{folder}” cannot be written ({(error.strerror or str(error)).lower()}).") from None
        write_backup(folder / "club.zip")
        self.stdout.write(f"{folder}: {count} files and the backup club.zip")


def _write(folder: Path, name: str, text: str) -> None:
    path = folder / name
    for parent in reversed(path.relative_to(folder).parents):
        (folder / parent).mkdir(PRIVATE_FOLDER, exist_ok=True)
    private = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    with os.fdopen(private, "w", encoding="utf-8", newline="") as file:
        file.write(text)
