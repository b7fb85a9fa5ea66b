"""`manage.py pair FILE.trf`: the next round of a Swiss, from its report; no database."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from tournaments.interchange.pairing_of_report import edition_of, round_to_pair
from tournaments.interchange.team_pairing_of_report import team_round_to_pair, without_teams
from tournaments.interchange.trf import LARGEST, Report
from tournaments.interchange.trf.teams import is_team_report
from tournaments.management.file_command import FileCommand, read_input
from tournaments.management.plain_command import DIFFERENT
from tournaments.pairing.base import SWISS_EDITIONS, Board, PairingError
from tournaments.pairing.team_base import TeamPair
from tournaments.pairing.team_swiss.pairing import pair_teams


class Command(FileCommand):
    help = """Pair the next round of a tournament report (TRF16 or TRF26): players by the FIDE (Dutch) System, teams by
the FIDE Swiss Team Pairing System.

First the number of pairs, then a line for each in the order of boards: White and Black by starting numbers; the bye
has 0 for Black. The round is the one after the last that has games. Everybody is paired but those who have a cell
0000 - Z (or H, F) in it, or are named by XXZ or 240.

Edition: the one asked for, else the one in force on the first day (042), else the newest. Initial colour: XXC or 152,
else as round 1 had it, else White for number 1. Acceleration: XXA, 250, or a type (192) that ends in BAKU. Pairs that
must not meet: XXP, 260. Points are counted from the rounds (162 or XXS say what they are worth). How many rounds there
are: XXR or 142, else the days of 132; a report without them is taken to be before its last round.

A report with team records (310, or 013) is an event of teams, unless --individual is given: the lines then name teams,
the one with White on the odd boards first, in the order of matches. The type (192) says which score decides and which
colour preferences there are: FIDE_TEAM_TYPEA_MP_GP and its like; nothing, and FIDE_TEAM, mean just that one. Match
points: 362, 320; who is away, must not meet, or is accelerated: 240, 260, 250 by numbers of teams.

Status 0: paired. 1: the round cannot be paired; the reason is on stderr. 2: no usable report.

  manage.py pair after-round-3.trf
  manage.py pair after-round-3.trf --edition 2025 --out round-4.txt
  manage.py pair teams-after-round-3.trf"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE.trf", help="the tournament report")
        parser.add_argument(
            "--edition", type=int, choices=SWISS_EDITIONS, help="of the Swiss rules for players, whatever the first day"
        )
        parser.add_argument("--individual", action="store_true", help="pair the players, whatever teams they are of")
        parser.add_argument("--out", type=Path, metavar="F", help="write the pairs to a file instead of stdout")

    def run(self, *, file: Path, edition: int | None, individual: bool, out: Path | None, **options: Any) -> None:
        source = read_input(file, LARGEST)
        report = self.read_report(source, of_teams=not individual)
        report = without_teams(report) if individual else report
        with source.naming():
            try:
                boards, told = _teams(report) if is_team_report(report) else _players(report, edition)
            except PairingError as reason:
                raise CommandError(str(reason), returncode=DIFFERENT) from None
        lines = [str(len(boards)), *(f"{board.white} {board.black or 0}" for board in boards)]
        self.write_out("".join(f"{line}\n" for line in lines), out, [file])
        self.stderr.write(told)


def _players(report: Report, edition: int | None) -> tuple[tuple[Board | TeamPair, ...], str]:
    """The boards, and what they were made by. Raises PairingError where the round cannot be paired."""
    row = round_to_pair(report, edition or edition_of(report))
    rules, colour = f"FIDE (Dutch) System, {row.field.edition}", row.settings["first_colour"]
    last = row.field.round == row.settings["rounds"]
    return row.pair(), _told(row.field.round, rules, colour, last=last)


def _teams(report: Report) -> tuple[tuple[Board | TeamPair, ...], str]:
    field = team_round_to_pair(report)
    kind = "no colour preferences" if field.preferences == "none" else f"type {field.preferences}"
    rules = f"FIDE Swiss Team Pairing System, {kind}, {field.scoring.primary} first"
    colour = "white" if field.first_white else "black"
    return pair_teams(field), _told(field.round, rules, colour, last=field.round == field.rounds)


def _told(number: int, rules: str, colour: str, *, last: bool) -> str:
    return f"Round {number}{' as the last round' if last else ''} by the {rules}; initial colour: {colour}."
