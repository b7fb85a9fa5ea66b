"""A crosstable as the page shows it: everybody against everybody in order of the standings, or team against team."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournaments.selectors.facts import Entrant
from tournaments.selectors.standings import EventStandings
from tournaments.selectors.teams import Team
from tournaments.standings.crosstable import Cell


@dataclass(frozen=True, slots=True)
class Column:
    """A column's head: a place or a label, and whose games stand below."""

    label: str
    entrant: Entrant


@dataclass(frozen=True, slots=True)
class Row:
    """A line: label, who, the games against everybody (None on the diagonal), the points."""

    label: str
    entrant: Entrant
    cells: tuple[tuple[Cell, ...] | None, ...]
    points: int
    counts: bool


@dataclass(frozen=True, slots=True)
class Cross:
    """One table; `title` where the page has several."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


def crosses_of(
    ranked: EventStandings, teams: Sequence[Team], order: Sequence[int], *, byes_count: bool = True
) -> list[Cross]:
    """The crosstables of a stage, its numbers in that order; none while nobody is paired. `byes_count`: the points are
    those of the byes too."""
    if not ranked.rows:
        return []
    if teams:
        one, other = teams
        return [_cross(ranked, one, other), _cross(ranked, other, one)]
    labels = {number: f"{place}" for place, number in enumerate(order, start=1)}
    rows = _rows(ranked, order, order, labels)
    if not byes_count:
        rows = tuple(
            replace(row, points=row.points - ranked.table[number].bye_points)
            for row, number in zip(rows, order, strict=True)
        )
    return [Cross("", _columns(ranked, order, labels), rows)]


def _cross(ranked: EventStandings, own: Team, other: Team) -> Cross:
    labels = {number: team.label(number) for team in (own, other) for number in team.numbers}
    return Cross(own.name, _columns(ranked, other.numbers, labels), _rows(ranked, own.numbers, other.numbers, labels))


def _columns(ranked: EventStandings, numbers: Sequence[int], labels: dict[int, str]) -> tuple[Column, ...]:
    return tuple(Column(labels[number], ranked.entrants[number]) for number in numbers)


def _rows(
    ranked: EventStandings, numbers: Sequence[int], against: Sequence[int], labels: dict[int, str]
) -> tuple[Row, ...]:
    rows = []
    for number in numbers:
        line = ranked.table[number]
        cells = tuple(
            None if other == number else tuple(cell for cell in line.shown_against(other) if cell.decided)
            for other in against
        )
        rows.append(Row(labels[number], ranked.entrants[number], cells, line.points, line.counts))
    return tuple(rows)
