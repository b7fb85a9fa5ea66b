"""A tournament report read for the standings, and a simulated event written as one (pure).

`contest_of`: who met whom, byes, points, ratings, of the rounds that count (`counted_rounds`).
Byes of a round robin are free days or absences; in a Swiss they
are article 16's. Points are those of the rounds, not the file's column.
"""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction

from tournaments.interchange import checking
from tournaments.interchange.pairing_of_report import points_in
from tournaments.interchange.trf.games import CODES, counted_rounds, games_of
from tournaments.interchange.trf.records import (
    ABSENT,
    BLACK,
    BYE_KINDS,
    NO_COLOUR,
    WHITE,
    Cell,
    Record,
    Report,
    ReportPlayer,
)
from tournaments.interchange.trf.terms import points_text
from tournaments.pairing.base import CLASSIC, tiebreak_edition_on
from tournaments.pairing.simulation import SimulatedEvent
from tournaments.standings.crosstable import Bye, build_crosstable
from tournaments.standings.points import PointSystem
from tournaments.standings.tiebreaks import Contest

# --- a report for the standings -----------------------------------------------------------------------------------
ROUND_ROBIN_WORDS = ("roundrobin", "round-robin", "round robin", "berger", "all-play-all")


def contest_of(report: Report, *, swiss: bool | None = None, edition: int | None = None) -> Contest:
    """What the tie-breaks of the report's event are read off. Where not given, `swiss` follows its type or its rounds,
    the `edition` its first day. Raises ReportError for points that cannot be read."""
    points = points_in(report)
    meetings = list(games_of(report))
    rounds = counted_rounds(report)
    byes = [bye for bye in _byes(report, points) if bye.round <= rounds]
    return Contest(
        table=build_crosstable([player.number for player in report.players], meetings, byes, points),
        points=points,
        rounds=rounds,
        swiss=not is_round_robin(report) if swiss is None else swiss,
        edition=edition or tiebreak_edition_on(report.starts_on),
        ratings={player.number: player.rating for player in report.players if player.rating},
    )


def is_round_robin(report: Report) -> bool:
    """Whether the report is one of a round robin, by its type, or else by who met whom."""
    kind = f"{report.coded_kind} {report.kind}".casefold()
    if any(word in kind for word in ROUND_ROBIN_WORDS):
        return True
    try:
        return checking.is_round_robin(report)
    except checking.NotCheckedError:
        return False


def _byes(report: Report, points: PointSystem) -> Iterator[Bye]:
    for player in report.players:
        for number, cell in enumerate(player.cells, start=1):
            if not cell.opponent and (kind := BYE_KINDS.get(cell.code)):
                yield Bye(number, player.number, points.bye(kind), kind)


# --- a simulated event as a report --------------------------------------------------------------------------------
_BYES = {kind: code for code, kind in BYE_KINDS.items()}
# A day on which that edition of the Swiss rules was in force, so that a check of the report uses it again.
_DAYS = {2025: date(2025, 9, 1), 2026: date(2026, 3, 1)}


def report_of_simulation(event: SimulatedEvent, name: str) -> Report:
    """The report under that name: everybody with points and rank (equal points by number), and what is needed to check
    the pairings: rounds, first colour, points, virtual points."""
    plan, cells = event.plan, _cells(event)
    table = build_crosstable(list(cells), event.meetings, event.byes, plan.points)
    ranked = sorted(cells, key=lambda number: (-table[number].points, number))
    ranks = {number: rank for rank, number in enumerate(ranked, start=1)}
    return Report(
        players=tuple(
            ReportPlayer(
                number=one.number,
                name=f"Player {one.number:04}",
                rating=one.rating,
                points=points_text(Fraction(table[one.number].points, plan.points.unit)),
                rank=ranks[one.number],
                cells=tuple(cells[one.number]),
            )
            for one in event.entrants
        ),
        name=name,
        starts_on=_DAYS[plan.edition],
        kind="Individual: Swiss-System",
        rounds=plan.rounds,
        first_colour=WHITE if plan.settings["first_colour"] == "white" else BLACK,
        records=(*_points_records(event), *_virtual_records(event)),
    )


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
    system = event.plan.points
    if system != CLASSIC:
        worths = {"W": system.win, "D": system.draw, "L": system.loss, "PAB": system.allocated_bye}
        said = " ".join(f"{name}={points_text(Fraction(worth, system.unit))}" for name, worth in worths.items())
        yield Record("XXS", f"XXS {said}")


def _virtual_records(event: SimulatedEvent) -> Iterator[Record]:
    unit = event.plan.points.unit
    for number, virtual in sorted(event.accelerated.items()):
        each = "".join(f" {points_text(Fraction(points, unit)):>4}" for points in virtual)
        yield Record("XXA", f"XXA {number:>4}{each}")
