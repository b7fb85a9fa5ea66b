"""Calendars as RFC 5545 wants them: CRLF, folded at 75 octets, escaped, stable."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.interchange.ics import CalendarEvent, folded, write_calendar

STAMP = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=300)


def calendar_of(*events: CalendarEvent, name: str = "Club") -> str:
    return write_calendar(name, events, stamp=STAMP)


def unfolded(text: str) -> list[str]:
    """The lines as a reader of section 3.1 sees them."""
    return text.replace("\r\n ", "").split("\r\n")


def event(**data: object) -> CalendarEvent:
    return CalendarEvent(**{"uid": "cup.1.1@club-rating", "start": date(2026, 1, 5), "summary": "Cup", **data})  # type: ignore[arg-type]


def test_a_calendar_in_full() -> None:
    round_two = event(uid="cup.1.2@club-rating", start=datetime(2026, 7, 6, 19, 30, tzinfo=BERLIN), place="Hall 2")
    written = calendar_of(event(summary="Cup, round 1", url="https://club.example/x/"), round_two)
    assert written == IN_FULL.replace("\n", "\r\n")
    assert unfolded(calendar_of())[0] == "BEGIN:VCALENDAR"
    assert "BEGIN:VEVENT" not in calendar_of(), "an empty calendar is one"


IN_FULL = """\
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Club Rating//Rounds//EN
CALSCALE:GREGORIAN
X-WR-CALNAME:Club
BEGIN:VEVENT
UID:cup.1.1@club-rating
DTSTAMP:20260102T030405Z
DTSTART;VALUE=DATE:20260105
SUMMARY:Cup\\, round 1
SEQUENCE:0
STATUS:CONFIRMED
URL:https://club.example/x/
TRANSP:TRANSPARENT
END:VEVENT
BEGIN:VEVENT
UID:cup.1.2@club-rating
DTSTAMP:20260102T030405Z
DTSTART:20260706T173000Z
SUMMARY:Cup
SEQUENCE:0
STATUS:CONFIRMED
LOCATION:Hall 2
END:VEVENT
END:VCALENDAR
"""


def test_text_is_escaped_and_no_name_can_smuggle_a_line_in() -> None:
    for text, written in {
        "Cup; A, B": "Cup\\; A\\, B",
        "back\\slash": "back\\\\slash",
        "two\r\nlines": "two\\nlines",
        "BEGIN:VEVENT": "BEGIN:VEVENT",
    }.items():
        assert f"SUMMARY:{written}" in unfolded(calendar_of(event(summary=text)))
    lines = unfolded(calendar_of(event(summary="Cup\r\nATTENDEE:mailto:x@example.org")))
    assert not [line for line in lines if line.startswith("ATTENDEE")]


def test_time_is_written_in_utc_and_a_draft_is_tentative_and_a_change_counts_on() -> None:
    winter = calendar_of(event(start=datetime(2026, 1, 6, 19, 30, tzinfo=BERLIN), tentative=True, sequence=3))
    for line in ("DTSTART:20260106T183000Z", "STATUS:TENTATIVE", "SEQUENCE:3"):
        assert line in unfolded(winter)
    assert "TRANSP" not in winter, "who plays is busy"
    off = event(start=datetime(2026, 1, 6, 19, 30), wall_clock=True, tentative=True, cancelled=True, note="A, B")  # noqa: DTZ001
    for line in ("DTSTART:20260106T193000", "STATUS:CANCELLED", "DESCRIPTION:A\\, B"):
        assert line in unfolded(calendar_of(off))


def test_a_moment_without_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        calendar_of(event(start=datetime(2026, 1, 6, 19, 30)))  # noqa: DTZ001
    with pytest.raises(ValueError, match="time zone"):
        write_calendar("Club", [event()], stamp=datetime(2026, 1, 6))  # noqa: DTZ001


@given(TEXTS)
def test_no_line_is_longer_than_75_octets_and_no_letter_is_cut(text: str) -> None:
    pieces = folded(f"SUMMARY:{text}").split("\r\n")
    assert pieces.pop() == ""
    assert all(len(piece.encode()) <= 75 for piece in pieces)
    assert all(piece.startswith(" ") for piece in pieces[1:])
    assert pieces[0] + "".join(piece[1:] for piece in pieces[1:]) == f"SUMMARY:{text}"


def test_a_line_is_not_folded_before_it_must_be() -> None:
    assert folded("x" * 75) == "x" * 75 + "\r\n"
    assert folded("x" * 76) == "x" * 75 + "\r\n x\r\n"
    assert folded("é" * 38) == "é" * 37 + "\r\n é\r\n"


@given(TEXTS)
def test_whatever_an_event_is_called_the_lines_are_the_same(text: str) -> None:
    plain, named = (unfolded(calendar_of(event(summary=words))) for words in ("Cup", text))
    assert [line.split(":")[0] for line in plain] == [line.split(":")[0] for line in named]


@given(st.integers(-14 * 60, 14 * 60), st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)))  # noqa: DTZ001
def test_the_moment_is_the_same_in_every_time_zone(minutes: int, moment: datetime) -> None:
    here = moment.replace(microsecond=0, tzinfo=timezone(timedelta(minutes=minutes)))
    line = next(line for line in unfolded(calendar_of(event(start=here))) if line.startswith("DTSTART"))
    read = datetime.strptime(line, "DTSTART:%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    assert read == here
