"""`manage.py forecast masters`: the masters' final, exactly, by Monte Carlo or by Metropolis–Hastings."""

import argparse
import json
from typing import Any

from django.core.management.base import CommandError, CommandParser
from numpy.random import PCG64, Generator

from ratings.management.progress import Progress
from tournaments.forecast.masters import MASTERS, Rule
from tournaments.forecast.masters_estimates import (
    EXACT,
    METROPOLIS,
    MONTE_CARLO,
    Forecast,
    exact,
    metropolis,
    monte_carlo,
)
from tournaments.management.file_command import FileCommand, bad_input
from tournaments.management.forecast_text import as_object, lines

EVENT = "masters"
SAMPLES, LEAST, MOST = 20_000, 100, 10_000_000
INTERRUPTED = 130  # what a shell reports of a program stopped by Ctrl-C


class Command(FileCommand):
    help = """Forecast an event. No database is touched, and the same seed gives the same figures.

  masters   eight masters of xiangqi play three knockouts ("stations"), each drawn anew by lots; the final order is by
            rating after them: who is first, who among the first four, who wins a station?

Who goes on in a match (--rule), from what the two played before:
  score-rate  as likely as his points a game
  decisive    the same without drawn games
  draws       drawn as often as before, rated ½; a fair coin then sends one on
  rating      the expected score by rating
  shrunk      points a game, drawn towards the expected score, which counts for ten games

Methods: mc plays every event anew; mh is Metropolis–Hastings, and tells how much its samples are worth; exact knows the
title of a station only. There is no forecast for the club's own events yet.

  manage.py forecast masters
  manage.py forecast masters --rule decisive --method mh --samples 100000 --seed 7
  manage.py forecast masters --method exact --json"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", metavar="EVENT", help=EVENT)
        parser.add_argument("--rule", choices=[rule.value for rule in Rule], default=Rule.SCORE_RATE.value)
        parser.add_argument("--method", choices=(MONTE_CARLO, METROPOLIS, EXACT), default=MONTE_CARLO)
        parser.add_argument("--samples", type=_samples, metavar="N", help=f"events played (default: {SAMPLES})")
        parser.add_argument("--seed", type=_seed, metavar="S", help="of the random numbers (default: 1)")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def run(self, *, event: str, **options: Any) -> None:
        if event != EVENT:
            raise bad_input(f"There is no forecast for “{event}”: events of the club have none yet. There is: {EVENT}.")
        rule, seed = Rule(options["rule"]), 1 if options["seed"] is None else options["seed"]
        if options["method"] == EXACT and (options["samples"], options["seed"]) != (None, None):
            self.stderr.write("Nothing is drawn: --samples and --seed make no difference.", style_func=str)
        try:
            found = self._forecast(rule, options["method"], options["samples"] or SAMPLES, seed)
        except KeyboardInterrupt:
            raise CommandError("Interrupted.", returncode=INTERRUPTED) from None
        if options["json"]:
            self.stdout.write(json.dumps(as_object(found), ensure_ascii=False, allow_nan=False))
        else:
            self.stdout.writelines(f"{line}\n" for line in lines(found, seed))

    def _forecast(self, rule: Rule, method: str, samples: int, seed: int) -> Forecast:
        if method == EXACT:
            return exact(MASTERS, rule)
        progress = Progress(self.stderr, samples, "events")
        by = monte_carlo if method == MONTE_CARLO else metropolis
        try:
            return by(MASTERS, rule, samples, Generator(PCG64(seed)), progress.tell)
        finally:
            progress.end()


def _samples(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9 or not LEAST <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"“{text}” is no whole number from {LEAST} to {MOST}")
    return int(text)


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise argparse.ArgumentTypeError(f"“{text}” is no seed: write a whole number from 0, of 18 digits at most")
    return int(text)
