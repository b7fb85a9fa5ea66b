"""`manage.py check_pairings FILE.trf`: was every round paired as the tables say? No database."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from tournaments.interchange.checking import NotCheckedError, RoundRobinCheck, check_round_robin
from tournaments.interchange.trf import LARGEST, Report, read_report
from tournaments.management.club_command import DIFFERENT, first
from tournaments.management.file_command import FileCommand, bad_input, read_input


class Command(FileCommand):
    help = """Compare every round of a tournament report (TRF16 or TRF26) with the pairings it should have.

One line for each round that differs: what the Berger tables say, and what the report has, as White-Black by starting
numbers. The order of boards is not compared: reports do not know it. Rounds that are still to come are left out.
Round robins only, single or double (with or without the swap of the last two rounds of the first cycle).

Status 0: every round is right. 1: some differ. 2: no usable report, or one of an event that cannot be checked yet.

  manage.py check_pairings club-championship.trf"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE.trf", help="the tournament report")

    def run(self, *, file: Path, **options: Any) -> None:
        with read_input(file, LARGEST).naming() as data:
            report = read_report(data)
        for note in first(report.notes):
            self.stderr.write(note)
        try:
            check = check_round_robin(report)
        except NotCheckedError as reason:
            raise bad_input(f"{file.name}: {reason}") from None
        for difference in check.differences:
            self.stdout.write(str(difference))
        if check.differences:
            told = f"Paired otherwise: {len(check.differences)} of {check.rounds} rounds."
            raise CommandError(told, returncode=DIFFERENT)
        self.stderr.write(_all_right(check, report))


def _all_right(check: RoundRobinCheck, report: Report) -> str:
    twice = check.settings.get("cycles") == 2
    swapped = ", last two rounds of the first cycle swapped" if check.settings.get("swap_last_two") else ""
    kind = f"double round robin{swapped}" if twice else "round robin"
    return f"All {check.rounds} rounds are those of the Berger tables ({len(report.players)} players, {kind})."
