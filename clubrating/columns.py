"""What the tables of all apps share: classes of a column, and how a day is written in a list."""

from datetime import date

from django.utils.formats import date_format


def css(*classes: str) -> dict[str, dict[str, str]]:
    """Classes of a column's head and cells: "num" for figures; "second" and "third" leave on narrow screens."""
    joined = " ".join(classes)
    return {"th": {"class": joined}, "td": {"class": joined}}


def short_day(day: date | None) -> str:
    """A day in a list: 14 Nov 2026; a dash for none."""
    return date_format(day, "j M Y") if day else "–"
