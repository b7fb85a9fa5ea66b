"""EGF: the rating of the European Go Federation since 2021, with handicap stones and komi.

Source: European Go Database, page "EGF rating system": r' = r + con (S − E) + bonus, as several public programs quote
it. The shift for stones, 100 (H − ½) in the expected score only, is that of two such programs. Ours: what a point of
komi is worth, that the weight of an event's class takes the bonus too, and that every game is rated by itself, from the
ratings before it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, floor, log1p
from types import MappingProxyType

from clubrating.ground.marks import marked
from ratings.systems.base import Figures, GameRater, Handicap, PlayedGame, PlayerState
from ratings.systems.rules import Listing, RatingSystem, ranged

LOWEST = -900.0  # 30 kyu
HIGHEST = 3299.0  # the formulas have their pole at 3300
FIRST_DAN = 2100.0
GRADE = 100.0  # points a grade, and a stone
USUAL_KOMI = 6.5
KOMI_POINT = 100.0 / 13.0  # rating points: two komi of 6.5 make a stone
MAX_HANDICAP = 9
CLASS_WEIGHTS: Mapping[str, float] = MappingProxyType({"A": 1.0, "B": 0.75, "C": 0.5, "D": 0.25})

_GRADE = re.compile(r"([1-9][0-9]?) ?(k|kyu|d|dan|p|pro)", re.IGNORECASE)
_GRADES = {"k": 30, "d": 9, "p": 9}  # the highest number of each


# --- arithmetic: rating points in, plain numbers out -----------------------------------------------------------------
def con(rating: float) -> float:
    """What a whole point above expectation is worth: ((3300 − r) / 200)^1.6."""
    value: float = ((3300.0 - _held(rating)) / 200.0) ** 1.6
    return value


def bonus(rating: float) -> float:
    """What every game adds, against deflation: ln(1 + e^((2300 − r) / 80)) / 5."""
    return log1p(exp((2300.0 - _held(rating)) / 80.0)) / 5.0


def expected_score(own: float, opponent: float) -> float:
    """1 / (1 + e^(β(opponent) − β(own))) with β(r) = −7 ln(3300 − r), so the odds are a seventh power."""
    odds: float = ((3300.0 - _held(own)) / (3300.0 - _held(opponent))) ** 7
    return 1.0 / (1.0 + odds)


def expected_black(black: float, white: float, shift: float = 0.0) -> float:
    """Black's expected score; `shift` (rating points) is what stones and komi add to Black's rating."""
    return expected_score(black + shift, white)


def handicap_shift(handicap: int, komi: float | None = None) -> float:
    """Rating points that stones and komi give Black. `handicap`: 0 is an even game; 1 is Black without komi. `komi`:
    points for White; None is the usual one, 6.5 in an even game and none under a handicap, where half a point, which
    only decides ties, is none either."""
    if handicap == 0:
        return 0.0 if komi is None else (USUAL_KOMI - komi) * KOMI_POINT
    given = 0.0 if komi in (None, 0.5) else komi or 0.0
    return GRADE * (handicap - 0.5) - given * KOMI_POINT


def rating_change(rating: float, score: float, expected: float, weight: float = 1.0) -> float:
    """The change after one game: weight × (con (S − E) + bonus). `weight` as in `CLASS_WEIGHTS`."""
    return weight * (con(rating) * (score - expected) + bonus(rating))


def _held(rating: float) -> float:
    """The rating where the formulas still have a value."""
    return min(max(rating, LOWEST - GRADE * MAX_HANDICAP), HIGHEST)


# --- grades ----------------------------------------------------------------------------------------------------------
def grade_rating(grade: str) -> float:
    """The rating of a declared grade: `3k` 1800, `1d` 2100, `2p` 2730. Raises ValueError for what is none."""
    found = _GRADE.fullmatch(grade.strip())
    number, kind = (int(found[1]), found[2][0].lower()) if found else (0, "k")
    if not 1 <= number <= _GRADES[kind]:
        raise ValueError("a grade is 30k to 1k, 1d to 9d or 1p to 9p")
    if kind == "p":
        return 2700.0 + 30.0 * (number - 1)
    return FIRST_DAN + GRADE * (number - 1 if kind == "d" else -number)


def nearest_grade(rating: float) -> str:
    """The amateur grade nearest to a rating: 2050 is `1d`, 2049 `1k`."""
    steps = _steps(rating)
    return f"{steps}d" if steps >= 1 else f"{1 - steps}k"


def _steps(rating: float) -> int:
    """Grades counted through: 1 is 1 dan, 0 is 1 kyu."""
    return floor((rating - FIRST_DAN + GRADE / 2) / GRADE) + 1


def usual_handicap(white: float, black: float) -> Handicap | None:
    """What evens out a game of those ratings: a stone for each grade White is stronger by, one of them Black without
    komi; None where the grades are equal. A stronger Black has the colours exchanged first."""
    grades = _steps(white) - _steps(black)
    if grades <= 1:
        return Handicap(0, 0.0) if grades == 1 else None
    return Handicap(min(grades, MAX_HANDICAP))


# --- the system ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class EgfSettings:
    """`start`: rating of a newcomer who declares no grade (100: 20 kyu). `importance`: the weight of the event's class
    counts."""

    start: float = ranged(100.0, LOWEST, HIGHEST)
    importance: bool = True


class Egf(RatingSystem):
    """Stones and komi are read off the games (`PlayedGame.handicap`)."""

    key = "egf"
    name = marked("EGF")
    settings_type = EgfSettings
    elo_scale = False
    reads_handicap = True
    lowest_start = LOWEST

    def game_rater(self, settings: EgfSettings) -> GameRater:
        def rate(white: PlayerState, black: PlayerState, game: PlayedGame) -> Figures:
            shift = 0.0 if game.handicap is None else handicap_shift(*game.handicap)
            expected = expected_black(black.rating, white.rating, shift)
            weight = game.importance if settings.importance else 1.0
            white_k, white.rating = _after(white, game.score, 1.0 - expected, weight)
            black_k, black.rating = _after(black, 1.0 - game.score, expected, weight)
            return Figures(1.0 - expected, white_k, expected, black_k)

        return rate

    def listing(self, settings: EgfSettings) -> Listing:
        return Listing(grades=True)

    def expected(self, settings: EgfSettings, own: PlayerState, opponent: PlayerState) -> float:
        return expected_score(own.rating, opponent.rating)


def _after(state: PlayerState, score: float, expected: float, weight: float) -> tuple[float, float]:
    """Weight × con (a fixed K in its place) and the rating after the game, within the scale."""
    k = weight * (con(state.rating) if state.fixed_k is None else state.fixed_k)
    after = state.rating + k * (score - expected) + weight * bonus(state.rating)
    return k, min(max(after, LOWEST), HIGHEST)
