"""`manage.py benchmark ratings|tournaments|web|lab|database`: how fast things are, as ratios to baselines of the
same run."""

import json
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from clubrating.benchmark.federation import measure_federation
from clubrating.benchmark.web import measure_web
from ratings.benchmark.databases import measure_databases
from ratings.benchmark.lab import measure_lab
from ratings.benchmark.measure import Measured
from ratings.benchmark.replays import measure_replays
from tournaments.benchmark.pages import measure_pages
from tournaments.benchmark.playouts import measure_playouts
from tournaments.benchmark.rounds import measure_rounds

# A page costs the same whatever the games behind it: so many are enough for it.
MOST_GAMES = 5000
SUBJECTS = ("ratings", "tournaments", "web", "lab", "database")
PLAYERS = {"tournaments": 200, "database": 10_000}


class Command(BaseCommand):
    help = (
        "Measure speed as ratios: how often the baseline's time each thing takes, in this very run. Nothing here looks "
        "at the club's own database; a scratch one is made and removed. Libraries that are not installed are left out "
        "and named (requirements-benchmark.txt has them)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("subject", choices=SUBJECTS, help="what to measure")
        parser.add_argument("--games", type=int, default=100_000, help="length of the stream (default: 100000)")
        parser.add_argument(
            "--players",
            type=int,
            help="in the large tournaments (default: 200) or in the large club (database; default: 10000)",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
        parser.add_argument("--no-database", action="store_true", help="leave out what needs a scratch database")

    def handle(self, *args: Any, **options: Any) -> None:
        options["players"] = options["players"] or PLAYERS.get(options["subject"], 0)
        found = []
        for measured in self._measure(options):
            found.append(measured)
            if not options["json"]:
                self.stdout.write(_line(measured))
        if options["json"]:
            rows = [measured.as_json() for measured in found]
            sizes = {"tournaments": ("players",), "database": ("players", "games")}.get(options["subject"], ("games",))
            told = {"benchmark": options["subject"], **{size: options[size] for size in sizes}, "results": rows}
            self.stdout.write(json.dumps(told))

    def _measure(self, options: dict[str, Any]) -> Iterator[Measured]:
        database = not options["no_database"]
        if options["subject"] == "tournaments":
            yield from measure_rounds(options["players"])
            if database:
                yield from measure_pages()
            return
        if options["subject"] == "web":
            yield from measure_web(min(options["games"], MOST_GAMES))
            return
        if options["subject"] == "database":
            yield from measure_federation(options["players"], options["games"])
            return
        if options["subject"] == "lab":
            yield from measure_lab(options["games"])
            yield from measure_playouts()
            return
        yield from measure_replays(options["games"])
        if database:
            yield from measure_databases(options["games"])


def _line(measured: Measured) -> str:
    if measured.ratio is None:
        return f"       –  {measured.what} / {measured.against}: {measured.note}"
    goal = "" if measured.goal is None else f"  (goal {measured.goal:g}: {'met' if measured.met else 'MISSED'})"
    return f"{measured.ratio:8.3f}  {measured.what} / {measured.against}{goal}"
