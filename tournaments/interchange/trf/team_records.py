"""The records of teams in a report, as values: what `teams` reads and `team_writing` writes.

Teams are numbers 1…n. Points are shown points, as the file has them.
"""

from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class TeamOfReport:
    """A line 310 or 013. Points and strength are the text of the file; `players` are starting numbers in the order of
    boards, reserves behind."""

    number: int
    name: str
    nickname: str = ""
    strength: str = ""
    match_points: str = ""
    game_points: str = ""
    rank: int | None = None
    players: tuple[int, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class LineUp:
    """A line 300: who sat on boards 1, 2, … of a team's match; 0 is an empty board."""

    round: int
    team: int
    opponent: int
    players: tuple[int, ...]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class DefaultedMatch:
    """A line 330: "+-" the team with White wins by default, "-+" the other one, "--" nobody does."""

    kind: str
    round: int
    white: int
    black: int
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class AllocatedBye:
    """Who had the pairing-allocated bye, by 320."""

    round: int
    team: int
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class ByeAsked:
    """One team of a line 240; `code` F, H or Z."""

    round: int
    team: int
    code: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Assigned:
    """One team of a line 299: points added (`kind` empty) or what such a result brings it in that round, or in all of
    them (0). None: as always."""

    kind: str
    match_points: Fraction | None
    game_points: Fraction | None
    round: int
    team: int
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class TeamsApart:
    """A line 260: teams that must not meet in the rounds `first` to `last`."""

    first: int
    last: int
    teams: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TeamAcceleration:
    """One team of a line 250: points that it has for the pairing of the rounds `first` to `last` only."""

    team: int
    first: int
    last: int
    match_points: Fraction
    game_points: Fraction


@dataclass(frozen=True, slots=True)
class TeamRecords:
    """All of them. `worths`: match points of a win, a draw, a loss; `bye_points`: match points and game points of the
    pairing-allocated bye, None where the report does not say them; `colours`: of the boards, such as "WBWB"."""

    teams: tuple[TeamOfReport, ...]
    line_ups: tuple[LineUp, ...] = ()
    defaulted: tuple[DefaultedMatch, ...] = ()
    allocated: tuple[AllocatedBye, ...] = ()
    bye_points: tuple[Fraction | None, Fraction | None] = (None, None)
    byes: tuple[ByeAsked, ...] = ()
    assigned: tuple[Assigned, ...] = ()
    apart: tuple[TeamsApart, ...] = ()
    accelerations: tuple[TeamAcceleration, ...] = ()
    worths: tuple[Fraction, Fraction, Fraction] = (Fraction(2), Fraction(1), Fraction(0))
    colours: str = ""

    @property
    def team_of(self) -> dict[int, int]:
        """The number of everybody's team, by starting number."""
        return {player: team.number for team in self.teams for player in team.players}
