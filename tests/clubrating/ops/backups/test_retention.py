"""Which days' backups stay."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from clubrating.ops.backups.store import DAYS, MONTHS, WEEKS, kept

TODAY = date(2026, 11, 21)  # a Saturday
days = st.sets(st.dates(date(2020, 1, 1), date(2027, 12, 31)), max_size=120)
one_day = st.dates(date(2020, 1, 1), date(2027, 12, 31))


def every_day(count: int, last: date = TODAY) -> set[date]:
    return {last - timedelta(days=back) for back in range(count)}


@given(days, one_day)
def test_never_more_than_23_stay(those: set[date], today: date) -> None:
    assert len(kept(those, today)) <= DAYS + WEEKS + MONTHS


@given(days, one_day)
def test_nothing_stays_that_is_not_there(those: set[date], today: date) -> None:
    assert kept(those, today) <= those


@given(days.filter(bool), one_day)
def test_the_newest_always_stays(those: set[date], today: date) -> None:
    assert max(those) in kept(those, today)


@given(days, one_day)
def test_todays_stays_whatever_a_wrong_clock_made(those: set[date], today: date) -> None:
    assert today in kept({*those, today}, today)


@given(days, one_day)
def test_putting_away_twice_puts_away_no_more(those: set[date], today: date) -> None:
    once = kept(those, today)
    assert kept(once, today) == once


@given(days, one_day)
def test_every_one_of_few_stays(those: set[date], today: date) -> None:
    few = set(sorted(those)[:DAYS])
    assert kept(few, today) == few


@given(one_day, st.integers(min_value=400, max_value=800))
def test_a_year_of_days_leaves_a_week_a_month_and_a_year(first: date, count: int) -> None:
    """Day after day, putting away each time: what stays reaches back a year, a month and a week."""
    there: set[date] = set()
    for step in range(count):
        today = first + timedelta(days=step)
        there = kept({*there, today}, today)
    newest_first = sorted(there, reverse=True)
    assert newest_first[:DAYS] == sorted(every_day(DAYS, today), reverse=True)
    assert len({(day.year, day.month) for day in there}) == MONTHS
    assert len({day.isocalendar()[:2] for day in there}) >= WEEKS


def test_after_a_month_of_days_the_newest_of_each_week_stays() -> None:
    stay = kept(every_day(30), TODAY)
    assert {day.isoformat() for day in stay} == {
        *(f"2026-11-{day}" for day in range(15, 22)),  # seven days
        *("2026-11-08", "2026-11-01"),  # the Sundays of the weeks before (and 15 and 21)
        "2026-10-31",  # the newest of October
    }


def test_a_site_that_stood_still_for_years_loses_nothing() -> None:
    old = {date(2021, 1, day) for day in range(1, 8)}
    assert kept(old, TODAY) == old
