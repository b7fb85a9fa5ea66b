"""A fan: its bands lie around its middle, and labels keep clear of each other."""

import itertools
from datetime import date, timedelta

import pytest

from clubrating.ground.curves import NARROW, WIDE
from clubrating.ground.fans import fan_chart

FIRST = date(2026, 11, 26)
LOOKS = [(FIRST + timedelta(days=at), [1500 + side * at for side in (-2, -1, 0, 1, 2)]) for at in (0, 4, 20, 35)]


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_fan_opens_from_today(size: tuple[int, int]) -> None:
    chart = fan_chart(LOOKS, size)
    outer, inner = (
        [tuple(map(float, spot.split(","))) for spot in outline.split(" ")] for outline in (chart.outer, chart.inner)
    )
    assert outer[0] == inner[0] == outer[-1], "today nothing is open"
    assert outer[3][1] < inner[3][1] < inner[4][1] < outer[4][1], "upwards is a smaller y"
    assert (chart.columns[0].on, chart.columns[-1].on) == (FIRST, FIRST + timedelta(days=35))
    ats = [column.at for column in chart.columns]
    assert min(later - earlier for earlier, later in itertools.pairwise(ats)) > 100
