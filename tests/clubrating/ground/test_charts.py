"""The geometry of charts and bars: inside the frame, no peak lost, probation drawn apart, labels and points apart."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubrating.ground.bars import bar, histogram, waterfall
from clubrating.ground.charts import (
    APART,
    LABEL_HEIGHT,
    MOST_POINTS,
    RatingChart,
    Sample,
    Series,
    rating_chart,
    scale_steps,
    spread,
    thin,
)

DAY = date(2026, 1, 1)
ratings = st.lists(st.floats(100, 3000), min_size=1, max_size=120)


def samples(ratings: list[float], probation: int = 0, step: int = 1) -> list[Sample]:
    """A game every `step` days; the first `probation` are on probation."""
    return [
        Sample(rating, DAY + timedelta(days=step * index), index + 1, "Cup", provisional=index + 1 < probation)
        for index, rating in enumerate(ratings)
    ]


def chart_of(*lists: list[Sample], **size: int) -> RatingChart:
    series = [Series(f"List {kind}", found, kind, chosen=kind == 0) for kind, found in enumerate(lists)]
    return rating_chart(series, **size)


def spots_of(chart: RatingChart) -> list[tuple[float, float]]:
    texts = [spot for line in chart.lines for run in line.runs for spot in run.points.split()]
    return [(float(x), float(y)) for x, y in (text.split(",") for text in texts)]


@given(ratings, ratings, st.integers(0, 40), st.sampled_from([358, 720]))
def test_every_spot_lies_inside_the_frame(one: list[float], other: list[float], probation: int, width: int) -> None:
    chart = chart_of(samples(one, probation), samples(other, step=3), width=width)
    for x, y in spots_of(chart):
        assert chart.left <= x <= chart.right
        assert chart.top - 0.1 <= y <= chart.bottom + 0.1


@given(st.floats(0, 3000), st.floats(0, 1500))
def test_the_scale_covers_the_values(low: float, span: float) -> None:
    steps = scale_steps(low, low + span)
    assert steps[0] <= low
    assert steps[-1] >= low + span
    assert len(steps) >= 2


def test_the_probation_part_ends_with_the_thirtieth_game() -> None:
    (line,) = chart_of(samples([1500.0 + i for i in range(40)], 30)).lines
    before, after = line.runs
    assert (before.provisional, after.provisional) == (True, False)
    assert len(before.points.split()) == 30
    assert len(after.points.split()) == 12, "from game 30 on, so that the lines meet, and on to the chart's end"
    assert before.points.split()[-1] == after.points.split()[0]


def test_who_brought_thirty_games_has_no_probation_part() -> None:
    chart = chart_of(samples([1500, 1510, 1490]))
    assert [run.provisional for run in chart.lines[0].runs] == [False]
    assert chart.zones == ()


def test_who_comes_back_after_years_is_drawn_apart_a_second_time() -> None:
    back = [Sample(1500, DAY + timedelta(days=day), provisional=10 < day < 13) for day in range(20)]
    chart = chart_of(back)
    assert [run.provisional for run in chart.lines[0].runs] == [False, True, False]
    (zone,) = chart.zones
    assert chart.left < zone.x < zone.x + zone.width < chart.right


def test_the_ground_is_that_of_the_chosen_list_and_lasts_to_the_end_of_a_running_probation() -> None:
    chart = chart_of(samples([1500, 1510], probation=9), samples([1400, 1410], probation=9))
    (zone,) = chart.zones
    assert (zone.x, zone.x + zone.width) == (chart.left, pytest.approx(chart.right, abs=0.1))
    assert zone.label_x == chart.left + 6


def test_time_is_the_axis_so_a_pause_is_a_long_way() -> None:
    days = (0, 10, 100)
    chart = chart_of([Sample(1500, DAY + timedelta(days=day)) for day in days])
    first, second, third = (x for x, _ in spots_of(chart)[:3])
    assert (third - first) / (second - first) == pytest.approx(10, rel=0.01)


def test_games_of_one_day_stand_in_their_order() -> None:
    chart = chart_of([Sample(1500 + game, DAY, game) for game in range(5)])
    found = [x for x, _ in spots_of(chart)]
    assert found == sorted(found)
    assert found[0] < found[1]
    assert [tick.on for tick in chart.columns] == [DAY], "one day is told once"


def test_a_rating_stays_so_every_line_goes_on_to_the_end() -> None:
    chart = chart_of(samples([1500] * 30), samples([1400, 1450]))
    ends = [line.runs[-1].points.split()[-1] for line in chart.lines]
    assert [float(end.split(",")[0]) for end in ends] == [chart.right, chart.right]


def test_a_short_axis_counts_days_and_a_long_one_months() -> None:
    assert chart_of(samples([1500, 1510])).by_day
    assert not chart_of(samples([1500, 1510], step=400)).by_day


def test_a_list_keeps_its_look_whichever_is_chosen_and_looks_come_round() -> None:
    series = [Series(f"{kind}", samples([1500.0]), kind, chosen=kind == 3) for kind in range(7)]
    assert [line.look for line in rating_chart(series).lines] == [1, 2, 3, 4, 5, 6, 1]
    assert [line.chosen for line in rating_chart(series).lines].index(True) == 3


def test_a_long_career_is_thinned_without_losing_its_peak() -> None:
    spots = [(index / 50, 2000.0 if index == 7777 else 1500.0 + index % 7) for index in range(10_000)]
    kept = thin(spots, 200)
    assert len(kept) <= 4 * 201
    for column in range(200):
        own = [spot for spot in spots if int(spot[0]) == column]
        heights = [y for _, y in own]
        assert {own[0], own[-1]} <= set(kept)
        shown = [y for x, y in kept if int(x) == column]
        assert (min(shown), max(shown), len(shown) <= 4) == (min(heights), max(heights), True)
    long = chart_of(samples([1500.0 + index % 9 for index in range(10_000)]))
    assert len(spots_of(long)) <= 4 * (long.right - long.left + 1)


@given(st.lists(st.floats(22, 244), min_size=1, max_size=8))
def test_labels_never_cover_each_other_and_keep_their_order(heights: list[float]) -> None:
    placed = spread(heights, LABEL_HEIGHT, 22, 244)
    ordered = sorted(placed)
    assert all(below - above >= LABEL_HEIGHT - 0.2 for above, below in pairwise(ordered))
    assert sorted(range(len(heights)), key=lambda at: (heights[at], at)) == sorted(
        range(len(placed)), key=lambda at: placed[at]
    )
    assert all(22 - 0.1 <= height <= 244.1 for height in placed)


@pytest.mark.parametrize(("count", "read"), [(MOST_POINTS, range(1, MOST_POINTS + 1)), (MOST_POINTS + 1, (90, 151))])
def test_every_game_can_be_read_and_of_very_many_the_ends_of_events(count: int, read: Sequence[int]) -> None:
    career = [replace(each, ends=each.game in (90, count)) for each in samples([1500.0 + at for at in range(count)])]
    (line,) = chart_of(career).lines
    assert [point.sample.game for point in line.points] == list(read)


@given(st.lists(st.floats(1000, 2000), min_size=1, max_size=60))
def test_whoever_touches_the_chart_anywhere_reads_the_nearest_game(career: list[float]) -> None:
    chart = chart_of(samples(career), samples([1500.0]))
    points = chart.lines[0].points
    assert points[0].hit_x == chart.left
    for point, following in pairwise(points):
        assert point.hit_x + point.hit_width == pytest.approx(following.hit_x, abs=0.11)
        assert following.hit_x == pytest.approx((point.x + following.x) / 2, abs=0.06)
    assert points[-1].hit_x + points[-1].hit_width == pytest.approx(chart.right, abs=0.1)
    assert chart.lines[1].points[0].hit_width == 0, "another list’s games are touched where they stand"


def test_the_highest_game_of_the_chosen_list_is_named() -> None:
    chosen, other = chart_of(samples([1500, 1620, 1540, 1620]), samples([1900])).lines
    assert chosen.peak is not None
    assert (chosen.peak.sample.game, chosen.peak.sample.rating) == (2, 1620)
    assert other.peak is None


@given(
    st.lists(st.floats(1000, 2000), min_size=2, max_size=60), st.lists(st.floats(1000, 2000), min_size=1, max_size=60)
)
def test_ends_of_events_stay_apart_and_the_chosen_list_s_last_one_is_there(
    one: list[float], other: list[float]
) -> None:
    many = 4 * [1500.0] * MOST_POINTS
    ends = [[Sample(r, DAY + timedelta(days=at), ends=True) for at, r in enumerate(found)] for found in (one, other)]
    before = [Sample(r, DAY - timedelta(days=at)) for at, r in enumerate(many, 1)][::-1]
    chart = chart_of([*before, *ends[0]], ends[1], width=358, height=240)
    points = [(point.x, point.y) for line in chart.lines for point in line.points]
    for at, (x, y) in enumerate(points):
        assert all(abs(x - a) >= APART or abs(y - b) >= APART for a, b in points[:at])
    assert chart.lines[0].points[-1].sample is ends[0][-1]


@given(st.lists(st.integers(0, 500), min_size=1, max_size=5))
def test_a_bar_is_as_long_as_it_is_and_its_parts_do_not_overlap(parts: list[int]) -> None:
    segments = bar(parts)
    for segment, part in zip(segments, parts, strict=True):
        assert (segment.width > 0) == (part > 0)
    shown = [segment for segment in segments if segment.width]
    assert all(one.x + one.width <= two.x for one, two in pairwise(shown))
    if shown:
        assert shown[0].x == 0
        assert shown[-1].x + shown[-1].width == pytest.approx(100, abs=0.1)


def test_parts_of_a_bar_are_in_proportion() -> None:
    assert [segment.width for segment in bar((2, 1, 1), gap=0)] == [50, 25, 25]


def test_columns_stand_on_the_ground_side_by_side_and_whoever_is_there_is_seen() -> None:
    drawn = histogram((4, 0, 1000, 1), here=2, at=0.9)
    assert [column.height for column in drawn.columns] == [2.0, 0.0, 56.0, 2.0]
    assert all(column.y + column.height == drawn.ground for column in drawn.columns)
    assert all(one.x + one.width <= two.x for one, two in pairwise(drawn.columns))
    assert (drawn.here_x, drawn.anchor) == (324, "end")
    assert [histogram((1,), 0, third / 3).anchor for third in range(4)] == ["start", "middle", "middle", "end"]
    assert histogram((1,), 0, 7.0).here_x == drawn.width, "a rating outside stands at the edge"


def test_a_waterfall_goes_from_part_to_part_and_ends_at_their_sum() -> None:
    drawn = waterfall((30, -10, 0), width=146, row=40, bar=12)
    assert (drawn.start_x, drawn.end_x, drawn.height) == (2.0, 68.7, 120)
    assert [step.y for step in drawn.steps] == [22, 62, 102], "each at the foot of its row, under its words"
    assert [(step.x, step.width, step.joint_x) for step in drawn.steps] == [
        (2.0, 100.0, 102.0),
        (68.7, 33.3, 68.7),
        (68.7, 0.0, 68.7),
    ]
    fell = waterfall((-20, 30), width=146)
    assert [fell.start_x, *(step.joint_x for step in fell.steps)] == [68.7, 2.0, 102.0]
    assert waterfall((0, 0)).end_x == waterfall((0, 0)).start_x, "nothing moved"
