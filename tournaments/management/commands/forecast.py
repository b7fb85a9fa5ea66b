"""`manage.py forecast masters|SLUG`: the masters' final (no database needed), or an event of the club."""

import argparse
import json
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone
from numpy.random import PCG64, Generator

from clubrating.ground.numbers import whole_number
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
from tournaments.forecasts.selectors.forecasts import forecast_from, forecast_kind
from tournaments.forecasts.selectors.team_forecasts import (
    is_league_over,
    league_from,
    usual_line_ups,
    why_no_forecast,
)
from tournaments.forecasts.services.making import work_out
from tournaments.forecasts.services.team_forecasts import SAMPLES as LEAGUE_SAMPLES
from tournaments.forecasts.services.team_forecasts import work_out_league
from tournaments.forecasts.views.api import league_object
from tournaments.management.club_command import ClubCommand
from tournaments.management.file_command import FileCommand, Progress, bad_input
from tournaments.management.forecast_text import (
    NoForecastError,
    as_object,
    event_at,
    event_lines,
    event_object,
    lines,
)
from tournaments.management.plain_command import seed
from tournaments.management.team_forecast_text import league_lines, no_league, team_event
from tournaments.models import Tournament
from tournaments.teams.selectors.facts import team_facts

MASTERS_FINAL = "masters"
SAMPLES, LEAST, MOST = 20_000, 100, 10_000_000
INTERRUPTED = 130  # what a shell reports of a program stopped by Ctrl-C


class Command(FileCommand, ClubCommand):
    help = """Forecast an event. Nothing is stored, and the same seed gives the same figures.

  masters   eight masters of xiangqi play three knockouts ("stations"), each drawn anew by lots; the final order is by
            rating after them: who is first, who among the first four, who wins a station?

Who goes on in a match (--rule), from what the two played before:
  score-rate  as likely as his points a game
  decisive    the same without drawn games
  draws       drawn as often as before, rated ½; a fair coin then sends one on
  rating      the expected score by rating
  shrunk      points a game, drawn towards the expected score, which counts for ten games

Methods: mc plays every event anew; mh is Metropolis–Hastings, and tells how much its samples are worth; exact knows the
title of a station only.

  SLUG      an event of the club under way (round robin, knockout, Swiss; of teams: all-play-all), by its address: who
            comes where and wins the title, and the games to be played next. Strengths are drawn from what the rated
            games leave open, and so many events are played out; where few endings are left, all are reckoned with.
            --rule and --method are the masters'.

  manage.py forecast masters
  manage.py forecast club-championship --samples 10000
  manage.py forecast masters --rule decisive --method mh --samples 100000 --seed 7
  manage.py forecast masters --method exact --json"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", metavar="EVENT", help=f"{MASTERS_FINAL}, or the event's address on the site")
        parser.add_argument("--rule", choices=[rule.value for rule in Rule], help=f"(default: {Rule.SCORE_RATE})")
        parser.add_argument("--method", choices=(MONTE_CARLO, METROPOLIS, EXACT), help=f"(default: {MONTE_CARLO})")
        parser.add_argument("--samples", type=_samples, metavar="N", help=f"events played (masters: {SAMPLES})")
        parser.add_argument("--seed", type=seed, metavar="S", help="of the random numbers (default: 1)")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["event"] != MASTERS_FINAL and (options["rule"] or options["method"]):
            raise bad_input("--rule and --method belong to the masters' final: an event of the club is sampled.")
        room = FileCommand if options["event"] == MASTERS_FINAL else ClubCommand
        try:
            room.handle(self, *args, **options)
        except KeyboardInterrupt:
            raise CommandError("Interrupted.", returncode=INTERRUPTED) from None

    def run(self, *, event: str, **options: Any) -> None:
        if event == MASTERS_FINAL:
            self._masters(**options)
        else:
            self._club_event(event, **options)

    def _club_event(self, slug: str, *, samples: int | None, seed: int | None, json: bool, **options: Any) -> None:
        if (event_of_teams := team_event(slug)) is not None:
            self._league(event_of_teams, samples, seed, json)
            return
        try:
            event = event_at(slug)
        except NoForecastError as reason:
            raise bad_input(f"{reason} Or take: {MASTERS_FINAL}.") from None
        kind = forecast_kind(event)
        assert kind is not None
        progress = Progress(self.stderr, 100, "parts")
        try:
            answer = work_out(event, kind, lambda done, of: progress.tell(done), samples=samples, seed=seed)
        finally:
            progress.end()
        if json:
            self._print(event_object(event, answer))
        else:
            shown = forecast_from(event, answer, timezone.now())
            self.stdout.writelines(f"{line}\n" for line in event_lines(event, shown))

    def _league(self, event: Tournament, samples: int | None, seed: int | None, json: bool) -> None:
        facts = team_facts(event)
        if is_league_over(facts) or why_no_forecast(facts):
            raise bad_input(no_league(facts))
        progress = Progress(self.stderr, 100, "parts")
        try:
            answer = work_out_league(
                facts,
                usual_line_ups(facts),
                lambda done, of: progress.tell(done),
                samples=samples or LEAGUE_SAMPLES,
                seed=seed,
            )
        finally:
            progress.end()
        shown = league_from(facts, answer, timezone.now())
        if json:
            self._print({"event": event.slug, "seed": answer["seed"], **league_object(facts, shown)})
        else:
            self.stdout.writelines(f"{line}\n" for line in league_lines(facts, shown))

    def _masters(self, **options: Any) -> None:
        rule, seed = Rule(options["rule"] or Rule.SCORE_RATE), 1 if options["seed"] is None else options["seed"]
        method = options["method"] or MONTE_CARLO
        if method == EXACT and (options["samples"], options["seed"]) != (None, None):
            self.stderr.write("Nothing is drawn: --samples and --seed make no difference.", style_func=str)
        if method == EXACT:
            found = exact(MASTERS, rule)
        else:
            found = self._sampled(rule, method, options["samples"] or SAMPLES, seed)
        if options["json"]:
            self._print(as_object(found))
        else:
            self.stdout.writelines(f"{line}\n" for line in lines(found, seed))

    def _print(self, values: dict[str, Any]) -> None:
        self.stdout.write(json.dumps(values, ensure_ascii=False, allow_nan=False))

    def _sampled(self, rule: Rule, method: str, samples: int, seed: int) -> Forecast:
        progress = Progress(self.stderr, samples, "events")
        by = monte_carlo if method == MONTE_CARLO else metropolis
        try:
            return by(MASTERS, rule, samples, Generator(PCG64(seed)), progress.tell)
        finally:
            progress.end()


def _samples(text: str) -> int:
    samples = whole_number(text)
    if samples is None or not LEAST <= samples <= MOST:
        raise argparse.ArgumentTypeError(f"“{text}” is no whole number from {LEAST} to {MOST}")
    return samples
