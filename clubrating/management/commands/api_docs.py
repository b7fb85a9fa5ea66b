"""`manage.py api_docs`: write the reference part of docs/api.md."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from clubrating.site.programs.openapi import with_reference


class Command(BaseCommand):
    help = """Write the reference part of docs/api.md anew, from the description of the API's addresses in the code.

  manage.py api_docs
  manage.py api_docs --check    writes nothing; status 1 where it is out of date"""

    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="only say whether it is as the code has it")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        path = settings.BASE_DIR / "docs" / "api.md"
        try:
            was = path.read_text(encoding="utf-8")
            now = with_reference(was)
            if not check:
                path.write_text(now, encoding="utf-8")
        except (OSError, ValueError) as error:
            raise CommandError(f"{path}: {error}", returncode=2) from error
        if check and was != now:
            raise CommandError(f"{path} is out of date: run manage.py api_docs", returncode=1)
