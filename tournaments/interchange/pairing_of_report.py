"""What a round of a Swiss is paired from, read off a tournament report (pure).

Sources: FIDE C.04.1 and C.04.2 (pairing numbers, initial colour; a game that is not over counts as a draw for the
pairing), TRF16 with its extensions, TRF26.

The round to be paired is the one after the last that has a game or a pairing-allocated bye. Everybody is paired who is
not said to be away, also whoever has left his last rounds blank. Points are counted from the rounds, whatever the
file's column says. In a report where nobody has an allocated bye in so many words (U), the only full-point bye of a
round is one: older programs know no other.

Beside the games a report says points, who is away, who must not meet, and virtual points: XXS, XXZ, XXP, XXA of
TRF16's extensions; 162, 240, 250, 260 of TRF26 (`trf.terms`).
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from tournaments.interchange.trf.games import games_of, is_paired, worths
from tournaments.interchange.trf.records import (
    ALLOCATED,
    BLACK,
    BYE_KINDS,
    FULL,
    WHITE,
    Cell,
    Note,
    Report,
    ReportError,
)
from tournaments.interchange.trf.terms import AWAY, asked_for, groups_apart, virtual_points
from tournaments.pairing.base import Board, Field, PairedRound, PairingError, swiss_edition_on
from tournaments.pairing.dutch.system import Dutch
from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.points import POINT_SYSTEMS, PointSystem, Result

# --- a round ------------------------------------------------------------------------------------------------------
_COLOURS = {WHITE: "white", BLACK: "black"}
_BAKU = "BAKU"


@dataclass(frozen=True, slots=True)
class RoundOfReport:
    """`field` and `settings` of one round. The field's numbers are pairing numbers; `numbers` are the report's, in
    their order: the pairing number 1 is the report's `numbers[0]`."""

    field: Field
    settings: Mapping[str, Any]
    numbers: tuple[int, ...]

    def pair(self) -> PairedRound:
        """The boards by the FIDE (Dutch) System, in the report's numbers. Raises PairingError."""
        reported: dict[int | None, int] = dict(enumerate(self.numbers, start=1))
        boards = Dutch().pair_round(self.field, self.settings)
        return tuple(Board(reported[board.white], reported.get(board.black)) for board in boards)


def edition_of(report: Report) -> int:
    """The edition of the Swiss rules that was in force on the report's first day; without one the newest."""
    return swiss_edition_on(report.starts_on)


def next_round(report: Report) -> int:
    """The round after the last that is paired."""
    played = range(report.played_rounds, 0, -1)
    return 1 + next((number for number in played if is_paired(report, number)), 0)


def round_to_pair(report: Report, edition: int) -> RoundOfReport:
    """The next round, of those who are not away; where the report says nowhere how many rounds there are, it is the
    last one (top scorers have less to mind about colours in it). Raises PairingError where there is none to be paired,
    ReportError for a report that cannot be used for it."""
    number = next_round(report)
    if report.rounds is not None and number > report.rounds:
        raise PairingError(f"All {report.rounds} rounds are paired.")
    away = away_in(report, number)
    present = frozenset(player.number for player in report.players) - away
    if not present:
        raise PairingError(f"Nobody is to be paired in round {number}: everybody is away.")
    return _round(report, number, present, report.rounds or max(number, len(report.round_days)), edition)


def round_as_paired(report: Report, number: int, edition: int) -> RoundOfReport:
    """A round that has been paired, of those who had an opponent in it or the allocated bye. Raises ReportError."""
    allocated = allocated_in(report, number)
    column = zip(report.players, _column(report, number), strict=False)
    present = frozenset(player.number for player, cell in column if cell.opponent) | allocated
    return _round(report, number, present, report.rounds or report.played_rounds, edition)


def allocated_in(report: Report, number: int) -> frozenset[int]:
    """Who had the pairing-allocated bye in that round."""
    column = list(zip(report.players, _column(report, number), strict=False))
    named = frozenset(player.number for player, cell in column if cell.code == ALLOCATED)
    full = frozenset(player.number for player, cell in column if cell.code == FULL)
    says_allocated = any(cell.code == ALLOCATED for player in report.players for cell in player.cells)
    return named if named or len(full) != 1 or says_allocated else full


def first_colour_of(report: Report) -> str:
    """The initial colour: as the report says; else as most boards of round 1 had it, where the better player of a board
    has it if his place among those who were paired is odd, and the other one if it is even; else White."""
    if report.first_colour:
        return _COLOURS[report.first_colour]
    seen = list(_first_colours(report))
    return "white" if 2 * seen.count("white") >= len(seen) else "black"


def _first_colours(report: Report) -> Iterator[str]:
    cells = {player.number: cell for player, cell in zip(report.players, _column(report, 1), strict=False)}
    paired = [number for number in pairing_order(report) if number in cells and cells[number].opponent]
    places = {number: place for place, number in enumerate(paired, start=1)}
    for number, place in places.items():
        cell = cells[number]
        if cell.colour and place < places[cell.opponent]:
            yield "white" if (cell.colour == WHITE) == bool(place % 2) else "black"


def pairing_order(report: Report) -> tuple[int, ...]:
    """The report's numbers in the order of pairing numbers: as they are, or by the ranks where it says so."""
    if not report.by_rank:
        return tuple(player.number for player in report.players)
    ranked = sorted(report.players, key=lambda player: (player.rank is None, player.rank or 0, player.number))
    return tuple(player.number for player in ranked)


# --- the field ----------------------------------------------------------------------------------------------------
def _round(report: Report, number: int, present: frozenset[int], rounds: int, edition: int) -> RoundOfReport:
    _refuse_what_cannot_be_paired(report, rounds)
    numbers, points = pairing_order(report), points_in(report)
    to = {own: at for at, own in enumerate(numbers, start=1)}
    field = Field(
        players=tuple(range(1, len(numbers) + 1)),
        present=frozenset(to[one] for one in present),
        meetings=tuple(_meetings(report, number, to)),
        byes=tuple(_byes(report, number, to, points)),
        prohibited=frozenset(frozenset(to[one] for one in pair) for pair in apart_in(report, number)),
        round=number,
        points=points,
        edition=edition,
        accelerated={to[one]: own for one, own in accelerated_in(report, points.unit).items()},
    )
    baku = not field.accelerated and _BAKU in report.coded_kind.split("_")
    settings = {"rounds": rounds, "first_colour": first_colour_of(report), "acceleration": "baku" if baku else "none"}
    return RoundOfReport(field, settings, numbers)


def _refuse_what_cannot_be_paired(report: Report, rounds: int) -> None:
    if "TEAM" in report.coded_kind.split("_") or next(report.texts("310"), ""):
        raise ReportError([Note(0, 0, "This is an event of teams, but not read as one: it has no records of teams.")])
    most = next(option.highest for option in Dutch.options if option.key == "rounds")
    if rounds > most:
        raise ReportError([Note(0, 0, f"The report is of {rounds} rounds: a Swiss has up to {most}.")])
    if not Dutch.min_players <= len(report.players) <= Dutch.max_players:
        text = f"a Swiss has {Dutch.min_players} to {Dutch.max_players}"
        raise ReportError([Note(0, 0, f"The report has {len(report.players)} players: {text}.")])


def _meetings(report: Report, number: int, to: Mapping[int, int]) -> Iterator[Meeting]:
    for game in games_of(report):
        if game.round < number:
            result = Result.DRAW if game.result == Result.OPEN else game.result
            yield replace(game, white=to[game.white], black=to[game.black], result=result)


def _byes(report: Report, number: int, to: Mapping[int, int], points: PointSystem) -> Iterator[Bye]:
    for at in range(1, number):
        allocated = allocated_in(report, at)
        for player in report.players:
            cell = player.cells[at - 1]
            if not cell.opponent:
                kind = "pab" if player.number in allocated else BYE_KINDS.get(cell.code, "zero")
                yield Bye(at, to[player.number], points.bye(kind), kind)


def _column(report: Report, number: int) -> Iterator[Cell]:
    """Everybody's cell of a round; nothing where the report does not go so far."""
    return (player.cells[number - 1] for player in report.players if len(player.cells) >= number)


# --- points -------------------------------------------------------------------------------------------------------
def points_in(report: Report) -> PointSystem:
    """The report's points in the smallest unit that makes all of them whole, virtual ones included; one of ours where
    it says the same."""
    said = worths(report)
    values = (said.win, said.draw, said.loss, said.allocated)
    unit = math.lcm(*(value.denominator for value in (*values, *(row.points for row in virtual_points(report)))))
    own = next((known for known in POINT_SYSTEMS if unit in (1, known.unit) and _worths_of(known) == values), None)
    win, draw, loss, allocated = (int(value * unit) for value in values)
    return own or PointSystem("report", unit=unit, win=win, draw=draw, loss=loss, allocated_bye=allocated)


def _worths_of(system: PointSystem) -> tuple[Fraction, ...]:
    worth = (system.win, system.draw, system.loss, system.allocated_bye)
    return () if system.after_draw else tuple(Fraction(value, system.unit) for value in worth)


# --- who plays ----------------------------------------------------------------------------------------------------
def away_in(report: Report, number: int) -> frozenset[int]:
    """Who is not there in a round still to be paired: by a cell of it without opponent, XXZ, or 240."""
    there = (row for row in report.players if number <= len(row.cells) - row.filled)
    by_cell = {row.number for row in there if row.cells[number - 1].code in AWAY}
    asked = {one for bye in asked_for(report) if bye.round in (0, number) for one in bye.numbers}
    return frozenset(by_cell | asked)


def apart_in(report: Report, number: int) -> frozenset[frozenset[int]]:
    """The pairs that must not meet in that round, by XXP or 260."""
    groups = [group.numbers for group in groups_apart(report) if group.first <= number <= group.last]
    return frozenset(frozenset(pair) for group in groups for pair in combinations(sorted(set(group)), 2))


def accelerated_in(report: Report, unit: int) -> Mapping[int, tuple[int, ...]]:
    """Everybody's virtual points in rounds 1, 2, … in that unit, by XXA or 250."""
    found: dict[int, list[Fraction]] = {}
    for row in virtual_points(report):
        own = found.setdefault(row.player, [])
        own += [Fraction(0)] * (row.last - len(own))
        for number in range(row.first, row.last + 1):
            own[number - 1] += row.points
    return {player: tuple(int(points * unit) for points in own) for player, own in found.items()}
