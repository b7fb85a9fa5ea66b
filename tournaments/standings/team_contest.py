"""An event of teams as a contest of matches, once for each score: what the tie-breaks of teams are read off (pure).

A match is to teams what a game is to players (FIDE C.07 art. 13), so the rules of players, those about unplayed rounds
among them, are used as they are: in match points a win is that of a match, in game points a win on every board.
A match without a game on any board is a forfeited one (art. 16), whatever its boards say.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from tournaments.standings.crosstable import Bye, Cell, Crosstable, Sides, table_of_sides
from tournaments.standings.points import PointSystem
from tournaments.standings.team_event import TeamEvent, TeamMeeting, TeamScoring, penalties_so_far
from tournaments.standings.tiebreaks.base import Contest, Rule

MATCH_UNIT = 2  # match points are kept in halves
Pair = tuple[int, int]
BoardTotals = tuple[int, ...]  # game points on each board from 1 down, in the smallest unit


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TeamContest(Contest):
    """The contest by the score that decides, and by both of them. `event`: the boards."""

    event: TeamEvent
    match_points: Contest
    game_points: Contest

    def by_score(self, score: str) -> Contest:
        return {"MP": self.match_points, "GP": self.game_points}.get(score, self)

    @property
    def secondary(self) -> Contest:
        """The contest by the other score."""
        return self.game_points if self.event.scoring.primary == "MP" else self.match_points


class TeamRule(Rule):
    """A tie-break of teams only: it reads both scores, or the boards."""

    def read_from(self, contest: Contest) -> Contest:
        return contest


def of_teams(contest: Contest) -> TeamContest:
    """The contest as one of teams. Raises TypeError for one of players."""
    if not isinstance(contest, TeamContest):
        raise TypeError("A tie-break of teams was asked for in a contest of players.")
    return contest


# --- made from the event ------------------------------------------------------------------------------------------
def team_contest(event: TeamEvent) -> TeamContest:
    """What the tie-breaks of the event are read off. Raises KeyError where a match names a number not among the
    teams."""
    scoring = event.scoring
    match_points = _contest(event, _match_system(scoring), by_match=True)
    game_points = _contest(event, _game_system(scoring), by_match=False)
    decides = match_points if scoring.primary == "MP" else game_points
    return TeamContest(
        table=decides.table,
        points=decides.points,
        rounds=event.rounds,
        swiss=event.swiss,
        edition=event.edition,
        event=event,
        match_points=match_points,
        game_points=game_points,
    )


def _match_system(scoring: TeamScoring) -> PointSystem:
    bye = scoring.bye(0, 0, "pab").match_points
    return PointSystem("match points", MATCH_UNIT, scoring.win, scoring.draw, scoring.loss, bye)


def _game_system(scoring: TeamScoring) -> PointSystem:
    points, boards = scoring.points, scoring.boards
    bye = scoring.bye(0, 0, "pab").game_points
    return PointSystem(
        "game points", points.unit, boards * points.win, scoring.drawn_game_points, boards * points.loss, bye
    )


def _contest(event: TeamEvent, points: PointSystem, *, by_match: bool) -> Contest:
    byes = (Bye(bye.round, bye.team, bye.match_points if by_match else bye.game_points, bye.kind) for bye in event.byes)
    sides = (_sides(meeting, event, by_match=by_match) for meeting in event.meetings)
    table = table_of_sides(event.teams, sides, byes, event.annulled)
    return Contest(_with_penalties(table, event, by_match=by_match), points, event.rounds, event.swiss, event.edition)


def _sides(meeting: TeamMeeting, event: TeamEvent, *, by_match: bool) -> Sides:
    """A match as it stands in both teams' lines; its text is not a cell's (`shown` is empty)."""
    match_points = event.scoring.match_points(meeting)
    worth = match_points if by_match else meeting.game_points
    counts = meeting.first not in event.annulled and meeting.second not in event.annulled

    def cell(opponent: int, side: int) -> Cell:
        own, against = worth[side], worth[1 - side]
        return Cell(
            meeting.round,
            opponent,
            side == 0,
            own,
            against,
            "",
            meeting.decided,
            meeting.played,
            counts,
            event.scoring.halves(match_points[side], match_points[1 - side]),
        )

    return (meeting.first, cell(meeting.second, 0)), (meeting.second, cell(meeting.first, 1))


def _with_penalties(table: Crosstable, event: TeamEvent, *, by_match: bool) -> Crosstable:
    added = dict.fromkeys(table, 0)
    for penalty in penalties_so_far(event):
        if penalty.team not in event.annulled:
            added[penalty.team] += penalty.match_points if by_match else penalty.game_points
    return {team: replace(line, points=line.points + added[team]) for team, line in table.items()}


# --- boards -------------------------------------------------------------------------------------------------------
@lru_cache(maxsize=32)
def board_totals(contest: TeamContest) -> Mapping[int, BoardTotals]:
    """Everybody's game points on each board in all matches, whoever sat there. Boards won by default are ordinary
    ones; a pairing-allocated bye counts as a win on every board, whatever it brought (art. 12)."""
    event, boards = contest.event, contest.event.scoring.boards
    totals = _totals(event.teams, (one for one in event.meetings if _counts(one, event)), boards)
    for bye in event.byes:
        share = event.scoring.points.bye("full" if bye.kind == "pab" else bye.kind)
        totals[bye.team] = [points + share for points in totals[bye.team]]
    return {team: tuple(points) for team, points in totals.items()}


def mutual_boards(contest: TeamContest, pair: Pair, *, as_played: bool) -> Mapping[int, BoardTotals]:
    """The same of the matches of two teams against each other that are over; in a Swiss forfeited ones only where
    `as_played`."""
    met = (one for one in contest.event.meetings if one.decided and {one.first, one.second} == set(pair))
    counted = (one for one in met if one.played or as_played or not contest.swiss)
    found = _totals(pair, counted, contest.event.scoring.boards)
    return {team: tuple(points) for team, points in found.items()}


def _totals(teams: Collection[int], meetings: Iterator[TeamMeeting], boards: int) -> dict[int, list[int]]:
    totals = {team: [0] * boards for team in teams}
    for meeting in meetings:
        for one in meeting.boards:
            totals[meeting.first][one.board - 1] += one.first
            totals[meeting.second][one.board - 1] += one.second
    return totals


def _counts(meeting: TeamMeeting, event: TeamEvent) -> bool:
    return meeting.first not in event.annulled and meeting.second not in event.annulled
