"""A crosstable as the page shows it: everybody against everybody in order of the standings, team against team, or for
a Swiss round by round (`grids`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString

from tournaments.events.selectors.facts import Entrant
from tournaments.events.selectors.standings import EventStandings
from tournaments.event_pages.selectors.teams import Team
from tournaments.standings.crosstable import Cell


@dataclass(frozen=True, slots=True)
class Column:
    """A column's head: a place or a label, and whose games stand below."""

    label: str
    entrant: Entrant


@dataclass(frozen=True, slots=True)
class Row:
    """A line: label, who, the games against everybody (None on the diagonal), the points, the tie-breaks' cells."""

    label: str
    entrant: Entrant
    cells: tuple[tuple[Cell, ...] | None, ...]
    points: int
    counts: bool
    tiebreaks: tuple[SafeString | str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cross:
    """One table; `title` where the page has several."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


Labels = Mapping[int, str]
Worths = Mapping[int, tuple[SafeString | str, ...]]


def crosses_of(
    ranked: EventStandings,
    teams: Sequence[Team],
    order: Sequence[int],
    *,
    labels: Labels,
    worths: Worths,
    byes_count: bool = True,
) -> list[Cross]:
    """The crosstables of a stage, its numbers in that order and called by those `labels`; none while nobody is paired.
    `worths` are everybody's tie-breaks; `byes_count`: the points are those of the byes too."""
    if not ranked.rows:
        return []
    if teams:
        one, other = teams
        return [_cross(ranked, one, other), _cross(ranked, other, one)]
    rows = [replace(row, tiebreaks=worths.get(number, ())) for row, number in _rows(ranked, order, order, labels)]
    if not byes_count:
        rows = [
            replace(row, points=row.points - ranked.table[number].bye_points)
            for row, number in zip(rows, order, strict=True)
        ]
    return [Cross("", _columns(ranked, order, labels), tuple(rows))]


def _cross(ranked: EventStandings, own: Team, other: Team) -> Cross:
    labels = {number: team.label(number) for team in (own, other) for number in team.numbers}
    rows = tuple(row for row, _number in _rows(ranked, own.numbers, other.numbers, labels))
    return Cross(own.name, _columns(ranked, other.numbers, labels), rows)


def _columns(ranked: EventStandings, numbers: Sequence[int], labels: Labels) -> tuple[Column, ...]:
    return tuple(Column(labels[number], ranked.entrants[number]) for number in numbers)


def _rows(
    ranked: EventStandings, numbers: Sequence[int], against: Sequence[int], labels: Labels
) -> list[tuple[Row, int]]:
    rows = []
    for number in numbers:
        line = ranked.table[number]
        cells = tuple(
            None if other == number else tuple(cell for cell in line.shown_against(other) if cell.decided)
            for other in against
        )
        rows.append((Row(labels[number], ranked.entrants[number], cells, line.points, line.counts), number))
    return rows
