"""Crosstables as the pages show them: everybody against everybody, team against team, or round by round (Swiss).

Of a Swiss there is a column for every round, a cell for whom somebody met there: 12w1, 5b½, 7w+, H, bye. The opponent
is called by his line in the standings, or by his start number, as the rows are ordered.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.privacy.rules import Viewer, shown_name
from tournaments.event_pages.selectors.formats import Team
from tournaments.event_pages.selectors.progress import Step, Steps
from tournaments.events.selectors.event_data import Entrant
from tournaments.events.selectors.standings import EventStandings
from tournaments.models import ByeKind, Colour
from tournaments.standings.crosstable import Cell


# --- against everybody --------------------------------------------------------------------------------------------
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
    rows = _rows(ranked, order, order, labels, worths=worths, byes_count=byes_count)
    return [Cross("", _columns(ranked, order, labels), rows)]


def _cross(ranked: EventStandings, own: Team, other: Team) -> Cross:
    labels = {number: team.label(number) for team in (own, other) for number in team.numbers}
    rows = _rows(ranked, own.numbers, other.numbers, labels)
    return Cross(own.name, _columns(ranked, other.numbers, labels), rows)


def _columns(ranked: EventStandings, numbers: Sequence[int], labels: Labels) -> tuple[Column, ...]:
    return tuple(Column(labels[number], ranked.entrants[number]) for number in numbers)


def _rows(
    ranked: EventStandings,
    numbers: Sequence[int],
    against: Sequence[int],
    labels: Labels,
    *,
    worths: Worths | None = None,
    byes_count: bool = True,
) -> tuple[Row, ...]:
    rows = []
    for number in numbers:
        line = ranked.table[number]
        cells = tuple(
            None if other == number else tuple(cell for cell in line.shown_against(other) if cell.decided)
            for other in against
        )
        points = line.points if byes_count else line.points - line.bye_points
        ties = (worths or {}).get(number, ())
        rows.append(Row(labels[number], ranked.entrants[number], cells, points, line.counts, ties))
    return tuple(rows)


# --- round by round -----------------------------------------------------------------------------------------------
_BYES = {
    ByeKind.ALLOCATED: gettext_lazy("bye"),
    ByeKind.FULL: gettext_lazy("F"),
    ByeKind.HALF: gettext_lazy("H"),
    ByeKind.ZERO: gettext_lazy("Z"),
}
_WORDS = {
    "1": gettext_lazy("won"),
    "½": gettext_lazy("drawn"),
    "0": gettext_lazy("lost"),
    "+": gettext_lazy("won by forfeit"),
    "−": gettext_lazy("lost by forfeit"),
    "": gettext_lazy("no result yet"),
}


@dataclass(frozen=True, slots=True)
class GridCell:
    """A round: what is written, what it says in `words`, the opponent's card, and whether it was played."""

    text: str
    words: str
    address: str = ""
    played: bool = True


@dataclass(frozen=True, slots=True)
class GridRow:
    """A line: label, who, the rounds, the points, the place, the tie-breaks' cells."""

    label: str
    entrant: Entrant
    cells: tuple[GridCell, ...]
    points: int
    place: int
    tiebreaks: tuple[SafeString | str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """The whole table. `has_ties`: a place is shared, so lines are no places; `letters`: signs of byes, and words."""

    rounds: tuple[int, ...]
    rows: tuple[GridRow, ...]
    has_ties: bool
    letters: tuple[tuple[str, str], ...]


def grid_of(
    ranked: EventStandings,
    steps: Steps,
    order: Sequence[int],
    *,
    labels: Labels,
    worths: Worths,
    addresses: Mapping[int, str],
    viewer: Viewer,
) -> Grid | None:
    """The grid of a stage, its numbers in that order and called by those `labels`. None while nobody is paired."""
    if not ranked.rows:
        return None
    places = {row.player: row.place for row in ranked.rows}
    names = {number: shown_name(person.player, viewer) for number, person in ranked.entrants.items()}
    rows = []
    for number in order:
        cells = tuple(_cell(step, labels, names, addresses) for step in steps[number])
        line = ranked.table[number]
        person = ranked.entrants[number]
        rows.append(GridRow(labels[number], person, cells, line.points, places[number], worths.get(number, ())))
    rounds = tuple(step.round for step in steps[order[0]])
    has_ties = len(set(places.values())) < len(places)
    # The signs that are no words by themselves, as far as they occur.
    found = {step.bye for way in steps.values() for step in way}
    letters = [kind for kind in (ByeKind.FULL, ByeKind.HALF, ByeKind.ZERO) if kind in found]
    return Grid(rounds, tuple(rows), has_ties, tuple((str(_BYES[kind]), str(kind.label)) for kind in letters))


def _cell(step: Step, labels: Labels, names: Mapping[int, str], addresses: Mapping[int, str]) -> GridCell:
    if step.game is None:
        sign = str(_BYES[ByeKind(step.bye)]) if step.bye else "–"
        kind = ByeKind(step.bye).label if step.bye else _("not paired")
        return GridCell(sign, _("Round %(round)s: %(kind)s") % {"round": step.round, "kind": kind}, played=False)
    other = step.game.opponent
    values = {
        "round": step.round,
        "colour": Colour(step.colour).label,
        "name": names[other],
        "result": _WORDS.get(step.mark, step.mark),
    }
    words = _("Round %(round)s, %(colour)s against %(name)s: %(result)s") % values
    return GridCell(f"{labels[other]}{step.colour}{step.mark}", words, addresses[other], step.game.played)
