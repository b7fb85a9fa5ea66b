"""`manage.py verify_list LIST.csv --games GAMES.csv`: compute a downloaded list again. No database."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from clubrating.site.lists.list_check import Checked, PooledContests, check_list
from tournaments.interchange.contests_csv import read_exported_contests
from tournaments.interchange.games_csv import ExportedGames, read_exported_games
from tournaments.interchange.list_csv import ListFile, read_list
from tournaments.management.file_command import FileCommand, bad_input, read_input, refuse_bad_rows
from tournaments.management.plain_command import DIFFERENT


class Command(FileCommand):
    help = """Compute a downloaded rating list again from exported games, and say “equal” or where not.

LIST.csv is a list as downloaded from its page (/ratings/<list>/list.csv?on=YYYY-MM-DD); it carries its rules, its
starting ratings and a digest. GAMES.csv comes from “manage.py export_games”; CONTESTS.csv, for a list that rates
contests with sides, from “manage.py export_games --contests”. None needs a database.

Status 0: equal, every rating to four decimals. 1: different, one line for each difference; players by number.
2: a file cannot be used.

  manage.py verify_list standard-2026-10-31.csv --games games.csv
  manage.py verify_list standard-2026-10-31.csv --games games.csv --json"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("list", type=Path, metavar="LIST.csv", help="the downloaded list")
        parser.add_argument("--games", type=Path, metavar="GAMES.csv", required=True, help="the exported games")
        parser.add_argument("--contests", type=Path, metavar="CONTESTS.csv", help="the exported contests with sides")
        parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")

    def run(self, *, games: Path, contests: Path | None, json: bool, **options: Any) -> None:
        list_file, exported, tables = self._read(options["list"], games, contests)
        try:
            checked = check_list(list_file, exported, tables)
        except ValueError as reason:
            raise bad_input(str(reason)) from None
        except ArithmeticError:
            raise bad_input("The list's settings hold numbers nobody can compute with: download it anew.") from None
        self.stdout.write(_as_json(list_file, checked) if json else _as_text(list_file, checked))
        if checked.differences:
            raise CommandError(f"Different: {len(checked.differences)} lines.", returncode=DIFFERENT)

    def _read(self, path: Path, games: Path, contests: Path | None) -> tuple[ListFile, ExportedGames, PooledContests]:
        with read_input(path).naming() as data:
            list_file = read_list(data)
        with read_input(games).naming() as data:
            exported = read_exported_games(data, today=self.today, default_pool=list_file.terms.pool)
        bad = {path: list_file.bad, games: exported.bad}
        tables: PooledContests = ()
        if contests is not None:
            with read_input(contests).naming() as data:
                tables, bad[contests] = read_exported_contests(
                    data, today=self.today, default_pool=list_file.terms.pool
                )
        refuse_bad_rows(bad)
        return list_file, exported, tables


def _as_text(list_file: ListFile, checked: Checked) -> str:
    if checked.differences:
        return "\n".join(checked.differences)
    terms = list_file.terms
    return (
        f"equal: {terms.rating_list} as of {terms.on}, {len(list_file.rows)} players from {checked.games} games, "
        f"digest {checked.digest}; names are not compared"
    )


def _as_json(list_file: ListFile, checked: Checked) -> str:
    values = {
        "list": list_file.terms.rating_list,
        "on": list_file.terms.on.isoformat(),
        "equal": not checked.differences,
        "players": len(list_file.rows),
        "games": checked.games,
        "digest": {"list": list_file.digest, "computed": checked.digest},
        "differences": list(checked.differences),
    }
    return json.dumps(values, ensure_ascii=False)
