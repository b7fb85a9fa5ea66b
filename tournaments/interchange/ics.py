"""Calendars as RFC 5545 wants them (pure): days and times as VEVENTs that a phone can subscribe to.

Lines end in CRLF and are folded at 75 octets, never inside a letter. What has no time of day lasts the whole day;
what has one is written in UTC, so that no table of time zones travels along. An event keeps its `uid` for good, and
`sequence` grows with every change: subscribers move it instead of showing it twice.
Not done: ends (nobody knows how long a round lasts), alarms, attendees.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

MOST_OCTETS = 75
_PRODUCT = "-//Club Rating//Rounds//EN"
_ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """One entry of a calendar. `start` is a day, or a moment with its time zone; `tentative` is not fixed yet,
    `cancelled` does not take place then.
    `wall_clock`: the moment has no zone and is what clocks show wherever the calendar is read."""

    uid: str
    start: date | datetime
    summary: str
    place: str = ""
    url: str = ""
    sequence: int = 0
    tentative: bool = False
    note: str = ""
    wall_clock: bool = False
    cancelled: bool = False


def write_calendar(name: str, events: Iterable[CalendarEvent], *, stamp: datetime) -> str:
    """The calendar's text. `stamp` is the moment it is made. Raises ValueError for a moment without time zone."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{_PRODUCT}", "CALSCALE:GREGORIAN"]
    lines.append(f"X-WR-CALNAME:{_escaped(name)}")
    for event in events:
        lines += _event(event, _moment(stamp))
    return "".join(folded(line) for line in [*lines, "END:VCALENDAR"])


def folded(line: str) -> str:
    """The line in pieces of at most 75 octets, each but the first begun with a blank, each ended with CRLF."""
    return "\r\n ".join(_pieces(line)) + "\r\n"


def _pieces(line: str) -> Iterator[str]:
    piece, octets = "", 0
    for letter in line:
        size = len(letter.encode())
        if octets + size > MOST_OCTETS:
            yield piece
            piece, octets = "", 1  # the blank that begins a continued line
        piece, octets = piece + letter, octets + size
    yield piece


def _event(event: CalendarEvent, stamp: str) -> Sequence[str]:
    status = "CANCELLED" if event.cancelled else "TENTATIVE" if event.tentative else "CONFIRMED"
    if event.wall_clock:
        start = f"DTSTART:{event.start:%Y%m%dT%H%M%S}"
    elif isinstance(event.start, datetime):
        start = f"DTSTART:{_moment(event.start)}"
    else:
        start = f"DTSTART;VALUE=DATE:{event.start:%Y%m%d}"
    lines = ["BEGIN:VEVENT", f"UID:{_escaped(event.uid)}", f"DTSTAMP:{stamp}", start]
    lines += [f"SUMMARY:{_escaped(event.summary)}", f"SEQUENCE:{event.sequence}", f"STATUS:{status}"]
    if event.note:
        lines.append(f"DESCRIPTION:{_escaped(event.note)}")
    if event.place:
        lines.append(f"LOCATION:{_escaped(event.place)}")
    if event.url:
        lines.append(f"URL:{event.url}")
    if not isinstance(event.start, datetime):
        lines.append("TRANSP:TRANSPARENT")  # nobody is busy all day
    return [*lines, "END:VEVENT"]


def _moment(moment: datetime) -> str:
    if moment.tzinfo is None:
        raise ValueError("a moment in a calendar needs its time zone")
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)
