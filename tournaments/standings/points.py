"""Result codes, what each is worth under a point system, the result that follows from a typed score, and what places
at a table are worth.

A game stores one code of this closed list and no points (points follow from the tournament's point system).
Inside, points are integers in the system's smallest unit: half-points for 1–½–0.

Sources: FIDE Laws and C.04.2 (forfeits, byes), TRF26 (codes of short, unrated games), FIDE B.02 art. 5 (what is
rated: only games played on the board by both sides, so neither forfeits nor penalties). Football: three points for a
win. Armageddon: Altibox Norway Chess 2019, where every draw was followed by an armageddon game.
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from clubrating.ground.marks import marked, sentence


class Result(StrEnum):
    """One game's outcome, seen from White. The value is what the database stores."""

    OPEN = ""
    WHITE_WINS = "1-0"
    DRAW = "1/2"
    BLACK_WINS = "0-1"
    WHITE_FORFEITS = "-+"
    BLACK_FORFEITS = "+-"
    BOTH_FORFEIT = "--"
    NO_POINTS = "0-0"
    WHITE_DRAWS_BLACK_PENALISED = "1/2-0"
    BLACK_DRAWS_WHITE_PENALISED = "0-1/2"
    WHITE_WINS_UNRATED = "W"
    DRAW_UNRATED = "D"
    BLACK_WINS_UNRATED = "L"
    ADJOURNED = "adj"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a code means. `white` and `black` name the share of a side: "win", "draw", "loss", or None while open."""

    white: str | None
    black: str | None
    played: bool
    rated: bool
    shown: tuple[str, str]


OUTCOMES: dict[Result, Outcome] = {
    Result.OPEN: Outcome(None, None, played=False, rated=False, shown=("", "")),
    Result.WHITE_WINS: Outcome("win", "loss", played=True, rated=True, shown=("1", "0")),
    Result.DRAW: Outcome("draw", "draw", played=True, rated=True, shown=("½", "½")),
    Result.BLACK_WINS: Outcome("loss", "win", played=True, rated=True, shown=("0", "1")),
    Result.BLACK_FORFEITS: Outcome("win", "loss", played=False, rated=False, shown=("+", "−")),
    Result.WHITE_FORFEITS: Outcome("loss", "win", played=False, rated=False, shown=("−", "+")),
    Result.BOTH_FORFEIT: Outcome("loss", "loss", played=False, rated=False, shown=("−", "−")),
    Result.NO_POINTS: Outcome("loss", "loss", played=True, rated=False, shown=("0", "0")),
    Result.WHITE_DRAWS_BLACK_PENALISED: Outcome("draw", "loss", played=True, rated=False, shown=("½", "0")),
    Result.BLACK_DRAWS_WHITE_PENALISED: Outcome("loss", "draw", played=True, rated=False, shown=("0", "½")),
    Result.WHITE_WINS_UNRATED: Outcome("win", "loss", played=True, rated=False, shown=("1", "0")),
    Result.DRAW_UNRATED: Outcome("draw", "draw", played=True, rated=False, shown=("½", "½")),
    Result.BLACK_WINS_UNRATED: Outcome("loss", "win", played=True, rated=False, shown=("0", "1")),
    Result.ADJOURNED: Outcome(None, None, played=False, rated=False, shown=("", "")),
}

# Codes that enter the rating lists; everything else never does.
RATED_RESULTS = tuple(code for code, outcome in OUTCOMES.items() if outcome.rated)
# Codes that settle a board; the others leave it open.
DECIDED_RESULTS = tuple(code for code, outcome in OUTCOMES.items() if outcome.white is not None)
# White's score for the rating: 1, ½ or 0.
SCORES: dict[str, float] = {Result.WHITE_WINS: 1.0, Result.DRAW: 0.5, Result.BLACK_WINS: 0.0}

_SIDES_SWAPPED: dict[Result, Result] = {
    Result.WHITE_WINS: Result.BLACK_WINS,
    Result.BLACK_FORFEITS: Result.WHITE_FORFEITS,
    Result.WHITE_DRAWS_BLACK_PENALISED: Result.BLACK_DRAWS_WHITE_PENALISED,
    Result.WHITE_WINS_UNRATED: Result.BLACK_WINS_UNRATED,
}
_SIDES_SWAPPED |= {black: white for white, black in _SIDES_SWAPPED.items()}


def seen_from_black(code: Result) -> Result:
    """The same outcome with the colours exchanged."""
    return _SIDES_SWAPPED.get(code, code)


@dataclass(frozen=True, slots=True)
class PointSystem:
    """Points of a win, a draw and a loss in `unit`ths of a shown point (1: whole, 2: half-points); `allocated_bye` is
    the pairing-allocated bye's worth. `after_draw`: what the armageddon game after a draw brings its winner and its
    loser in place of the draw; None where no such game is played. `name` is shown translated."""

    key: str
    unit: int
    win: int
    draw: int
    loss: int
    allocated_bye: int
    name: str = ""
    after_draw: tuple[int, int] | None = None

    def share(self, outcome: str | None) -> int:
        """Points of one side's share ("win", "draw", "loss"); an open board (None) is worth nothing yet."""
        return {"win": self.win, "draw": self.draw, "loss": self.loss, None: 0}[outcome]

    def decided_share(self, outcome: str | None) -> int:
        """Points of a drawn game for the side with this share ("win", "loss") of the armageddon game after it; until
        that is decided (None), and where none is played, those of a draw."""
        if self.after_draw is None:
            return self.draw
        won, lost = self.after_draw
        return {"win": won, "loss": lost}.get(outcome or "", self.draw)

    def bye(self, kind: str) -> int:
        """Points of a bye: "pab", "full", "half" or "zero"."""
        return {"pab": self.allocated_bye, "full": self.win, "half": self.draw, "zero": 0}[kind]

    def text(self, points: int) -> str:
        """Points as a result's mark: 3 half-points are 1½."""
        whole, half = divmod(points, self.unit)
        return f"{whole or ''}½" if half else f"{whole}"


POINT_SYSTEMS: tuple[PointSystem, ...] = (
    PointSystem("classic", unit=2, win=2, draw=1, loss=0, allocated_bye=2, name="1 – ½ – 0"),
    PointSystem("football", unit=1, win=3, draw=1, loss=0, allocated_bye=3, name="3 – 1 – 0"),
    PointSystem("two", unit=1, win=2, draw=1, loss=0, allocated_bye=2, name="2 – 1 – 0"),
    # An undecided draw is worth the ½ that both have for sure, so that nobody's points ever fall.
    PointSystem(
        "armageddon",
        unit=2,
        win=4,
        draw=1,
        loss=0,
        allocated_bye=4,
        name=marked("2 – 1½ – ½ – 0, armageddon after a draw"),
        after_draw=(3, 1),
    ),
)


def point_system(key: str) -> PointSystem:
    """The point system of that key. Raises KeyError for an unknown one."""
    return {system.key: system for system in POINT_SYSTEMS}[key]


def with_allocated_bye(system: PointSystem, worth: str) -> PointSystem:
    """The same points, the pairing-allocated bye being worth a "win", a "draw" or a "loss"; "" leaves it as it is.
    Raises KeyError for another word."""
    return replace(system, allocated_bye=system.share(worth)) if worth else system


# --- scores -------------------------------------------------------------------------------------------------------
# Whole numbers. What was not played has none; of a game with a penalty the result is the arbiter's.
MOST_SCORED = 1_000_000
_TYPED = re.compile(r"\s*(\d{1,7})\s*[-–−:.,/* ]\s*(\d{1,7})\s*", re.ASCII)  # some keypads have no hyphen
_PLAIN = {("win", "loss"), ("draw", "draw"), ("loss", "win")}


def read_score(text: str) -> tuple[int, int] | None:
    """White's score and Black's; None for nothing. Raises ValueError with a sentence."""
    if not text.strip():
        return None
    found = _TYPED.fullmatch(text)
    white, black = (int(part) for part in found.groups()) if found else (MOST_SCORED + 1, 0)
    if max(white, black) > MOST_SCORED:
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


# --- points for places at a table ---------------------------------------------------------------------------------
MOST_PLACES = 64
HIGHEST = 1000


def read_place_points(text: str) -> tuple[Fraction, ...]:
    """What the places are worth, first place first, as typed: "10, 7, 5". Raises ValueError with a sentence."""
    words = text.replace(";", " ").replace(",", " ").split()
    if not all(re.fullmatch(r"[0-9]{1,4}(\.[05])?|[0-9]{0,3}½", word) for word in words):
        raise ValueError(sentence("Write what the places are worth in order, like 10, 7, 5: whole or half points."))
    worth = tuple(Fraction(word.rstrip("½") or 0) + Fraction(word.endswith("½")) / 2 for word in words)
    if not 1 <= len(worth) <= MOST_PLACES or worth[0] == 0 or worth[0] > HIGHEST:
        raise ValueError(
            sentence(
                "First place is worth more than 0 and at most %(most)s; at most %(places)s places are named.",
                most=HIGHEST,
                places=MOST_PLACES,
            )
        )
    if list(worth) != sorted(worth, reverse=True):
        raise ValueError(sentence("No place is worth more than the one before: begin with the highest."))
    return worth
