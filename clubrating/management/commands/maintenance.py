"""`manage.py maintenance`: close the site for a while, and open it again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from clubrating.ops.maintenance import LONGEST_MESSAGE, MINUTES, close, notice, reopen
from tournaments.management.plain_command import bad_input


class Command(BaseCommand):
    help = """Close the site (every page says so, with status 503), open it again, or tell which it is. It works at once
and without a restart, on this machine; it needs no database."""
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["on", "off", "status"])
        parser.add_argument("--message", default="", help="what visitors are told besides, in your own words")
        parser.add_argument("--minutes", type=int, default=MINUTES, help=f"when to ask again (default: {MINUTES})")

    def handle(self, *args: Any, what: str, message: str, minutes: int, **options: Any) -> None:
        if not (1 <= minutes <= 24 * 60 and len(message) <= LONGEST_MESSAGE):
            raise bad_input(f"Write 1 to 1440 minutes, and at most {LONGEST_MESSAGE} characters.")
        try:
            self.stdout.write(_done(what, message, minutes))
        except OSError as error:
            raise bad_input(f"The switch cannot be written ({(error.strerror or str(error)).lower()}).") from None


def _done(what: str, message: str, minutes: int) -> str:
    if what == "on":
        close(message.strip(), minutes, timezone.now())
        return "The site is closed; “manage.py maintenance off” opens it."
    if what == "off":
        return "The site is open again." if reopen() else "The site was not closed."
    return "The site is closed." if notice() else "The site is open."
