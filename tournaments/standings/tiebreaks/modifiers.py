"""What stands after the stroke of a tie-break's code: "/C1" cuts the lowest value, and so on.

Source: FIDE C.07 art. 14 (cuts, medians, limits), 6.1.1 (/P), 7.8 and 10.6 (/R), 8.2 (/F); the letters are those of
FIDE's list for TRF26 (lines 202 and 212). A rule names in `takes` the letters it knows.
"""

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from clubrating.ground.marks import marked, sentence

HALF = Fraction(1, 2)
_CUT = re.compile(r"([CM])([1-9])")
_DIVISOR = re.compile(r"K([1-9][0-9]?)")
_LIMIT = re.compile(r"L([+-])?([0-9]{1,3})(\.5)?")
_FLAGS = {"P": "as_played", "R": "reverse", "F": "fore"}
_WORDS = {
    "C1": marked("The lowest value is cut."),
    "C2": marked("The two lowest values are cut."),
    "C": marked("The lowest values are cut, as many as the code says."),
    "M1": marked("The lowest and the highest value are cut."),
    "M2": marked("The two lowest and the two highest values are cut."),
    "M": marked("The lowest and the highest values are cut, as many as the code says."),
    "P": marked("Forfeited games count as played."),
    "R": marked("The other way round: less is better where more would be."),
    "F": marked("As if all games of the last round had been drawn."),
    "L": marked("The limit is moved by as many half-points as the code says."),
    "K": marked("The Buchholz is divided by the number in the code."),
}
_SHOWN = {"C": "/C1, /C2", "M": "/M1, /M2", "L": "/L+1, /L-1", "K": "/K2, /K3"}
_SCORES = {"MP": marked("By match points."), "GP": marked("By game points.")}


@dataclass(frozen=True, slots=True)
class Modifiers:
    """`low` and `high`: how many of the lowest and the highest values are cut. `as_played`: forfeits count as played
    against the opponent due. `reverse`: less is better where more would be. `fore`: the last round as if drawn.
    `limit`: Koya's share of the most one could score; `shift`: points added to it. `divisor`: of the Buchholz in SSSC
    (0: by the rule). `letters` as they were written. `score`: of teams "MP" or "GP", "" for the one that decides."""

    low: int = 0
    high: int = 0
    as_played: bool = False
    reverse: bool = False
    fore: bool = False
    limit: Fraction = HALF
    shift: Fraction = Fraction(0)
    divisor: int = 0
    letters: tuple[str, ...] = ()
    score: str = ""

    def __str__(self) -> str:
        return "".join([f":{self.score}" if self.score else "", *(f"/{letter}" for letter in self.letters)])

    @property
    def words(self) -> tuple[str, ...]:
        """One sentence for each, in the order written."""
        scores = [_SCORES[self.score]] if self.score else []
        return (*scores, *(_WORDS.get(letter) or _WORDS[letter[0]] for letter in self.letters))


PLAIN = Modifiers()


def read_modifiers(base: str, letters: list[str], takes: str) -> Modifiers:
    """The modifiers written after a base code that knows the letters in `takes`. Raises ValueError with a sentence."""
    made = PLAIN
    for letter in letters:
        kind = letter[:1]
        if not kind or kind not in takes or kind in [other[0] for other in made.letters]:
            raise ValueError(_not_there("/".join([base, *letters]), base, takes))
        made = replace(_with(made, base, letter), letters=(*made.letters, letter))
    return made


def _with(made: Modifiers, base: str, letter: str) -> Modifiers:
    if flag := _FLAGS.get(letter):
        return replace(made, **{flag: True})  # type: ignore[arg-type]
    if found := _CUT.fullmatch(letter):
        count = int(found[2])
        return replace(made, low=count, high=count if found[1] == "M" else 0)
    if found := _DIVISOR.fullmatch(letter):
        return replace(made, divisor=int(found[1]))
    if found := _LIMIT.fullmatch(letter):
        # L60: 60 per cent of the maximum; L+1 and L-1: half a point up or down; L+1.5: a point and a half.
        sign, number, half = found[1], int(found[2]), found[3]
        if sign is None:
            return replace(made, limit=Fraction(number, 100))
        points = number + HALF if half else number * HALF
        return replace(made, shift=points if sign == "+" else -points)
    raise ValueError(
        sentence(
            "“/%(letter)s” after “%(base)s” says nothing: %(base)s can be followed by %(known)s.",
            letter=letter,
            base=base,
            known=_known(letter[0]),
        )
    )


def _not_there(code: str, base: str, takes: str) -> str:
    if not takes:
        return sentence("There is no “%(code)s”: %(base)s stands without anything after it.", code=code, base=base)
    known = _known(takes)
    return sentence("There is no “%(code)s”: %(base)s can be followed by %(known)s.", code=code, base=base, known=known)


def _known(takes: str) -> str:
    return ", ".join(_SHOWN.get(kind, f"/{kind}") for kind in takes)
