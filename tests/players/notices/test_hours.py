"""Quiet hours and the hour of daily letters, on the days on which clocks are changed too."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.notices.hours import Hours
from players.notices.services.due import club_hours
from tests.choosing import examples

# Days of 23 and 25 hours, by an hour or half of one, at two o'clock and at midnight; a day left out.
CHANGES = [
    ("Europe/Berlin", "2026-03-29T01:00"),
    ("Europe/Berlin", "2026-10-25T01:00"),
    ("America/New_York", "2026-11-01T06:00"),
    ("America/Havana", "2026-03-08T05:00"),
    ("Africa/Cairo", "2026-10-29T21:00"),
    ("Australia/Lord_Howe", "2026-04-04T15:00"),
    ("Pacific/Apia", "2011-12-30T10:00"),
    ("Asia/Shanghai", "2026-01-01T00:00"),
]
HOUR = st.integers(0, 23)


@st.composite
def nights(draw: st.DrawFn) -> tuple[Hours, datetime]:
    zone, change = draw(st.sampled_from(CHANGES))
    moment = datetime.fromisoformat(change).replace(tzinfo=UTC) + timedelta(minutes=draw(st.integers(-2880, 2880)))
    return Hours(ZoneInfo(zone), draw(HOUR), draw(HOUR), draw(HOUR)), moment


@given(nights())
@examples(300)
def test_what_is_sent_at_night_waits_for_the_first_moment_that_is_not_quiet(night: tuple[Hours, datetime]) -> None:
    hours, moment = night
    found = hours.allowed(moment)
    assert moment <= found <= moment + timedelta(hours=49)
    assert not hours.is_quiet(found)
    minutes = int((found - moment) / timedelta(minutes=1))
    assert all(hours.is_quiet(moment + timedelta(minutes=step)) for step in range(minutes))


@given(nights())
@examples(300)
def test_daily_letters_go_once_a_day_of_the_calendar_and_never_at_night(night: tuple[Hours, datetime]) -> None:
    hours, moment = night
    first = hours.daily(moment)
    second = hours.daily(first)
    assert moment < first < second
    assert not hours.is_quiet(first)
    assert second - first <= timedelta(hours=49)
    assert first.astimezone(hours.zone).date() < second.astimezone(hours.zone).date()


@pytest.mark.parametrize(
    ("now", "morning"),
    [
        ("2026-03-28T23:30", "2026-03-29T05:00"),  # the night of 23 hours: seven is five by UTC
        ("2026-10-24T21:30", "2026-10-25T06:00"),  # the night of 25
        ("2026-06-01T10:00", "2026-06-01T10:00"),
        ("2026-06-01T04:59:59.999999", "2026-06-01T05:00"),
    ],
)
def test_from_ten_until_seven(now: str, morning: str) -> None:
    berlin = Hours(ZoneInfo("Europe/Berlin"), 22, 7, 8)
    assert berlin.allowed(datetime.fromisoformat(now).replace(tzinfo=UTC)).isoformat() == f"{morning}:00+00:00"


def test_two_equal_hours_are_never_quiet() -> None:
    hours = Hours(ZoneInfo("UTC"), 7, 7, 8)
    assert not any(hours.is_quiet(datetime(2026, 1, 1, hour, tzinfo=UTC)) for hour in range(24))


def test_before_there_is_a_club_no_hour_is_quiet() -> None:
    hours, night = club_hours(None), datetime(2026, 1, 5, 2, tzinfo=UTC)
    assert (hours.allowed(night), hours.is_quiet(night)) == (night, False)
