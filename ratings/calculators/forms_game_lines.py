"""Games as people paste them: a line each, the opponent's rating and the result, with what else stands there ignored.

"2777 ½", "3. Anand 2770 =", "1800;0,5" and "１８００ 1" are all read. Words are taken for names and passed over, and so
is a number with a full stop or a bracket before everything. Results: 1, ½ or 0; 0.5, 0,5, 1/2; =, + and −; w, d and l.
A line that cannot be read is told with its number; nothing of it is guessed.
"""

import re
import unicodedata
from dataclasses import dataclass

from django.utils.translation import gettext as _

LOWEST, HIGHEST = 0, 4000
MOST_GAMES = 200
MOST_PROBLEMS = 5
RESULTS = {
    **dict.fromkeys(("1", "1.0", "1,0", "+", "w"), 1.0),
    **dict.fromkeys(("½", "0.5", "0,5", ".5", ",5", "1/2", "1⁄2", "=", "d"), 0.5),
    **dict.fromkeys(("0", "0.0", "0,0", "-", "−", "–", "l"), 0.0),
}
_COUNTED = re.compile(r"^\s*\d{1,3}[.)]\s+")
_RATING = re.compile(r"[-−]?\d+(?:[.,]\d+)?")
_JOINED = re.compile(r"^(\d{2,}(?:\.\d+)?)[,:](.+)$")
_AFTER_NAMES = re.compile(r"\d{3,4}(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class GameLine:
    """One line: where it stands, the opponent's rating, the score or None where none is written."""

    row: int
    rating: float
    score: float | None


@dataclass(frozen=True, slots=True)
class GameLines:
    """All lines that could be read, and a sentence for each that could not (the first ones)."""

    games: tuple[GameLine, ...]
    problems: tuple[str, ...]

    @property
    def ratings(self) -> list[float]:
        return [game.rating for game in self.games]

    @property
    def scores(self) -> list[float | None]:
        return [game.score for game in self.games]


def read_games(text: str) -> GameLines:
    """Every line of a pasted text that is not blank."""
    games: list[GameLine] = []
    problems: list[str] = []
    for row, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        found = _read(row, line)
        if isinstance(found, str):
            problems.append(found)
        else:
            games.append(found)
    if len(games) + len(problems) > MOST_GAMES:
        return GameLines((), (_("At most %(most)s games.") % {"most": MOST_GAMES},))
    return GameLines(tuple(games), tuple(problems[:MOST_PROBLEMS]))


def without_result(lines: GameLines) -> str:
    """A sentence where some lines have a result and others none; "" where they agree."""
    bare = [game.row for game in lines.games if game.score is None]
    if not bare or len(bare) == len(lines.games):
        return ""
    return _("Line %(row)s has no result, others have one.") % {"row": bare[0]}


def _read(row: int, line: str) -> GameLine | str:
    """The line, or what is wrong with it."""
    words = _words(line)
    if not words:
        return _("Line %(row)s: there is no rating in it.") % {"row": row}
    *names, first = _up_to_rating(words)
    rest = words[len(names) + 1 :]
    if not _RATING.fullmatch(first):
        return _("Line %(row)s: “%(word)s” is no rating.") % {"row": row, "word": words[0][:40]}
    rating = float(first.replace(",", ".").replace("−", "-"))
    if not LOWEST <= rating <= HIGHEST:
        said = {"row": row, "low": LOWEST, "high": HIGHEST, "word": first[:40]}
        return _("Line %(row)s: a rating lies between %(low)s and %(high)s, not %(word)s.") % said
    if len(rest) > 1:
        return _("Line %(row)s has more than a rating and a result.") % {"row": row}
    if rest and rest[0].casefold() not in RESULTS:
        return _("Line %(row)s: “%(word)s” is no result; write 1, ½ or 0.") % {"row": row, "word": rest[0][:40]}
    return GameLine(row, rating, RESULTS[rest[0].casefold()] if rest else None)


def _words(line: str) -> list[str]:
    """The line's words, signs of other widths made plain, the number before everything left out."""
    plain = unicodedata.normalize("NFKC", line.replace("½", " 0.5 ")).replace(";", " ")
    joined = [part for word in _COUNTED.sub("", plain).split() for part in _parted(word.strip("()[]"))]
    return [word for word in joined if word]


def _parted(word: str) -> list[str]:
    """ "1800,1" and "1800:½" are two words."""
    found = _JOINED.match(word)
    return [found[1], found[2]] if found and found[2] in RESULTS else [word.rstrip(":")] if len(word) > 1 else [word]


def _up_to_rating(words: list[str]) -> list[str]:
    """The words up to the rating: the first word, or after a name the first number of three figures or more."""
    if not _RATING.fullmatch(words[0]):
        for place, word in enumerate(words):
            if _AFTER_NAMES.fullmatch(word):
                return words[: place + 1]
    return words[:1]
