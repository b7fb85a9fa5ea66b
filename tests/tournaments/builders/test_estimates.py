"""Estimates with their bounds: every stroke under its name, inside the frame; numbers beside their points."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tournaments.builders.estimates import FOOT, NARROW, ROW, WIDE, Measure, cloud, stroke_list

MEASURES = st.lists(
    st.builds(Measure, st.floats(0.0, 1.0), st.floats(0.0, 0.2), st.floats(0.5, 80.0), st.booleans()),
    min_size=1,
    max_size=10,
)


def test_a_stroke_lies_where_its_share_is() -> None:
    drawing = stroke_list([Measure(0.25, 0.05), Measure(0.5, 0.0, solid=False)], 720)
    first, second = drawing.rows
    assert [tick.value for tick in drawing.columns] == [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50]
    assert (first.x, first.low, first.high) == (360.0, 290.8, 429.2)
    assert (second.x, second.low, second.high) == (706.0, 706.0, 706.0)
    assert (second.y - first.y, drawing.bottom) == (ROW, 2 * ROW)
    assert drawing.height == drawing.bottom + FOOT
    assert [row.solid for row in drawing.rows] == [True, False]


def test_the_figure_stands_behind_the_stroke_or_before_it_where_the_frame_ends() -> None:
    first, second = stroke_list([Measure(0.25, 0.05), Measure(0.5, 0.0)], 720).rows
    assert (first.figure_x, first.anchor) == (439.2, "start")
    assert (second.figure_x, second.anchor) == (696.0, "end")


def test_no_share_is_below_nothing_or_above_all() -> None:
    certain, never = Measure(1.0, 0.1), Measure(0.0, 0.1)
    assert (certain.high, never.low) == (1.0, 0.0)
    assert stroke_list([certain, never], 340).columns[-1].value == 100


def test_the_cloud_stands_on_both_zeros() -> None:
    drawing = cloud([Measure(0.4, 0.02, 8.0)], WIDE)
    assert (drawing.rows[0].at, drawing.columns[0].at) == (drawing.bottom, drawing.left)
    assert drawing.columns[-1].value == 8
    assert drawing.spots[0].x == drawing.right


def test_numbers_of_neighbours_stand_apart() -> None:
    drawing = cloud([Measure(0.40, 0.02, 4.0), Measure(0.40, 0.02, 4.3), Measure(0.41, 0.02, 4.1)], (720, 320))
    for one, other in combinations(drawing.spots, 2):
        assert max(abs(one.label_x - other.label_x), abs(one.label_y - other.label_y)) >= 8


@given(MEASURES)
def test_nothing_leaves_the_frame(measures: list[Measure]) -> None:
    for width in (WIDE[0], NARROW[0]):
        drawing = stroke_list(measures, width)
        assert len(drawing.rows) == len(measures)
        for row in drawing.rows:
            assert drawing.left <= row.low <= row.x <= row.high <= drawing.right
            assert 0 < row.name_y < row.y < drawing.bottom


@given(MEASURES)
def test_every_point_of_the_cloud_has_its_number_near_by(measures: list[Measure]) -> None:
    for size in (WIDE, NARROW):
        drawing = cloud(measures, size)
        assert [spot.number for spot in drawing.spots] == list(range(1, len(measures) + 1))
        for spot in drawing.spots:
            assert drawing.left <= spot.x <= drawing.right
            assert drawing.top <= spot.high <= spot.y <= spot.low <= drawing.bottom
            assert abs(spot.label_x - spot.x) <= 11.01
            assert abs(spot.label_y - spot.y) <= 11.01
            assert drawing.left < spot.label_x < drawing.right


def test_the_higher_share_stands_higher_and_more_games_further_on() -> None:
    few, many = cloud([Measure(0.2, 0.01, 3.0), Measure(0.6, 0.01, 9.0)], NARROW).spots
    assert many.y < few.y
    assert many.x > few.x
