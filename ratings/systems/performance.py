"""Performance ratings: the strength that an event's results speak of, whatever the player's own rating.

Sources: the "algorithm of 400" of the Elo diary (S1); FIDE's Rp as title regulations and tie-breaks print it: mean of
the opponents' ratings (ARO) plus dp(p) of table 8.1.1 of the Rating Regulations (B.02).
They compare people within one event and rate nobody. Not done: the floors under low opponents of title norms (B.01),
a different number; the exact solution of expected = actual score.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from ratings.systems.fide_tables import rating_difference, score_percent


def performance_400(opponents: Sequence[float], scores: Sequence[float]) -> Fraction:
    """Mean over the games of opponent + 400 for a win, − 400 for a loss, ± 0 for a draw, exactly.

    `opponents` in rating points, `scores` 1, ½ or 0, one each a game. Raises ValueError without a game or where the
    two differ in length. 1360 beaten, 1321 lost to, 1350 drawn → 1343⅔.
    """
    _check(opponents, scores)
    total = sum(Fraction(opponent) for opponent in opponents) + 800 * (_points(scores) - Fraction(len(scores), 2))
    return Fraction(total, len(scores))


def average_opponents(opponents: Sequence[float]) -> int:
    """ARO: the opponents' mean rating as a whole number, halves up. Raises ValueError without an opponent."""
    if not opponents:
        raise ValueError("Nobody was played: there is no average of opponents.")
    mean = sum((Fraction(opponent) for opponent in opponents), Fraction(0)) / len(opponents)
    return floor(mean + Fraction(1, 2))


def performance_fide(opponents: Sequence[float], scores: Sequence[float]) -> int:
    """Rp = ARO + dp(p), p in whole hundredths, halves up; a full score gives ARO + 800, none ARO − 800.

    Arguments and errors as for `performance_400`.
    """
    _check(opponents, scores)
    percent = score_percent(int(2 * _points(scores)), len(scores))
    return average_opponents(opponents) + rating_difference(percent)


def _points(scores: Sequence[float]) -> Fraction:
    return sum((Fraction(score) for score in scores), Fraction(0))


def _check(opponents: Sequence[float], scores: Sequence[float]) -> None:
    if len(opponents) != len(scores):
        raise ValueError(f"{len(opponents)} opponents, but {len(scores)} scores.")
    if not scores:
        raise ValueError("No game was played: there is no performance.")
