"""Which days' backups stay."""

from datetime import date, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clubrating.ops.backups.store import DAYS, MONTHS, WEEKS, kept

TODAY = date(2026, 11, 21)  # a Saturday
days = st.sets(st.dates(date(2020, 1, 1), date(2027, 12, 31)), max_size=120)
one_day = st.dates(date(2020, 1, 1), date(2027, 12, 31))


def every_day(count: int, last: date = TODAY) -> set[date]:
    return {last - timedelta(days=back) for back in range(count)}


@given(days, one_day)
@example(every_day(900, date(2027, 12, 31)), date(2026, 1, 5))
def test_what_stays_of_any_days(those: set[date], today: date) -> None:
    stay, few = kept(those, today), set(sorted(those)[:DAYS])
    assert len(stay) <= DAYS + WEEKS + MONTHS
    assert stay <= those
    assert not those or max(those) in stay
    assert kept(stay, today) == stay, "putting away twice puts away no more"
    assert kept(few, today) == few
    assert today in kept({*those, today}, today), "today's, whatever a wrong clock made"


@pytest.mark.extended
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
