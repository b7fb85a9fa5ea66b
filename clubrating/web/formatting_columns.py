"""What the tables of all apps share: classes of a column, and how a day is written in a list."""

from datetime import date
from decimal import Decimal

from django.core.paginator import Paginator
from django.http import HttpRequest
from django.utils.formats import number_format
from django_tables2 import RequestConfig, Table

from clubrating.web.formatting import day_text


def css(*classes: str) -> dict[str, dict[str, str]]:
    """Classes of a column's head and cells: "num" for figures; "second" and "third" leave on narrow screens."""
    joined = " ".join(classes)
    return {"th": {"class": joined}, "td": {"class": joined}}


def show_page(request: HttpRequest, table: Table, per_page: int, *, count: int | None = None) -> None:
    """Sort the table as the address asks, and show the page it asks for; a page that is none shows the nearest one.

    How many rows a page has is our affair: django-tables2 would let the address decide, up to the whole list. `count`:
    how many rows there are, where that is known.
    """
    RequestConfig(request, paginate=False).configure(table)
    # The table knows of its pages before they are counted, and asks for a number: else it would fetch every row.
    table.paginator = pages = Paginator(table.rows, per_page)
    if count is not None:
        pages.count = count
    table.page = pages.get_page(request.GET.get(table.prefixed_page_field))


def short_day(day: date | None) -> str:
    """A day in a list: 14 Nov 2026; a dash for none."""
    return day_text(day)


def decimals(value: float | None, places: int) -> str:
    """A number rounded to so many decimals, with the decimal sign of the page's language; a dash for none."""
    return "–" if value is None else number_format(Decimal(f"{value:.{places}f}"), places)
