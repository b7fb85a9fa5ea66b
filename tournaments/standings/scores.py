"""The score of a game of two as somebody types it ("21-15"), and the result that follows from it (pure).

Scores are whole numbers. What was not played has none; of a game with a penalty the result is the arbiter's.
"""

import re

from clubrating.ground.marks import sentence
from tournaments.standings.points import OUTCOMES, Result

MOST = 1_000_000
_TYPED = re.compile(r"\s*(\d{1,7})\s*[-–−:.,/* ]\s*(\d{1,7})\s*", re.ASCII)  # some keypads have no hyphen
_PLAIN = {("win", "loss"), ("draw", "draw"), ("loss", "win")}


def read_score(text: str) -> tuple[int, int] | None:
    """White's score and Black's; None for nothing. Raises ValueError with a sentence."""
    if not text.strip():
        return None
    found = _TYPED.fullmatch(text)
    white, black = (int(part) for part in found.groups()) if found else (MOST + 1, 0)
    if max(white, black) > MOST:
        raise ValueError(
            sentence(
                "“%(typed)s” is no score: write White’s and Black’s as whole numbers, like 21-15.", typed=text[:20]
            )
        )
    return white, black


def score_text(white: int | None, black: int | None) -> str:
    """The score as it is typed; empty where there is none."""
    return "" if white is None or black is None else f"{white}-{black}"


def result_of_score(score: tuple[int, int], *, low_wins: bool) -> Result:
    """Who won by it."""
    white, black = reversed(score) if low_wins else score
    return Result.WHITE_WINS if white > black else Result.BLACK_WINS if white < black else Result.DRAW


def agrees(result: Result, score: tuple[int, int], *, low_wins: bool) -> bool:
    """Whether the game can have ended so."""
    outcome = OUTCOMES[result]
    if not outcome.played or (outcome.white, outcome.black) not in _PLAIN:
        return outcome.played
    return OUTCOMES[result_of_score(score, low_wins=low_wins)].white == outcome.white
