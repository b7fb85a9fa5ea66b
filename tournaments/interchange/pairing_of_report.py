"""What a round of a Swiss is paired from, read off a tournament report (pure).

Sources: FIDE C.04.1 and C.04.2 (pairing numbers, initial colour; a game that is not over counts as a draw for the
pairing), TRF16 with its extensions, TRF26.

The round to be paired is the one after the last that has a game or a pairing-allocated bye. Everybody is paired who is
not said to be away (`pairing_terms`), also whoever has left his last rounds blank. Points are counted from the rounds,
whatever the file's column says. In a report where nobody has an allocated bye in so many words (U), the only full-point
bye of a round is one: older programs know no other.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.interchange.pairing_terms import accelerated_in, apart_in, away_in, points_in
from tournaments.interchange.trf.games import games_of
from tournaments.interchange.trf.records import (
    ALLOCATED,
    BLACK,
    FULL,
    HALF,
    OPEN,
    WHITE,
    ZERO,
    Cell,
    Note,
    Report,
    ReportError,
)
from tournaments.pairing import Board, PairedRound, PairingError, pairing_system
from tournaments.pairing.base import SWISS_EDITIONS, Field, RoundSystem, swiss_edition_on
from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.points import PointSystem, Result

DUTCH = "dutch"
_BYES = {ALLOCATED: "pab", FULL: "full", HALF: "half", ZERO: "zero", OPEN: "zero"}
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
        system = pairing_system(DUTCH)
        assert isinstance(system, RoundSystem)
        return tuple(self._as_reported(board) for board in system.pair_round(self.field, self.settings))

    def _as_reported(self, board: Board) -> Board:
        black = None if board.black is None else self.numbers[board.black - 1]
        return Board(self.numbers[board.white - 1], black)


def edition_of(report: Report) -> int:
    """The edition of the Swiss rules that was in force on the report's first day; without one the newest."""
    return swiss_edition_on(report.starts_on) if report.starts_on else SWISS_EDITIONS[-1]


def next_round(report: Report) -> int:
    """The round after the last that is paired."""
    played = range(report.played_rounds, 0, -1)
    return 1 + next((number for number in played if is_paired(report, number)), 0)


def is_paired(report: Report, number: int) -> bool:
    """Whether a round has a game or an allocated bye."""
    return any(cell.opponent or cell.code == ALLOCATED for cell in _column(report, number))


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
    return named if named or len(full) != 1 or _says_allocated(report) else full


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
        raise ReportError([Note(0, 0, "This is an event of teams: only players are paired.")])
    system = pairing_system(DUTCH)
    most = next(option.highest for option in system.options if option.key == "rounds")
    if rounds > most:
        raise ReportError([Note(0, 0, f"The report is of {rounds} rounds: a Swiss has up to {most}.")])
    if not system.min_players <= len(report.players) <= system.max_players:
        text = f"a Swiss has {system.min_players} to {system.max_players}"
        raise ReportError([Note(0, 0, f"The report has {len(report.players)} players: {text}.")])


def _meetings(report: Report, number: int, to: Mapping[int, int]) -> Iterator[Meeting]:
    for game in games_of(report):
        if game.round < number:
            result = Result.DRAW if game.result == Result.OPEN else game.result
            yield Meeting(game.round, to[game.white], to[game.black], result)


def _byes(report: Report, number: int, to: Mapping[int, int], points: PointSystem) -> Iterator[Bye]:
    worth = {"pab": points.allocated_bye, "full": points.win, "half": points.draw, "zero": 0}
    for at in range(1, number):
        allocated = allocated_in(report, at)
        for player in report.players:
            cell = player.cells[at - 1]
            if not cell.opponent:
                kind = "pab" if player.number in allocated else _BYES[cell.code]
                yield Bye(at, to[player.number], worth[kind], kind)


def _column(report: Report, number: int) -> Iterator[Cell]:
    """Everybody's cell of a round; nothing where the report does not go so far."""
    return (player.cells[number - 1] for player in report.players if len(player.cells) >= number)


def _says_allocated(report: Report) -> bool:
    return any(cell.code == ALLOCATED for player in report.players for cell in player.cells)
