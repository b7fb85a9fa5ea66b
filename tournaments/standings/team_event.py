"""An event of teams: matches of several boards, and what they are worth (pure).

Everything of a team event is read off these facts: standings and their tie-breaks, pairings of a team Swiss, forecasts,
reports. Teams are numbers 1…n, in the order of pairing. Game points are integers in the smallest unit of the event's
point system; match points are integers in half-points (a win of 2 match points is 4), because 1–½–0 exists.

Sources: FIDE C.07 (2023, 2026) art. 11 to 13; C.04.6 (2026) art. 1.2 to 1.6; TRF26 records 320 and 362 (defaults).
A match is won by more game points than the other side, not by more than half: boards that bring nobody a point exist.
Nobody wins a match to which nobody came: both lose it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from tournaments.standings.points import PointSystem, point_system

Primary = Literal["MP", "GP"]


@dataclass(frozen=True, slots=True)
class BoardPoints:
    """One board of a match, from 1 down: game points of the first and of the second team. `played`: a game was played
    (a default is not, and neither is a board without players); `decided`: it has a result."""

    board: int
    first: int
    second: int
    played: bool = True
    decided: bool = True


@dataclass(frozen=True, slots=True)
class TeamMeeting:
    """A match. `first` is the team with White on board 1, which is the team's colour in C.04.6. Boards without a result
    leave it open; a match that was postponed and not begun is none. `ruled`: the match points the arbiter gave in
    place of those that follow from the boards; `awarded`: the game points given so. Tie-breaks by boards read the
    boards as they were played, as they do with points of a penalty."""

    round: int
    first: int
    second: int
    boards: tuple[BoardPoints, ...]
    ruled: tuple[int, int] | None = None
    awarded: tuple[int, int] | None = None

    @property
    def decided(self) -> bool:
        if self.ruled is not None or self.awarded is not None:
            return True
        return bool(self.boards) and all(board.decided for board in self.boards)

    @property
    def played(self) -> bool:
        """Whether a game was played on any board. A match with one default is a played match."""
        return any(board.played and board.decided for board in self.boards)

    @property
    def game_points(self) -> tuple[int, int]:
        if self.awarded is not None:
            return self.awarded
        return sum(board.first for board in self.boards), sum(board.second for board in self.boards)


@dataclass(frozen=True, slots=True)
class TeamBye:
    """A round without an opponent. `kind`: "pab" for want of one, else asked for or absent: "full", "half", "zero".
    What it brings is said in both scores."""

    round: int
    team: int
    kind: str
    match_points: int
    game_points: int


@dataclass(frozen=True, slots=True)
class TeamPenalty:
    """Points added to a team's scores (taken away: negative), counted from a round on."""

    team: int
    round: int
    match_points: int = 0
    game_points: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TeamScoring:
    """What a match brings: match points of a win, a draw and a loss in half-points; `primary` decides the standings,
    the other score is the secondary one. `boards` a match. The points of a pairing-allocated bye are the event's own,
    by default those of a drawn match (C.04.6 art. 1.4)."""

    boards: int
    points: PointSystem = field(default_factory=lambda: point_system("classic"))
    win: int = 4
    draw: int = 2
    loss: int = 0
    primary: Primary = "MP"
    bye_match_points: int | None = None
    bye_game_points: int | None = None

    def match_points(self, meeting: TeamMeeting) -> tuple[int, int]:
        """Of the first and of the second team; nothing while the match is open."""
        if meeting.ruled is not None:
            return meeting.ruled
        if not meeting.decided:
            return 0, 0
        one, other = meeting.game_points
        if one == other == 0 and not meeting.played:
            return self.loss, self.loss
        if one == other:
            return self.draw, self.draw
        return (self.win, self.loss) if one > other else (self.loss, self.win)

    def halves(self, own: int, other: int) -> int:
        """A match with these match points as won (2), drawn (1) or lost (0). Level ones can be any: by a ruling both
        sides may have a win’s points, and both lose where nobody came."""
        if own != other:
            return 2 if own > other else 0
        return 2 if own >= self.win > self.draw else 1 if own >= self.draw > self.loss or self.draw == self.loss else 0

    @property
    def drawn_game_points(self) -> int:
        """Game points of a side in a match with all boards drawn."""
        return self.boards * self.points.draw

    def bye(self, round_number: int, team: int, kind: str) -> TeamBye:
        """A bye with what it brings here: "pab", "full", "half" or "zero"."""
        drawn, won = (self.draw, self.drawn_game_points), (self.win, self.boards * self.points.win)
        if kind == "pab":
            match_points = drawn[0] if self.bye_match_points is None else self.bye_match_points
            game_points = drawn[1] if self.bye_game_points is None else self.bye_game_points
            return TeamBye(round_number, team, kind, match_points, game_points)
        return TeamBye(round_number, team, kind, *{"full": won, "half": drawn, "zero": (0, 0)}[kind])


@dataclass(frozen=True, slots=True, eq=False)
class TeamEvent:
    """All that counts. `rounds`: the last round that counts; `swiss`: unplayed matches by C.07 art. 16, else by art. 15
    (round robin); `edition` of C.07, 2023 or 2026. Matches of a team in `annulled` (it left before half of them) count
    for nobody."""

    teams: tuple[int, ...]
    scoring: TeamScoring
    meetings: tuple[TeamMeeting, ...]
    byes: tuple[TeamBye, ...] = ()
    penalties: tuple[TeamPenalty, ...] = ()
    rounds: int = 0
    swiss: bool = False
    edition: int = 2026
    annulled: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class TeamScore:
    """A team's record: match points, game points, and how many matches were won, drawn and lost. `played` are those
    that are decided, defaults among them."""

    team: int
    match_points: int
    game_points: int
    won: int
    drawn: int
    lost: int

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost


def team_scores(event: TeamEvent) -> dict[int, TeamScore]:
    """Every team's record, in the order of `teams`. Open matches bring game points for the boards that are decided and
    no match points yet. Raises KeyError where a match names a number not among the teams."""
    totals = {team: [0, 0, 0, 0, 0] for team in event.teams}
    for meeting in event.meetings:
        if meeting.first in event.annulled or meeting.second in event.annulled:
            continue
        match_points = event.scoring.match_points(meeting)
        for side, team in enumerate((meeting.first, meeting.second)):
            own, other = match_points[side], match_points[1 - side]
            totals[team][0] += own
            totals[team][1] += meeting.game_points[side]
            if meeting.decided:
                totals[team][4 - event.scoring.halves(own, other)] += 1
    for extra in _extras(event):
        if extra.team not in event.annulled:
            totals[extra.team][0] += extra.match_points
            totals[extra.team][1] += extra.game_points
    return {team: TeamScore(team, *total) for team, total in totals.items()}


def _extras(event: TeamEvent) -> Iterable[TeamBye | TeamPenalty]:
    yield from event.byes
    yield from penalties_so_far(event)


def penalties_so_far(event: TeamEvent) -> list[TeamPenalty]:
    """Those that count already: from their round on, and from the first day where they are of none."""
    return [penalty for penalty in event.penalties if penalty.round <= max(event.rounds, 1)]
