"""What a report of teams means for the club's tables: matches with their boards, rounds to come, rules. Writes nothing.

An all-play-all whose matches are those of the Berger tables gets all its rounds, and who is at home by them. Of every
other event the team with White on board 1 is at home. A board that nobody sat on is no board.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from players.refusals import Refused
from tournaments.interchange.team_event_of_report import team_event_of
from tournaments.interchange.team_matches_of_report import SeatedBoard, TeamMatch, matches_of
from tournaments.interchange.trf import Report
from tournaments.interchange.trf.games import RESULTS
from tournaments.interchange.trf.records import BLACK, FORFEIT_WIN, WHITE
from tournaments.interchange.trf.team_records import TeamRecords
from tournaments.interchange.trf.teams import team_records
from tournaments.models import ByeKind, FirstWhite
from tournaments.pairing.base import PairingError
from tournaments.pairing.team_base import Matches
from tournaments.pairing.team_round_robin import TeamRoundRobin
from tournaments.pairing.team_swiss.system import TeamSwiss
from tournaments.reports.services.terms import Board
from tournaments.standings.points import POINT_SYSTEMS
from tournaments.standings.team_event import TeamBye, TeamEvent, TeamMeeting, TeamPenalty
from tournaments.teams.selectors.facts import AWAY, HOME
from tournaments.teams.services.tiebreaks import read_team_tiebreaks

TIEBREAK_TAGS = ("202", "212")
_BYE_KINDS = {"pab": ByeKind.ALLOCATED, "full": ByeKind.FULL, "half": ByeKind.HALF, "zero": ByeKind.ZERO}


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match by numbers of teams; nobody as guests: a bye. `boards` by number; `absent`, `ruled` and `awarded` as
    the row has them, the home team first."""

    number: int
    home: int
    away: int | None
    first_white: FirstWhite = FirstWhite.HOME
    bye: ByeKind | None = None
    boards: tuple[tuple[int, Board], ...] = ()
    absent: str = ""
    ruled: tuple[int, int] | None = None
    awarded: tuple[int, int] | None = None
    decided: bool = True


@dataclass(frozen=True, slots=True)
class TeamPlan:
    """What an import would write of teams. `extra`: points beside those of the matches; `tiebreak_tag`: the record its
    tie-breaks came from."""

    event: TeamEvent
    records: TeamRecords
    rounds: tuple[tuple[PlannedMatch, ...], ...]
    rules: dict[str, Any]
    extra: tuple[TeamPenalty, ...]
    tiebreak_tag: str

    def boards(self) -> tuple[tuple[Board, ...], ...]:
        """The boards of every round, in order."""
        return tuple(tuple(board for match in row for _number, board in match.boards) for row in self.rounds)

    @property
    def is_decided(self) -> bool:
        return bool(self.rounds) and all(match.decided for row in self.rounds for match in row)


def team_plan_of(report: Report) -> TeamPlan:
    """Raises ReportError with every place that cannot be used; Refused for points of a game that no event here has."""
    records, event = team_records(report), team_event_of(report)
    if event.scoring.points.key not in {system.key for system in POINT_SYSTEMS}:
        raise Refused(
            _(
                "No event here has the report’s points of a game, or parts of points as it gives them: import it as "
                "one of single players."
            )
        )
    tables, settings = _tables(event)
    matches = list(zip(matches_of(report, records), event.meetings, strict=True))
    rounds = tuple(tuple(_round(event, records, matches, tables, at)) for at in range(max(event.rounds, len(tables))))
    tag, tiebreaks = _tiebreaks(report)
    sides = {match.first_white for row in rounds for match in row if match.boards}
    scoring = event.scoring
    rules = {
        "format": TeamSwiss.key if event.swiss else TeamRoundRobin.key,
        "settings": {"rounds": max(report.rounds or 0, event.rounds, 1)} if event.swiss else settings,
        "boards": scoring.boards,
        "primary": scoring.primary,
        "first_white": FirstWhite.AWAY if sides == {FirstWhite.AWAY} else FirstWhite.HOME,
        **{name: getattr(scoring, name) for name in ("win", "draw", "loss", "bye_match_points", "bye_game_points")},
        **({"colours": records.colours.upper()} if records.colours[:1].upper() == "W" else {}),
        **({"tiebreaks": tiebreaks} if tag else {}),
    }
    return TeamPlan(event, records, rounds, rules, tuple(_extra(event)), tag)


def _tiebreaks(report: Report) -> tuple[str, str]:
    """The record of tie-breaks that can be used, and what it says."""
    for tag in TIEBREAK_TAGS:
        try:
            if codes := read_team_tiebreaks(",".join(report.texts(tag)).replace(" ", "")):
                return tag, codes
        except Refused:
            continue
    return "", ""


def _tables(event: TeamEvent) -> tuple[Sequence[Matches], dict[str, Any]]:
    """The Berger tables of which all matches are, with their settings; none for any other event."""
    met = {(one.round, frozenset((one.first, one.second))) for one in event.meetings}
    for cycles in () if event.swiss else (1, 2):
        settings = {"cycles": cycles}
        try:
            rounds = TeamRoundRobin().schedule(len(event.teams), settings)
        except PairingError:
            break
        there = {(at, frozenset((pair.white, pair.black))) for at, row in enumerate(rounds, 1) for pair in row}
        if met <= there and (cycles == 2 or event.rounds <= len(rounds)):
            return rounds, settings
    return (), {"cycles": 1}


# --- rounds -----------------------------------------------------------------------------------------------------------
def _round(
    event: TeamEvent,
    records: TeamRecords,
    matches: Sequence[tuple[TeamMatch, TeamMeeting]],
    tables: Sequence[Matches],
    index: int,
) -> Iterator[PlannedMatch]:
    """The matches of a round: all of the tables, else those of the report with its byes behind."""
    own = {frozenset((met.first, met.second)): (match, met) for match, met in matches if match.round == index + 1}
    if tables:
        pairs = [(pair.white, pair.black) for pair in tables[index]]
    else:
        pairs = [(met.first, met.second) for _match, met in own.values()]
    for number, (home, away) in enumerate(pairs, start=1):
        if away is None:
            yield PlannedMatch(number, home, None, bye=ByeKind.ALLOCATED)
        elif found := own.get(frozenset((home, away))):
            yield _match(event, records, PlannedMatch(number, home, away), *found)
        else:
            yield PlannedMatch(number, home, away, decided=False)
    if not tables:
        byes = [bye for bye in event.byes if bye.round == index + 1]
        for number, bye in enumerate(byes, start=len(pairs) + 1):
            yield PlannedMatch(number, bye.team, None, bye=_BYE_KINDS[bye.kind])


def _match(
    event: TeamEvent, records: TeamRecords, planned: PlannedMatch, match: TeamMatch, met: TeamMeeting
) -> PlannedMatch:
    at_home = planned.home == match.first
    absent = _absent(event, records, match, met, at_home)
    ruled, awarded = met.ruled, met.awarded
    if absent == "both" and ruled == (event.scoring.loss, event.scoring.loss) and awarded is None:
        ruled = None
    return replace(
        planned,
        first_white=FirstWhite.HOME if at_home else FirstWhite.AWAY,
        boards=tuple(
            (number, board)
            for number, seats in enumerate(match.boards, start=1)
            if (board := _board(_Place(planned, number, at_home, event.scoring.boards), seats, records.colours))
        ),
        absent=absent,
        ruled=ruled if ruled is None or at_home else (ruled[1], ruled[0]),
        awarded=awarded if awarded is None or at_home else (awarded[1], awarded[0]),
        decided=met.decided,
    )


def _absent(event: TeamEvent, records: TeamRecords, match: TeamMatch, met: TeamMeeting, at_home: bool) -> str:
    """Which side did not come, where a record says that the match was lost by default and it lost every board."""
    pairs = {(link.round, frozenset((link.white, link.black))) for link in records.defaulted}
    if not match.defaulted or (match.round, frozenset((match.first, match.second))) not in pairs:
        return ""
    everything = event.scoring.boards * event.scoring.points.win
    lost = {(everything, 0): "second", (0, everything): "first", (0, 0): "both"}.get(
        replace(met, awarded=None).game_points, ""
    )
    return {"first": "home" if at_home else "away", "second": "away" if at_home else "home"}.get(lost, lost)


@dataclass(frozen=True, slots=True)
class _Place:
    """A board of a match; `at_home`: the seat that stands first is the home team's."""

    match: PlannedMatch
    number: int
    at_home: bool
    boards: int

    @property
    def in_round(self) -> int:
        return (self.match.number - 1) * self.boards + self.number

    def lines(self, *, first_is_white: bool) -> tuple[int, int]:
        """The lines of White's and Black's seats."""
        return (HOME, AWAY) if first_is_white == self.at_home else (AWAY, HOME)


def _board(place: _Place, seats: SeatedBoard, colours: str) -> Board | None:
    """Two players and their result, or one who won without an opponent; None where nobody did."""
    one, other = seats
    if one.player and other.player:
        is_white = one.colour == WHITE or other.colour == BLACK
        if not one.colour and not other.colour:
            at = place.number - 1
            is_white = (colours[at % len(colours)].lower() if colours else "wb"[at % 2]) == WHITE
        white, black = (one, other) if is_white else (other, one)
        lines = place.lines(first_is_white=is_white)
        return Board(white.player, black.player, RESULTS[white.code, black.code], place=place.in_round, lines=lines)
    alone = one if one.player else other
    if not alone.player or alone.code != FORFEIT_WIN:
        return None
    lines = place.lines(first_is_white=alone is one)
    return Board(alone.player, bye=ByeKind.FULL, place=place.in_round, lines=lines)


# --- points beside those of the matches -------------------------------------------------------------------------------
def _extra(event: TeamEvent) -> Iterator[TeamPenalty]:
    """Penalties, and what a bye brought more or less than such a bye brings here."""
    yield from event.penalties
    for bye in event.byes:
        usual = event.scoring.bye(bye.round, bye.team, bye.kind) if event.swiss else TeamBye(0, 0, "", 0, 0)
        more = bye.match_points - usual.match_points, bye.game_points - usual.game_points
        if any(more):
            yield TeamPenalty(bye.team, bye.round, *more)
