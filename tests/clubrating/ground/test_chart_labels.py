"""Labels of charts: none is crossed by a line, none lies on another, none leaves the picture, in any language.

Boxes are those of text in twelve pixels, as wide as `text_width` reckons. Whether browsers agree is seen by the crawl
of tests/browser/judging.py on every page.
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import combinations, pairwise
from typing import NamedTuple

import pytest
from django.utils.translation import gettext, override, pgettext
from hypothesis import example, given
from hypothesis import strategies as st

from clubrating.ground.bars import histogram
from clubrating.ground.charts import DATE, ZONE_WORDS, RatingChart, Sample, Series, fitting, rating_chart, text_width
from clubrating.ground.curves import NARROW, WIDE, Curve, CurveChart, curve_chart, scatter_chart
from clubrating.web.formatting import day_text
from tests.choosing import examples

RISE, DROP = 10.0, 3.0  # of letters over and under their line
PHONE = {"width": 358, "height": 240}
LANGUAGES = ("en", "ru", "zh-hans", "zh-hant")
NAMES = {
    "en": ("Standard", "World class"),
    "ru": ("Классика", "Мировой уровень"),
    "zh-hans": ("标准", "世界级等级分"),
    "zh-hant": ("標準", "世界級等級分"),
}


class Box(NamedTuple):
    words: str
    left: float
    top: float
    right: float
    bottom: float

    def covers(self, other: "Box") -> bool:
        return min(self.right, other.right) > max(self.left, other.left) and (
            min(self.bottom, other.bottom) - max(self.top, other.top) > 1
        )


def plain_width(words: str) -> float:
    """Letters that are not bold are a pixel narrower, Chinese ones are not."""
    return text_width(words) - sum(letter.isascii() for letter in words)


def box(words: str, x: float, baseline: float, anchor: str = "start", width: float | None = None) -> Box:
    wide = text_width(words) if width is None else width
    left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
    return Box(words, left, baseline - RISE, left + wide, baseline + DROP)


def rating_labels(chart: RatingChart, many: bool) -> Iterator[Box]:
    """What `templates/ratings/_chart.html` writes."""
    for row in chart.rows:
        yield box(str(row.value), chart.left - 8, row.at + 4, "end", 7.0 * len(str(row.value)))
    for column in chart.columns:
        assert column.on is not None
        words = day_text(column.on) if chart.by_day else day_text(column.on, "month")
        yield box(words, column.at, chart.bottom + 20, column.anchor, DATE)
    for zone in chart.zones:
        if zone.label_x is not None:
            yield box("? " + gettext("on probation"), zone.label_x, 12)
    for line in chart.lines:
        figure = f"{line.last.rating:.0f}{'?' if line.last.provisional else ''}"
        yield box(f"{line.short} {figure}" if many else figure, chart.right + 6, line.label_y + 4)
        if line.peak and not many:
            words = gettext("best %(rating)s") % {"rating": f"{line.peak.sample.rating:.0f}"}
            yield box(words, line.peak.x, line.peak.y - 9, line.peak.anchor)


def crossed(label: Box, points: str) -> bool:
    """Whether the line runs through the label: some of it lies in the label's breadth, and there within its height."""
    spots = [(float(x), float(y)) for x, y in (spot.split(",") for spot in points.split())]
    return any(_cuts(label, one, two) for one, two in pairwise(spots))


def _cuts(label: Box, one: tuple[float, float], two: tuple[float, float]) -> bool:
    (x, y), (u, v) = sorted((one, two))
    left, right = max(x, label.left), min(u, label.right)
    if left > right:
        return False
    slope = (v - y) / (u - x) if u > x else 0.0
    low, high = sorted((y + slope * (left - x), y + slope * (right - x)) if u > x else (y, v))
    return high > label.top and low < label.bottom


def faults(labels: Sequence[Box], lines: Sequence[str], size: tuple[int, int]) -> list[str]:
    width, height = size
    found = [f"a line crosses {each}" for each in labels for line in lines if crossed(each, line)]
    found += [f"{one} lies on {other}" for one, other in combinations(labels, 2) if one.covers(other)]
    return found + [
        f"{each} leaves the picture"
        for each in labels
        if each.left < -1 or each.right > width + 1 or each.top < -1 or each.bottom > height + 1
    ]


ratings = st.one_of(
    st.lists(st.floats(100, 2999), min_size=1, max_size=400),
    st.builds(lambda one, count: [one] * count, st.floats(100, 2999), st.integers(1, 400)),
    st.builds(
        lambda one, step, count: [one + step * at for at in range(count)],
        st.integers(900, 1000),
        st.integers(-2, 5),
        st.integers(1, 400),
    ),
)
probations = st.lists(st.tuples(st.integers(0, 400), st.integers(1, 60)), max_size=3)


def career(found: list[float], probation: Sequence[tuple[int, int]], step: int) -> list[Sample]:
    def on_probation(game: int) -> bool:
        return any(first <= game < first + count for first, count in probation)

    return [
        Sample(rating, date(2024, 9, 28) + timedelta(days=step * at), at + 1, provisional=on_probation(at))
        for at, rating in enumerate(found)
    ]


@examples(300)
@example([[1500.0, 1400.0]], [(0, 60)], 9, {}, "en")  # the best is where the words of the probation begin
@example([[1500.0] * 30], [(0, 5), (9, 5)], 1, {}, "ru")  # two probations side by side
@example([[1500.0] * 30], [(20, 20)], 1, PHONE, "ru")  # one that begins late
@given(
    st.lists(ratings, min_size=1, max_size=6),
    probations,
    st.sampled_from([0, 1, 9]),
    st.sampled_from([{}, PHONE]),
    st.sampled_from(LANGUAGES),
)
def test_labels_of_ratings_over_time_are_read_whole(
    curves: list[list[float]], probation: list[tuple[int, int]], step: int, size: dict[str, int], language: str
) -> None:
    series = [
        Series(NAMES[language][kind % 2], career(found, probation, step), kind, chosen=not kind)
        for kind, found in enumerate(curves)
    ]
    chart = rating_chart(series, **size)
    lines = [run.points for line in chart.lines for run in line.runs]
    with override(language):
        labels = list(rating_labels(chart, many=len(curves) > 1))
        assert faults(labels, lines, (chart.width, chart.height)) == []
        for point in (point for line in chart.lines for point in line.points):
            tip = f"{day_text(point.sample.on)}: {point.sample.rating:.0f}?"
            assert faults([box(tip, point.x, point.y - 12, point.anchor)], [], (chart.width, chart.height)) == []


def curve_labels(chart: CurveChart) -> Iterator[Box]:
    """What `templates/lab/_curves.html` writes."""
    for row in chart.rows:
        yield box(row.words, chart.left - 6, row.at + 4, "end", 6.5 * len(row.words))
    for column in chart.columns:
        words = f"{column.value:,g}"
        yield box(words, column.at, chart.bottom + 20, column.anchor, 7.0 * len(words))
    for curve in chart.curves:
        yield box(curve.name, chart.right + 6, curve.label_y + 4)


@pytest.mark.extended
@examples(100)
@example([[0.0] * 17], 1_000, NARROW, "en")  # figures of thousands below a narrow drawing
@given(
    st.lists(
        st.lists(st.integers(0, 3_000).map(lambda tenth: tenth / 10), min_size=3, max_size=40), min_size=1, max_size=6
    ),
    st.sampled_from([1, 5, 100, 1_000]),
    st.sampled_from([WIDE, NARROW]),
    st.sampled_from(LANGUAGES),
)
def test_labels_of_the_lab_s_curves_are_read_whole(
    found: list[list[float]], every: int, size: tuple[int, int], language: str
) -> None:
    curves = [
        Curve(NAMES[language][look % 2], look + 1, [float(every * (at + 1)) for at in range(len(means))], means)
        for look, means in enumerate(found)
    ]
    chart = curve_chart(curves, size, whole=every == 1)
    assert faults(list(curve_labels(chart)), [curve.line for curve in chart.curves], size) == []


@examples(100)
@given(
    st.lists(st.tuples(st.integers(0, 4_000), st.integers(-900, 900)), min_size=1, max_size=40),
    st.sampled_from([WIDE, NARROW]),
)
def test_figures_around_a_cloud_of_points_are_read_whole(
    points: list[tuple[float, float]], size: tuple[int, int]
) -> None:
    chart = scatter_chart(points, size)
    rows = [box(row.words, chart.left - 6, row.at + 4, "end", 7.0 * len(row.words)) for row in chart.rows]
    below = chart.bottom + 20
    columns = [box(each.words, each.at, below, each.anchor, 7.0 * len(each.words)) for each in chart.columns]
    assert faults([*rows, *columns], [], size) == []


@given(st.floats(-0.5, 1.5), st.sampled_from(LANGUAGES))
def test_the_word_over_a_distribution_stays_in_the_picture(at: float, language: str) -> None:
    drawn = histogram((4, 0, 7), here=1, at=at)
    with override(language):
        label = box(pgettext("on a scale", "here"), drawn.here_x, 10, drawn.anchor)
    assert faults([label], [], (drawn.width, drawn.height)) == []
    assert label.bottom <= min(column.y for column in drawn.columns)


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_take_no_more_than_is_kept_for_them(language: str) -> None:
    with override(language):
        assert text_width("? " + gettext("on probation")) <= ZONE_WORDS
        for month in range(1, 13):
            assert plain_width(day_text(date(2026, month, 28))) <= DATE


def test_a_name_is_cut_by_its_width_and_says_so() -> None:
    assert fitting("Standard", text_width("Standard")) == "Standard"
    assert fitting("World class", text_width("Standard")) == "World c…"
    assert fitting("世界级等级分", text_width("Standard")) == "世界级等…"
