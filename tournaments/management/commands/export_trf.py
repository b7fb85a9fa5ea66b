"""`manage.py export_trf SLUG`: an event of the club as a tournament report, on stdout."""

from typing import Any

from django.core.management.base import CommandParser

from tournaments.interchange.trf import VERSIONS, write_report
from tournaments.management.club_command import ClubCommand
from tournaments.management.plain_command import bad_input
from tournaments.models import Tournament
from tournaments.reports.selectors import report_of


class Command(ClubCommand):
    help = """Write an event as a tournament report, with full names: for officers and federations, not for the site.

  manage.py export_trf club-championship > championship.trf
  manage.py export_trf club-championship --version 16 > championship.trf"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the event's address, as in /tournaments/SLUG/")
        parser.add_argument("--version", type=int, choices=VERSIONS, default=26, help="TRF16 or TRF26 (default)")

    def run(self, *, slug: str, version: int, **options: Any) -> None:
        tournament = Tournament.objects.filter(slug=slug).first()
        if tournament is None:
            raise bad_input(f"There is no event “{slug}”.")
        report = report_of(tournament, version=version)
        self.stdout.write(write_report(report, version).decode(), ending="")
