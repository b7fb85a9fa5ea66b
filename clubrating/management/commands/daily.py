"""`manage.py daily`: what is to be done once a day, and does no harm done every hour."""

from collections.abc import Iterator
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandParser
from django.utils import timezone

from clubrating.ops.backups.erased_people import erase_from_backups
from clubrating.ops.backups.store import Kept, clear_put_aside, make_daily
from clubrating.ops.health.worker_check import delete_finished_tasks, queue_worker_check
from clubrating.site.jobs.services import requeue_lost_chunks
from clubrating.site.research.selectors import PROPOSAL
from clubrating.site.research.services import ask_backtests
from players.jobs.services import forget_old_answers
from players.models import Erasure
from players.privacy.services import forget_guardians
from players.refusals import Refused
from tournaments.erasure.services.erasure import tidy_again
from tournaments.forecasts.services.due import ask_for_all_due
from tournaments.management.club_command import ClubCommand, bad_input


class Command(ClubCommand):
    help = """Forget the guardians of people who came of age and sessions that are over, queue again what a stopped
worker left half done, ask whether a worker is there, put away finished tasks and old answers to questions of the site
and have the back-tests of the public lists worked out where results have come since, make the day's backup unless it is
there, then take erased people out of every backup where that failed before, and delete databases that were put aside
more than two weeks ago. Status 2 where something could not be done; the rest is done all the same. bin/serve does this
every hour.

  15 * * * *  cd /srv/club && CLUB_DATA=/srv/club-data .venv/bin/python manage.py daily --quiet"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--quiet", action="store_true", help="say nothing where all went well")

    def run(self, *, quiet: bool, **options: Any) -> None:
        problems: list[str] = []
        for said in self._done(problems):
            if not quiet:
                self.stdout.write(said)
        if problems:
            raise bad_input(" ".join(problems))

    def _done(self, problems: list[str]) -> Iterator[str]:
        # People are forgotten before the backup is made.
        if forgotten := forget_guardians(timezone.localdate()):
            yield f"guardians forgotten of people who are of age: {forgotten}"
        call_command("clearsessions")
        tidy_again()
        if lost := requeue_lost_chunks(begun=True):
            yield f"pieces of background work a stopped worker left, queued again: {lost}"
        if done := delete_finished_tasks():
            yield f"finished tasks of the queue, put away: {done}"
        queue_worker_check()
        # A proposal is what an adoption rests on.
        if old := forget_old_answers(but=[PROPOSAL]):
            yield f"old answers to questions of the site, put away: {old}"
        if asked := ask_backtests(timezone.localdate()):
            yield f"back-tests of rating lists, asked for anew: {asked}"
        if asked := ask_for_all_due():
            yield f"forecasts of rounds about to be played, asked for: {asked}"
        made = _backup(problems)
        if made:
            yield f"{made.path}: {made.size} bytes, read back whole"
        if (made or problems) and (rewritten := _erase_from_backups(problems)):
            yield f"backups that know an erased person no more: {rewritten}"
        if gone := _clear(problems):
            yield f"databases put aside more than two weeks ago, deleted: {gone}"


def _backup(problems: list[str]) -> Kept | None:
    try:
        return make_daily(timezone.localdate())
    except Refused as refusal:
        problems.append(str(refusal))
        return None


def _erase_from_backups(problems: list[str]) -> int:
    numbers = set(Erasure.objects.values_list("number", flat=True))
    try:
        return erase_from_backups(numbers) if numbers else 0
    except (Refused, OSError) as refusal:
        problems.append(f"Backups still know an erased person: {refusal}")
        return 0


def _clear(problems: list[str]) -> int:
    try:
        return clear_put_aside(timezone.now())
    except OSError as refusal:
        problems.append(f"A database that was put aside still knows everybody: {refusal}")
        return 0
