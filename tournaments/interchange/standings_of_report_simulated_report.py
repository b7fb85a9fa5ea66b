"""A simulated event as a tournament report (pure)."""

from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction

from tournaments.interchange.trf.games import CODES, points_text
from tournaments.interchange.trf.records import (
    ABSENT,
    ALLOCATED,
    BLACK,
    HALF,
    NO_COLOUR,
    WHITE,
    ZERO,
    Cell,
    Record,
    Report,
    ReportPlayer,
)
from tournaments.pairing.base import CLASSIC
from tournaments.pairing.simulation import SimulatedEvent
from tournaments.standings.crosstable import build_crosstable

_BYES = {"pab": ALLOCATED, "half": HALF, "zero": ZERO}
# A day on which that edition of the Swiss rules was in force: the report shall be checked by it again.
_DAYS = {2025: date(2025, 9, 1), 2026: date(2026, 3, 1)}


def report_of_simulation(event: SimulatedEvent, name: str) -> Report:
    """The report under that name: everybody with points and rank (equal points by number), and what is needed to check
    the pairings: rounds, first colour, points, virtual points."""
    points = _points(event)
    ranked = sorted(points, key=lambda number: (-points[number], number))
    ranks = {number: rank for rank, number in enumerate(ranked, start=1)}
    cells = _cells(event)
    unit = event.points.unit
    return Report(
        players=tuple(
            ReportPlayer(
                number=one.number,
                name=f"Player {one.number:04}",
                rating=one.rating,
                points=points_text(Fraction(points[one.number], unit)),
                rank=ranks[one.number],
                cells=tuple(cells[one.number]),
            )
            for one in event.entrants
        ),
        name=name,
        starts_on=_DAYS[event.edition],
        kind="Individual: Swiss-System",
        rounds=event.settings["rounds"],
        first_colour=WHITE if event.settings["first_colour"] == "white" else BLACK,
        records=(*_points_records(event), *_virtual_records(event)),
    )


def _points(event: SimulatedEvent) -> dict[int, int]:
    numbers = [one.number for one in event.entrants]
    table = build_crosstable(numbers, event.meetings, event.byes, event.points)
    return {number: table[number].points for number in numbers}


def _cells(event: SimulatedEvent) -> dict[int, list[Cell]]:
    cells = {one.number: [ABSENT] * len(event.boards) for one in event.entrants}
    for meeting in event.meetings:
        mine, theirs = CODES[meeting.result]
        cells[meeting.white][meeting.round - 1] = Cell(meeting.black, WHITE, mine)
        cells[meeting.black][meeting.round - 1] = Cell(meeting.white, BLACK, theirs)
    for bye in event.byes:
        cells[bye.player][bye.round - 1] = Cell(0, NO_COLOUR, _BYES[bye.kind])
    return cells


def _points_records(event: SimulatedEvent) -> Iterator[Record]:
    system = event.points
    if system != CLASSIC:
        worths = {"W": system.win, "D": system.draw, "L": system.loss, "PAB": system.allocated_bye}
        said = " ".join(f"{name}={points_text(Fraction(worth, system.unit))}" for name, worth in worths.items())
        yield Record("XXS", f"XXS {said}")


def _virtual_records(event: SimulatedEvent) -> Iterator[Record]:
    unit = event.points.unit
    yield from (_virtual_record(number, event.accelerated[number], unit) for number in sorted(event.accelerated))


def _virtual_record(number: int, virtual: Sequence[int], unit: int) -> Record:
    each = "".join(f" {points_text(Fraction(points, unit)):>4}" for points in virtual)
    return Record("XXA", f"XXA {number:>4}{each}")
