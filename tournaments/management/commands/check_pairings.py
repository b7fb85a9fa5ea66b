"""`manage.py check_pairings FILE.trf`: was every round paired as the rules say? No database."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from tournaments.interchange.checking import (
    NotCheckedError,
    RoundRobinCheck,
    SwissCheck,
    check_round_robin,
    check_swiss,
    is_round_robin,
)
from tournaments.interchange.team_checking import check_teams
from tournaments.interchange.team_pairing_of_report import without_teams
from tournaments.interchange.trf import LARGEST, Report
from tournaments.interchange.trf.teams import is_team_report, teams_of
from tournaments.management.file_command import FileCommand, bad_input, read_input
from tournaments.management.plain_command import DIFFERENT
from tournaments.pairing.base import SWISS_EDITIONS


class Command(FileCommand):
    help = """Compare every round of a tournament report (TRF16 or TRF26) with the pairings it should have.

One line for each round that differs: what is expected, and what the report has, as White-Black by starting numbers.
The order of boards is not compared: reports do not know it. Rounds that are still to come are left out.

A round robin, single or double (with or without the swap of the last two rounds of the first cycle), is compared with
the Berger tables. Everything else is taken for a Swiss: every round is paired again from those before it by the FIDE
(Dutch) System, in the edition that was in force on the first day (042), without a day the newest. Other Swiss systems
and knockouts are refused where their type (092, 192) says so.

A report with team records (310, or 013) is an event of teams, unless --individual is given, and its matches are
compared, the team with White on the odd boards first: with the Berger tables, at home as White or as Black in the whole
event; else with the FIDE Swiss Team Pairing System.

Status 0: every round is right. 1: some differ. 2: no usable report, or one of an event that cannot be checked.

  manage.py check_pairings club-championship.trf
  manage.py check_pairings open.trf --edition 2025"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE.trf", help="the tournament report")
        parser.add_argument(
            "--edition", type=int, choices=SWISS_EDITIONS, help="of the Swiss rules for players, whatever the first day"
        )
        parser.add_argument("--individual", action="store_true", help="compare the boards of players, not of teams")

    def run(self, *, file: Path, edition: int | None, individual: bool, **options: Any) -> None:
        source = read_input(file, LARGEST)
        report = self.read_report(source, of_teams=not individual)
        report = without_teams(report) if individual else report
        teams = is_team_report(report)
        try:
            with source.naming():
                check = check_teams(report) if teams else _players(report, edition)
        except NotCheckedError as reason:
            raise bad_input(f"{file.name}: {reason}") from None
        if not check.rounds:
            raise bad_input(f"{file.name}: no round has a game, so there is nothing to check.")
        for difference in check.differences:
            self.stdout.write(str(difference))
        if check.differences:
            text = f"Paired otherwise: {len(check.differences)} of {check.rounds} rounds."
            raise CommandError(f"{text} Compared with {_rules(check, teams)}.", returncode=DIFFERENT)
        self.stderr.write(
            f"All {check.rounds} rounds are those of {_rules(check, teams)} ({_size(check, report, teams)})."
        )


def _players(report: Report, edition: int | None) -> RoundRobinCheck | SwissCheck:
    return check_round_robin(report) if is_round_robin(report) else check_swiss(report, edition)


def _rules(check: RoundRobinCheck | SwissCheck, teams: bool) -> str:
    if isinstance(check, SwissCheck):
        return f"the FIDE {'Swiss Team Pairing' if teams else '(Dutch)'} System, {check.edition}"
    return "the Berger tables"


def _size(check: RoundRobinCheck | SwissCheck, report: Report, teams: bool) -> str:
    count = f"{len(teams_of(report))} teams" if teams else f"{len(report.players)} players"
    if isinstance(check, SwissCheck):
        return count
    twice = check.settings.get("cycles") == 2
    swapped = ", last two rounds of the first cycle swapped" if check.settings.get("swap_last_two") else ""
    return f"{count}, {'double round robin' if twice else 'round robin'}{swapped}"
