"""Curves with bands: where their points lie, what the axes say."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from clubrating.ground.curves import NARROW, WIDE, Curve, curve_chart, round_steps

LINE = Curve("Elo", 1, [0, 50, 100], [20, 10, 0], [2, 1, 0])


def spots(points: str) -> list[tuple[float, float]]:
    return [tuple(map(float, spot.split(","))) for spot in points.split()]  # type: ignore[misc]


def test_a_line_goes_from_edge_to_edge_and_stands_on_zero() -> None:
    chart = curve_chart([LINE], WIDE)
    first, _middle, last = spots(chart.curves[0].line)
    assert first[0] == chart.left
    assert last == (chart.right, chart.bottom)


def test_the_band_is_a_closed_outline_around_the_line() -> None:
    chart = curve_chart([LINE], WIDE)
    band, line = spots(chart.curves[0].band), spots(chart.curves[0].line)
    upper, lower = band[:3], band[:2:-1]
    for above, on, below in zip(upper, line, lower, strict=True):
        assert above[0] == on[0] == below[0]
        assert above[1] <= on[1] <= below[1]
        assert abs((below[1] - on[1]) - (on[1] - above[1])) <= 0.11


def test_a_band_is_cut_at_zero_where_no_value_lies_below() -> None:
    for lowest, cut in ((0, True), (5, True), (-1, False)):
        chart = curve_chart([Curve("Elo", 1, [0, 1], [10, lowest], [1, 8])], WIDE)
        assert (chart.rows[0].value == 0) == cut


def test_without_spread_there_is_no_band() -> None:
    assert curve_chart([Curve("One run", 2, [0, 1], [1, 2])], NARROW).curves[0].band == ""


def test_labels_of_curves_that_end_together_do_not_cover_each_other() -> None:
    curves = [Curve(str(look), look, [0, 1], [0, 10]) for look in range(1, 7)]
    heights = sorted(curve.label_y for curve in curve_chart(curves, WIDE).curves)
    assert all(lower - upper >= 14 for upper, lower in pairwise(heights))


def test_a_scale_may_leave_zero_out() -> None:
    chart = curve_chart([Curve("Elo", 1, [0, 1], [0.61, 0.64])], WIDE, from_zero=False)
    assert chart.rows[0].value > 0.5


thousandths = st.integers(-(10**9), 10**9).map(lambda number: number / 1000)


@given(thousandths, thousandths, st.integers(2, 10))
def test_round_steps_cover_the_values_at_equal_distances(one: float, two: float, most: int) -> None:
    low, high = sorted((one, two))
    steps = round_steps(low, high, most)
    slack = 1e-6 * max(abs(low), abs(high), high - low)
    assert steps[0] <= low + slack
    assert steps[-1] >= high - slack
    gaps = [after - before for before, after in pairwise(steps)]
    assert max(gaps) - min(gaps) <= 1e-6 * max(gaps)
    assert len(steps) <= most + 3


def test_a_name_too_long_for_its_room_is_cut_and_says_so() -> None:
    name = "Newcomers and leavers"
    long = [Curve(name, 1, [0, 1], [0, 10])]
    assert curve_chart(long, WIDE, letters=len(name)).curves[0].name == name
    assert curve_chart(long, NARROW, letters=len(name)).curves[0].name == name
    assert curve_chart(long, NARROW).curves[0].name.endswith("…")
    widest = curve_chart(long, NARROW, letters=99)
    assert widest.left < widest.right == NARROW[0] // 2, "names take half the drawing at most"


def test_the_drawing_is_the_same_whatever_the_names() -> None:
    short, long = (curve_chart([Curve(name, 1, [0, 1], [0, 10])], WIDE) for name in ("Эло", "等级分体系之一"))
    assert (short.right, short.curves[0].line) == (long.right, long.curves[0].line)


def test_what_is_counted_across_has_no_halves() -> None:
    rounds = [Curve("Ada", 1, [1, 2, 3], [10, 20, 30])]
    for size in (WIDE, NARROW):
        values = [mark.value for mark in curve_chart(rounds, size, whole=True).columns]
        assert values == [1.0, 2.0, 3.0]
    assert 1.5 in [mark.value for mark in curve_chart(rounds, WIDE).columns]
    assert round_steps(1.0, 30.0, 6, whole=True) == round_steps(1.0, 30.0, 6)
