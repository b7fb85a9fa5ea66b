"""`manage.py split_stream GAMES.csv`: split a stream of games into two clubs, join them by few games. No database."""

import argparse
import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from clubrating.ground.numbers import whole_number
from ratings.history.one_scale_proof import REPLICATIONS, SPLITS, one_scale_report
from ratings.history.whole_history import HistoryGame
from tournaments.interchange.games_csv import GameRow, read_games
from tournaments.management.file_command import FileCommand, Progress, bad_input, read_input, refuse_bad_rows
from tournaments.management.plain_command import seed
from tournaments.standings.points import SCORES

_MOST = 1000


class Command(FileCommand):
    help = """Split the players of a stream into two clubs, forget the games between them, and join the clubs again by
1, 2, 4 … 64 of these games. What comes out is held against what all games together say.

The clubs are split by lot, into the stronger and the weaker half, and so that few games are between them. A line has
the number of games that join them; the error of the clubs' difference and the deviation told (points); how many of its
95 % intervals held the truth; how much is still assumed; and the share of intervals that held for single members.

GAMES.csv has dates; forfeits are left out. The same file and seed give the same figures.

  manage.py split_stream games.csv --replications 20 --out one-scale.json"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="GAMES.csv", help="the games")
        parser.add_argument(
            "--replications",
            type=_splits,
            default=REPLICATIONS,
            metavar="R",
            help=f"splits of each kind (default: {REPLICATIONS})",
        )
        parser.add_argument("--seed", type=seed, default=1, metavar="S", help="of the random numbers (default: 1)")
        parser.add_argument("--out", type=Path, metavar="F.json", help="keep the report as JSON")

    def run(self, *, file: Path, replications: int, seed: int, out: Path | None, **options: Any) -> None:
        with read_input(file).naming() as data:
            found = read_games(data, today=self.today)
        refuse_bad_rows({file: found.bad})
        games = _games(found.rows)
        progress = Progress(self.stderr, replications * len(SPLITS), "splits")
        try:
            report = one_scale_report(games, replications=replications, seed=seed, tell=progress.tell)
        except ValueError as reason:
            raise bad_input(str(reason)) from None
        progress.end()
        if out is not None:
            self.write_out(json.dumps(report, indent=1) + "\n", out, [file])
        for line in report["lines"]:
            self.stdout.write(
                f"{line['split']}, {line['way']}, {line['games']} games: error {line['error']}, deviation "
                f"{line['deviation']}, held {line['held']} of {line['asked']}, assumed {line['assumed']}, members held "
                f"{line['members_held']}"
            )


def _games(rows: tuple[GameRow, ...]) -> list[HistoryGame]:
    """The games that were played, players numbered in the order of their names. Raises CommandError without dates."""
    played = [row for row in rows if row.result in SCORES]
    numbers = {name: number for number, name in enumerate(sorted({name for row in played for name in _sides(row)}))}
    games = []
    for row in played:
        if row.played_on is None:
            raise bad_input("The games have no dates: add a column “date”, written YYYY-MM-DD.")
        first, second = (numbers[name] for name in _sides(row))
        games.append(HistoryGame(first, second, row.played_on.toordinal(), SCORES[row.result]))
    return games


def _sides(row: GameRow) -> tuple[str, str]:
    return row.white, row.black


def _splits(text: str) -> int:
    count = whole_number(text)
    if count is None or not 2 <= count <= _MOST:
        raise argparse.ArgumentTypeError(f"“{text}” is no whole number from 2 to {_MOST}")
    return count
