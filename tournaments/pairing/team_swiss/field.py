"""Teams as the rules of the team Swiss see them before a round (pure).

`TeamField`: everything a round is paired from. `Contender`: a team with its scores, colours, opponents and its float.
Scores are whole numbers: match points in half-points, game points in the smallest unit of the point system. Boards
without a result count as drawn, for the pairing alone.

Only a match in which a game was played is a meeting, gives a colour and can be a float. So two teams of which one did
not come may be paired again (C.04.2 art. 3.5), and who won such a match may not have the bye (C2). A floater played
somebody with another score, virtual points included (art. 1.5).

Baku acceleration gives the upper half of the list virtual points: those of a won match, then those of a drawn one, in
the primary score. They form the score groups; who is the first-team, and the order of matches, go by the real score.

Sources: FIDE C.04.6 (from 1 February 2026) art. 1 and 2.1; C.04.2 art. 3; C.04.7. Readings: docs/decisions/0033.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Literal

from clubrating.ground.marks import sentence
from tournaments.pairing.base import PairingError
from tournaments.pairing.dutch.system import baku
from tournaments.pairing.team_swiss.preference import Preference, Type, preference_of
from tournaments.standings.points import PointSystem
from tournaments.standings.team_event import BoardPoints, TeamBye, TeamMeeting, TeamPenalty, TeamScoring

MOST_TEAMS = 200
Acceleration = Literal["none", "baku"]


@dataclass(frozen=True, slots=True, eq=False)
class TeamField:
    """`teams`: pairing numbers, ascending; `present`: those to be paired; `meetings`, `byes` and `penalties` of the
    earlier rounds; `round` to be paired, of `rounds`. `preferences`: type A or B of art. 1.7, or none; `secondary`:
    whether the secondary score helps to name the first-team; `first_white`: the initial colour. `accelerated`: the
    virtual points of a team in rounds 1, 2, …, in place of those of `acceleration`."""

    teams: tuple[int, ...]
    present: frozenset[int]
    meetings: tuple[TeamMeeting, ...]
    byes: tuple[TeamBye, ...]
    round: int
    rounds: int
    scoring: TeamScoring
    prohibited: frozenset[frozenset[int]] = frozenset()
    penalties: tuple[TeamPenalty, ...] = ()
    preferences: Type = "A"
    secondary: bool = True
    first_white: bool = True
    acceleration: Acceleration = "none"
    accelerated: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    @property
    def last_two(self) -> bool:
        """Whether floats of the round before no longer matter (C7, C10)."""
        return self.round > self.rounds - 2


@dataclass(frozen=True, slots=True)
class Contender:
    """A team to be paired. `score` with virtual points; `primary` and `secondary` as they stand; `colours` of the
    matches played, oldest first (True: White); `met`: teams it played; `floated`: in the round before; `odd`: whether
    its number is odd among the teams that have come."""

    number: int
    score: int
    primary: int
    secondary: int
    colours: tuple[bool, ...]
    preference: Preference
    met: frozenset[int]
    may_have_bye: bool
    floated: bool
    odd: bool

    @property
    def difference(self) -> int:
        """Matches with White minus matches with Black (art. 1.6.2)."""
        return 2 * sum(self.colours) - len(self.colours)

    @property
    def order(self) -> tuple[int, int]:
        """By score, then by number."""
        return -self.score, self.number


def contenders_of(field: TeamField) -> list[Contender]:
    """The teams to be paired, by score, then by number. Raises PairingError where there are too few or too many, and
    KeyError where a match names a team that is not in the field."""
    here = len(field.present)
    if here < 2:
        raise PairingError(
            sentence("Round %(round)s needs two teams at least: %(here)s are there.", round=field.round, here=here)
        )
    if here > MOST_TEAMS:
        raise PairingError(
            sentence("A team Swiss takes up to %(most)s teams, not %(teams)s.", most=MOST_TEAMS, teams=here)
        )
    history = _History(field)
    place = {team: at for at, team in enumerate(sorted(_arrived(field)), start=1)}
    found = (history.contender(team, odd=bool(place[team] % 2)) for team in field.present)
    return sorted(found, key=lambda contender: contender.order)


# --- the rounds before --------------------------------------------------------------------------------------------
def settled(meeting: TeamMeeting, scoring: TeamScoring) -> TeamMeeting:
    """A match that is not over, with its open boards drawn."""
    if meeting.decided:
        return meeting
    draw = scoring.points.draw
    boards = meeting.boards or tuple(BoardPoints(at, 0, 0, decided=False) for at in range(1, scoring.boards + 1))
    drawn = (board if board.decided else BoardPoints(board.board, draw, draw) for board in boards)
    return replace(meeting, boards=tuple(drawn))


class _History:
    """Scores of everybody before every round, as pairs of primary and secondary points."""

    def __init__(self, field: TeamField) -> None:
        self.field = field
        self.virtual = field.accelerated or _virtual(field)
        meetings = (settled(meeting, field.scoring) for meeting in field.meetings if meeting.round < field.round)
        self.meetings: dict[int, list[TeamMeeting]] = {team: [] for team in field.teams}
        self.gained: dict[int, list[list[int]]] = {team: [[0] * field.round, [0] * field.round] for team in field.teams}
        for meeting in sorted(meetings, key=lambda meeting: meeting.round):
            for side, team in enumerate((meeting.first, meeting.second)):
                self.meetings[team].append(meeting)
                points = field.scoring.match_points(meeting)[side], meeting.game_points[side]
                self._add(team, meeting.round, *points)
        extras: tuple[TeamBye | TeamPenalty, ...] = (*field.byes, *field.penalties)
        for extra in extras:
            if extra.round < field.round:
                self._add(extra.team, extra.round, extra.match_points, extra.game_points)
        self.before = {team: [list(accumulate(column)) for column in columns] for team, columns in self.gained.items()}

    def _add(self, team: int, round_number: int, match_points: int, game_points: int) -> None:
        by_match = self.field.scoring.primary == "MP"
        primary, secondary = self.gained[team]
        primary[round_number] += match_points if by_match else game_points
        secondary[round_number] += game_points if by_match else match_points

    def score(self, team: int, round_number: int) -> int:
        """The score with virtual points when that round was paired."""
        own = self.virtual.get(team, ())
        return self.before[team][0][round_number - 1] + (own[round_number - 1] if round_number <= len(own) else 0)

    def floated(self, team: int) -> bool:
        """Whether it played a team of another score in the round before (art. 1.5)."""
        last = self.field.round - 1
        played = (meeting for meeting in self.meetings[team] if meeting.round == last and meeting.played)
        return any(self.score(meeting.first, last) != self.score(meeting.second, last) for meeting in played)

    def may_have_bye(self, team: int) -> bool:
        """Whether it had no bye of this kind, no full-point bye, and no match won without playing (C2)."""
        if any(bye.team == team and bye.kind in ("pab", "full") for bye in self.field.byes):
            return False
        unplayed = (meeting for meeting in self.meetings[team] if not meeting.played)
        return not any(_won(meeting, team, self.field.scoring) for meeting in unplayed)

    def contender(self, team: int, *, odd: bool) -> Contender:
        field, played = self.field, [meeting for meeting in self.meetings[team] if meeting.played]
        colours = tuple(meeting.first == team for meeting in played)
        return Contender(
            number=team,
            score=self.score(team, field.round),
            primary=self.before[team][0][-1],
            secondary=self.before[team][1][-1],
            colours=colours,
            preference=preference_of(colours, field.preferences, last=field.round >= field.rounds),
            met=frozenset(meeting.second if meeting.first == team else meeting.first for meeting in played),
            may_have_bye=self.may_have_bye(team),
            floated=self.floated(team),
            odd=odd,
        )


def _won(meeting: TeamMeeting, team: int, scoring: TeamScoring) -> bool:
    first, second = scoring.match_points(meeting)
    return first > second if meeting.first == team else second > first


def _arrived(field: TeamField) -> set[int]:
    """Who has been paired so far, this round included: numbers are given to those who come (decision 12)."""
    return {team for _round, team in _paired(field)} | field.present


def _paired(field: TeamField) -> Iterator[tuple[int, int]]:
    for meeting in field.meetings:
        yield meeting.round, meeting.first
        yield meeting.round, meeting.second
    yield from ((bye.round, bye.team) for bye in field.byes if bye.kind == "pab")


def _virtual(field: TeamField) -> Mapping[int, tuple[int, ...]]:
    """Virtual points under Baku acceleration; the halves are those of the teams paired in round 1."""
    if field.acceleration != "baku":
        return {}
    scoring, by_match = field.scoring, field.scoring.primary == "MP"
    win = scoring.win if by_match else scoring.boards * scoring.points.win
    draw = scoring.draw if by_match else scoring.drawn_game_points
    since = field.present if field.round == 1 else {team for at, team in _paired(field) if at == 1}
    points = PointSystem("team", unit=1, win=win, draw=draw, loss=0, allocated_bye=draw)
    return baku(field.teams, since, field.rounds, points)
