"""`manage.py import_trf FILE`: a tournament report into the club's database."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from ratings.models import RatingList
from tournaments.interchange.trf import LARGEST, read_report
from tournaments.management.club_command import ClubCommand
from tournaments.management.plain_command import first, read_file
from tournaments.rated_games.selectors.late_starts import late_starts
from tournaments.reports.services.importing import check_plan, import_report
from tournaments.reports.services.plan import Plan, Terms, plan_import

KINDS = {"round-robin": "round robin", "dutch": "Swiss (FIDE Dutch)"}


class Command(ClubCommand):
    help = """Import a tournament report (TRF16 or TRF26): event, players, rounds, results, byes.

People are found by their FIDE number, then by name, whatever its accents, capitals and order; who is not found is
added. A name that may mean several people is a bad row: import such a file in the administration, where you can
choose. A report that is here already changes nothing; one that differs from what is here is refused.
A round robin paired by the Berger tables is made one; every other event is made to be paired by hand.
A database without any rating list gets its first one.
A report of teams (310, 013) becomes an event of teams with its matches, line-ups and points; with --individual its
games are those of single players.

  manage.py import_trf championship.trf --dry-run
  manage.py import_trf rapid.trf --pool rapid"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="the tournament report")
        parser.add_argument("--pool", metavar="SLUG", default="standard", help="the pool its games are rated in")
        by_player = "import a report of teams as an event of single players; its lines of teams are kept"
        parser.add_argument("--individual", action="store_true", help=by_player)
        parser.add_argument("--unrated", action="store_true", help="the event is not rated")
        parser.add_argument("--dry-run", action="store_true", help="check everything, say what it would do, no more")

    def run(self, *, file: Path, pool: str, individual: bool, unrated: bool, dry_run: bool, **options: Any) -> None:
        report = read_report(read_file(file, LARGEST))
        day = timezone.localdate()
        terms = Terms(today=day, name=file.stem, pool=pool, rated=not unrated, individual=individual)
        plan = plan_import(report, terms)
        for sentence in first(plan.notes()):
            self.stderr.write(sentence)
        check_plan(plan)
        if dry_run:
            self.stdout.write(_line("Would be imported", plan) if not plan.known else _known(plan))
            return
        had_list = RatingList.objects.exists()
        done = import_report(report, terms, by=None)
        if not had_list and done.written and done.tournament.rated:
            self.make_first_list(pool)
        for sentence in first(list(map(str, late_starts(done.tournament)))) if done.written else ():
            self.stderr.write(sentence)
        self.stdout.write(_line("Imported", done.plan, done.tournament.slug) if done.written else _known(done.plan))


def _line(verb: str, plan: Plan, slug: str = "") -> str:
    kind = KINDS.get(plan.format.key, "paired by hand")
    if plan.teams:
        matches = sum(match.away is not None for row in plan.teams.rounds for match in row)
        kind = f"teams: {len(plan.teams.event.teams)}, matches: {matches}"
    address = f" ({slug})" if slug else ""
    return (
        f"{verb}: “{plan.name}”{address}, {kind}; players: {len(plan.people)} (new: {plan.new_people}), "
        f"rounds: {len(plan.rounds)}, games: {plan.games}, byes: {plan.byes}."
    )


def _known(plan: Plan) -> str:
    slug = plan.known.slug if plan.known else ""
    return f"There already, nothing was changed: “{plan.name}” ({slug})."
