"""Geometry of a cloud of points: numbers in, coordinates out. Pure; the template draws it, the stylesheet paints it.

A drawing is made twice, wide and narrow, so that its text is never scaled. The axes begin and end at round values.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from clubrating.ground.charts import Framed, Plot
from clubrating.ground.curves import INKS, NARROW, WIDE, Mark, round_steps

LEFT, RIGHT, TOP, BOTTOM = 44, 12, 14, 28  # room for the figures at the edges


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of the cloud: where it is drawn, and the figures it stands for."""

    x: float
    y: float
    across: float
    up: float


@dataclass(frozen=True, slots=True)
class Scatter(Framed):
    """One drawing; `zero` is where the upright axis passes nought, None where it does not."""

    rows: tuple[Mark, ...]
    columns: tuple[Mark, ...]
    dots: tuple[Dot, ...]
    zero: float | None
    ink: str = INKS[0]


def scatter_chart(points: Sequence[tuple[float, float]], size: tuple[int, int]) -> Scatter:
    """The drawing of points (across, up), at least one, in a frame `size` wide and high."""
    width, height = size
    narrow = size == NARROW
    across, up = [point[0] for point in points], [point[1] for point in points]
    columns = round_steps(min(across), max(across), 5)
    rows = round_steps(min(up), max(up), 5 if narrow else 8)

    plot = Plot(LEFT, width - RIGHT, TOP, height - BOTTOM, (columns[0], columns[-1]), (rows[0], rows[-1]))
    return Scatter(
        width,
        height,
        plot.left,
        plot.right,
        plot.top,
        plot.bottom,
        rows=tuple(Mark(plot.y(value), value) for value in rows),
        columns=tuple(Mark(plot.x(value), value) for value in columns),
        dots=tuple(Dot(plot.x(one), plot.y(two), one, two) for one, two in points),
        zero=plot.y(0.0) if rows[0] < 0.0 < rows[-1] else None,
    )


def scatter_pair(points: Sequence[tuple[float, float]]) -> tuple[Scatter, Scatter]:
    """The wide drawing and the narrow one."""
    return scatter_chart(points, WIDE), scatter_chart(points, NARROW)
