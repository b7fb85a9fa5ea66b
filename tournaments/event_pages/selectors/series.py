"""Standings of an event of tables: by points for places, by scores, or by wins as at doubles (`table_series`).

Members of a side share its places: of two pairs the winners have first and second place between them. Points are
counted down to 1 from the number of people at the largest table. Where the event does not say how it is counted, tables
of two sides are counted by wins, any others by places.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Any, Literal

from players.models import Player
from tournaments.contests.selectors import ShownContest, ShownSide, contests_of, shown_contests
from tournaments.events.selectors.stages import system_of
from tournaments.models import Stage, Tournament
from tournaments.pairing.base import FreeSystem, read_options
from tournaments.standings.points import read_place_points
from tournaments.standings.table_series import (
    Seat,
    SeriesRow,
    SeriesRules,
    place_points,
    series_standings,
)

Way = Literal["points", "scores", "wins"]


@dataclass(frozen=True, slots=True)
class SeriesResult:
    """A table a player sat at: the side's place among so many, its score, and what it brought."""

    on: date
    place: int
    sides: int
    is_tied: bool
    score: float | None
    worth: Fraction
    counts: bool = True


@dataclass(frozen=True, slots=True)
class SeriesPlace:
    """A line of the standings, and the tables it is made of, the earliest first."""

    row: SeriesRow
    player: Player
    results: tuple[SeriesResult, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """The standings, best first; `last_on`: the day of the latest table; `own_points`: whether the event itself says
    what its places are worth."""

    rules: SeriesRules
    places: tuple[SeriesPlace, ...]
    last_on: date | None
    own_points: bool = False


def has_series(stage: Stage) -> bool:
    """Whether tables of the event have standings: it is free play, and no ladder."""
    system = system_of(stage)
    return stage.tournament.open_ended and isinstance(system, FreeSystem) and not system.ladder


def series_of(stage: Stage, on: date | None = None) -> Series:
    """The standings of the event's tables, or of those of one day, counted as the event is. Two queries."""
    event = stage.tournament
    system = system_of(stage)
    asked = read_options(system.options, stage.settings) if system else {}
    shown = shown_contests(contests_of(event).reverse())
    rules = _rules(event, shown, asked)
    if rules.by == "scores":
        shown = [each for each in shown if _has_scores(each)]
    if on:
        shown = [each for each in shown if each.contest.played_on == on]
    people: dict[int, Player] = {}
    results: dict[int, list[SeriesResult]] = {}
    tables = []
    for each in shown:
        seats = [seat for side in each.sides for seat in _seats(side, each, rules)]
        tables.append([seats])
        _note(each, _worth(seats, rules), people, results)
    rows = series_standings(sorted(people), tables, rules)
    places = tuple(SeriesPlace(row, people[row.player], _counted(results[row.player], rules)) for row in rows)
    last_on = shown[-1].contest.played_on if shown else None
    return Series(rules, places, last_on, own_points=bool(asked.get("place_points")))


def _rules(event: Tournament, shown: Sequence[ShownContest], asked: Mapping[str, Any]) -> SeriesRules:
    by: Way = "wins" if all(len(each.sides) == 2 for each in shown) else "points"
    by = asked.get("standings") or by
    most = max((sum(len(side.members) for side in each.sides) for each in shown), default=0)
    own = asked.get("place_points", "")
    scored = by != "scores" and bool(shown) and all(map(_has_scores, shown))
    return SeriesRules(
        by=by,
        points=read_place_points(own) if own else tuple(Fraction(worth) for worth in range(most, 0, -1)),
        lower_is_better=event.low_score_wins,
        best=asked.get("best") or None,
        tie_breaks=(*(() if by == "wins" else ("places",)), *(("score",) if scored else ()), "direct"),
    )


def _counted(results: Sequence[SeriesResult], rules: SeriesRules) -> tuple[SeriesResult, ...]:
    """With a note on those that do not count; of equal ones the earlier counts."""
    if rules.best is None:
        return tuple(results)
    sign = -1 if rules.by == "scores" and rules.lower_is_better else 1
    kept = sorted(range(len(results)), key=lambda at: -sign * results[at].worth)[: rules.best]
    return tuple(replace(result, counts=at in kept) for at, result in enumerate(results))


def _has_scores(shown: ShownContest) -> bool:
    return all(side.score is not None for side in shown.sides)


def _seats(side: ShownSide, shown: ShownContest, rules: SeriesRules) -> list[Seat]:
    """The side's members, each with the first of the places of those who share the side's. By wins the score is the
    distance to the best of the other sides."""
    place = 1 + sum(len(other.members) for other in shown.sides if other.place < side.place)
    won = Fraction(side.place == 1) / (2 if side.is_tied else 1)
    score = Fraction(side.score or 0)
    if rules.by == "wins":
        best = min if rules.lower_is_better else max
        score -= Fraction(best(other.score or 0 for other in shown.sides if other is not side))
    return [Seat(member.player.number, place, score, won) for member in side.members]


def _worth(seats: Sequence[Seat], rules: SeriesRules) -> Mapping[int, Fraction]:
    """What the table brought to each player."""
    if rules.by == "points":
        return place_points(seats, rules)
    return {seat.player: seat.score if rules.by == "scores" else seat.won for seat in seats}


def _note(
    shown: ShownContest,
    worth: Mapping[int, Fraction],
    people: dict[int, Player],
    results: dict[int, list[SeriesResult]],
) -> None:
    """Write down who sat there, and each one's result."""
    for side in shown.sides:
        for member in side.members:
            number = member.player.number
            people[number] = member.player
            result = SeriesResult(
                shown.contest.played_on, side.place, len(shown.sides), side.is_tied, side.score, worth[number]
            )
            results.setdefault(number, []).append(result)
