"""A report's pairings against the rules: round robins by the Berger tables, Swisses by the FIDE (Dutch) System (pure).

`is_round_robin`: whether an event is a round robin is said by its type (192, 092); where it has none, by who met whom:
everybody once, or everybody twice, in as many rounds as that takes. Everything else is a Swiss, unless its type says
that it is something third: that is not checked (NotCheckedError).

`check_round_robin`: a double round robin may have the last two rounds of its first cycle swapped; where the type does
not say, the tables are taken that differ less. With an odd number of players the free one is whoever would meet the
last number. Not checked: the order of boards, which no report knows. Two who both had no opponent were due to meet and
did not, so that is no difference: somebody has left, or the round is still to come.

`check_swiss`: every round that has games is paired again from those before it, of the players who were in it, and
compared board by board, colours and the allocated bye included. A round that differs does not disturb the next one:
that is paired from what was played. Rules: those in force on the report's first day, or the edition asked for. Not
checked: the order of boards; whether somebody should have been in the round; Swiss systems of other names.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tournaments.interchange.pairing_of_report import allocated_in, edition_of, round_as_paired
from tournaments.interchange.trf.games import is_paired
from tournaments.interchange.trf.records import NO_COLOUR, WHITE, Report
from tournaments.pairing.base import PairingError
from tournaments.pairing.round_robin import Number, cycles

# --- round robins -------------------------------------------------------------------------------------------------
MOST_PLAYERS = 200
_ROUND_ROBIN = ("roundrobin", "berger", "allplayall")
_OTHER_SWISS = ("burstein", "dubov", "doubleswiss")
_OTHERS = ("knockout", "scheveningen", "keizer", "ladder", "hutton", "elimination")
_SWISS = ("swiss", "dutch")
_CHECKED = "only round robins and Swisses by the FIDE (Dutch) System are checked"
BYE = 0  # in place of Black


class NotCheckedError(ValueError):
    """The report is of no event that can be checked; the sentence says why."""


@dataclass(frozen=True, slots=True)
class RoundDifference:
    """A round that was not paired as it should have been: the boards (White, Black) that are expected and not there,
    those that are there and not expected, and the round of the tables the report's boards are (0: of none). `reason`:
    why no board is expected, where the round cannot be paired at all."""

    round: int
    expected: tuple[Number, ...]
    found: tuple[Number, ...]
    table_round: int = 0
    reason: str = ""

    def __str__(self) -> str:
        hint = f" (round {self.table_round} of the tables)" if self.table_round else ""
        expected = f"expected none ({self.reason})" if self.reason else f"expected {_boards(self.expected)}"
        return f"round {self.round}: {expected}, found {_boards(self.found)}{hint}"


@dataclass(frozen=True, slots=True)
class RoundRobinCheck:
    """The format's `settings` as the pairing system takes them, how many rounds were compared, and what differs."""

    settings: dict[str, Any]
    rounds: int
    differences: tuple[RoundDifference, ...]


def is_round_robin(report: Report) -> bool:
    """Whether it is to be checked as a round robin; else as a Swiss. Raises NotCheckedError where it is neither by its
    type, and for an event of teams (`team_checking`)."""
    if "team" in _plain(f"{report.coded_kind} {report.kind}") or next(report.texts("310"), ""):
        raise NotCheckedError("This is an event of teams, but not read as one: it has no records of teams.")
    said = is_said_round_robin(report)
    if said is None:
        return len(report.players) <= MOST_PLAYERS and _looks_like_one(report)
    return said


def is_said_round_robin(report: Report) -> bool | None:
    """Whether the type says that it is a round robin, or a Swiss; None where it says neither. Raises NotCheckedError
    where it says something third."""
    kind, called = _plain(f"{report.coded_kind} {report.kind}"), report.kind or report.coded_kind
    if _says(kind, _ROUND_ROBIN):
        return True
    if _says(kind, _OTHERS):
        raise NotCheckedError(f"This is “{called}” by its type: {_CHECKED}.")
    if _says(kind, _OTHER_SWISS) or "lim" in re.findall("[a-z]+", called.casefold()):
        raise NotCheckedError(f"This is another Swiss system by its type, “{called}”: {_CHECKED}.")
    return False if _says(kind, _SWISS) else None


def _says(kind: str, words: Iterable[str]) -> bool:
    return any(word in kind for word in words)


def check_round_robin(report: Report) -> RoundRobinCheck:
    """Every round that has games against the tables. Raises NotCheckedError for what is no round robin."""
    if not is_round_robin(report):
        raise NotCheckedError("This is no round robin, neither by its type nor by who met whom.")
    if len(report.players) > MOST_PLAYERS:
        text = f"{len(report.players)} players are too many for a round robin"
        raise NotCheckedError(f"{text}: those of up to {MOST_PLAYERS} players are checked.")
    kind = _plain(f"{report.coded_kind} {report.kind}")
    checks = (_compared(report, settings) for settings in _settings(report, kind))
    return min(checks, key=lambda check: len(check.differences))


def _settings(report: Report, kind: str) -> list[dict[str, Any]]:
    """The formats the event may have, the likelier first. Raises NotCheckedError where it has too many rounds."""
    once = report.rounds_once
    rounds = max(report.played_rounds, report.rounds or 0)
    if rounds > 2 * once:
        text = f"{len(report.players)} players have {once} rounds in a round robin, or {2 * once}"
        raise NotCheckedError(f"{text}, and the report has {rounds}: this is neither a single nor a double one.")
    if rounds <= once and "double" not in kind:
        return [{}]
    plain: dict[str, Any] = {"cycles": 2}
    swapped = {"cycles": 2, "swap_last_two": True}
    if "fidedouble" in kind:
        return [swapped]
    return [plain] if "bergerdouble" in kind else [plain, swapped]


def _compared(report: Report, settings: dict[str, Any]) -> RoundRobinCheck:
    tables = _tables(report, settings)
    everybody = len(report.players)
    rounds = [number for number in range(1, report.played_rounds + 1) if len(_missed(report, number)) < everybody]
    differences = (_difference(report, number, tables) for number in rounds)
    return RoundRobinCheck(settings, len(rounds), tuple(found for found in differences if found))


def _difference(report: Report, number: int, tables: list[frozenset[Number]]) -> RoundDifference | None:
    return round_difference(number, tables, games_found(report, number, tables[number - 1]), _missed(report, number))


def round_difference(
    number: int, tables: list[frozenset[Number]], found: frozenset[Number], missed: set[int]
) -> RoundDifference | None:
    """A round against the tables; `missed`: who has no opponent in it."""
    table = tables[number - 1]
    expected = {board for board in table - found if not missed.issuperset(board)}
    if found <= table and not expected:
        return None
    same = next((at for at, other in enumerate(tables, start=1) if at != number and found == other), 0)
    return RoundDifference(number, in_order(expected), in_order(found - table), same)


def games_found(report: Report, number: int, table: frozenset[Number]) -> frozenset[Number]:
    """The games of a round; a forfeit without colours has those of the tables."""
    return frozenset(
        _board(player.number, cell.opponent, cell.colour, table)
        for player in report.players
        if (cell := player.cells[number - 1]).opponent and cell.colour in (WHITE, NO_COLOUR)
    )


def _board(player: int, opponent: int, colour: str, table: frozenset[Number]) -> Number:
    if colour == WHITE:
        return player, opponent
    either = (min(player, opponent), max(player, opponent))
    return either[::-1] if either[::-1] in table else either


def _missed(report: Report, number: int) -> set[int]:
    """Who has no opponent in that round."""
    return {player.number for player in report.players if not player.cells[number - 1].opponent}


def _tables(report: Report, settings: dict[str, Any]) -> list[frozenset[Number]]:
    """The boards of every round, without those of the absent last number."""
    count = len(report.players)
    double, swapped = settings.get("cycles") == 2, bool(settings.get("swap_last_two"))
    rounds = cycles(count + count % 2, double=double, swap_last_two=swapped)
    return [frozenset(board for board in boards if max(board) <= count) for boards in rounds]


# --- is it one? ---------------------------------------------------------------------------------------------------
def _looks_like_one(report: Report) -> bool:
    """By who met whom: all rounds of one or two cycles, or the first of them exactly as in the tables."""
    once = report.rounds_once
    if report.played_rounds == 0 or report.rounds not in (None, once, 2 * once):
        return False
    if report.played_rounds in (once, 2 * once) and report.rounds in (None, report.played_rounds):
        return set(_meetings(report).values()) == {report.played_rounds // once}
    running = report.rounds is not None and report.played_rounds < report.rounds and report.played_rounds > 1
    return running and not _compared(report, {"cycles": report.rounds // once} if report.rounds else {}).differences


def _meetings(report: Report) -> Counter[Number]:
    """How often each two met, nought included."""
    met = Counter(dict.fromkeys(combinations((player.number for player in report.players), 2), 0))
    for player in report.players:
        met.update((player.number, cell.opponent) for cell in player.cells if cell.opponent > player.number)
    return met


def in_order(boards: Iterable[Number]) -> tuple[Number, ...]:
    """The boards by the better number of each, byes last."""
    return tuple(sorted(boards, key=lambda board: (board[1] == BYE, min(board), max(board))))


def _boards(boards: tuple[Number, ...]) -> str:
    return " ".join(f"{white}-{black or 'bye'}" for white, black in boards) or "no other board"


def _plain(text: str) -> str:
    return re.sub("[^a-z]", "", text.casefold())


# --- Swisses ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class SwissCheck:
    """The edition of the rules, how many rounds were compared, and what differs."""

    edition: int
    rounds: int
    differences: tuple[RoundDifference, ...]


def check_swiss(report: Report, edition: int | None = None) -> SwissCheck:
    """Every round that is paired against the rules. Raises ReportError where the report cannot be used for that."""
    by = edition or edition_of(report)
    rounds = [number for number in range(1, report.played_rounds + 1) if is_paired(report, number)]
    found = (_swiss_difference(report, number, by) for number in rounds)
    return SwissCheck(by, len(rounds), tuple(difference for difference in found if difference))


def _swiss_difference(report: Report, number: int, edition: int) -> RoundDifference | None:
    try:
        boards = round_as_paired(report, number, edition).pair()
    except PairingError as reason:
        return RoundDifference(number, (), in_order(_found(report, number, frozenset())), reason=str(reason))
    expected = [(board.white, BYE if board.black is None else board.black) for board in boards]
    found = _found(report, number, frozenset(expected))
    if found == set(expected):
        return None
    missing = tuple(board for board in expected if board not in found)
    return RoundDifference(number, missing, in_order(found - set(expected)))


def _found(report: Report, number: int, expected: frozenset[Number]) -> frozenset[Number]:
    """The boards of a round, the allocated byes last; a forfeit without colours has those that are expected."""
    return games_found(report, number, expected) | {(player, BYE) for player in allocated_in(report, number)}
