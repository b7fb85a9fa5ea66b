"""Geometry of estimates with their bounds: one below the other, and as a cloud against a second figure. Pure.

A drawing is made twice, wide and narrow, so that its text is never scaled. In the list a name has a line of its own
above its stroke: names may be as long as a language makes them. In the cloud points have numbers, not names. Axes of
shares begin at 0 and end at a round value.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from clubrating.ground.charts import Drawing, Plot
from clubrating.ground.curves import Mark, anchor_of, round_steps

WIDE, NARROW = (720, 320), (340, 300)
ROW = 46  # from name to name
NAME, STROKE = 16, 30  # baseline of the name, and the stroke, below a row's top
EDGE, FOOT = 14, 26  # room at the sides, and for the figures at the bottom
LEFT, TOP = 44, 14  # of the cloud: room for its figures
APART, FIGURE = 10.0, 90.0  # from a stroke to its figure, and to the end of one
BESIDE = 11.0  # from a point to the middle of its number
NEAR = 13.0  # a number and a point nearer than this cover each other


@dataclass(frozen=True, slots=True)
class Measure:
    """A share from 0 to 1, its `doubt`, and the figure it is set `across`; `solid`: drawn filled."""

    share: float
    doubt: float
    across: float = 0.0
    solid: bool = True

    @property
    def low(self) -> float:
        return max(self.share - self.doubt, 0.0)

    @property
    def high(self) -> float:
        return min(self.share + self.doubt, 1.0)


@dataclass(frozen=True, slots=True)
class Stroke:
    """A row of the list: the name stands at `name_y`, the stroke at `y` from `low` to `high`, the figure beside it."""

    name_y: float
    y: float
    x: float
    low: float
    high: float
    figure_x: float
    anchor: str
    solid: bool


@dataclass(frozen=True, slots=True)
class StrokeList(Drawing):
    """One drawing of rows; `columns` are per cents."""

    columns: tuple[Mark, ...]
    rows: tuple[Stroke, ...]


@dataclass(frozen=True, slots=True)
class Spot:
    """A point of the cloud with its stroke upwards and the middle of its number."""

    number: int
    x: float
    y: float
    low: float
    high: float
    label_x: float
    label_y: float
    solid: bool


@dataclass(frozen=True, slots=True)
class Cloud(Drawing):
    """One drawing of points; `rows` are per cents."""

    rows: tuple[Mark, ...]
    columns: tuple[Mark, ...]
    spots: tuple[Spot, ...]


def stroke_list(measures: Sequence[Measure], width: int) -> StrokeList:
    """The drawing of estimates, at least one, one below the other."""
    ticks = _percents(measures, 5 if width < 500 else 10)
    left, right, bottom = EDGE, width - EDGE, ROW * len(measures)

    def x(share: float) -> float:
        return round(left + (right - left) * 100.0 * share / ticks[-1], 1)

    return StrokeList(
        width,
        bottom + FOOT,
        left,
        right,
        0,
        bottom,
        columns=tuple(Mark(x(value / 100.0), value, anchor_of(value, ticks)) for value in ticks),
        rows=tuple(_stroke(ROW * place, x, one, right) for place, one in enumerate(measures)),
    )


def _stroke(top: int, x: Callable[[float], float], one: Measure, right: int) -> Stroke:
    """The figure stands behind the stroke, or before it where the drawing ends too soon."""
    low, high = x(one.low), x(one.high)
    fits = high + FIGURE <= right
    figure_x = round(high + APART if fits else low - APART, 1)
    return Stroke(top + NAME, top + STROKE, x(one.share), low, high, figure_x, "start" if fits else "end", one.solid)


def cloud(measures: Sequence[Measure], size: tuple[int, int]) -> Cloud:
    """The drawing of estimates, at least one, against the figures they have `across`."""
    width, height = size
    narrow = width < 500
    ticks = _percents(measures, 5 if narrow else 8)
    columns = round_steps(0.0, max(one.across for one in measures), 4 if narrow else 8)
    plot = Plot(LEFT, width - EDGE, TOP, height - FOOT, (0.0, columns[-1]), (0.0, ticks[-1]))
    at = [(plot.x(one.across), plot.y(100.0 * one.share)) for one in measures]
    labels = _labels(at, plot.left, plot.right)
    return Cloud(
        width,
        height,
        plot.left,
        plot.right,
        plot.top,
        plot.bottom,
        rows=tuple(Mark(plot.y(value), value) for value in ticks),
        columns=tuple(Mark(plot.x(value), value, anchor_of(value, columns)) for value in columns),
        spots=tuple(
            Spot(place + 1, *at[place], plot.y(100.0 * one.low), plot.y(100.0 * one.high), *labels[place], one.solid)
            for place, one in enumerate(measures)
        ),
    )


def _percents(measures: Iterable[Measure], most: int) -> list[float]:
    return round_steps(0.0, max(100.0 * max(one.high for one in measures), 1.0), most)


def _labels(points: Sequence[tuple[float, float]], left: float, right: float) -> list[tuple[float, float]]:
    """Where each point's number stands: beside it where that is free, else the freest place around it."""
    found: list[tuple[float, float]] = []
    for x, y in points:
        step = BESIDE * 0.8
        places = [(BESIDE, 0.0), (-BESIDE, 0.0), (step, -step), (-step, -step), (step, step), (-step, step)]
        around = [(round(x + dx, 1), round(y + dy, 1)) for dx, dy in places if left < x + dx < right]
        taken = [*(point for point in points if point != (x, y)), *found]
        found.append(max(around, key=lambda place: min(_room(place, taken), NEAR)))
    return found


def _room(place: tuple[float, float], taken: Sequence[tuple[float, float]]) -> float:
    return min((max(abs(place[0] - x), abs(place[1] - y)) for x, y in taken), default=NEAR)
