"""`manage.py push_key`: makes the key with which the club signs notices to browsers (docs/this-is-me.md)."""

from importlib.util import find_spec
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.module_loading import import_string


class Command(BaseCommand):
    help = """Print a new key for notices to browsers, as the two settings it goes into. Nothing is stored. With another
key everybody has to switch notices on anew, so keep it."""
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        if find_spec("http_ece") is None or find_spec("py_vapid") is None:
            raise CommandError(
                "Packages are missing: pip install -r requirements-push.txt, then try again.", returncode=2
            )
        self.stdout.write(f"CLUB_PUSH_KEY={import_string('clubrating.site.notices.push.new_key')()}")
        self.stdout.write("CLUB_PUSH_CONTACT=mailto:club@example.org")
