"""`manage.py rebuild_ratings`: rate the lists anew from the facts, or check that nothing would change."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from clubrating.ops.health.state import Check, note_checks
from ratings.models import RatingList
from tournaments.management.club_command import ClubCommand, list_called
from tournaments.management.plain_command import DIFFERENT
from tournaments.rated_games.services.rebuilding import check_list, rebuild_list


class Command(ClubCommand):
    help = """Rate every list (or one) anew from its games and starting ratings.

With --check nothing is written: the status is 0 exactly when ledger and current ratings equal a fresh replay, and 1
otherwise, with one line for each difference. Lines name games by key and players by number.

  manage.py rebuild_ratings --check
  manage.py rebuild_ratings --list rapid"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--list", metavar="SLUG", help="only this rating list")
        parser.add_argument("--check", action="store_true", help="compare and say what differs; write nothing")

    def run(self, *, check: bool, **options: Any) -> None:
        lists = [list_called(options["list"])] if options["list"] else list(RatingList.objects.all())
        if not lists:
            self.stderr.write("There is no rating list yet: make one in the administration, then its games are rated.")
        if check:
            self._check(lists)
            return
        for rating_list in lists:
            self.stdout.write(f"{rating_list.slug}: {rebuild_list(rating_list)} games rated")

    def _check(self, lists: list[RatingList]) -> None:
        checked: dict[str, Check] = {}
        for rating_list in lists:
            # Locked, so that a result entered meanwhile is not taken for a difference.
            with transaction.atomic():
                found = check_list(RatingList.objects.select_for_update(no_key=True).get(pk=rating_list.pk))
            for line in found:
                self.stdout.write(f"{rating_list.slug}: {line}")
            if not found:
                self.stdout.write(f"{rating_list.slug}: equal to a fresh replay")
            checked[rating_list.slug] = Check(timezone.now(), len(found))
        note_checks(checked)
        if differing := sum(1 for row in checked.values() if row.differences):
            raise CommandError(
                f"{differing} of {len(lists)} lists differ from a fresh replay; "
                "“manage.py rebuild_ratings” without --check rates them anew.",
                returncode=DIFFERENT,
            )
