"""`manage.py seed_scale`: fill an empty database with a club of any size."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from clubrating.site.demo.services.scale import AT_ONCE, seed_scale
from tournaments.management.club_command import ClubCommand

PROGRESS_EVERY = 25 * AT_ONCE


class Command(ClubCommand):
    help = """Fill an empty database with invented people and games, to see what a club of that size costs.

The games of ten years up to today, in one open-ended event a year, rated by the club's own replay: afterwards
“rebuild_ratings --check” finds no difference. The same numbers and seed give the same club of a day. A database
that is in use is refused.

  CLUB_DATA=/tmp/scale manage.py migrate
  CLUB_DATA=/tmp/scale manage.py seed_scale --players 10000 --games 1000000"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, default=1000, metavar="N", help="people (1000)")
        parser.add_argument("--games", type=int, default=20_000, metavar="M", help="rated games (20000)")
        parser.add_argument("--seed", type=int, default=1, help="another one gives another club (1)")

    def run(self, *, players: int, games: int, seed: int, **options: Any) -> None:
        made = seed_scale(players, games, today=timezone.localdate(), seed=seed, tell=self._show_progress)
        self.stdout.write(f"{made.players} people, {made.games} games, {made.rated} of them rated.")

    def _show_progress(self, written: int) -> None:
        if written % PROGRESS_EVERY == 0:
            self.stderr.write(f"{written} games")
