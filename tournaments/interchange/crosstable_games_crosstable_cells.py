"""What stands in a crosstable's cells (pure): "12w1", "2z½", "7b1½", "5s+", "+5b", "H", "bye" …

A cell names the opponent, one's own colour and the points: w is White; b (black), s (schwarz), z (zwart) is Black.
A sign behind the colour is a forfeit, one in front of the number a played game (US style); "=" is a draw in both.
Without an opponent it is a bye: "H" half a point, "F", "1", "-1" a full one, "-", "0", "-0", "Z" none; "bye" and
"spielfrei" leave open what they bring.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from tournaments.interchange.tables_csv_values_csv import shortened

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
