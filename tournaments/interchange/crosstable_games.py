"""Games read from the cells of a crosstable: "12w1", "2z½", "7b1½", "5s+", "+5b", "H", "bye" … (pure).

`read_cell`: a cell names the opponent, one's own colour and the points: w is White; b (black), s (schwarz), z (zwart)
is Black. A sign behind the colour is a forfeit, one in front of the number a played game (US style); "=" is a draw in
both. Without an opponent it is a bye: "H" half a point, "F", "1", "-1" a full one, "-", "0", "-0", "Z" none; "bye" and
"spielfrei" leave open what they bring.

`best_reading`: every game stands in two cells, and both must say the same. Three ways of counting are known: 1–½–0;
3–1–0 as in football; 2 for a win, 1½ and ½ after a draw that an armageddon game decided, 0 (Norway Chess). Which one a
table uses follows from its cells.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.interchange.tables_csv import shortened
from tournaments.standings.crosstable import Meeting
from tournaments.standings.points import Result

# --- cells --------------------------------------------------------------------------------------------------------
HALF = Fraction(1, 2)
_MET = re.compile(r"([+=-])?\s*([0-9]{1,4})\s*([wbsz])\s*(.*)", re.IGNORECASE)
_POINTS = re.compile(r"([0-9])?(½|[.,]5|[.,]0| ?1/2)?")
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))
_OPEN = ("", "*", "?")
_NOBODY: dict[str, Fraction | None] = {
    **dict.fromkeys(("h", "½", "1/2", "0.5", "0,5", "-½", "-0.5", "-0,5", "-1/2"), HALF),
    **dict.fromkeys(("f", "1", "-1", "+"), Fraction(1)),
    **dict.fromkeys(("z", "0", "-0", "-", "--", "u"), Fraction(0)),
    **dict.fromkeys(("bye", "pab", "spielfrei", "freilos", "frei", "vrij", "exempt"), None),
}


@dataclass(frozen=True, slots=True)
class Met:
    """A game seen from one side: the number of the opponent, and the points. `sign` is "+" or "-" where nothing but
    that is said: `forfeited`, or a game won or lost. `points` and `sign` are empty while it is open."""

    opponent: int
    is_white: bool
    points: Fraction | None = None
    sign: str = ""
    forfeited: bool = False


@dataclass(frozen=True, slots=True)
class Free:
    """A round without an opponent; `points` is None where the cell leaves open what it brings."""

    points: Fraction | None


def read_cell(text: str) -> Met | Free | None:
    """A cell; None for an empty one. Raises ValueError with the reason and the remedy."""
    written = text.strip().translate(_DASHES)
    if written in _OPEN:
        return None
    nobody = "".join(written.split()).casefold()
    if nobody in _NOBODY:
        return Free(_NOBODY[nobody])
    met = _MET.fullmatch(written)
    if met is None:
        raise ValueError(f"“{shortened(text)}” is not known: write opponent, colour and points, for example 12w1")
    before, opponent, colour, after = met.groups()
    if before and after:
        raise ValueError(f"“{shortened(text)}” says its result twice: write 12w1 or +12w")
    is_white = colour in "wW"
    if (before or after.strip()) == "=":
        return Met(int(opponent), is_white, HALF)
    if before:
        return Met(int(opponent), is_white, sign=before)
    if after.strip() in ("+", "-"):
        return Met(int(opponent), is_white, sign=after.strip(), forfeited=True)
    return Met(int(opponent), is_white, None if after.strip() in _OPEN else read_points(after))


def read_points(text: str) -> Fraction:
    """Points up to 9½: "1½", "1.5", "1,5", "1 1/2", "½". Raises ValueError with the reason."""
    found = _POINTS.fullmatch(text.strip())
    if found is None or not text.strip():
        raise ValueError(f"points “{shortened(text)}” are not known: write 1, ½ or 0")
    whole, rest = found.groups()
    if rest and rest.strip() == "1/2" and whole and not rest.startswith(" "):
        raise ValueError(f"points “{shortened(text)}” can be read in two ways: write 1½ or 1.5")
    return Fraction(int(whole or 0)) + (HALF if rest and rest[1:] != "0" else 0)


# --- games --------------------------------------------------------------------------------------------------------
Cell = Met | Free | None
Rows = Sequence[Mapping[int, Cell]]  # one a player, in order of places: round → cell
Pair = tuple[Fraction, Fraction]
_NIL, _ONE, _TWO, _THREE = (Fraction(points) for points in range(4))
_MORE = _ONE + HALF


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
) -> tuple[Scale, tuple[Meeting, ...], tuple[Complaint, ...]]:
    """The games, by the players' places, under the way of counting, and the meaning of the opponents' numbers (number →
    place), that leave the fewest cells in contradiction; the first of equals."""
    seen = {cell.points for row in rows for cell in row.values() if isinstance(cell, Met)}
    scales = [scale for scale in SCALES if not scale.marks or scale.marks & seen]
    readings = [(scale, *_read(rows, meant, scale)) for meant in meanings for scale in scales]
    return min(readings, key=lambda reading: len(reading[2]))


def points_of(cell: Cell, scale: Scale) -> Fraction:
    """What a cell adds to its player's total; a bye that leaves it open adds nothing."""
    if isinstance(cell, Met) and cell.sign:
        return scale.win if cell.sign == "+" else _NIL
    return (cell.points if cell else None) or _NIL


def _read(rows: Rows, meant: Mapping[int, int], scale: Scale) -> tuple[tuple[Meeting, ...], tuple[Complaint, ...]]:
    games: list[Meeting] = []
    complaints: list[Complaint] = []
    for player, number, cell in _meetings(rows):
        opponent = meant.get(cell.opponent, 0)
        other = rows[opponent - 1].get(number) if opponent else None
        problem = _mirror_problem(player, cell, opponent, other, meant)
        if not problem and opponent < player:
            continue  # read from the opponent's row
        result = None if problem or not isinstance(other, Met) else _result(cell, other, scale)
        if result is None:
            text = f"{_said(other)} in line of player {opponent} does not fit {_said(cell)}: correct one of the two"
            complaints.append(Complaint(player, number, problem or text))
        else:
            white, black = (player, opponent) if cell.is_white else (opponent, player)
            games.append(Meeting(number, white, black, *result))
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
    if other.is_white == cell.is_white and player < opponent:  # reported once
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
