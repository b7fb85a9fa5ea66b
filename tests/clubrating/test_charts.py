"""The chart's geometry: inside its frame, no peak lost, probation drawn apart."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from clubrating.charts import Sample, rating_chart, scale_steps, thin

DAY = date(2026, 1, 1)


def samples(ratings: list[float]) -> list[Sample]:
    return [Sample(rating, DAY + timedelta(days=index)) for index, rating in enumerate(ratings)]


@given(st.lists(st.floats(100, 3000), min_size=1, max_size=300), st.integers(0, 40))
def test_every_spot_lies_inside_the_frame(ratings: list[float], before: int) -> None:
    chart = rating_chart(samples(ratings), games_before=before, provisional_games=30)
    for spot in f"{chart.line} {chart.provisional_line}".split():
        x, y = map(float, spot.split(","))
        assert chart.left <= x <= chart.right
        assert chart.top - 0.1 <= y <= chart.bottom + 0.1


@given(st.floats(0, 3000), st.floats(0, 1500))
def test_the_scale_covers_the_values(low: float, span: float) -> None:
    steps = scale_steps(low, low + span)
    assert steps[0] <= low
    assert steps[-1] >= low + span
    assert len(steps) >= 2


def test_the_probation_part_ends_with_the_thirtieth_game() -> None:
    chart = rating_chart(samples([1500.0 + i for i in range(40)]), games_before=0, provisional_games=30)
    assert len(chart.provisional_line.split()) == 30
    assert len(chart.line.split()) == 11  # from game 30 on, so that the lines meet


def test_who_brought_thirty_games_has_no_probation_part() -> None:
    chart = rating_chart(samples([1500, 1510, 1490]), games_before=30, provisional_games=30)
    assert chart.provisional_line == ""
    assert chart.zone == 0


def test_a_long_career_is_thinned_without_losing_its_peak() -> None:
    spots = [(index / 50, 2000.0 if index == 7777 else 1500.0 + index % 7) for index in range(10_000)]
    kept = thin(spots, 200)
    assert len(kept) <= 4 * 201
    assert max(y for _, y in kept) == 2000.0


def test_ends_of_events_are_marked_with_their_game_number() -> None:
    career = [Sample(1500, DAY), Sample(1510, DAY, "Cup"), Sample(1505, DAY), Sample(1520, DAY, "League")]
    chart = rating_chart(career, games_before=0, provisional_games=3)
    assert [(point.event, point.game, point.provisional) for point in chart.points] == [
        ("Cup", 2, True),
        ("League", 4, False),
    ]
