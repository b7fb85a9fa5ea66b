"""Real games told event by event before they were played: by the posterior, and by the same ratings alone.

A stream is rated once with Elo; only what its ledger has before an event's first game is used to tell the event. So
the figures of docs/algorithms/forecast-strengths.md are made:

    python -m tests.tournaments.forecast.held_out FOLDER_OF_STREAMS
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy

from benchmarks.streams import games_of, played_lines
from ratings.lab.measures import log_losses
from ratings.systems import rating_system
from ratings.systems.base import RatedGame
from ratings.systems.draws import draw_rate
from ratings.systems.elo import expected_score
from ratings.systems.replay import DatedRule, DatedRules, replay
from tournaments.forecast.posterior import Plan, posterior
from tournaments.forecasts import evidence
from tournaments.forecasts.evidence import COMMON, Known, Rated, evidence_of

PLAN = Plan(warm_up=200, kept=50, apart=2)
LATEST = 1000  # games the share of draws is read off


@dataclass(frozen=True)
class Stream:
    """Rated games in order, and which event each belongs to."""

    rows: Sequence[RatedGame]
    events: Sequence[str]


@dataclass(frozen=True)
class HeldOut:
    """Mean log-loss in nats a game: of the posterior, of the posterior's means without their spread, of the ratings."""

    games: int
    events: int
    posterior: float
    means: float
    ratings: float


def by_event(row: Mapping[str, str]) -> str:
    return row["event"]


def by_quarter(row: Mapping[str, str]) -> str:
    day = date.fromisoformat(row["date"])
    return f"{day.year}-{(day.month - 1) // 3}"


def read_stream(path: Path, event_of: Callable[[Mapping[str, str]], str]) -> Stream:
    """The file's played games, rated with Elo as `manage.py rate` does by default."""
    lines = played_lines(path)
    elo = rating_system("elo")
    rules = DatedRules([DatedRule(date.min, elo, elo.read_settings({"preset": "fide-simple"}))])
    found = replay(games_of(lines), (), states={}, birth_years={}, rules=rules)
    return Stream([row for row in found if isinstance(row, RatedGame)], [event_of(row) for row in lines])


def held_out(stream: Stream, *, years: float, plan: Plan = PLAN) -> HeldOut:
    """Every event of the second half, told from games of so many years before it."""
    half = len(stream.rows) // 2
    first = next(at for at in range(half, len(stream.rows)) if stream.events[at] != stream.events[at - 1])
    lines = []
    events = [list(group) for _, group in groupby(range(first, len(stream.rows)), key=lambda at: stream.events[at])]
    for event in events:
        lines += _told(stream.rows[: event[0]], [stream.rows[at] for at in event], years, plan)
    columns = numpy.array(lines)
    losses = [float(log_losses(columns[:, at], columns[:, 3]).mean()) for at in range(3)]
    return HeldOut(len(lines), len(events), *losses)


def _told(before: Sequence[RatedGame], event: Sequence[RatedGame], years: float, plan: Plan) -> list[tuple[float, ...]]:
    """Expected scores of the event's games by all three, and White's score."""
    now = {}
    for row in before:
        now[row.played.white] = Known(row.white_after, row.white_games + 1)
        now[row.played.black] = Known(row.black_after, row.black_games + 1)
    field = sorted({key for row in event for key in (row.played.white, row.played.black)})
    since = event[0].played.day - 365.25 * years
    counted = [row for row in before if row.played.day >= since and {row.played.white, row.played.black} & set(field)]
    found = evidence_of(field, [_rated(row) for row in counted], {key: Known(COMMON, 0) for key in field} | now)
    rng = numpy.random.default_rng(1)
    rate = _rate(before[-LATEST:])
    strengths = posterior(found.priors, found.meetings, found.outside, rate, plan=plan, rng=rng).strengths()
    place = {key: at for at, key in enumerate(strengths.players)}
    rating = {key: now[key].rating if key in now else COMMON for key in field}
    lines = []
    for row in event:
        white, black = row.played.white, row.played.black
        gaps = strengths.draws[:, place[white]] - strengths.draws[:, place[black]]
        spread = float((1.0 / (1.0 + 10.0 ** (-gaps / 400.0))).mean())
        alone = expected_score(rating[white] or COMMON, rating[black] or COMMON)
        lines.append((spread, expected_score(float(gaps.mean()), 0.0), alone, row.played.score))
    return lines


def _rated(row: RatedGame) -> Rated:
    white, black = Known(row.white_before, row.white_games), Known(row.black_before, row.black_games)
    return Rated(row.played.white, row.played.black, row.played.score, white, black)


def _rate(rows: Sequence[RatedGame]) -> float:
    even = [row.white_expected * (1.0 - row.white_expected) for row in rows if row.white_expected is not None]
    return draw_rate(len(rows), sum(row.played.score == 0.5 for row in rows), sum(even) / len(even))


STREAMS: Mapping[str, Any] = {
    "club_games_2024.csv": (by_event, (0.1, 0.25, 1)),
    "football_internationals_2000_2013.csv": (by_quarter, (1, 3, 5, 8)),
}


def tell_all(folder: Path) -> None:
    """The table of the page: each stream by the width of the window, a newcomer's and a settled player's deviation."""
    for name, (event_of, windows) in STREAMS.items():
        stream = read_stream(folder / name, event_of)
        for years in windows:
            for new, settled in ((350.0, 60.0), (350.0, 100.0), (350.0, 200.0), (200.0, 100.0)):
                evidence.NEW, evidence.SETTLED = new, settled  # type: ignore[misc]
                found = held_out(stream, years=years)
                losses = f"{found.posterior:.4f} {found.means:.4f} {found.ratings:.4f}"
                sys.stdout.write(f"{name} {years} {new} {settled} {found.games} {found.events} {losses}\n")


if __name__ == "__main__":
    tell_all(Path(sys.argv[1]))
