"""What a round of a team Swiss is paired from, read off a tournament report of teams (pure).

The round to be paired is the one after the last that has a match or a pairing-allocated bye. Every team is paired that
is not said to be away: by 240, or because all its players are away in that column. Pairs kept apart: 260. Virtual
points: 250, in the primary score; without them Baku acceleration where the type ends in BAKU.

The type (192) says the rest: FIDE_TEAM[_TYPEA|_TYPEB]_{MP_GP|GP_MP|MP|GP}[_BAKU]. The first score is the primary one, a
second one helps to give colours. Without TYPE there are no preferences; a bare FIDE_TEAM, and a report without a coded
type, is FIDE_TEAM_TYPEA_MP_GP (FIDE's table of types of TRF26; C.04.6 art. 1.2 and 1.7).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from tournaments.interchange.team_event_of_report import team_event_of, team_records
from tournaments.interchange.trf.records import BLACK, Note, Report, ReportError
from tournaments.interchange.trf.team_records import TeamOfReport, TeamRecords
from tournaments.interchange.trf.terms import AWAY
from tournaments.pairing.base import PairingError
from tournaments.pairing.team_swiss.field import MOST_TEAMS, TeamField
from tournaments.pairing.team_swiss.preference import Type
from tournaments.standings.team_event import TeamEvent, TeamMeeting

_TEAM_RECORDS = frozenset(("013", "310", "300", "320", "330", "340", "299", "352", "362", "240", "250", "260"))
_MOST_ROUNDS = 30


def without_teams(report: Report) -> Report:
    """The report as one of players alone: 240, 250 and 260 speak of teams there, so they go too."""
    kept = tuple(record for record in report.records if record.tag not in _TEAM_RECORDS | {"192"})
    return replace(report, records=kept, kind="" if "team" in report.kind.casefold() else report.kind)


def team_round_to_pair(report: Report) -> TeamField:
    """The next round, of the teams that are not away; where the report says nowhere how many rounds there are, it is
    the last one. Raises PairingError where there is none to be paired, ReportError for a report that cannot be used."""
    event, records = team_event_of(report, swiss=True), team_records(report)
    number = event.rounds + 1
    if report.rounds is not None and number > report.rounds:
        raise PairingError(f"All {report.rounds} rounds are paired.")
    present = frozenset(event.teams) - _away(report, records, number)
    if not present:
        raise PairingError(f"No team is to be paired in round {number}: all are away.")
    return _field(report, event, records, number, present, report.rounds or max(number, len(report.round_days)))


def team_round_as_paired(report: Report, event: TeamEvent, number: int) -> TeamField:
    """A round that has been paired, of the teams that had a match in it or the allocated bye. Raises ReportError."""
    seated = {team for match in event.meetings if match.round == number for team in (match.first, match.second)}
    free = {bye.team for bye in event.byes if bye.round == number and bye.kind == "pab"}
    rounds = report.rounds or max(event.rounds, len(report.round_days))
    return _field(report, event, team_records(report), number, frozenset(seated | free), rounds)


def _field(
    report: Report, event: TeamEvent, records: TeamRecords, number: int, present: frozenset[int], rounds: int
) -> TeamField:
    if rounds > _MOST_ROUNDS:
        raise ReportError([Note(0, 0, f"The report is of {rounds} rounds: a team Swiss has up to {_MOST_ROUNDS}.")])
    if len(event.teams) > MOST_TEAMS:
        text = f"The report has {len(event.teams)} teams: a team Swiss has up to {MOST_TEAMS}."
        raise ReportError([Note(0, 0, text)])
    words = report.coded_kind.split("_")
    apart = (group.teams for group in records.apart if group.first <= number <= group.last)
    return TeamField(
        teams=event.teams,
        present=present,
        meetings=tuple(match for match in event.meetings if match.round < number),
        byes=tuple(bye for bye in event.byes if bye.round < number),
        round=number,
        rounds=rounds,
        scoring=event.scoring,
        prohibited=frozenset(frozenset(pair) for group in apart for pair in combinations(sorted(set(group)), 2)),
        penalties=tuple(penalty for penalty in event.penalties if penalty.round < number),
        preferences=_preferences(words),
        secondary=_is_plain(words) or {"MP", "GP"} <= set(words),
        first_white=_first_is_white(report, event),
        acceleration="baku" if "BAKU" in words else "none",
        accelerated=_accelerated(records, event),
    )


def _is_plain(words: list[str]) -> bool:
    """Whether the type names no score."""
    return not {"MP", "GP"} & set(words)


def _preferences(words: list[str]) -> Type:
    if "TYPEB" in words:
        return "B"
    return "A" if "TYPEA" in words or _is_plain(words) else "none"


def _accelerated(records: TeamRecords, event: TeamEvent) -> Mapping[int, tuple[int, ...]]:
    """Every team's virtual points in rounds 1, 2, …, in the primary score."""
    found: dict[int, list[int]] = {}
    for row in records.accelerations:
        own = found.setdefault(row.team, [])
        own += [0] * (row.last - len(own))
        by_match = event.scoring.primary == "MP"
        worth = 2 * row.match_points if by_match else event.scoring.points.unit * row.game_points
        for number in range(row.first, row.last + 1):
            own[number - 1] += int(worth)
    return {team: tuple(points) for team, points in found.items()}


# --- who is away --------------------------------------------------------------------------------------------------
def _away(report: Report, records: TeamRecords, number: int) -> frozenset[int]:
    asked = {bye.team for bye in records.byes if bye.round == number}
    return frozenset(asked | {team.number for team in records.teams if _is_away(report, team, number)})


def _is_away(report: Report, team: TeamOfReport, number: int) -> bool:
    rows = [report.players[player - 1] for player in team.players]
    there = [row.cells[number - 1].code for row in rows if number <= len(row.cells) - row.filled]
    return bool(rows) and len(there) == len(rows) and all(code in AWAY for code in there)


# --- the initial colour -------------------------------------------------------------------------------------------
def _first_is_white(report: Report, event: TeamEvent) -> bool:
    """As the report says; else as most matches of round 1 had it; else White."""
    if report.first_colour:
        return report.first_colour != BLACK
    seen = list(_first_colours(event))
    return 2 * sum(seen) >= len(seen)


def _first_colours(event: TeamEvent) -> Iterator[bool]:
    first: list[TeamMeeting] = [match for match in event.meetings if match.round == 1]
    free = {bye.team for bye in event.byes if bye.round == 1 and bye.kind == "pab"}
    came = sorted(free | {team for match in first for team in (match.first, match.second)})
    for match in first:
        # Nobody has points yet: the first-team is the one with the smaller number.
        odd = came.index(min(match.first, match.second)) % 2 == 0
        yield (match.first < match.second) == odd
