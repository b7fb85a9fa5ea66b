"""Which days' backups stay: the newest seven, the newest of each of the last four weeks that have one, and of each of
the last twelve months. Pure: no clock, no files.
"""

from collections.abc import Callable, Hashable, Iterable
from datetime import date

DAILY, WEEKLY, MONTHLY = 7, 4, 12


def kept(days: Iterable[date], today: date) -> set[date]:
    """Of the days with a backup those whose backup stays: at most 23. Weeks and months without one are not counted: a
    site that stood still keeps what it had. Today's always stays: days later than it come from a clock that was wrong,
    and may not push it out."""
    newest_first = sorted(set(days), reverse=True)
    return {
        *(day for day in newest_first if day == today),
        *newest_first[:DAILY],
        *_newest_of_each(newest_first, _week, WEEKLY),
        *_newest_of_each(newest_first, _month, MONTHLY),
    }


def _week(day: date) -> tuple[int, int]:
    return day.isocalendar()[:2]


def _month(day: date) -> tuple[int, int]:
    return day.year, day.month


def _newest_of_each(newest_first: list[date], period: Callable[[date], Hashable], count: int) -> list[date]:
    found: dict[Hashable, date] = {}
    for day in newest_first:
        found.setdefault(period(day), day)
    return list(found.values())[:count]
