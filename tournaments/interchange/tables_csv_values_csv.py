"""Single values of our CSV files: names, days, numbers (pure). Each reader returns the value or raises ValueError with
the reason and the remedy, as a clause that follows "line 17: "."""

import re
from collections.abc import Callable
from datetime import date

from clubrating.ground.marks import marked, sentence
from players.people.names import MAX_NAME, clean_name

# As wide as the table's columns: see players.models.Player and tournaments.models.Tournament.
EARLIEST_DAY = date(1850, 1, 1)
_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WHOLE = re.compile(r"[0-9]{1,15}")
_DECIMAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,30})?")


def read_name(text: str, whose: str) -> str:
    """A person's (or event's) name, cleaned; `whose` names it in the reason: "White's name"."""
    name = clean_name(text)
    if not name:
        raise ValueError(sentence("%(whose)s is missing", whose=whose))
    if not any(char.isalnum() for char in name):
        raise ValueError(
            sentence("%(whose)s “%(name)s” has neither letter nor digit: correct it", whose=whose, name=shortened(name))
        )
    if len(name) > MAX_NAME:
        raise ValueError(
            sentence(
                "%(whose)s “%(name)s” is longer than %(most)s characters: shorten it",
                whose=whose,
                name=shortened(name),
                most=MAX_NAME,
            )
        )
    return name


def read_optional_name(text: str, whose: str) -> str:
    """The same; "" where nothing is written."""
    return read_name(text, whose) if clean_name(text) else ""


def day_reader(today: date) -> Callable[[str], date]:
    """A reader of days written YYYY-MM-DD, from 1850 to `today`."""

    def read_day(text: str) -> date:
        if not text:
            raise ValueError(marked("the date is missing: write it, or leave the column “date” out for the whole file"))
        if not _ISO_DAY.fullmatch(text):
            raise ValueError(
                sentence(
                    "date “%(value)s” is not known: write YYYY-MM-DD, for example 2024-12-31", value=shortened(text)
                )
            )
        try:
            day = date.fromisoformat(text)
        except ValueError:
            raise ValueError(sentence("date “%(value)s” is no day of the calendar: correct it", value=text)) from None
        if day > today:
            raise ValueError(
                sentence("date %(value)s lies in the future (today is %(today)s): correct it", value=text, today=today)
            )
        if day < EARLIEST_DAY:
            raise ValueError(
                sentence("date %(value)s lies before %(year)s: check the year", value=text, year=EARLIEST_DAY.year)
            )
        return day

    return read_day


def whole_reader(what: str, *, low: int = 0, high: int) -> Callable[[str], int | None]:
    """A reader of whole numbers from `low` to `high`; None where nothing is written."""

    def read_whole(text: str) -> int | None:
        if not text:
            return None
        if not _WHOLE.fullmatch(text) or not low <= int(text) <= high:
            raise ValueError(
                sentence(
                    "%(what)s “%(value)s” is not known: write a whole number from %(low)s to %(high)s",
                    what=what,
                    value=shortened(text),
                    low=low,
                    high=high,
                )
            )
        return int(text)

    return read_whole


def number_reader(what: str, *, low: float, high: float) -> Callable[[str], float | None]:
    """A reader of numbers from `low` to `high`, decimal point or comma; None where nothing is written."""

    def read_number(text: str) -> float | None:
        if not text:
            return None
        written = text.replace(",", ".")
        if not _DECIMAL.fullmatch(written) or not low <= float(written) <= high:
            raise ValueError(
                sentence(
                    "%(what)s “%(value)s” is not known: write a number from %(low)s to %(high)s",
                    what=what,
                    value=shortened(text),
                    low=f"{low:g}",
                    high=f"{high:g}",
                )
            )
        return float(written)

    return read_number


def shortened(text: str, most: int = 40) -> str:
    """Text for a message: one line, and not all of it where it is long."""
    line = clean_name(text)
    return line if len(line) <= most else line[: most - 1] + "…"
