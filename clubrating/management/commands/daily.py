"""`manage.py daily`: what is to be done once a day, and does no harm done every hour."""

import logging
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from django.core.management import call_command
from django.core.management.base import CommandParser
from django.utils import timezone

from clubrating.ops.backups.erased_people import erase_from_backups
from clubrating.ops.backups.offsite import send_newest
from clubrating.ops.backups.store import clear_put_aside, make_daily
from clubrating.ops.health.worker_check import delete_finished_tasks, queue_worker_check
from clubrating.site.jobs.services import requeue_lost_work
from clubrating.site.luck.services import ask_lucks
from clubrating.site.notices.services import requeue_notices
from clubrating.site.programs.services import requeue_deliveries
from clubrating.site.research.selectors import PROPOSAL
from clubrating.site.research.services import ask_backtests
from players.jobs.services import forget_old_answers
from players.models import Erasure
from players.notices.services.due import forget_old_notices
from players.notices.services.readers import forget_old_mail, forget_old_subscriptions
from players.page_reports.services import forget_page_reports
from players.privacy.services import forget_guardians
from players.programs.services import forget_old_answers as forget_old_answers_to_programs
from players.programs.services import forget_old_deliveries
from players.refusals import Refused
from ratings.lab_pages.services import STUDY_RUN, ask_for_pictures
from ratings.ledger.services.ledger import settle_probations
from tournaments.challenges.services import remind
from tournaments.erasure.services.erasure import tidy_again
from tournaments.evenings.services import forget_arrivals
from tournaments.events.services.counts import recount_games
from tournaments.forecasts.services.due import ask_for_all_due
from tournaments.forecasts.services.season import ask_season_forecasts
from tournaments.management.club_command import ClubCommand
from tournaments.management.plain_command import bad_input
from tournaments.registrations.services.requests import forget_old_requests
from tournaments.score_sheets.services import forget_score_sheets

T = TypeVar("T")

KNOWN = "Backups still know an erased person"
PUT_ASIDE = "A database that was put aside still knows everybody"

_log = logging.getLogger(__name__)


class Command(ClubCommand):
    help = """Forget the guardians of people who came of age and sessions that are over, queue again what a stopped
worker left half done, ask whether a worker is there, put away finished tasks and old answers to questions of the site
and have the back-tests of the public lists worked out where results have come since, make the day's backup unless it is
there, then take erased people out of every backup where that failed before, delete databases that were put aside more
than two weeks ago, and have the newest backup carried off site (CLUB_OFFSITE). Status 2 where something could not be
done; the rest is done all the same. bin/serve does this every hour.

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
        today = timezone.localdate()
        # People are forgotten before the backup is made.
        steps: tuple[tuple[str, Callable[[], object]], ...] = (
            ("guardians forgotten of people who are of age", lambda: forget_guardians(today)),
            ("sessions that are over", lambda: call_command("clearsessions")),
            ("files of the database", tidy_again),
            ("pieces of background work a stopped worker left, queued again", requeue_lost_work),
            ("finished tasks of the queue, put away", delete_finished_tasks),
            ("check of the worker", queue_worker_check),
            ("lists whose probation ends by another rule from now on", settle_probations),
            ("events whose count of games was wrong, counted again", recount_games),
            # A proposal is what an adoption rests on; a study's pictures stay.
            ("old answers to questions of the site, put away", lambda: forget_old_answers(but=[PROPOSAL, STUDY_RUN])),
            ("browsers that wanted notices, forgotten after a year", forget_old_subscriptions),
            ("mail addresses not confirmed within three days, or for a year, forgotten", forget_old_mail),
            ("notices that were sent, forgotten after three days", forget_old_notices),
            ("notices a stopped worker left, queued again", requeue_notices),
            ("challenges that are due tomorrow, reminded of", lambda: remind(today)),
            ("check-ins on evenings, forgotten after a month", forget_arrivals),
            ("requests for entries not confirmed or long settled, forgotten", forget_old_requests),
            ("photos of score sheets of events long over, deleted", forget_score_sheets),
            ("reports of mistakes on pages, forgotten three months after they were done", forget_page_reports),
            ("answers to programs, forgotten after a week", forget_old_answers_to_programs),
            ("messages to webhooks, forgotten after a month", forget_old_deliveries),
            ("messages to webhooks the queue lost, queued again", requeue_deliveries),
            ("back-tests of rating lists, asked for anew", lambda: ask_backtests(today)),
            ("what changes of ratings are made of, asked for anew", ask_lucks),
            ("forecasts of rounds about to be played, asked for", ask_for_all_due),
            ("the lab’s pictures, asked for", lambda: ask_for_pictures() is not None),
            ("forecasts of lists at the year’s end, asked for once a month", lambda: ask_season_forecasts(today)),
        )
        for what, step in steps:
            done = _tried(what, step, problems)
            if done and done is not True:
                yield f"{what}: {done}"
        made = _tried("the day’s backup", lambda: make_daily(today), problems)
        if made:
            yield f"{made.path}: {made.size} bytes, read back whole"
        if (made or problems) and (rewritten := _tried(KNOWN, _erase_from_backups, problems)):
            yield f"backups that know an erased person no more: {rewritten}"
        if gone := _tried(PUT_ASIDE, lambda: clear_put_aside(timezone.now()), problems):
            yield f"databases put aside more than two weeks ago, deleted: {gone}"
        sent = _tried("the copy off site", send_newest, problems)
        if sent and sent.status:
            problems.append(f"The copy off site failed: status {sent.status}, {sent.words or 'without a word'}.")
        elif sent:
            yield f"{sent.backup.path.name}: carried off site"


def _tried(what: str, step: Callable[[], T], problems: list[str]) -> T | None:
    """What the step gives back. One that fails stops no other; what an exception says may name somebody, so it goes
    into the log only, which leaves its words out."""
    try:
        return step()
    except Refused as refusal:
        problems.append(f"{what}: {refusal}")
    except OSError as error:
        problems.append(f"{what}: {error.strerror or type(error).__name__}.")
    except Exception as error:
        _log.exception("%s: broke off.", what)
        problems.append(f"{what}: broke off ({type(error).__name__}).")
    return None


def _erase_from_backups() -> int:
    numbers = set(Erasure.objects.values_list("number", flat=True))
    return erase_from_backups(numbers) if numbers else 0
