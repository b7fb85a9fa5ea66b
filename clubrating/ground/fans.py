"""Geometry of a fan: where a value may go, as two bands around its middle. Numbers in, coordinates out; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from clubrating.ground.charts import Drawing, Plot, Tick
from clubrating.ground.curves import NARROW, SPLIT, WIDE, anchor_of, round_steps

RIGHT, TOP, BOTTOM = 24, 14, 28  # room at the edges, pixels
Bounds = Sequence[float]  # five, rising: of eight in ten, of one in two, the middle, and the same upwards


@dataclass(frozen=True, slots=True)
class FanChart(Drawing):
    """One drawing: the outer and the inner band as closed outlines, and the line of the middle."""

    rows: tuple[Tick, ...]
    columns: tuple[Tick, ...]
    outer: str
    inner: str
    line: str


def fan_chart(looks: Sequence[tuple[date, Bounds]], size: tuple[int, int]) -> FanChart:
    """The drawing of bounds at several days, at least two, the earliest first."""
    width, height = size
    days = [day.toordinal() for day, _bounds in looks]
    ends = [value for _day, bounds in looks for value in (bounds[0], bounds[-1])]
    steps = round_steps(min(ends), max(ends), 5 if size == NARROW else 8, whole=True)
    plot = Plot(SPLIT, width - RIGHT, TOP, height - BOTTOM, (days[0], days[-1]), (steps[0], steps[-1]))

    def outline(at: int) -> str:
        upper = [(plot.x(day), plot.y(bounds[-1 - at])) for day, (_on, bounds) in zip(days, looks, strict=True)]
        lower = [(plot.x(day), plot.y(bounds[at])) for day, (_on, bounds) in zip(days, looks, strict=True)]
        return _points([*upper, *reversed(lower)])

    room = (days[-1] - days[0]) / (6 if size == WIDE else 2)  # days that a label needs
    shown = [days[0]]
    for day in days[1:-1]:
        if day - shown[-1] >= room and days[-1] - day >= room:
            shown.append(day)
    shown.append(days[-1])
    return FanChart(
        width,
        height,
        *plot.edges,
        rows=tuple(Tick(plot.y(value), int(value)) for value in steps),
        columns=tuple(Tick(plot.x(day), on=date.fromordinal(day), anchor=anchor_of(day, shown)) for day in shown),
        outer=outline(0),
        inner=outline(1),
        line=_points([(plot.x(day), plot.y(bounds[2])) for day, (_on, bounds) in zip(days, looks, strict=True)]),
    )


def _points(spots: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in spots)
