"""The small line of a trend: inside its box, in order, one stroke for each stretch on probation or off it."""

from itertools import pairwise, product

from hypothesis import given
from hypothesis import strategies as st

from ratings.lists.markup import spark
from ratings.lists.sparks import HEIGHT, WIDTH, Spark, Stop, draw

STOPS = st.lists(st.builds(Stop, st.floats(100, 3000), st.booleans()), min_size=2, max_size=40)


def places(drawn: Spark) -> list[tuple[float, float]]:
    """Every point once, from left to right."""
    found: list[tuple[float, float]] = []
    for stroke in drawn.strokes:
        points = [(float(x), float(y)) for x, _, y in (place.partition(",") for place in stroke.points.split())]
        found += points if not found else points[1:]
    return found


def test_a_rise_goes_up_to_the_right_and_probation_is_a_stroke_of_its_own() -> None:
    drawn = draw([Stop(1500, False), Stop(1540, False), Stop(1600, False)])
    assert [stroke.provisional for stroke in drawn.strokes] == [False]
    assert places(drawn) == [(2.0, 18.0), (36.0, 11.6), (70.0, 2.0)]
    assert (drawn.x, drawn.y) == (70.0, 2.0)
    drawn = draw([Stop(1500, True), Stop(1520, True), Stop(1540, False), Stop(1530, False)])
    assert [(stroke.provisional, len(stroke.points.split())) for stroke in drawn.strokes] == [(True, 3), (False, 2)]
    heights = [y for _x, y in places(draw([Stop(1500, False), Stop(1502, False)]))]
    assert max(heights) - min(heights) < 2
    assert [spark([]), spark([Stop(1500, False)])] == ["–"] * 2


@given(STOPS)
def test_every_stop_is_drawn_once_inside_the_box_higher_ones_higher_and_strokes_meet(stops: list[Stop]) -> None:
    drawn = draw(stops)
    found = places(drawn)
    assert len(found) == len(stops)
    assert all(left[0] < right[0] for left, right in pairwise(found))
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in found)
    assert found[-1] == (drawn.x, drawn.y)
    for ((_x, y), stop), ((_other_x, other_y), other) in product(zip(found, stops, strict=True), repeat=2):
        assert stop.rating <= other.rating or y <= other_y
    for one, next_one in pairwise(drawn.strokes):
        assert one.provisional != next_one.provisional
        assert one.points.split()[-1] == next_one.points.split()[0]
