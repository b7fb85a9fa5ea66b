"""The days an address may ask for: `?on=YYYY-MM-DD` as published, `?known=YYYY-MM-DD` as now known for that day."""

import re
from dataclasses import dataclass
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.ground.marks import joined
from players.refusals import Refused

EARLIEST_DAY = date(1850, 1, 1)
_SHAPE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Asked:
    """A day, and whether the list is asked for as now known, not as published."""

    day: date
    known: bool


def asked_moment(request: HttpRequest) -> Asked | None:
    """What the address asks for, None where it asks for today's list. Raises Refused for a day that is none.

    The date picker sends `day` and the button's `as`.
    """
    query = request.GET
    if "on" in query and "known" in query:
        raise Refused(_("Ask for on=… (as published) or known=… (as now known), not for both."))
    if "day" in query:
        return Asked(read_day(query["day"]), query.get("as") == "known")
    if "known" in query:
        return Asked(read_day(query["known"]), known=True)
    return Asked(read_day(query["on"]), known=False) if "on" in query else None


def named_in_full(request: HttpRequest, asked: Asked) -> HttpResponse | None:
    """What the date picker sends leads to the page's own address; None where it is that address already."""
    if "day" not in request.GET:
        return None
    query = request.GET.copy()
    for name in ("day", "as", "page"):
        query.pop(name, None)
    query["known" if asked.known else "on"] = asked.day.isoformat()
    return redirect(f"{request.path}?{query.urlencode()}")


def read_day(text: str) -> date:
    """A day written YYYY-MM-DD, from 1850 to today. Raises Refused."""
    shape = _("Write the day as YYYY-MM-DD, for example 2026-10-31.")
    if not _SHAPE.fullmatch(text):
        raise Refused(shape)
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Refused(joined(_("There is no such day in the calendar."), shape)) from None
    if day > timezone.localdate():
        raise Refused(_("That day has not come yet: choose today or an earlier one."))
    if day < EARLIEST_DAY:
        raise Refused(_("That day lies before 1850: check the year."))
    return day
