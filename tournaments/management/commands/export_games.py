"""`manage.py export_games`: the club's rated games as GAMES.csv, for whoever wants to compute a list again."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from tournaments.interchange.games_csv import BIRTH_COLUMNS, COLUMNS
from tournaments.management.club_command import ClubCommand, list_called
from tournaments.management.file_command import OutFiles, write_table
from tournaments.rated_games.selectors.exported import CONTEST_COLUMNS, exported_contests, exported_games, left_out
from tournaments.standings.points import RATED_RESULTS


class Command(ClubCommand):
    help = """Write the games of the rated events as CSV, in the order in which they are rated.

Columns: date, white, black, result, event, round, board, pool, importance, white_points, black_points, event_key,
event_start, event_over, white_born, black_born. With --list only the rated games of that list's pool; without it the
games of all pools, forfeits too.

Personal in it: players stand as #number, without names; but white_born and black_born are years of birth, which
juniors' K needs. They are left out with --public; a list with juniors' K cannot be verified from such a file.

The file can be loaded into a database that has the same players under the same numbers (load_games); each event
becomes an open-ended one there. Loading it into this club would enter the games of its tournaments twice.

  manage.py export_games --list standard --out games.csv
  manage.py export_games --public > all-games.csv
  manage.py export_games --contests --out contests.csv
  manage.py verify_list standard-2026-10-31.csv --games games.csv"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--list", metavar="SLUG", help="only the rated games of this list's pool")
        parser.add_argument("--out", type=Path, metavar="FILE", help="write to this file (default: standard output)")
        parser.add_argument("--public", action="store_true", help="without years of birth")
        parser.add_argument(
            "--contests", action="store_true", help="contests with sides (CONTESTS.csv) in place of games"
        )

    def run(self, *, out: Path | None, public: bool, **options: Any) -> None:
        pool = list_called(options["list"]).pool if options["list"] else None
        header: Sequence[str]
        if options["contests"]:
            rows, header = exported_contests(pool), CONTEST_COLUMNS
        else:
            rows = exported_games(pool, RATED_RESULTS) if pool else exported_games(None)
            header = COLUMNS if public else (*COLUMNS, *BIRTH_COLUMNS)
        lines = (row[: len(header)] for row in rows)
        if out is None:
            writer = csv.writer(self.stdout, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(lines)
        else:
            with OutFiles() as files:
                write_table(files.open(out), header, lines, out)
        if not options["contests"] and (missing := left_out(pool)):
            self.stderr.write(
                f"Left out: {missing} games of events that are not rated, played after the decision of a match, "
                "or with a result the file has no word for."
            )
        if out is not None:
            self.stderr.write(f"Written: {out}")
