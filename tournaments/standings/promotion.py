"""Who plays in which division of a league next season (pure): the first teams go up, the last go down.

The lines are those of each division. What the tables do not decide is named for the arbiter, and proposed by the order
of the table all the same: ties across a line, teams that left, and which of several groups a team comes to.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Finisher:
    """A line of a final table. Equal places: nothing parts those teams. `left`: it went before the end."""

    team: int
    place: int
    left: bool = False


@dataclass(frozen=True, slots=True)
class DivisionTable:
    """A division: its level, 1 being the highest, its final table, and how many of it go up and down. Groups of one
    level are divisions beside each other."""

    level: int
    rows: tuple[Finisher, ...]
    promoted: int = 0
    relegated: int = 0


class Why(StrEnum):
    """What the arbiter has to decide."""

    TIE = "tie"
    LEFT = "left"
    GROUPS = "groups"


@dataclass(frozen=True, slots=True)
class Doubt:
    """About which teams of a division (by its place among the divisions)."""

    why: Why
    division: int
    teams: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Where each team plays next: the place of the division among the divisions; None for a team that left."""

    goes: dict[int, int | None]
    doubts: tuple[Doubt, ...]


def propose(divisions: Sequence[DivisionTable]) -> Proposal:
    """The next season by the lines of this one. Nobody goes up from the highest level, or down from the lowest."""
    goes: dict[int, int | None] = {}
    doubts: list[Doubt] = []
    for index, division in enumerate(divisions):
        above, below = _beside(divisions, division.level, -1), _beside(divisions, division.level, 1)
        up = min(division.promoted, len(division.rows)) if above else 0
        down = min(division.relegated, len(division.rows) - up) if below else 0
        stay = len(division.rows) - down
        for at, row in enumerate(division.rows):
            target = above[0] if at < up else below[0] if at >= stay else index
            goes[row.team] = None if row.left else target
        doubts += [Doubt(Why.TIE, index, teams) for teams in _tied(division.rows, sorted({up, stay}))]
        doubts += _doubts(Why.LEFT, index, [row for row in division.rows if row.left], always=True)
        doubts += _doubts(Why.GROUPS, index, _staying(division.rows[:up]), always=len(above) > 1)
        doubts += _doubts(Why.GROUPS, index, _staying(division.rows[stay:]), always=len(below) > 1)
    return Proposal(goes, tuple(doubts))


def _beside(divisions: Sequence[DivisionTable], level: int, step: int) -> list[int]:
    """The divisions of the next level up (-1) or down (1); levels need not follow each other."""
    others = {division.level for division in divisions if (division.level - level) * step > 0}
    nearest = min(others, key=lambda other: abs(other - level), default=None)
    return [index for index, division in enumerate(divisions) if division.level == nearest]


def _tied(rows: Sequence[Finisher], lines: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The teams of one place on both sides of a line, which is behind so many rows."""
    for line in lines:
        if 0 < line < len(rows) and rows[line - 1].place == rows[line].place:
            yield tuple(row.team for row in rows if row.place == rows[line].place)


def _staying(rows: Sequence[Finisher]) -> list[Finisher]:
    return [row for row in rows if not row.left]


def _doubts(why: Why, division: int, rows: Sequence[Finisher], *, always: bool) -> list[Doubt]:
    return [Doubt(why, division, tuple(row.team for row in rows))] if rows and always else []
