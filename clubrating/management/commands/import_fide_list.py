"""`manage.py import_fide_list FILE`: FIDE's rating list, of any size, for the club's people."""

from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import CommandParser
from django.db import transaction
from django.utils import timezone

from clubrating.site.federation_list.services import (
    ListPlan,
    Match,
    Wanted,
    add_from_list,
    agreed,
    commit_list,
    find_rows,
    plan_list,
    touched_by,
)
from players.models import AuditEvent
from ratings.lists.services import lock_lists
from ratings.models import RatingList
from tournaments.interchange.fide_list import FideRow, read_fide_list
from tournaments.management.club_command import ClubCommand, add_reason, list_called, moves_in_words
from tournaments.management.plain_command import bad_input, first
from tournaments.rated_games.services.people import reach_of
from tournaments.rated_games.services.rating_impact import ImpactRecorder


class Command(ClubCommand):
    help = """Take titles, years of birth and ratings over from FIDE's rating list: XML or TXT, also zipped.

People are known by their FIDE numbers. Who has none and is called like somebody in the list is told as a proposal, and
taken only with --confirm and the FIDE number. Everything is changed, or nothing. Prints one line a person.

  manage.py import_fide_list players_list_xml.zip --dry-run
  manage.py import_fide_list players_list_xml.zip --list standard --confirm 1503014
  manage.py import_fide_list players_list_xml.zip --find "Carlsen"
  manage.py import_fide_list players_list_xml.zip --add 1503014 --list standard"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="the list as it was downloaded")
        parser.add_argument(
            "--list", metavar="SLUG", help="bring starting ratings into this list for people without games in it"
        )
        parser.add_argument(
            "--confirm", action="append", default=[], metavar="NUMBER", help="this proposal is the same person"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would change and which ratings would move, change nothing"
        )
        add_reason(parser, AuditEvent.Reason.OTHER)
        other = parser.add_mutually_exclusive_group()
        other.add_argument("--find", metavar="WORDS", help="print the rows with this number or these words of a name")
        other.add_argument("--add", metavar="NUMBER", help="add the person with this FIDE number, data and all")

    def run(self, *, file: Path, confirm: list[str], dry_run: bool, **options: Any) -> None:
        if (options["reason"] or options["note"]) and (options["find"] is not None or options["add"] is not None):
            raise bad_input("Whoever is only found or added moves no rating: leave --reason and --note out.")
        rating_list = list_called(options["list"]) if options["list"] else None
        with _opened(file) as stream:
            if options["find"] is not None:
                for row in find_rows(read_fide_list(stream, file.name), options["find"]):
                    self.stdout.write(_row(row))
            elif options["add"] is not None:
                self._add(stream, file.name, options["add"], rating_list, dry_run)
            else:
                self._import(stream, file.name, Wanted(rating_list), confirm, **options, dry_run=dry_run)

    def _add(self, stream: BinaryIO, name: str, number: str, rating_list: RatingList | None, dry_run: bool) -> None:
        rows = find_rows(read_fide_list(stream, name), number) if number.isdecimal() else []
        if not rows:
            raise bad_input(f"There is no FIDE number {number} in the list.")
        if not dry_run:
            player = add_from_list(rows[0], rating_list=rating_list, on=timezone.localdate(), by=None)
            self.stderr.write(f"Added as #{player.number}.")
        self.stdout.write(_row(rows[0]))

    def _import(
        self, stream: BinaryIO, name: str, wanted: Wanted, confirm: list[str], *, dry_run: bool, **options: Any
    ) -> None:
        # Read outside the transaction: a million rows take their time, and nobody should wait for them.
        plan = plan_list(read_fide_list(stream, name), wanted)
        self._print_plan(plan, confirm)
        rows, today = [match.row for match in (*plan.known, *plan.proposals)], timezone.localdate()
        with transaction.atomic():
            lock_lists()
            touched = touched_by(agreed(plan, None, confirm))
            begin, firsts = reach_of(touched, wanted.rating_list.pool if wanted.rating_list else "", today)
            impact = ImpactRecorder(begin, firsts)
            reason = options["reason"] or (AuditEvent.Reason.OTHER if begin else "")
            why = {"by": None, "reason": reason, "note": options["note"]}
            done = commit_list(rows, wanted, on=today, seal=plan.seal, confirmed=confirm, **why)
            moved = [*moves_in_words(impact.moved())] if dry_run else []
            transaction.set_rollback(dry_run)
        for sentence in moved:
            self.stderr.write(sentence)
        self.stderr.write("Nothing was written." if dry_run else f"Brought up to date: {len(done)}.")

    def _print_plan(self, plan: ListPlan, confirm: list[str]) -> None:
        for line in first(plan.bad):
            self.stderr.write(line)
        for match in plan.changing:
            self.stdout.write(f"known     {_match(match)}")
        for match in plan.proposals:
            word = "confirmed" if match.row.fide_id in confirm else "perhaps"
            self.stdout.write(f"{word:<10}{_match(match)}")
        for match in plan.conflicts:
            self.stdout.write(f"conflict  #{match.player.number} has this number: {_row(match.row)}")
        self.stderr.write(
            f"{plan.rows} rows read, {plan.bad_rows} of no use; {len(plan.known)} people known by number, "
            f"{len(plan.changing)} of them change, {len(plan.proposals)} proposals by name, {len(plan.conflicts)} "
            f"conflicts, {plan.missing} active people not in the list."
        )


def _opened(path: Path) -> BinaryIO:
    """The file, to be read in pieces. Raises CommandError naming what is wrong with the path."""
    try:
        return path.open("rb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise bad_input(f"“{path}” cannot be read ({reason.lower()}).") from None


def _match(match: Match) -> str:
    changes = ", ".join(f"{name} {now or '–'} → {new}" for name, (now, new) in match.changes.items())
    return f"#{match.player.number} is {_row(match.row)}: {changes or 'nothing changes'}"


def _row(row: FideRow) -> str:
    facts = (row.country, row.title, row.birth_year, *(f"{rate} {value}" for rate, value in row.ratings.items()))
    return " ".join([row.fide_id, row.name, *(str(fact) for fact in facts if fact)])
