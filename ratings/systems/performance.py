"""Performance ratings: the strength that an event's results speak of, whatever the player's own rating.

Sources: the "algorithm of 400" of the Elo diary (S1); FIDE's Rp as title regulations and tie-breaks print it: mean of
the opponents' ratings (ARO) plus dp(p) of table 8.1.1 of the Rating Regulations (B.02); FIDE's perfect performance
(C.07, 10.3); the rating whose expected score is the score made, by the logistic curve and by US Chess' straight line.
They compare people within one event and rate nobody. Not done: the floors under low opponents of title norms (B.01),
a different number.
"""

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from math import floor, log10

from clubrating.ground.marks import marked
from ratings.systems.elo import expected_score
from ratings.systems.fide_tables import expected_percent, nearest, rating_difference, score_percent
from ratings.systems.us_chess import linear_ratings

ZERO_BELOW = 800  # without a point: so far below the lowest opponent
_REACH = 801  # beyond it table 8.1.2 expects every point, or none
_HALVINGS = 60


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
        raise ValueError(marked("Nobody was played: there is no average of opponents."))
    mean = sum((Fraction(opponent) for opponent in opponents), Fraction(0)) / len(opponents)
    return floor(mean + Fraction(1, 2))


def performance_fide(opponents: Sequence[float], scores: Sequence[float]) -> int:
    """Rp = ARO + dp(p), p in whole hundredths, halves up; a full score gives ARO + 800, none ARO − 800.

    Arguments and errors as for `performance_400`.
    """
    _check(opponents, scores)
    percent = score_percent(int(2 * _points(scores)), len(scores))
    return average_opponents(opponents) + rating_difference(percent)


def performance_perfect(opponents: Sequence[float], scores: Sequence[float]) -> int:
    """The lowest whole rating of which table 8.1.2 expects the score, whatever the differences; without a point, 800
    below the lowest opponent. Arguments and errors as for `performance_400`; opponents count as whole numbers."""
    _check(opponents, scores)
    ratings = [nearest(opponent) for opponent in opponents]
    wanted = int(100 * _points(scores))
    if not wanted:
        return min(ratings) - ZERO_BELOW
    reach = range(min(ratings) - _REACH, max(ratings) + _REACH)
    return reach[bisect_left(reach, wanted, key=lambda own: sum(expected_percent(own - other) for other in ratings))]


def performance_logistic(opponents: Sequence[float], scores: Sequence[float]) -> float | None:
    """The rating of which the logistic curve expects exactly the score; None for a full score or none at all, which
    no rating is expected to make. Arguments and errors as for `performance_400`."""
    _check(opponents, scores)
    points, games = float(_points(scores)), len(scores)
    if points in (0.0, float(games)):
        return None
    gap = 400 * log10(points / (games - points))
    low, high = min(opponents) + gap, max(opponents) + gap
    for _halving in range(_HALVINGS):
        middle = (low + high) / 2
        if sum(expected_score(middle, opponent) for opponent in opponents) < points:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def performance_linear(opponents: Sequence[float], scores: Sequence[float]) -> float:
    """The rating of which US Chess' straight line (½ + gap/800, nothing or everything from 400 on) expects the score;
    where many fit, the one nearest to the algorithm of 400. Arguments and errors as for `performance_400`."""
    _check(opponents, scores)
    low, high = linear_ratings(opponents, float(_points(scores)))
    return max(low, min(high, float(performance_400(opponents, scores))))


def _points(scores: Sequence[float]) -> Fraction:
    return sum((Fraction(score) for score in scores), Fraction(0))


def _check(opponents: Sequence[float], scores: Sequence[float]) -> None:
    if len(opponents) != len(scores):
        raise ValueError(f"{len(opponents)} opponents, but {len(scores)} scores.")
    if not scores:
        raise ValueError(marked("No game was played: there is no performance."))
