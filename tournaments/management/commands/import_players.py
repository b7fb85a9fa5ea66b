"""`manage.py import_players FILE`: people and starting ratings from the club's spreadsheet."""

from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from players.models import AuditEvent
from ratings.lists.selectors.grades import has_grades
from ratings.lists.selectors.lists import primary_list
from ratings.lists.services import ensure_main_list, lock_lists
from tournaments.interchange.players_csv import read_members
from tournaments.interchange.sheets import as_csv_bytes
from tournaments.loading.services.starting_ratings import DayNeededError, ImportedRow, Outcome, import_players
from tournaments.management.club_command import ClubCommand, add_reason, list_called, moves_in_words
from tournaments.management.plain_command import MOST_LINES, bad_input, day, read_file
from tournaments.rated_games.services.people import reach_of
from tournaments.rated_games.services.rating_impact import ImpactRecorder


class Command(ClubCommand):
    help = """Import people and the ratings they bring from a CSV or Excel file.

The first line names the columns: player (or name, id), and any of rating (or elo), games (rated games so far), peak,
deviation, birth_year, reading (the name in another script); Russian and Chinese headers are read too, and family and
given name in two columns. A row without rating only adds the person. People of one name are told apart by their
numbers, written like #17. Importing a file again changes nothing. With a bad row nothing is imported, and all of them
are listed.

The ratings hold from --on, else from today. Where games of these people stand before today, --on must say the day. A
file imported again with an earlier --on lets its ratings hold from there. Ratings that stand may move by it: --dry-run
says which. What moved them is kept with the --reason, and stands on the page of corrections.

Prints one line a row: new, changed or known, the name, the rating.

  manage.py import_players members.csv --dry-run
  manage.py import_players members.csv --list rapid --on 2026-01-01"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="the file")
        parser.add_argument("--list", metavar="SLUG", help="the rating list (default: the club's main list)")
        parser.add_argument(
            "--on", type=day, metavar="YYYY-MM-DD", help="the ratings hold from this day, before its games (today)"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="check everything, say which ratings would move, import nothing"
        )
        add_reason(parser, AuditEvent.Reason.OTHER)

    def run(self, *, file: Path, on: date | None, dry_run: bool, **options: Any) -> None:
        today = timezone.localdate()
        if on is not None and on > today:
            raise bad_input(f"--on {on} lies in the future (today is {today}).")
        data = as_csv_bytes(read_file(file))
        with transaction.atomic():  # a list made for a file that is refused is not made
            # A database without any list gets its first one.
            main = primary_list() or ensure_main_list(by=None) if not options["list"] else None
            rating_list = main or list_called(options["list"])
            people = read_members(data, today=today, grades=has_grades(rating_list))
            how: dict[str, Any] = {"rating_list": rating_list, "on": on, "by": None, "bad": people.bad}
            try:
                report = import_players(people.rows, dry_run=True, **how)
            except DayNeededError as refusal:
                raise _day_needed(refusal, today) from None
            lock_lists()
            begin, firsts = reach_of(report.touched(), rating_list.pool, on or today)
            impact = ImpactRecorder(begin, firsts)
            reason = options["reason"] or (AuditEvent.Reason.OTHER if begin else "")
            import_players(people.rows, reason=reason, note=options["note"], **how)
            moved = [*moves_in_words(impact.moved())] if dry_run else []
            transaction.set_rollback(dry_run)
        for sentence in (*map(str, people.left), *report.alike):
            self.stderr.write(sentence)
        for sentence in moved:
            self.stderr.write(sentence)
        for item in report.rows:
            self.stdout.write(_line(item))
        counts = ", ".join(f"{report.count(outcome)} {outcome}" for outcome in Outcome)
        self.stderr.write(f"{rating_list.name}: {counts}{' (nothing was written)' if dry_run else ''}.")


def _day_needed(refusal: DayNeededError, today: date) -> CommandError:
    more = len(refusal.names) - MOST_LINES
    who = "; ".join(refusal.names[:MOST_LINES]) + (f" and {more} more" if more > 0 else "")
    return bad_input(
        f"Rated games stand before today (the first on {refusal.first}), of: {who}. Nothing was imported: say from "
        f"which day the ratings hold. --on {refusal.first} counts those games from these ratings, --on {today} sets "
        "everybody to them after those games."
    )


def _line(item: ImportedRow) -> str:
    games = "" if item.row.games is None else f" after {item.row.games} games"
    rating = "" if item.row.rating is None else f", {item.row.rating:g}{games}"
    return f"{item.outcome:<8}{item.row.name}{rating}"
