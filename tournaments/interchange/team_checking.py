"""A report's matches of teams against the rules: round robins by the Berger tables, Swisses by C.04.6 (pure).

What is not said by the type (192, 092) is taken for a round robin where everybody met everybody, or where the rounds so
far are those of the tables; else for a Swiss. In a round robin the team that has White in the tables is at home; it has
White on board 1, or Black there in the whole event: whichever differs less. A match by default has the colours of the
tables where the report has none.

A Swiss round is paired again from those before it, of the teams that were in it, and compared match by match, with the
teams' colours and the allocated bye. Not checked: the order of matches; whether a team should have been in the round.
"""

from collections.abc import Iterable
from itertools import product
from typing import Any

from tournaments.interchange.checking import (
    BYE,
    NotCheckedError,
    RoundDifference,
    RoundRobinCheck,
    SwissCheck,
    in_order,
    is_said_round_robin,
    round_difference,
)
from tournaments.interchange.team_event_of_report import team_event_of
from tournaments.interchange.team_pairing_of_report import team_round_as_paired
from tournaments.interchange.trf.records import Report
from tournaments.pairing.base import PairingError
from tournaments.pairing.round_robin import Number, cycles
from tournaments.pairing.team_swiss.pairing import pair_teams
from tournaments.standings.team_event import TeamEvent

EDITION = 2026


def check_teams(report: Report) -> RoundRobinCheck | SwissCheck:
    """Every round that has matches. Raises NotCheckedError for an event of another kind, ReportError for a report that
    cannot be used."""
    said, event = is_said_round_robin(report), team_event_of(report)
    if said is None and report.coded_kind.startswith("FIDE_TEAM"):
        said = False
    if said or (said is None and not event.swiss):
        return _round_robin(report, event)
    if said is None and event.rounds > 1 and max(report.rounds or 0, event.rounds) <= 2 * _once(event):
        tables = _round_robin(report, event)
        if not tables.differences:
            return tables
    return _swiss(report, event)


def _once(event: TeamEvent) -> int:
    return max(len(event.teams) + len(event.teams) % 2 - 1, 1)


# --- round robins -------------------------------------------------------------------------------------------------
def _round_robin(report: Report, event: TeamEvent) -> RoundRobinCheck:
    once, rounds = _once(event), max(event.rounds, report.rounds or 0)
    if rounds > 2 * once:
        text = f"{len(event.teams)} teams have {once} rounds in a round robin, or {2 * once}"
        raise NotCheckedError(f"{text}, and the report has {rounds}: this is neither a single nor a double one.")
    formats: list[dict[str, Any]] = [{}]
    if rounds > once or "double" in f"{report.coded_kind} {report.kind}".casefold():
        formats = [{"cycles": 2}, {"cycles": 2, "swap_last_two": True}]
    checks = (_compared(event, settings, black_at_home=turned) for settings, turned in product(formats, (False, True)))
    return min(checks, key=lambda check: len(check.differences))


def _compared(event: TeamEvent, settings: dict[str, Any], *, black_at_home: bool) -> RoundRobinCheck:
    count = len(event.teams)
    double, swapped = settings.get("cycles") == 2, bool(settings.get("swap_last_two"))
    rounds = cycles(count + count % 2, double=double, swap_last_two=swapped)
    tables = [frozenset(_turned(boards, black_at_home, count)) for boards in rounds]
    numbers = sorted({match.round for match in event.meetings})
    found = (_difference(event, number, tables) for number in numbers)
    return RoundRobinCheck(settings, len(numbers), tuple(difference for difference in found if difference))


def _turned(boards: Iterable[Number], black_at_home: bool, count: int) -> Iterable[Number]:
    kept = (board for board in boards if max(board) <= count)
    return (board[::-1] for board in kept) if black_at_home else kept


def _difference(event: TeamEvent, number: int, tables: list[frozenset[Number]]) -> RoundDifference | None:
    found = _matches(event, number)
    missed = set(event.teams) - {team for match in found for team in match}
    return round_difference(number, tables, found, missed)


def _matches(event: TeamEvent, number: int) -> frozenset[Number]:
    """The matches of a round, the team with White on board 1 first."""
    return frozenset((match.first, match.second) for match in event.meetings if match.round == number)


# --- Swisses ------------------------------------------------------------------------------------------------------
def _swiss(report: Report, event: TeamEvent) -> SwissCheck:
    numbers = sorted({match.round for match in event.meetings})
    found = (_swiss_difference(report, event, number) for number in numbers)
    return SwissCheck(EDITION, len(numbers), tuple(difference for difference in found if difference))


def _swiss_difference(report: Report, event: TeamEvent, number: int) -> RoundDifference | None:
    byes = ((bye.team, BYE) for bye in event.byes if bye.round == number and bye.kind == "pab")
    found = _matches(event, number) | frozenset(byes)
    try:
        pairs = pair_teams(team_round_as_paired(report, event, number))
    except PairingError as reason:
        return RoundDifference(number, (), in_order(found), reason=str(reason))
    expected = [(pair.white, BYE if pair.black is None else pair.black) for pair in pairs]
    if found == set(expected):
        return None
    missing = tuple(match for match in expected if match not in found)
    return RoundDifference(number, missing, in_order(found - set(expected)))
