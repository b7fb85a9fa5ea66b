"""The crosstable: who met whom, with which colour, for how many points. All standings are made from it (pure).

Points are integers in the smallest unit of the point system (half-points for 1–½–0).

`annulled`: whether the games of somebody who leaves a round robin count. FIDE: who has completed fewer than half of his
games is taken out of the standings. What he played stays in the table and is rated, but counts for nobody, neither
points nor tie-breaks. From half on everything counts, and what is left of his games is forfeited. Many clubs let
everything count: `rule` "all". Source: FIDE General Regulations for Competitions, round robins (formerly Tournament
Rules C.06, 5.4): exactly half counts.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tournaments.standings.points import OUTCOMES, Outcome, PointSystem, Result

# --- the table ----------------------------------------------------------------------------------------------------
HALVES = {"win": 2, "draw": 1, "loss": 0, None: 0}


@dataclass(frozen=True, slots=True)
class Meeting:
    """One game (or forfeit) between two entries; the numbers are pairing numbers. `armageddon` is the armageddon game
    that followed a draw with the same colours, as a result seen from White; it scores where the point system says so,
    and a draw in it is enough for Black."""

    round: int
    white: int
    black: int
    result: Result
    armageddon: Result = Result.OPEN


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
    """One game seen from one side: `points` for this side, `against` for the other. One that does not count (somebody
    left before half of his games) is shown and brings nobody anything. `halves`: this side's score as 1 – ½ – 0 in
    half-points, whatever the point system."""

    round: int
    opponent: int
    is_white: bool
    points: int
    against: int
    shown: str
    decided: bool
    played: bool
    counts: bool = True
    halves: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """One player's row: the games that count in order of rounds, the points from byes, and the total. `annulled` are
    the games that are shown only; of a player who does not count (`counts`) all are, and his `byes` bring nothing. In
    a Swiss a round with neither game nor bye is a zero-point bye."""

    player: int
    cells: tuple[Cell, ...]
    bye_points: int
    points: int
    played: int = 0
    annulled: tuple[Cell, ...] = ()
    counts: bool = True
    byes: tuple[Bye, ...] = ()

    def shown_against(self, opponent: int) -> tuple[Cell, ...]:
        """All games against one opponent, also those that do not count, in order of rounds."""
        return tuple(cell for cell in (*self.cells, *self.annulled) if cell.opponent == opponent)


Crosstable = dict[int, Line]
Sides = tuple[tuple[int, Cell], tuple[int, Cell]]  # White's number and his cell, Black's


def build_crosstable(
    players: Sequence[int],
    meetings: Iterable[Meeting],
    byes: Iterable[Bye],
    points: PointSystem,
    annulled: Collection[int] = (),
) -> Crosstable:
    """The table of all `players`, in the order given. Games of those in `annulled` count for nobody. Raises
    KeyError where a game names a number not among the players."""
    return table_of_sides(players, (sides_of(meeting, points, annulled) for meeting in meetings), byes, annulled)


def sides_of(meeting: Meeting, points: PointSystem, annulled: Collection[int] = ()) -> Sides:
    """A game as it stands in both players' rows."""
    counts = meeting.white not in annulled and meeting.black not in annulled
    outcome = OUTCOMES[meeting.result]
    white, black = _shares(meeting, outcome, points)
    shown = _shown(outcome, (white, black), points)
    number, how = meeting.round, (outcome.white is not None, outcome.played, counts)
    return (
        (meeting.white, Cell(number, meeting.black, True, white, black, shown[0], *how, HALVES[outcome.white])),
        (meeting.black, Cell(number, meeting.white, False, black, white, shown[1], *how, HALVES[outcome.black])),
    )


def table_of_sides(
    players: Sequence[int], games: Iterable[Sides], byes: Iterable[Bye], annulled: Collection[int] = ()
) -> Crosstable:
    """The same table from games that are seen from both sides already: for whoever makes a table of the same games
    thousands of times. Raises KeyError as `build_crosstable`."""
    cells: dict[int, list[Cell]] = {player: [] for player in players}
    for (white, own), (black, his) in games:
        cells[white].append(own)
        cells[black].append(his)
    free: dict[int, list[Bye]] = {player: [] for player in players}
    for bye in byes:
        free[bye.player].append(replace(bye, points=0) if bye.player in annulled else bye)
    return {player: _line(player, cells[player], free[player], player not in annulled) for player in players}


def _line(player: int, cells: list[Cell], byes: list[Bye], counts: bool) -> Line:
    ordered = sorted(cells, key=lambda cell: cell.round)
    counting = tuple(cell for cell in ordered if cell.counts)
    bye_points = sum(bye.points for bye in byes)
    return Line(
        player,
        counting,
        bye_points,
        points=bye_points + sum(cell.points for cell in counting),
        played=sum(cell.decided for cell in counting),
        annulled=tuple(cell for cell in ordered if not cell.counts),
        counts=counts,
        byes=tuple(sorted(byes, key=lambda bye: bye.round)),
    )


def _shares(meeting: Meeting, outcome: Outcome, points: PointSystem) -> tuple[int, int]:
    if outcome.white == outcome.black == "draw":
        armageddon = OUTCOMES[meeting.armageddon]
        drawn = armageddon.white == armageddon.black == "draw"
        white, black = ("loss", "win") if drawn else (armageddon.white, armageddon.black)
        return points.decided_share(white), points.decided_share(black)
    return points.share(outcome.white), points.share(outcome.black)


def _shown(outcome: Outcome, shares: tuple[int, int], points: PointSystem) -> tuple[str, str]:
    """The marks of the result; where armageddon follows a draw, the points of a game played, since ½ and 1½ differ."""
    if points.after_draw is None or not outcome.played:
        return outcome.shown
    return points.text(shares[0]), points.text(shares[1])


# --- as a square --------------------------------------------------------------------------------------------------
# None is the diagonal: nobody meets himself.
MatrixRow = tuple[tuple[Cell, ...] | None, ...]


def matrix(table: Crosstable, order: Sequence[int]) -> tuple[MatrixRow, ...]:
    """The decided games of every pair, also those that do not count, both axes in `order`. Raises KeyError for a number
    not in the table."""

    def games(player: int, opponent: int) -> tuple[Cell, ...] | None:
        if player == opponent:
            return None
        return tuple(cell for cell in table[player].shown_against(opponent) if cell.decided)

    return tuple(tuple(games(player, opponent) for opponent in order) for player in order)


# --- who leaves a round robin -------------------------------------------------------------------------------------
FIDE, ALL = "fide", "all"


@dataclass(frozen=True, slots=True)
class OwnGames:
    """How many games a player has in the whole tournament, and how many of them are completed."""

    completed: int
    scheduled: int

    @property
    def less_than_half(self) -> bool:
        return 2 * self.completed < self.scheduled


def own_games(player: int, meetings: Iterable[Meeting]) -> OwnGames:
    """The player's games among all of the tournament, open ones too. A game he came to is completed: played, or won
    because the other did not come. One he forfeited is not, else his own leaving would complete them."""
    own = [meeting for meeting in meetings if player in (meeting.white, meeting.black)]
    outcomes = [(OUTCOMES[meeting.result], meeting.white == player) for meeting in own]
    came = [outcome.played or (outcome.white if white else outcome.black) == "win" for outcome, white in outcomes]
    return OwnGames(sum(came), len(own))


def annulled(leavers: Mapping[int, OwnGames], rule: str) -> frozenset[int]:
    """Those who left and whose games count for nobody. `rule` is "fide" or "all". Raises ValueError for another."""
    if rule not in (FIDE, ALL):
        raise ValueError(f"There is no rule “{rule}” for who leaves a round robin.")
    return frozenset(player for player, games in leavers.items() if rule == FIDE and games.less_than_half)
