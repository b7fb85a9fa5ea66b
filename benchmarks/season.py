"""How good are forecasts of a rating list at its season's end? On clubs that are made up, and on a real stream.

    python -m benchmarks.season --stream football_internationals_2000_2013.csv --document FILE

**Clubs that are made up.** Everybody's strength is known. A year of evenings is played and rated, the rest of the
season is forecast from the ledger alone, and then played as well. There opponents are found by the ratings of that
evening, and how many come is drawn anew for every evening: the forecast knows neither.

**A real stream.** The list stands at the end of June of each year and is forecast for the end of December from what was
played before: strengths, habits and the rate of draws. Nothing was planned, so every week is a usual one.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy

from benchmarks.streams import games_of, played_lines
from ratings.systems import rating_system
from ratings.systems.base import SEQUENCE_BITS, PlayedGame, PlayerState, RatedGame
from ratings.systems.draws import draw_rate, odds_of
from ratings.systems.elo import expected_score
from ratings.systems.replay import DatedRule, DatedRules, Row, replay
from tournaments.forecast.outlook import Strengths
from tournaments.forecast.posterior import Plan, posterior
from tournaments.forecast.season import Calendar, Season, play_season
from tournaments.forecast.season_habits import YEAR, chances_on, habits_of, neighbours
from tournaments.forecast.season_scores import Came, SeasonLine, SeasonScore, lines_of, score_of
from tournaments.forecasts.evidence import EVENNESS, SETTLED, UNKNOWN, Known, Rated, evidence_of

Generator = numpy.random.Generator
Said = tuple[Sequence[SeasonLine], Mapping[int, Came]]
PLAN = Plan(warm_up=200, kept=100, apart=2)
SAMPLES = 500
PROVISIONAL = 30
CLASSES = (1200.0, 1400.0, 1600.0, 1800.0, 2000.0)
EVIDENCE_YEARS = 5
SEED = 26
# What lists are rated by: name, system, settings.
LISTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "elo": ("elo", {"preset": "club"}),
    "fide": ("elo", {"preset": "fide"}),
    "glicko2": ("glicko2", {"period": "month"}),
    "trueskill": ("trueskill", {}),
    "league": ("league", {}),
}


def rules_of(name: str) -> DatedRules:
    key, settings = LISTS[name]
    system = rating_system(key)
    return DatedRules([DatedRule(date.min, system, system.read_settings(settings))])


# --- a list, forecast ---------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Ledger:
    """A list so far: its rows and everybody's state."""

    rules: DatedRules
    states: dict[int, PlayerState]
    rows: list[RatedGame]

    @classmethod
    def empty(cls, rules: DatedRules) -> "Ledger":
        return cls(rules, {}, [])

    def rate(self, games: Iterable[PlayedGame]) -> None:
        found: Iterable[Row] = replay(games, (), states=self.states, birth_years={}, rules=self.rules)
        self.rows += (row for row in found if isinstance(row, RatedGame))


def forecast(ledger: Ledger, calendar: Calendar, samples: int, rng: Generator) -> list[SeasonLine] | None:
    """What is said of everybody who played within the year; None where nothing is usual."""
    year = [row.played for row in ledger.rows if row.played.day > calendar.today - YEAR]
    recent = {player for game in year for player in (game.white, game.black)} & ledger.states.keys()
    states = {player: ledger.states[player] for player in sorted(recent)}
    listing = ledger.rules.all[0].system.listing(ledger.rules.all[0].settings)
    ratings = {player: listing.value(state.rating, state.deviation) for player, state in states.items()}
    habits = habits_of(year, ratings, calendar.today, rng)
    if habits is None:
        return None
    season = Season(calendar, states, frozenset(states), ledger.rules, habits, PROVISIONAL)
    strengths = _strengths(ledger, list(states), calendar.today, rng)
    return lines_of(season, play_season(season, strengths, samples, rng), CLASSES)


def _strengths(ledger: Ledger, field: Sequence[int], today: int, rng: Generator) -> Strengths:
    rule, known = ledger.rules.all[0], set(field)
    rows = [
        row
        for row in ledger.rows
        if row.played.day > today - 365.25 * EVIDENCE_YEARS and {row.played.white, row.played.black} & known
    ]
    now = {player: Known(state.rating, state.games, state.deviation) for player, state in ledger.states.items()}
    if not rule.system.elo_scale:
        now = {}
    found = evidence_of(field, [_rated(row, alike=not rule.system.elo_scale) for row in rows], now)
    even = [row.white_expected * (1.0 - row.white_expected) for row in rows if row.white_expected is not None]
    draws = sum(row.played.score == 0.5 for row in rows)
    rate = draw_rate(len(rows), draws, sum(even) / len(even) if even and now else EVENNESS)
    return posterior(found.priors, found.meetings, found.outside, rate, plan=PLAN, rng=rng).strengths()


def _rated(row: RatedGame, *, alike: bool) -> Rated:
    white = UNKNOWN if alike else Known(row.white_before, row.white_games, row.white_deviation)
    black = UNKNOWN if alike else Known(row.black_before, row.black_games, row.black_deviation)
    return Rated(row.played.white, row.played.black, row.played.score, white, black)


def came_of(ledger: Ledger, people: Iterable[int]) -> dict[int, Came]:
    """How they stand now."""
    listing = ledger.rules.all[0].system.listing(ledger.rules.all[0].settings)
    own = {player: ledger.states[player] for player in people if player in ledger.states}
    listed = {player: listing.value(state.rating, state.deviation) for player, state in own.items()}
    ranked = sorted(
        (player for player, state in own.items() if state.games >= PROVISIONAL),
        key=lambda player: (-listed[player], own[player].reached, player),
    )
    places = {player: place for place, player in enumerate(ranked, start=1)}
    return {player: Came(listed[player], places.get(player)) for player in own}


# --- clubs that are made up ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Club:
    """`mean` and `spread` of strengths, in Elo points; `rate`: ν; `width`: how far apart those who meet stand, in
    standard deviations of the ratings. `weeks` lie behind, `rest` ahead."""

    people: int = 40
    mean: float = 1500.0
    spread: float = 200.0
    rate: float = 0.6
    width: float = 0.5
    weeks: int = 60
    rest: int = 20
    rounds: int = 2
    known: int = 0  # games that ratings brought along rest on; 0: nobody brings one
    join: float = 0.3  # share of the people who come only in the second half of the weeks so far


# FIDE rates nobody before he has met five who are rated, and nobody below 1400.
CLUBS: Mapping[str, Club] = {"fide": Club(mean=1900.0, known=20)}
LEAST = 1e-6  # of a spread, so that equals are ordered by lot
FIRST_DAY = date(2024, 10, 7).toordinal()  # a Monday


def club_of(name: str, club: Club, samples: int, rng: Generator) -> Said | None:
    """A club's forecast and what came."""
    strengths = rng.normal(club.mean, club.spread, club.people)
    rates = rng.beta(2.0, 3.0, club.people)
    joined = numpy.where(rng.random(club.people) < club.join, rng.integers(club.weeks // 2, club.weeks, club.people), 0)
    ledger = Ledger.empty(rules_of(name))
    if club.known:
        ledger.states |= {
            at: PlayerState(rating, club.known, rating)
            for at, rating in enumerate(rng.normal(strengths, SETTLED).tolist())
        }
    for week in range(club.weeks):
        ledger.rate(_evening(ledger, club, week, strengths, numpy.where(joined <= week, rates, 0.0), rng))
    today = FIRST_DAY + 7 * club.weeks - 1
    lines = forecast(ledger, Calendar(today, today + 7 * club.rest), samples, rng)
    if lines is None:
        return None
    for week in range(club.weeks, club.weeks + club.rest):
        ledger.rate(_evening(ledger, club, week, strengths, rates, rng))
    return lines, came_of(ledger, [line.player for line in lines])


def _evening(ledger: Ledger, club: Club, week: int, strengths: Any, rates: Any, rng: Generator) -> Iterator[PlayedGame]:
    """A Monday's games; one week of ten there is none."""
    if rng.random() < 0.1:
        return
    day = FIRST_DAY + 7 * week
    chances = numpy.where(rates > 0.0, chances_on(rates, rng.normal(0.0, 0.5)), 0.0)
    there = numpy.flatnonzero(rng.random(club.people) < chances)
    start = numpy.mean([state.rating for state in ledger.states.values()] or [0.0])
    ratings = numpy.array([known.rating if (known := ledger.states.get(at)) else start for at in range(club.people)])
    width = club.width * max(float(ratings.std()), LEAST)
    number = 0
    for _round in range(club.rounds if len(there) > 1 else 0):
        for white, black in neighbours(ratings, there, width, rng).tolist():
            odds = odds_of(expected_score(strengths[white], strengths[black]), club.rate)
            chance = rng.random()
            score = 1.0 if chance < odds.win else 0.5 if chance < odds.win + odds.draw else 0.0
            number += 1
            yield PlayedGame(number + 1000 * week, white, black, score, day << SEQUENCE_BITS | number, day)


# --- a real stream ------------------------------------------------------------------------------------------------
def seasons_of(games: Sequence[PlayedGame], name: str, samples: int, rng: Generator) -> Iterator[tuple[int, Said]]:
    """Year by year the forecast of the list from the end of June to the end of December, and what came."""
    ledger, at = Ledger.empty(rules_of(name)), 0
    years = range(games[0].played_on.year + 2, games[-1].played_on.year + 1)
    for year in years:
        today, until = date(year, 6, 30).toordinal(), date(year, 12, 31).toordinal()
        at = _rate_until(ledger, games, at, today)
        lines = forecast(ledger, Calendar(today, until), samples, rng)
        at = _rate_until(ledger, games, at, until)
        if lines is not None and at < len(games):
            yield year, (lines, came_of(ledger, [line.player for line in lines]))


def _rate_until(ledger: Ledger, games: Sequence[PlayedGame], first: int, day: int) -> int:
    end = first
    while end < len(games) and games[end].day <= day:
        end += 1
    ledger.rate(games[first:end])
    return end


# --- the document -------------------------------------------------------------------------------------------------
def figures(score: SeasonScore | None) -> dict[str, Any]:
    assert score is not None
    values = asdict(replace(score, bins=()))
    shown = {
        key: round(value, 4) if isinstance(value, float) else value for key, value in values.items() if key != "bins"
    }
    bins = [{key: round(value, 4) for key, value in asdict(each).items()} for each in score.bins]
    return shown | {"bins": bins}


def document(stream: Path | None, clubs: int, samples: int) -> dict[str, Any]:
    """All figures, as plain values."""
    found: dict[str, Any] = {"seed": SEED, "samples": samples, "clubs": clubs, "made_up": {}, "streams": {}}
    for number, name in enumerate(LISTS):
        rng = numpy.random.Generator(numpy.random.PCG64([SEED, number]))
        said = [one for _club in range(clubs) if (one := club_of(name, CLUBS.get(name, Club()), samples, rng))]
        found["made_up"][name] = figures(score_of(said))
        sys.stderr.write(f"{name}: {found['made_up'][name]['within']}\n")
    if stream is not None:
        rng = numpy.random.Generator(numpy.random.PCG64(SEED))
        years = dict(seasons_of(games_of(played_lines(stream)), "elo", samples, rng))
        found["streams"][stream.stem] = {
            "years": {str(year): figures(score_of([one])) for year, one in years.items()},
            "all": figures(score_of(years.values())),
        }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stream", type=Path, help="a file of dated games (GAMES.csv)")
    parser.add_argument("--clubs", type=int, default=50, help="how many are made up for each kind of list")
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--document", type=Path, help="where the figures are written (without it: printed)")
    options = parser.parse_args()
    text = json.dumps(document(options.stream, options.clubs, options.samples), indent=1) + "\n"
    if options.document:
        options.document.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
