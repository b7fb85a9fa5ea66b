"""The table of a season: several events, and of everybody the best results.

Two ways to score: points for the place (a Grand Prix table such as 12, 10, 8, …; whoever shares a place gets the mean
of the points of the places shared, as prizes are divided), or the points scored in the event. Of equal totals the
better best result decides, then the next (as the FIDE Grand Prix and alpine skiing break ties), or more events won
first, or nobody: they share the place.

All figures are exact fractions; who is left out of an event has no result there, which is not the same as none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import groupby


class Scoring(StrEnum):
    """What an event brings."""

    PLACES = "places"
    POINTS = "points"


class Tie(StrEnum):
    """Who stands in front of equal totals."""

    BEST = "best"
    WINS = "wins"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Finish:
    """How somebody ended in an event: on the places from `first` to `last`, with so many points."""

    first: int
    last: int
    points: Fraction


@dataclass(frozen=True, slots=True)
class Rules:
    """`table`: the points of first, second, … place; nothing after its end. `best`: how many results count."""

    scoring: Scoring
    table: tuple[int, ...] = ()
    best: int | None = None
    tie: Tie = Tie.BEST


@dataclass(frozen=True, slots=True)
class Score:
    """What an event brought somebody, on which place, and whether it is among those that count."""

    worth: Fraction
    place: int
    counts: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One person of the table: the place in it, a score for each event played (by its key), the total."""

    place: int
    person: int
    scores: Mapping[int, Score]
    total: Fraction


def read_table(text: str) -> tuple[int, ...]:
    """ "12, 10, 8" as the points of places. Raises ValueError for anything else."""
    return tuple(int(part) for part in text.split(",") if part.strip())


def season_table(events: Mapping[int, Mapping[int, Finish]], rules: Rules) -> list[Line]:
    """The table of those events (by key, in order; each with its finishes by person), best first. Whoever never
    finished anywhere is not in it. Equal lines stand in the order of the persons' keys."""
    people = sorted({person for finishes in events.values() for person in finishes})
    scores = {person: _scores(events, person, rules) for person in people}
    strengths = {person: _strength(scores[person], rules.tie) for person in people}
    order = sorted(people, key=lambda person: (strengths[person], -person), reverse=True)
    lines: list[Line] = []
    for _equal, tied in groupby(order, key=lambda person: strengths[person]):
        place = len(lines) + 1
        lines += [Line(place, person, scores[person], _total(scores[person])) for person in tied]
    return lines


def worth_of(finish: Finish, rules: Rules) -> Fraction:
    """What a finish brings: the points, or the mean of the table over the places shared."""
    if rules.scoring is Scoring.POINTS:
        return finish.points
    places = range(finish.first, finish.last + 1)
    shared = sum(rules.table[place - 1] for place in places if place <= len(rules.table))
    return Fraction(shared, len(places))


def _scores(events: Mapping[int, Mapping[int, Finish]], person: int, rules: Rules) -> dict[int, Score]:
    own = {event: finishes[person] for event, finishes in events.items() if person in finishes}
    worths = {event: worth_of(finish, rules) for event, finish in own.items()}
    counting = set(sorted(worths, key=lambda event: -worths[event])[: rules.best])
    return {event: Score(worths[event], own[event].first, event in counting) for event in own}


def _total(scores: Mapping[int, Score]) -> Fraction:
    return sum((score.worth for score in scores.values() if score.counts), Fraction(0))


def _strength(scores: Mapping[int, Score], tie: Tie) -> tuple[Fraction | int | Sequence[Fraction], ...]:
    """What lines are ordered by, the greater in front."""
    total, best = _total(scores), tuple(sorted((score.worth for score in scores.values()), reverse=True))
    if tie is Tie.SHARED:
        return (total,)
    won = sum(score.place == 1 for score in scores.values())
    return (total, won, best) if tie is Tie.WINS else (total, best)
