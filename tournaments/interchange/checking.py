"""A round robin's report against the Berger tables: which rounds were paired otherwise (pure).

Whether an event is a round robin is said by its type (192, 092); where it has none, by who met whom: everybody once,
or everybody twice, in as many rounds as that takes. A double one may have the last two rounds of its first cycle
swapped; where the type does not say, the tables are taken that differ less. With an odd number of players the free
one is whoever would meet the last number.
Not checked: the order of boards, which no report knows, and Swiss systems. Two who both had no opponent were due to
meet and did not, so that is no difference: somebody has left, or the round is still to come.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tournaments.interchange.trf.records import NO_COLOUR, WHITE, Report
from tournaments.pairing.round_robin import Number, cycles

MOST_PLAYERS = 200
_ROUND_ROBIN = ("roundrobin", "berger", "allplayall")
_SWISS = ("swiss", "dutch", "burstein", "dubov", "lim")
_OTHERS = ("knockout", "scheveningen", "keizer", "ladder", "hutton", "elimination")
_SWISS_LATER = "Swiss systems are not checked by this version yet."


class NotCheckedError(ValueError):
    """The report is of no event that can be checked; the sentence says why."""


@dataclass(frozen=True, slots=True)
class RoundDifference:
    """A round that was not paired by the tables: the boards (White, Black) only there, those only in the report, and
    the round of the tables the report's boards are (0: of none)."""

    round: int
    expected: tuple[Number, ...]
    found: tuple[Number, ...]
    table_round: int = 0

    def __str__(self) -> str:
        hint = f" (round {self.table_round} of the tables)" if self.table_round else ""
        return f"round {self.round}: expected {_boards(self.expected)}, found {_boards(self.found)}{hint}"


@dataclass(frozen=True, slots=True)
class RoundRobinCheck:
    """The format's `settings` as the pairing system takes them, how many rounds were compared, and what differs."""

    settings: dict[str, Any]
    rounds: int
    differences: tuple[RoundDifference, ...]


def check_round_robin(report: Report) -> RoundRobinCheck:
    """Every round that has games against the tables. Raises NotCheckedError for what is no round robin."""
    kind = _plain(f"{report.coded_kind} {report.kind}")
    if "team" in kind:
        raise NotCheckedError("This is an event of teams by its type: only players’ round robins are checked.")
    named = any(word in kind for word in _ROUND_ROBIN)
    few = len(report.players) <= MOST_PLAYERS
    if not named:
        _refuse_others(report, kind, looks=few and _looks_like_one(report))
    if not few:
        told = f"{len(report.players)} players are too many for one"
        raise NotCheckedError(f"{told}: only round robins of up to {MOST_PLAYERS} players are checked.")
    return min((_compared(report, settings) for settings in _settings(report, kind)), key=_how_different)


def _refuse_others(report: Report, kind: str, *, looks: bool) -> None:
    """Raises NotCheckedError, naming the type, for what is no round robin by its type, and does not look
    like one either."""
    called = report.kind or report.coded_kind
    if any(word in kind for word in _OTHERS):
        raise NotCheckedError(f"This is no round robin by its type “{called}”: only round robins are checked.")
    if any(word in kind for word in _SWISS):
        raise NotCheckedError(f"This is no round robin by its type “{called}”: {_SWISS_LATER}")
    if not looks:
        why = f"its type “{called}” is not known: only round robins are checked." if called else _SWISS_LATER
        raise NotCheckedError(f"This does not look like a round robin (type 092 or 192 says so): {why}")


def _settings(report: Report, kind: str) -> list[dict[str, Any]]:
    """The formats the event may have, the likelier first. Raises NotCheckedError where it has too many rounds."""
    once = _rounds_once(report)
    rounds = max(report.played_rounds, report.rounds or 0)
    if rounds > 2 * once:
        told = f"{len(report.players)} players have {once} rounds in a round robin, or {2 * once}"
        raise NotCheckedError(f"{told}, and the report has {rounds}: this is neither a single nor a double one.")
    if rounds <= once and "double" not in kind:
        return [{}]
    plain: dict[str, Any] = {"cycles": 2}
    swapped = {"cycles": 2, "swap_last_two": True}
    if "fidedouble" in kind:
        return [swapped]
    return [plain] if "bergerdouble" in kind else [plain, swapped]


def _compared(report: Report, settings: dict[str, Any]) -> RoundRobinCheck:
    tables = _tables(report, settings)
    rounds = [number for number in range(1, report.played_rounds + 1) if _has_games(report, number)]
    differences = (_difference(report, number, tables) for number in rounds)
    return RoundRobinCheck(settings, len(rounds), tuple(found for found in differences if found))


def _difference(report: Report, number: int, tables: list[frozenset[Number]]) -> RoundDifference | None:
    table, found = tables[number - 1], _found(report, number, tables[number - 1])
    missed = _missed(report, number)
    expected = {board for board in table - found if not missed.issuperset(board)}
    if found <= table and not expected:
        return None
    same = next((at for at, other in enumerate(tables, start=1) if at != number and found == other), 0)
    return RoundDifference(number, _sorted(expected), _sorted(found - table), same)


def _found(report: Report, number: int, table: frozenset[Number]) -> frozenset[Number]:
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


def _has_games(report: Report, number: int) -> bool:
    return any(player.cells[number - 1].opponent for player in report.players)


def _tables(report: Report, settings: dict[str, Any]) -> list[frozenset[Number]]:
    """The boards of every round, without those of the absent last number."""
    count = len(report.players)
    double, swapped = settings.get("cycles") == 2, bool(settings.get("swap_last_two"))
    rounds = cycles(count + count % 2, double=double, swap_last_two=swapped)
    return [frozenset(board for board in boards if max(board) <= count) for boards in rounds]


# --- is it one? ---------------------------------------------------------------------------------------------------
def _looks_like_one(report: Report) -> bool:
    """By who met whom: all rounds of one or two cycles, or the first of them exactly as in the tables."""
    once = _rounds_once(report)
    if report.played_rounds == 0 or report.rounds not in (None, once, 2 * once):
        return False
    if report.played_rounds in (once, 2 * once) and report.rounds in (None, report.played_rounds):
        return set(_meetings(report).values()) == {report.played_rounds // once}
    running = report.rounds is not None and report.played_rounds < report.rounds and report.played_rounds > 1
    return running and not _compared(report, {"cycles": report.rounds // once} if report.rounds else {}).differences


def _rounds_once(report: Report) -> int:
    count = len(report.players)
    return max(count + count % 2 - 1, 1)


def _meetings(report: Report) -> Counter[frozenset[int]]:
    """How often each two met, nought included."""
    numbers = [player.number for player in report.players]
    met = Counter(dict.fromkeys((frozenset((a, b)) for a in numbers for b in numbers if a < b), 0))
    met.update(frozenset(pair) for pair in _pairs(report))
    return met


def _pairs(report: Report) -> Iterator[tuple[int, int]]:
    for player in report.players:
        yield from ((player.number, cell.opponent) for cell in player.cells if cell.opponent > player.number)


def _how_different(check: RoundRobinCheck) -> int:
    return len(check.differences)


def _sorted(boards: set[Number] | frozenset[Number]) -> tuple[Number, ...]:
    return tuple(sorted(boards, key=lambda board: (min(board), max(board))))


def _boards(boards: tuple[Number, ...]) -> str:
    return " ".join(f"{white}-{black}" for white, black in boards) or "no other board"


def _plain(text: str) -> str:
    return re.sub("[^a-z]", "", text.casefold())
