"""`bin/benchmark SUBJECT|all`: how fast things are, as ratios to baselines of the same run."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.utils import timezone

from benchmarks.measure import Measured
from benchmarks.page import PAGES, write_pages
from benchmarks.records import Machine, Record, keep, key_of, this_machine
from benchmarks.subjects import FEDERATION, SECTIONS, SUBJECTS, USUAL, USUAL_ELSEWHERE, Section, Size

ALL = "all"


class Command(BaseCommand):
    help = """Measure speed as ratios: how often the baseline's time each thing takes, in this very run.

Nothing here looks at the club's own database; a scratch one is made and removed. Libraries that are not installed are
left out and named (requirements-benchmark.txt has them); so is bbpPairings, unless CLUB_BBP_PAIRINGS names its file.
docs/performance.md is made by

  bin/benchmark all --write [--postgres postgres://user@host/postgres]

on a machine with nothing else to do, with a large club of 100,000 people and a million games. What broke off is
measured anew by its subject's name alone."""

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **options)
        parser.prog = "bin/benchmark"
        return parser

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("subject", choices=(*SUBJECTS, ALL), help="what to measure")
        parser.add_argument("--games", type=int, help="length of the stream, or of the large club (default: 100000)")
        text = "in the large tournaments (default: 200) or in the large club (database; default: 10000)"
        parser.add_argument("--players", type=int, help=text)
        parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
        parser.add_argument("--no-database", action="store_true", help="leave out what needs a scratch database")
        parser.add_argument("--section", action="append", choices=SECTIONS, help="only this part of the subject")
        text = "keep what was measured, with the machine, and bring the pages up to it (default: those in docs)"
        parser.add_argument(
            "--write", nargs="?", const=settings.BASE_DIR / "docs", type=Path, metavar="DOCS", help=text
        )
        parser.add_argument("--postgres", metavar="URL", help="all: what depends on the database on this server too")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["write"] and (missing := [name for name in PAGES if not (options["write"] / name).is_file()]):
            raise CommandError(
                f"{options['write']} has no {missing[0]}: name the folder the pages are in.", returncode=2
            )
        if options["subject"] == ALL:
            self._all(options)
            return
        if options["section"] and not any(_sections(options)):
            keys = ", ".join(section.key for section in SUBJECTS[options["subject"]])
            raise CommandError(f"“{options['subject']}” has no such section; it has: {keys}.", returncode=2)
        size = _size(options)
        machine = this_machine()
        found: list[tuple[Section, Measured]] = []
        for section in _sections(options):
            rows = []
            for measured in section.measure(size):
                rows.append(measured)
                if not options["json"]:
                    self.stdout.write(_line(measured))
            found += [(section, measured) for measured in rows]
            if options["write"]:
                self._write(section, size, machine, rows, options["write"])
        if options["json"]:
            self.stdout.write(json.dumps(_told(options["subject"], size, found)))

    def _write(self, section: Section, size: Size, machine: Machine, rows: list[Measured], docs: Path) -> None:
        key, size = key_of(section, connection.vendor), size if section.sized else Size(0, 0)
        keep(Record(key, size, timezone.now().date().isoformat(), machine, tuple(rows)), docs)
        try:
            write_pages(docs)
        except ValueError as error:
            raise CommandError(str(error), returncode=2) from error

    def _all(self, options: dict[str, Any]) -> None:
        """Every subject in a process of its own, so that none has the memory and the compiled code of another."""
        for name in ("games", "players", "section"):
            if options[name]:
                raise CommandError(
                    f"“benchmark all” takes the usual sizes: name a subject with --{name}.", returncode=2
                )
        broken = []
        for name, arguments, environment in _runs(options):
            if not options["json"]:
                self.stdout.write(f"== {name}")
            self.stdout.flush()
            command = [sys.executable, "-m", "benchmarks", *arguments]
            done = subprocess.run(command, cwd=settings.BASE_DIR, env=os.environ | environment, check=False)
            if done.returncode:
                broken.append(name)
        if broken:
            raise CommandError(f"broke off: {', '.join(broken)}. What else was measured is kept.", returncode=1)


def _sections(options: dict[str, Any]) -> Iterator[Section]:
    for section in SUBJECTS[options["subject"]]:
        asked = not options["section"] or section.key in options["section"]
        if asked and not (section.scratch and options["no_database"]):
            yield section


def _size(options: dict[str, Any]) -> Size:
    usual = USUAL.get(options["subject"], USUAL_ELSEWHERE)
    games = usual.games if options["games"] is None else options["games"]
    return Size(options["players"] or usual.players, games)


def _runs(options: dict[str, Any]) -> Iterator[tuple[str, list[str], dict[str, str]]]:
    """Name, arguments and environment of each process."""
    more = ["--json"] * options["json"] + ["--no-database"] * options["no_database"]
    if options["write"]:
        more += ["--write", str(options["write"].resolve())]
    large = [f"--players={FEDERATION.players}", f"--games={FEDERATION.games}"]
    sizes = {"database": large}
    for subject in SUBJECTS:
        yield subject, [subject, *sizes.get(subject, []), *more], {}
    if options["postgres"]:
        for subject, sections in SUBJECTS.items():
            chosen = [f"--section={section.key}" for section in sections if section.engine]
            if chosen:
                arguments = [subject, *chosen, *sizes.get(subject, []), *more]
                yield f"{subject}, PostgreSQL", arguments, {"DATABASE_URL": options["postgres"]}


def _told(subject: str, size: Size, found: list[tuple[Section, Measured]]) -> dict[str, Any]:
    sizes = {"tournaments": ("players",), "database": ("players", "games")}.get(subject, ("games",))
    rows = [{"section": section.key, **measured.as_json()} for section, measured in found]
    return {"benchmark": subject, **{name: getattr(size, name) for name in sizes}, "results": rows}


def _line(measured: Measured) -> str:
    if measured.ratio is None:
        return f"       –  {measured.what} / {measured.against}: {measured.note}"
    goal = "" if measured.goal is None else f"  (goal {measured.goal:g}: {'met' if measured.met else 'MISSED'})"
    return f"{measured.ratio:8.3f}  {measured.what} / {measured.against}{goal}"
