"""From the cells of a crosstable to its games (pure): every game stands in two cells, and both must say the same.

Three ways of counting are known: 1–½–0; 3–1–0 as in football; 2 for a win, 1½ and ½ after a draw that an armageddon
game decided, 0 (Norway Chess). Which one a table uses follows from its cells.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.interchange.crosstable_games_crosstable_cells import HALF, Free, Met
from tournaments.standings.points import Result

Cell = Met | Free | None
Rows = Sequence[Mapping[int, Cell]]  # one a player, in order of places: round → cell
Pair = tuple[Fraction, Fraction]
_NIL, _ONE, _TWO, _THREE = (Fraction(points) for points in range(4))
_MORE = _ONE + HALF


@dataclass(frozen=True, slots=True)
class CrossGame:
    """A game by the players' places. `decider` is the armageddon game after a draw, seen from this game's White."""

    round: int
    white: int
    black: int
    result: Result
    decider: Result = Result.OPEN


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong with a player's cell."""

    player: int
    round: int
    reason: str


@dataclass(frozen=True, slots=True)
class Scale:
    """A way of counting: what both sides' points mean (White's first), and the points of a win. A table that has none
    of the `marks` does not count so; without marks it may."""

    key: str
    win: Fraction
    results: Mapping[Pair, tuple[Result, Result]]
    marks: frozenset[Fraction] = frozenset()


def _scale(key: str, win: Fraction, draw: Fraction, *marks: Fraction) -> Scale:
    return Scale(
        key,
        win,
        {
            (win, _NIL): (Result.WHITE_WINS, Result.OPEN),
            (_NIL, win): (Result.BLACK_WINS, Result.OPEN),
            (draw, draw): (Result.DRAW, Result.OPEN),
            (draw, _NIL): (Result.WHITE_DRAWS_BLACK_PENALISED, Result.OPEN),
            (_NIL, draw): (Result.BLACK_DRAWS_WHITE_PENALISED, Result.OPEN),
            (_NIL, _NIL): (Result.NO_POINTS, Result.OPEN),
        },
        frozenset(marks),
    )


_ARMAGEDDON = Scale(
    "armageddon",
    _TWO,
    {
        (_TWO, _NIL): (Result.WHITE_WINS, Result.OPEN),
        (_NIL, _TWO): (Result.BLACK_WINS, Result.OPEN),
        (_MORE, HALF): (Result.DRAW, Result.WHITE_WINS),
        (HALF, _MORE): (Result.DRAW, Result.BLACK_WINS),
        (_NIL, _NIL): (Result.NO_POINTS, Result.OPEN),
    },
    frozenset({_TWO, _MORE}),
)
SCALES: tuple[Scale, ...] = (_scale("classic", _ONE, HALF), _ARMAGEDDON, _scale("football", _THREE, _ONE, _THREE))
_FORFEITS: dict[tuple[str, str], Result] = {
    ("+", "-"): Result.BLACK_FORFEITS,
    ("-", "+"): Result.WHITE_FORFEITS,
    ("-", "-"): Result.BOTH_FORFEIT,
}


def best_reading(
    rows: Rows, meanings: Sequence[Mapping[int, int]]
) -> tuple[Scale, tuple[CrossGame, ...], tuple[Complaint, ...]]:
    """The games under the way of counting, and the meaning of the opponents' numbers (number → place), that leave the
    fewest cells in contradiction; the first of equals."""
    seen = {cell.points for row in rows for cell in row.values() if isinstance(cell, Met)}
    scales = [scale for scale in SCALES if not scale.marks or scale.marks & seen]
    readings = [(scale, *_read(rows, meant, scale)) for meant in meanings for scale in scales]
    return min(readings, key=lambda reading: len(reading[2]))


def points_of(cell: Cell, scale: Scale) -> Fraction:
    """What a cell adds to its player's total; a bye that leaves it open adds nothing."""
    if isinstance(cell, Met) and cell.sign:
        return scale.win if cell.sign == "+" else _NIL
    return (cell.points if cell else None) or _NIL


def _read(rows: Rows, meant: Mapping[int, int], scale: Scale) -> tuple[tuple[CrossGame, ...], tuple[Complaint, ...]]:
    games: list[CrossGame] = []
    complaints: list[Complaint] = []
    for player, number, cell in _meetings(rows):
        opponent = meant.get(cell.opponent, 0)
        other = rows[opponent - 1].get(number) if opponent else None
        problem = _mirror_problem(player, cell, opponent, other, meant)
        if not problem and opponent < player:
            continue  # read from the opponent's row
        result = None if problem or not isinstance(other, Met) else _result(cell, other, scale)
        if result is None:
            told = f"{_said(other)} in line of player {opponent} does not fit {_said(cell)}: correct one of the two"
            complaints.append(Complaint(player, number, problem or told))
        else:
            white, black = (player, opponent) if cell.is_white else (opponent, player)
            games.append(CrossGame(number, white, black, *result))
    return tuple(games), tuple(complaints)


def _meetings(rows: Rows) -> Iterator[tuple[int, int, Met]]:
    """(player, round, cell) of every game, in order of rounds."""
    for number in sorted({number for row in rows for number in row}):
        for player, row in enumerate(rows, start=1):
            cell = row.get(number)
            if isinstance(cell, Met):
                yield player, number, cell


def _mirror_problem(player: int, cell: Met, opponent: int, other: Cell, meant: Mapping[int, int]) -> str:
    """Why the two cells cannot be one game; "" where they can."""
    if not opponent:
        return f"opponent {cell.opponent} is not in the table: correct the number"
    if opponent == player:
        return "meets himself: correct the opponent’s number"
    if not isinstance(other, Met) or meant.get(other.opponent) != player:
        return f"meets {cell.opponent}, whose own cell says {_said(other)}: correct one of the two"
    if other.is_white == cell.is_white and player < opponent:  # told once
        colour = "White" if cell.is_white else "Black"
        return f"both sides have {colour}: correct one of the two"
    return ""


def _result(cell: Met, other: Met, scale: Scale) -> tuple[Result, Result] | None:
    """The result and what decided it, from both cells; None where they do not fit."""
    white, black = (cell, other) if cell.is_white else (other, cell)
    if white.forfeited or black.forfeited:
        code = _FORFEITS.get((white.sign, black.sign)) if white.forfeited and black.forfeited else None
        return None if code is None else (code, Result.OPEN)
    if _is_open(white) and _is_open(black):
        return Result.OPEN, Result.OPEN
    if _is_open(white) or _is_open(black):
        return None
    return scale.results.get((points_of(white, scale), points_of(black, scale)))


def _is_open(cell: Met) -> bool:
    return cell.points is None and not cell.sign


def _said(cell: Cell) -> str:
    """A cell in a message."""
    if cell is None:
        return "nothing"
    if isinstance(cell, Free):
        return "a bye"
    shown = cell.sign or ("" if cell.points is None else f"{float(cell.points):g}")
    return f"“{cell.opponent}{'w' if cell.is_white else 'b'}{shown}”"
