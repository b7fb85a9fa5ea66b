"""`manage.py pair FILE.trf`: the next round of a Swiss, from its report; no database."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from tournaments.interchange.pairing_of_report import RoundOfReport, edition_of, round_to_pair
from tournaments.interchange.trf import LARGEST, Report
from tournaments.management.file_command import FileCommand, read_input
from tournaments.management.plain_command import DIFFERENT
from tournaments.pairing.base import SWISS_EDITIONS, PairedRound, PairingError


class Command(FileCommand):
    help = """Pair the next round of a tournament report (TRF16 or TRF26) by the FIDE (Dutch) System.

First the number of pairs, then a line for each in the order of boards: White and Black by starting numbers; the bye
has 0 for Black. The round is the one after the last that has games. Everybody is paired but those who have a cell
0000 - Z (or H, F) in it, or are named by XXZ or 240.

Edition: the one asked for, else the one in force on the first day (042), else the newest. Initial colour: XXC or 152,
else as round 1 had it, else White for number 1. Acceleration: XXA, 250, or a type (192) that ends in BAKU. Pairs that
must not meet: XXP, 260. Points are counted from the rounds (162 or XXS say what they are worth). How many rounds there
are: XXR or 142, else the days of 132; a report without them is taken to be before its last round.

Status 0: paired. 1: the round cannot be paired; the reason is on stderr. 2: no usable report.

  manage.py pair after-round-3.trf
  manage.py pair after-round-3.trf --edition 2025 --out round-4.txt"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE.trf", help="the tournament report")
        parser.add_argument(
            "--edition", type=int, choices=SWISS_EDITIONS, help="of the Swiss rules, whatever the first day"
        )
        parser.add_argument("--out", type=Path, metavar="F", help="write the pairs to a file instead of stdout")

    def run(self, *, file: Path, edition: int | None, out: Path | None, **options: Any) -> None:
        source = read_input(file, LARGEST)
        report = self.read_report(source)
        with source.naming():
            row, boards = _paired(report, edition or edition_of(report))
        lines = [str(len(boards)), *(f"{board.white} {board.black or 0}" for board in boards)]
        self.write_out("".join(f"{line}\n" for line in lines), out, [file])
        rules, colour = f"FIDE (Dutch) System, {row.field.edition}", row.settings["first_colour"]
        last = " as the last round" if row.field.round == row.settings["rounds"] else ""
        self.stderr.write(f"Round {row.field.round}{last} by the {rules}; initial colour: {colour}.")


def _paired(report: Report, edition: int) -> tuple[RoundOfReport, PairedRound]:
    """Raises CommandError where the round cannot be paired."""
    try:
        row = round_to_pair(report, edition)
        return row, row.pair()
    except PairingError as reason:
        raise CommandError(str(reason), returncode=DIFFERENT) from None
