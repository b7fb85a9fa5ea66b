"""The two tables on which FIDE rates, and xiangqi's: whole numbers in, hundredths out.

Sources: FIDE Rating Regulations (B.02) in force since 1 March 2024, 8.1.2 (difference D → expected score PD) and 8.1.1
(score p → difference dp); the xiangqi paper's table (S3), which differs from 8.1.2 in its last step only.
The tables are *not* computed: both follow the normal law with standard deviation 2000/7, but depart from it in places.
Not done: the 400-point rule, which needs the whole event (`ratings.systems.fide`).
"""

from bisect import bisect_left
from math import floor

# The largest difference that still gives .50, .51, … .99 to the higher rated (8.1.2); above the last it is 1.00.
_FIDE_STEPS = (
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68),
    *(76, 83, 91, 98, 106, 113, 121, 129, 137, 145),
    *(153, 162, 170, 179, 188, 197, 206, 215, 225, 235),
    *(245, 256, 267, 278, 290, 302, 315, 328, 344, 357),
    *(374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
)
_XIANGQI_STEPS = (*_FIDE_STEPS[:-1], 734)

# dp for p = .50, .51, … 1.00 (8.1.1); below .50 it is the negative of dp(1 − p).
_DIFFERENCES = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65),
    *(72, 80, 87, 95, 102, 110, 117, 125, 133, 141),
    *(149, 158, 166, 175, 184, 193, 202, 211, 220, 230),
    *(240, 251, 262, 273, 284, 296, 309, 322, 336, 351),
    *(366, 383, 401, 422, 444, 470, 501, 538, 589, 677),
    800,
)

Band = tuple[int | None, int | None]

_CERTAIN = 736  # from here on the higher rated is expected to win every game, in both tables


def _by_gap(steps: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(50 + bisect_left(steps, gap) for gap in range(_CERTAIN + 1))


_FIDE = _by_gap(_FIDE_STEPS)
_XIANGQI = _by_gap(_XIANGQI_STEPS)


def nearest(value: float) -> int:
    """The nearest whole number, halves away from zero: 2.5 → 3, −2.5 → −3."""
    return floor(abs(value) + 0.5) if value >= 0 else -floor(abs(value) + 0.5)


def expected_percent(gap: float) -> int:
    """Expected score of one game in hundredths, 0 … 100, from the gap own − opponent in rating points (8.1.2)."""
    return _percent(_FIDE, nearest(gap))


def fide_expected(own: float, opponent: float) -> float:
    """Expected score of one game, 0 … 1, by FIDE's table; the real difference counts, however large."""
    return expected_percent(own - opponent) / 100


def xiangqi_expected(own: float, opponent: float) -> float:
    """Expected score of one game, 0 … 1, by the xiangqi table (S3): as FIDE's, but 1.00 from 735 on."""
    return _percent(_XIANGQI, nearest(own - opponent)) / 100


def fide_band(percent: int) -> Band:
    """The gaps own − opponent at which table 8.1.2 expects so many hundredths, lowest and highest; None without end.

    Raises ValueError outside 0 … 100.
    """
    return _band(_FIDE_STEPS, percent)


def xiangqi_band(percent: int) -> Band:
    """The same of the xiangqi table (S3)."""
    return _band(_XIANGQI_STEPS, percent)


def _band(steps: tuple[int, ...], percent: int) -> Band:
    if not 0 <= percent <= 100:
        raise ValueError(f"A score lies between 0 and 100 hundredths, not {percent}.")
    if percent < 50:
        low, high = _band(steps, 100 - percent)
        return (None if high is None else -high), (None if low is None else -low)
    if percent == 50:
        return -steps[0], steps[0]
    return steps[percent - 51] + 1, steps[percent - 50] if percent < 100 else None


def rating_difference(percent: int) -> int:
    """dp: the gap in rating points that a score of so many hundredths stands for (8.1.1).

    Raises ValueError outside 0 … 100.
    """
    if not 0 <= percent <= 100:
        raise ValueError(f"A score lies between 0 and 100 hundredths, not {percent}.")
    return _DIFFERENCES[percent - 50] if percent >= 50 else -_DIFFERENCES[50 - percent]


def score_percent(half_points: int, games: int) -> int:
    """The score per game in whole hundredths, halves up: what table 8.1.1 is entered with. `games` at least 1."""
    return (100 * half_points + games) // (2 * games)


def _percent(table: tuple[int, ...], gap: int) -> int:
    higher = table[min(abs(gap), _CERTAIN)]
    return higher if gap >= 0 else 100 - higher
