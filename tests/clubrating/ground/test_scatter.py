"""A cloud of points: every point at its place, inside the frame, under axes with round ends."""

from hypothesis import given
from hypothesis import strategies as st

from clubrating.ground.curves import BOTTOM, LEFT, NARROW, RIGHT, TOP, WIDE, scatter_chart, scatter_pair

POINTS = st.lists(st.tuples(st.integers(0, 100), st.integers(-3000, 3200)), min_size=1, max_size=40)


def test_the_corners_of_the_plot_are_the_ends_of_the_axes() -> None:
    chart = scatter_chart([(0, 1000), (100, 3000)], WIDE)
    low, high = chart.dots
    assert (low.x, low.y) == (LEFT, WIDE[1] - BOTTOM)
    assert (high.x, high.y) == (WIDE[0] - RIGHT, TOP)
    assert [mark.value for mark in chart.columns] == [0, 20, 40, 60, 80, 100]
    assert (chart.rows[0].value, chart.rows[-1].value) == (1000, 3000)


def test_halfway_is_drawn_halfway() -> None:
    chart = scatter_chart([(0, 0), (50, 500), (100, 1000)], NARROW)
    low, middle, high = chart.dots
    assert abs(middle.x - (low.x + high.x) / 2) < 0.11
    assert abs(middle.y - (low.y + high.y) / 2) < 0.11


def test_nought_is_marked_only_where_the_axis_passes_it() -> None:
    assert scatter_chart([(0, 1000), (9, 2000)], WIDE).zero is None
    zero = scatter_chart([(0, -1000), (9, 1000)], WIDE).zero
    assert zero is not None
    assert TOP < zero < WIDE[1] - BOTTOM


def test_one_point_alone_can_be_drawn() -> None:
    assert len(scatter_chart([(50, 1600)], WIDE).dots) == 1


@given(POINTS)
def test_nothing_leaves_the_frame_and_order_is_kept(points: list[tuple[int, int]]) -> None:
    for chart in scatter_pair(points):
        assert len(chart.dots) == len(points)
        for dot in chart.dots:
            assert chart.left <= dot.x <= chart.right
            assert chart.top <= dot.y <= chart.bottom
        by_height = sorted(zip(points, chart.dots, strict=True), key=lambda each: each[0][1])
        assert [dot.y for _point, dot in by_height] == sorted((dot.y for dot in chart.dots), reverse=True)
        from_left = sorted(zip(points, chart.dots, strict=True), key=lambda each: each[0][0])
        assert [dot.x for _point, dot in from_left] == sorted(dot.x for dot in chart.dots)
        assert chart.rows[0].at == chart.bottom
        assert chart.rows[-1].at == chart.top
