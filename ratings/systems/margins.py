"""From a game's score to what a rating takes of it: a result between 0 and 1, or a factor on K (pure).

`a`, `b`: the scores of the two sides, higher is better; ratings in Elo points. Results of both sides sum to 1. Sources:
FiveThirtyEight's method for the NFL as quoted in public; the others are plain arithmetic. Not proper by themselves:
shares and capped margins are no chances of winning, so Elo's curve does not expect them (docs/algorithms/margins.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import log
from typing import Any

from clubrating.ground.marks import marked, sentence
from ratings.systems.rules import switch

_NFL_GAP = 2.2  # of the ratings, in thousands, with the factor's pole at −2.2 …
_NFL_WIDEST = 1100.0  # … so a winner that much weaker or stronger is the widest gap that counts


def outcome(a: float, b: float) -> float:
    """The result alone: 1, ½ or 0."""
    return (a > b) + 0.5 * (a == b)


def share(a: float, b: float) -> float:
    """The share of the points; ½ at 0–0. Raises ValueError for a score below 0."""
    if a < 0 or b < 0:
        raise ValueError("Shares need scores of 0 or more.")
    return a / (a + b) if a or b else 0.5


def capped(a: float, b: float, cap: float) -> float:
    """½ for equal scores, 1 for a lead of `cap` points (above 0) or more, a straight line between."""
    return 0.5 + 0.5 * max(-1.0, min(1.0, (a - b) / cap))


def log_factor(margin: float, unit: float = 1.0, cap: float = 2.0) -> float:
    """Factor on K: ln(1 + |margin| / unit) / ln 2, at least 1 and at most `cap` (1 or more). `unit` (above 0) is the
    margin that counts once."""
    return min(max(1.0, log(1 + abs(margin) / unit) / log(2)), cap)


def nfl_factor(margin: float, winner: float, loser: float) -> float:
    """Factor on K: ln(|margin| + 1) · 2.2 / (0.001 (winner's rating − loser's) + 2.2), so less for a favourite's win. A
    draw counts once: by the formula alone it would move nobody."""
    if margin == 0:
        return 1.0
    gap = max(-_NFL_WIDEST, min(_NFL_WIDEST, winner - loser))
    return log(abs(margin) + 1) * _NFL_GAP / (gap * 0.001 + _NFL_GAP)


# --- what a list takes of the scores ---------------------------------------------------------------------------------
class Margin(StrEnum):
    """Nothing; a factor on K (`log`, `nfl`); a score between 0 and 1 in place of the result (`share`, `capped`)."""

    NONE = "none"
    LOG = "log"
    NFL = "nfl"
    SHARE = "share"
    CAPPED = "capped"


FACTORS = {Margin.LOG, Margin.NFL}
SHARES = {Margin.SHARE, Margin.CAPPED}
_WITH_UNIT = {Margin.LOG, Margin.CAPPED}


@dataclass(frozen=True, slots=True)
class MarginRule:
    """What a list takes of the scores. `unit`, `cap`: for `log` as in `log_factor`; for `capped` a lead of `cap` units
    is a whole win. A game without scores is rated by its result, with the factor 1."""

    kind: Margin = Margin.NONE
    unit: float = 1.0
    cap: float = 2.0

    def factor(self, result: float, margin: float | None, own: float, opponent: float) -> float:
        """Factor on K of a game that ended with `result` (1, ½, 0); the same for both sides. `own`, `opponent`: ratings
        before."""
        if margin is None or self.kind not in FACTORS:
            return 1.0
        if self.kind == Margin.LOG:
            return log_factor(margin, self.unit, self.cap)
        if result == 0.5:
            return 1.0
        winner, loser = (own, opponent) if result > 0.5 else (opponent, own)
        return nfl_factor(margin, winner, loser)

    def score(self, result: float, margin: float | None, scores: tuple[float, float] | None) -> float:
        """The score that is rated, 0 … 1. The larger share and the lead are the winner's by the result, also where the
        lower score wins. A score below 0 has no share: the result counts alone."""
        direction = 2.0 * result - 1.0
        if self.kind == Margin.SHARE and scores is not None and min(scores) >= 0:
            return 0.5 + direction * abs(share(*scores) - 0.5)
        if self.kind == Margin.CAPPED and margin is not None:
            return capped(direction * margin, 0.0, self.unit * self.cap)
        return result


NO_MARGIN = MarginRule()


def read_margin(value: object) -> str:
    """The word of a setting `margin`. It used to be on or off: on is `log` with unit 1 and cap 2, the defaults."""
    try:
        return Margin.LOG if switch({"margin": value}, "margin", default=False) else Margin.NONE
    except ValueError:
        return str(value)


def check_margin(raw: Mapping[str, Any], kind: Margin) -> None:
    """Raises ValueError for a unit or a cap that the margin has no use for, and for a capped one without a cap."""
    for name in ("margin_unit", "margin_cap"):
        if name in raw and kind not in _WITH_UNIT:
            raise ValueError(
                sentence("%(name)s means nothing to margin “%(margin)s”: leave it out.", name=name, margin=kind.value)
            )
    if kind == Margin.CAPPED and "margin_cap" not in raw:
        raise ValueError(
            marked("margin “capped” needs margin_cap: the lead, in units of margin_unit, that counts as a whole win.")
        )
