"""`manage.py publish_list SLUG`: freeze a list as of a day."""

from datetime import date
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from tournaments.management.club_command import ClubCommand, list_called
from tournaments.management.plain_command import day
from tournaments.rated_games.services.past_lists import preview_publication, publish_list


class Command(ClubCommand):
    help = """Publish a rating list as it stands at the end of a day: today's, or any earlier one not published yet.

A published list is never rewritten: neither by corrections nor by this command. Corrections show beside it, in the
list as now known for the day.

  manage.py publish_list standard
  manage.py publish_list standard --on 2026-10-31 --dry-run"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the rating list")
        parser.add_argument("--on", type=day, metavar="YYYY-MM-DD", help="the list at the end of that day (today)")
        parser.add_argument("--dry-run", action="store_true", help="say what would be published; write nothing")

    def run(self, *, slug: str, on: date | None, dry_run: bool, **options: Any) -> None:
        rating_list = list_called(slug)
        preview = preview_publication(rating_list, on or timezone.localdate())
        counts = f"{preview.players} players, {preview.ranked} ranked, {preview.provisional} on probation"
        if dry_run:
            self.stdout.write(f"{slug} as of {preview.on} would be published: {counts}.")
            return
        published = publish_list(rating_list, preview.on, by=None)
        self.stdout.write(f"{slug} as of {preview.on} is published: {counts}. Digest {published.digest}")
