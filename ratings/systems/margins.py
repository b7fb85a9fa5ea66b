"""From a game's score to what a rating takes of it: a result between 0 and 1, or a factor on K (pure).

`a`, `b`: the scores of the two sides, higher is better; ratings in Elo points. Results of both sides sum to 1. Sources:
FiveThirtyEight's method for the NFL as quoted in public; the others are plain arithmetic. Not proper by themselves:
shares and capped margins are no chances of winning, so Elo's curve does not expect them (docs/algorithms/elo.md).
"""

from math import log

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
