"""`manage.py seed_demo`: fill an empty database with the demo club."""

from datetime import date
from typing import Any

from django.core.management.base import CommandParser

from clubrating.site.demo.services.club import CLUB_NAME, DemoReport, club_today, is_empty, seed_demo
from tournaments.management.club_command import ClubCommand
from tournaments.management.plain_command import day


class Command(ClubCommand):
    help = """Fill an empty database with the demo club: 40 invented members with a season of games, a finished round
robin, a running one with a round tonight, and the real Candidates Tournament 2024.

Prints the logins of the arbiter and the administrator. Their passwords are random and shown only this once.
Where the demo club is there already, nothing is changed. Another club's database is refused.

  manage.py seed_demo
  manage.py seed_demo --if-empty"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="do nothing, and say nothing, unless it is empty")
        parser.add_argument("--on", type=day, metavar="YYYY-MM-DD", help="the club as it stands on that day (today)")

    def run(self, *, on: date | None, if_empty: bool, **options: Any) -> None:
        if if_empty and not is_empty():
            return
        report = seed_demo(on or club_today())
        if report.created:
            self.stdout.write(_summary(report))
        else:
            self.stdout.write(f"The demo club “{CLUB_NAME}” is there already: nothing was changed.")


def _summary(report: DemoReport) -> str:
    lines = [f"Demo club “{CLUB_NAME}”: {report.players} people, {report.tournaments} events, {report.games} games."]
    if report.logins:
        lines.append("Sign in at /admin/ with one of these (shown only once, write them down):")
        lines += [f"  {login.username:<8} {login.password}" for login in report.logins]
    if report.pass_phrase:
        lines.append(f"Members' pass-phrase, for names that are not public: {report.pass_phrase}")
    if report.captain_link:
        lines.append(f"A captain of the league, on this site: {report.captain_link}")
    return "\n".join(lines)
