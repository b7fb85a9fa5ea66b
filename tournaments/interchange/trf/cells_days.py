"""Days as reports spell them.

TRF16 writes YYYY/MM/DD in the head and YY/MM/DD for the rounds; files seen in clubs also have 2008-06-07, 24/09/2010,
28. 07. 2005, 25.02.2011, May 29, 2020 and 08/06/07. Two figures for the year stand first, unless points part them or
no such day exists; 70…99 are of the last century.
"""

import re
from datetime import date

_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_YEAR_FIRST = re.compile(r"([0-9]{4})([-/.]) ?([0-9]{1,2})[-/.] ?([0-9]{1,2})")
_YEAR_LAST = re.compile(r"([0-9]{1,2})[-/.] ?([0-9]{1,2})[-/.] ?([0-9]{4})")
_SHORT = re.compile(r"([0-9]{1,2})([-/.]) ?([0-9]{1,2})[-/.] ?([0-9]{1,2})")
_MONTH_FIRST = re.compile(r"([a-z]{3,9})\.? ([0-9]{1,2})(?:st|nd|rd|th)?,? ([0-9]{4})")
_MONTH_SECOND = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th)?\.? ([a-z]{3,9})\.?,? ([0-9]{4})")
_ANY_YEAR = re.compile(r"(?<![0-9])(1[89][0-9]{2}|2[01][0-9]{2})(?![0-9])")
_CENTURY_FROM = 70


def read_day(text: str) -> date | None:
    """The day, or None where the text is none."""
    written = " ".join(text.casefold().split())
    if found := _YEAR_FIRST.fullmatch(written):
        return _day(found[1], found[3], found[4])
    if found := _YEAR_LAST.fullmatch(written):
        return _day(found[3], found[2], found[1]) or _day(found[3], found[1], found[2])
    if found := _SHORT.fullmatch(written):
        return _short_day(found)
    if found := _MONTH_FIRST.fullmatch(written):
        return _named_day(found[3], found[1], found[2])
    if found := _MONTH_SECOND.fullmatch(written):
        return _named_day(found[3], found[2], found[1])
    return None


def short_day(day: date) -> str:
    """YY/MM/DD, as the rounds' days are written."""
    return f"{day:%y/%m/%d}"


def long_day(day: date | None) -> str:
    """YYYY/MM/DD; nothing for no day."""
    return f"{day.year:04d}/{day:%m/%d}" if day else ""


def year_of(birth: str) -> int | None:
    """The year in a date of birth, in whatever shape it stands; None where there is none."""
    if found := _ANY_YEAR.search(birth):
        return int(found[1])
    day = read_day(birth)
    return day.year if day else None


def _short_day(found: re.Match[str]) -> date | None:
    first, last = _full_year(found[1]), _full_year(found[4])
    year_first, year_last = _day(first, found[3], found[4]), _day(last, found[3], found[1])
    return (year_last or year_first) if found[2] == "." else (year_first or year_last)


def _full_year(figures: str) -> str:
    return f"{'19' if int(figures) >= _CENTURY_FROM else '20'}{int(figures):02d}"


def _named_day(year: str, month: str, day: str) -> date | None:
    number = next((at for at, name in enumerate(_MONTHS, start=1) if name.startswith(month)), 0)
    return _day(year, str(number), day)


def _day(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
