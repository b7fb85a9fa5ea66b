"""A tournament report of teams read as an event of teams (pure).

`team_matches_of_report` finds the matches. Points are those of the rows, not the file's columns: `team_notes` says
where they differ. Rounds without a match: the pairing-allocated bye by 320 (or U in the rows), others by 240 or by the
rows. Rounds count up to the last one that has a match; what is asked for later is for the pairing.

299 without a kind adds points, from that round on (0: from the first). With a kind it says what such a result brings
the team: both scores of the match are ruled.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm

from clubrating.ground.marks import marked, sentence
from tournaments.interchange.team_matches_of_report import (
    TeamMatch,
    boards_of,
    is_played,
    matches_of,
    points_on,
    teams_met,
)
from tournaments.interchange.trf.records import (
    ALLOCATED,
    BYE_KINDS,
    FULL,
    HALF,
    OPEN,
    Note,
    Report,
    ReportError,
    ReportPlayer,
)
from tournaments.interchange.trf.team_records import Assigned, TeamOfReport, TeamRecords
from tournaments.interchange.trf.teams import is_team_report, team_records, teams_of
from tournaments.interchange.trf.terms import points_text, said_worths
from tournaments.pairing.base import tiebreak_edition_on
from tournaments.standings.points import POINT_SYSTEMS, PointSystem
from tournaments.standings.team_event import (
    BoardPoints,
    Primary,
    TeamBye,
    TeamEvent,
    TeamMeeting,
    TeamPenalty,
    TeamScoring,
    team_scores,
)

__all__ = ["TeamOfReport", "is_team_report", "team_event_of", "team_notes", "team_records", "teams_of"]
_ROUND_ROBINS = ("roundrobin", "round-robin", "round robin", "berger", "all-play-all")
_SWISSES = ("swiss", "fide_team")


def team_event_of(
    report: Report, *, primary: Primary | None = None, edition: int | None = None, swiss: bool | None = None
) -> TeamEvent:
    """The event. Where not given, `primary` follows the coded type (192), the `edition` of C.07 the first day, `swiss`
    the type or who met whom. Raises ReportError with every place that cannot be used."""
    records = team_records(report)
    matches = matches_of(report, records)
    scoring = _scoring(report, records, matches, primary or _primary(report))
    rounds = _counted_rounds(records, matches)
    reader = _Reader(report, records, matches, scoring, rounds)
    meetings, byes, penalties = tuple(reader.meetings()), tuple(reader.byes()), tuple(reader.penalties())
    if reader.problems:
        raise ReportError(reader.problems)
    return TeamEvent(
        teams=tuple(team.number for team in records.teams),
        scoring=scoring,
        meetings=meetings,
        byes=byes,
        penalties=penalties,
        rounds=rounds,
        swiss=not _is_round_robin(report, records, matches) if swiss is None else swiss,
        edition=edition or tiebreak_edition_on(report.starts_on),
    )


def team_notes(report: Report, event: TeamEvent) -> Iterator[Note]:
    """A note for every team whose points in the file are not those of its matches."""
    scores = team_scores(event)
    for team in teams_of(report):
        score = scores[team.number]
        for said, found, column, text in (
            (team.match_points, Fraction(score.match_points, 2), 55, _MATCH_POINTS),
            (team.game_points, Fraction(score.game_points, event.scoring.points.unit), 62, _GAME_POINTS),
        ):
            if said and Fraction(said) != found:
                told = sentence(text, points=said, team=team.number, counted=points_text(found))
                yield Note(team.line, column, sentence("%(told)s: these count", told=told))


_MATCH_POINTS = marked("%(points)s match points, and the matches of team %(team)s give %(counted)s")
_GAME_POINTS = marked("%(points)s game points, and the matches of team %(team)s give %(counted)s")


def _counted_rounds(records: TeamRecords, matches: Sequence[TeamMatch]) -> int:
    """The rounds that count end with the last one that has a match, or an allocated bye while all others have byes too:
    the allocated bye of the round to come is there before its matches are."""
    away = [(bye.round, bye.team) for bye in records.allocated] + [(bye.round, bye.team) for bye in records.byes]
    counts = Counter(number for number, _team in set(away))
    alone = [bye.round for bye in records.allocated if counts[bye.round] == len(records.teams)]
    return max([match.round for match in matches] + alone, default=0)


# --- what a match brings ----------------------------------------------------------------------------------------------
def _primary(report: Report) -> Primary:
    words = report.coded_kind.split("_")
    return "GP" if "GP" in words and ("MP" not in words or words.index("GP") < words.index("MP")) else "MP"


def _scoring(report: Report, records: TeamRecords, matches: Sequence[TeamMatch], primary: Primary) -> TeamScoring:
    points = _points(report, records)
    match_points, game_points = records.bye_points
    boards = boards_of(records, matches)
    if game_points is None and any(_allocated(player) for player in report.players):
        game_points = boards * said_worths(report)[0].allocated
    win, draw, loss = (int(2 * worth) for worth in records.worths)
    return TeamScoring(
        boards=boards,
        points=points,
        win=win,
        draw=draw,
        loss=loss,
        primary=primary,
        bye_match_points=None if match_points is None else int(2 * match_points),
        bye_game_points=None if game_points is None else int(points.unit * game_points),
    )


def _points(report: Report, records: TeamRecords) -> PointSystem:
    """The points of a game, in the smallest unit that makes all game points of the report whole; one of ours where it
    says the same."""
    said, _named = said_worths(report)
    values = (said.win, said.draw, said.loss)
    others = [said.allocated, *(given.game_points for given in records.accelerations)]
    others += filter(None, [records.bye_points[1], *(given.game_points for given in records.assigned)])
    unit = lcm(*(value.denominator for value in (*values, *others)))
    for own in POINT_SYSTEMS:
        worth = (Fraction(points, own.unit) for points in (own.win, own.draw, own.loss))
        if unit in (1, own.unit) and not own.after_draw and tuple(worth) == values:
            return own
    win, draw, loss = (int(value * unit) for value in values)
    return PointSystem("report", unit=unit, win=win, draw=draw, loss=loss, allocated_bye=win)


def _is_round_robin(report: Report, records: TeamRecords, matches: Sequence[TeamMatch]) -> bool:
    """By the type, or else by who met whom: everybody once, or everybody twice."""
    kind = f"{report.coded_kind} {report.kind}".casefold()
    if any(word in kind for word in _ROUND_ROBINS) or any(word in kind for word in _SWISSES):
        return any(word in kind for word in _ROUND_ROBINS)
    met, count = Counter(teams_met(matches)), len(records.teams)
    return count > 1 and len(met) == count * (count - 1) // 2 and set(met.values()) in ({1}, {2})


# --- rounds -----------------------------------------------------------------------------------------------------------
_BYES_BY_CODE = {code: kind for code, kind in BYE_KINDS.items() if code != ALLOCATED}


class _Reader:
    """Matches, byes and penalties as facts; `problems` fill meanwhile."""

    def __init__(
        self,
        report: Report,
        records: TeamRecords,
        matches: Sequence[TeamMatch],
        scoring: TeamScoring,
        rounds: int,
    ) -> None:
        self.problems: list[Note] = []
        self._report, self._records, self._matches = report, records, matches
        self._scoring, self._rounds = scoring, rounds
        self._busy = {(match.round, team) for match in matches for team in (match.first, match.second)}
        self._says_allocated = any(_allocated(player) for player in report.players)

    def meetings(self) -> Iterator[TeamMeeting]:
        yield from (self._ruled(match, self._meeting(match)) for match in self._matches)

    def _meeting(self, match: TeamMatch) -> TeamMeeting:
        boards = tuple(
            BoardPoints(at, *points_on(board, self._scoring.points), is_played(board), board[0].code != OPEN)
            for at, board in enumerate(match.boards, start=1)
        )
        return TeamMeeting(match.round, match.first, match.second, boards)

    def _ruled(self, match: TeamMatch, meeting: TeamMeeting) -> TeamMeeting:
        """With the points that a line 299 gives in place of those of the boards."""
        points, games = list(self._scoring.match_points(meeting)), list(meeting.game_points)
        unit = self._scoring.points.unit
        for side in (0, 1):
            for given in self._given(match, meeting, side):
                points[side] = points[side] if given.match_points is None else int(2 * given.match_points)
                games[side] = games[side] if given.game_points is None else int(unit * given.game_points)
        ruled, awarded = (points[0], points[1]), (games[0], games[1])
        if awarded != meeting.game_points:
            return replace(meeting, ruled=ruled, awarded=awarded)
        return meeting if ruled == self._scoring.match_points(meeting) else replace(meeting, ruled=ruled)

    def _given(self, match: TeamMatch, meeting: TeamMeeting, side: int) -> Iterator[Assigned]:
        """The lines 299 of a result for one side of a match: of its round, or of such a result in any round."""
        team, kind = (meeting.first, meeting.second)[side], result_of(match, meeting, side)
        for given in self._records.assigned:
            is_meant = given.round == match.round or (not given.round and given.kind == kind)
            if is_meant and given.kind in _RESULTS and given.team == team:
                yield given

    def penalties(self) -> Iterator[TeamPenalty]:
        unit = self._scoring.points.unit
        for given in self._records.assigned:
            if not given.kind:
                worth = int(2 * (given.match_points or 0)), int(unit * (given.game_points or 0))
                yield TeamPenalty(given.team, given.round, *worth)

    # --- byes ---------------------------------------------------------------------------------------------------------
    def byes(self) -> Iterator[TeamBye]:
        said: dict[tuple[int, int], str] = {}
        for bye in self._records.allocated:
            self._say(said, bye.round, bye.team, "pab", bye.line)
        for asked in self._records.byes:
            self._say(said, asked.round, asked.team, _BYES_BY_CODE[asked.code], asked.line)
        for number in range(1, self._rounds + 1):
            for team in self._records.teams:
                if (number, team.number) not in self._busy:
                    kind = said.get((number, team.number)) or self._kind_in_rows(number, team)
                    yield self._bye(number, team.number, kind)

    def _say(self, said: dict[tuple[int, int], str], number: int, team: int, kind: str, line: int) -> None:
        if (number, team) in self._busy:
            text = sentence(
                "round %(round)s: team %(team)s has a bye here and a match in the rows: expected one of them",
                round=number,
                team=team,
            )
            self.problems.append(Note(line, 5, text))
        elif said.setdefault((number, team), kind) != kind:
            text = sentence(
                "round %(round)s: team %(team)s has two byes: expected one of them", round=number, team=team
            )
            self.problems.append(Note(line, 5, text))

    def _bye(self, number: int, team: int, kind: str) -> TeamBye:
        bye, unit = self._scoring.bye(number, team, kind), self._scoring.points.unit
        if kind == "pab" and self._records.bye_points[1] is None:
            bye = replace(bye, game_points=self._in_rows(bye))
        for given in self._records.assigned:
            if given.team == team and given.round in (0, number) and _BYES_BY_CODE.get(given.kind) == kind:
                match_points, game_points = given.match_points, given.game_points
                bye = replace(
                    bye,
                    match_points=bye.match_points if match_points is None else int(2 * match_points),
                    game_points=bye.game_points if game_points is None else int(unit * game_points),
                )
        return bye

    def _in_rows(self, bye: TeamBye) -> int:
        """Game points of an allocated bye that no 320 says: what it brings the players who have one."""
        rows = (self._report.players[player - 1].cells for player in self._records.teams[bye.team - 1].players)
        count = sum(cells[bye.round - 1].code == ALLOCATED for cells in rows if bye.round <= len(cells))
        worth = said_worths(self._report)[0].allocated
        return int(count * worth * self._scoring.points.unit) if count else bye.game_points

    def _kind_in_rows(self, number: int, team: TeamOfReport) -> str:
        """The bye that the team's players have; in the old manner the only full point of a round is allocated."""
        codes = self._codes(number, team)
        if ALLOCATED in codes:
            return "pab"
        if FULL in codes:
            alone = [one for one in self._records.teams if (number, one.number) not in self._busy]
            full = sum(FULL in self._codes(number, one) for one in alone)
            old = not self._says_allocated and not any(self._report.lines("310"))
            return "pab" if old and full == 1 else "full"
        return "half" if HALF in codes else "zero"

    def _codes(self, number: int, team: TeamOfReport) -> frozenset[str]:
        rows = (self._report.players[player - 1].cells for player in team.players)
        return frozenset(cells[number - 1].code for cells in rows if number <= len(cells))


def _allocated(player: ReportPlayer) -> bool:
    return any(cell.code == ALLOCATED for cell in player.cells)


_RESULTS = ("W", "D", "L", "+", "-")


def result_of(match: TeamMatch, meeting: TeamMeeting, side: int) -> str:
    """A side's result as 299 names it."""
    own, other = meeting.game_points[side], meeting.game_points[1 - side]
    if match.defaulted:
        return "+" if own > other else "-"
    return "W" if own > other else "D" if own == other else "L"
