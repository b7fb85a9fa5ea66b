"""A Swiss report against the FIDE (Dutch) System: which rounds were paired otherwise (pure).

Every round that has games is paired again from those before it, of the players who were in it, and compared board by
board, colours and the allocated bye included. A round that differs does not disturb the next one: that is paired from
what was played. Rules: those in force on the report's first day, or the edition asked for.
Not checked: the order of boards, which no report knows; whether somebody should have been in the round; Swiss systems
of other names, whose reports `checking` refuses.
"""

from dataclasses import dataclass

from tournaments.interchange.checking import BYE, RoundDifference, games_found, in_order
from tournaments.interchange.pairing_of_report import allocated_in, edition_of, is_paired, round_as_paired
from tournaments.interchange.trf.records import Report
from tournaments.pairing.base import PairingError
from tournaments.pairing.round_robin import Number


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
    found = (_difference(report, number, by) for number in rounds)
    return SwissCheck(by, len(rounds), tuple(difference for difference in found if difference))


def _difference(report: Report, number: int, edition: int) -> RoundDifference | None:
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
