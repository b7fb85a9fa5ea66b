"""What the tables of all apps share: classes of a column, and how a day is written in a list."""

from datetime import date

from django.core.paginator import Paginator
from django.http import HttpRequest
from django_tables2 import RequestConfig, Table

from clubrating.days import day_text


def css(*classes: str) -> dict[str, dict[str, str]]:
    """Classes of a column's head and cells: "num" for figures; "second" and "third" leave on narrow screens."""
    joined = " ".join(classes)
    return {"th": {"class": joined}, "td": {"class": joined}}


def show_page(request: HttpRequest, table: Table, per_page: int) -> None:
    """Sort the table as the address asks, and show the page it asks for; a page that is none shows the nearest one.

    How many rows a page has is our affair: django-tables2 would let the address decide, up to the whole list.
    """
    RequestConfig(request, paginate=False).configure(table)
    pages = Paginator(table.rows, per_page)
    table.paginate(page=pages.get_page(request.GET.get(table.prefixed_page_field)).number, per_page=per_page)


def short_day(day: date | None) -> str:
    """A day in a list: 14 Nov 2026; a dash for none."""
    return day_text(day)
