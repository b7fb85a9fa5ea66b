"""The crosstable: who met whom, with which colour, for how many points. Everything in the standings starts here.

Points are integers in the smallest unit of the point system (half-points for 1–½–0).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tournaments.standings.points import OUTCOMES, PointSystem, Result


@dataclass(frozen=True, slots=True)
class Meeting:
    """One game (or forfeit) between two entries; the numbers are pairing numbers. `decider` is the armageddon game
    that followed a draw, as a result seen from this game's White; it scores where the point system says so."""

    round: int
    white: int
    black: int
    result: Result
    decider: Result = Result.OPEN


@dataclass(frozen=True, slots=True)
class Bye:
    """A round without an opponent, and the points it brings. `kind`: "pab" for want of an opponent, else asked for or
    absent: "full", "half", "zero"."""

    round: int
    player: int
    points: int
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One game seen from one side: `points` for this side, `against` for the other."""

    round: int
    opponent: int
    is_white: bool
    points: int
    against: int
    shown: str
    decided: bool
    played: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One player's row: the games in order of rounds, the points from byes, and the total."""

    player: int
    cells: tuple[Cell, ...]
    bye_points: int
    points: int
    played: int = field(default=0)

    def against(self, opponent: int) -> tuple[Cell, ...]:
        """The games against one opponent, in order of rounds."""
        return tuple(cell for cell in self.cells if cell.opponent == opponent)


Crosstable = dict[int, Line]


def build_crosstable(
    players: Sequence[int], meetings: Iterable[Meeting], byes: Iterable[Bye], points: PointSystem
) -> Crosstable:
    """The table of all `players`, in the order given. Raises KeyError where a game names a number not among them."""
    cells: dict[int, list[Cell]] = {player: [] for player in players}
    for meeting in meetings:
        white, black = _both_sides(meeting, points)
        cells[meeting.white].append(white)
        cells[meeting.black].append(black)
    bye_points = dict.fromkeys(players, 0)
    for bye in byes:
        bye_points[bye.player] += bye.points
    return {player: _line(player, cells[player], bye_points[player]) for player in players}


def _line(player: int, cells: list[Cell], bye_points: int) -> Line:
    ordered = tuple(sorted(cells, key=lambda cell: cell.round))
    total = bye_points + sum(cell.points for cell in ordered)
    return Line(player, ordered, bye_points, total, sum(cell.decided for cell in ordered))


def _both_sides(meeting: Meeting, points: PointSystem) -> tuple[Cell, Cell]:
    outcome = OUTCOMES[meeting.result]
    white, black = points.share(outcome.white), points.share(outcome.black)
    decided = outcome.white is not None
    return (
        Cell(meeting.round, meeting.black, True, white, black, outcome.shown[0], decided, outcome.played),
        Cell(meeting.round, meeting.white, False, black, white, outcome.shown[1], decided, outcome.played),
    )
