"""Geometry of charts: curves with their bands, and clouds of points. Numbers in, coordinates out; pure.

The template draws them, the stylesheet colours them. A drawing is made twice, wide and narrow, so that its text is
never scaled. A curve is a line of means with a band of one standard deviation on either side.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from clubrating.ground.charts import LABEL_HEIGHT, LETTER, Drawing, Plot, fitting, spread, thin

# --- curves ----------------------------------------------------------------------------------------------------------
WIDE, NARROW = (960, 400), (360, 300)
MOST_TICKS = 8
FIGURE = 7.0  # pixels of a digit below a column, about
LETTERS = 12  # space for names of that length; the same in every language, since drawings are shared
SPLIT = 40  # room for the figures at the left edge
# The stylesheet's colours of the seven series in print, for files that are used without the stylesheet.
INKS = ("#17568f", "#a8460a", "#13705c", "#83348a", "#7a6200", "#50545b", "#b0241c")
DASHES = ("none", "8 3", "2 3", "10 3 2 3", "5 3", "12 4", "none")


@dataclass(frozen=True, slots=True)
class Curve:
    """`xs`, `means` and `deviations` go together; `look` is 1 … 7, the stylesheet's series. No deviations: no band."""

    name: str
    look: int
    xs: Sequence[float]
    means: Sequence[float]
    deviations: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on an axis."""

    at: float
    value: float
    anchor: str = "middle"

    @property
    def words(self) -> str:
        """The value without needless digits."""
        return f"{self.value:g}"


@dataclass(frozen=True, slots=True)
class DrawnCurve:
    """`band` is a closed outline, "" where there is none; the label stands at `label_y`."""

    name: str
    look: int
    line: str
    band: str
    label_y: float

    @property
    def ink(self) -> str:
        return INKS[self.look - 1]

    @property
    def dashes(self) -> str:
        return DASHES[self.look - 1]


@dataclass(frozen=True, slots=True)
class CurveChart(Drawing):
    """One drawing."""

    rows: tuple[Mark, ...]
    columns: tuple[Mark, ...]
    curves: tuple[DrawnCurve, ...]


def round_steps(low: float, high: float, most: int = MOST_TICKS, *, whole: bool = False) -> list[float]:
    """Round values, at equal distances, that cover low … high: at most about `most` of them. `whole`: whole numbers."""
    span = (high - low) or abs(high) or 1.0
    rough = span / most
    power = 10.0 ** floor(log10(rough))
    step = next(power * part for part in (1.0, 2.0, 5.0, 10.0) if power * part >= rough * 0.999)
    step = max(step, 1.0) if whole else step
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(step * number, 10) for number in range(first, max(last, first + 1) + 1)]


def curve_chart(
    curves: Sequence[Curve],
    size: tuple[int, int],
    *,
    from_zero: bool = True,
    letters: int = LETTERS,
    whole: bool = False,
) -> CurveChart:
    """The drawing of curves, at least one with two points. `from_zero`: the upright axis begins at 0 (for measures
    that are counts or shares), not at the lowest value. `letters`: of the longest name that is shown whole. `whole`:
    what runs across is counted, and has no halves."""
    width, height = size
    is_narrow = width < 500
    xs = [x for curve in curves for x in curve.xs]
    ends = [end for curve in curves for end in _ends(curve)]
    # A band may reach below zero where no value ever does; it is cut there.
    is_positive = from_zero and min(mean for curve in curves for mean in curve.means) >= 0.0
    lowest = 0.0 if is_positive else min(0.0, *ends) if from_zero else min(ends)
    rows = round_steps(lowest, max(ends), 5 if is_narrow else MOST_TICKS)
    room = min(round(LETTER * letters) + 10, width // 2)
    columns = _columns(min(xs), max(xs), 3 if is_narrow else 6, width - room - SPLIT, whole=whole)
    plot = Plot(SPLIT, width - room, 14, height - 28, (columns[0], columns[-1]), (rows[0], rows[-1]))
    labels = spread([plot.y(curve.means[-1]) for curve in curves], LABEL_HEIGHT, plot.top, plot.bottom)
    return CurveChart(
        width,
        height,
        *plot.edges,
        rows=tuple(Mark(plot.y(value), value) for value in rows),
        columns=tuple(Mark(plot.x(value), value, anchor_of(value, columns)) for value in columns),
        curves=tuple(_drawn(curve, plot, label, room) for curve, label in zip(curves, labels, strict=True)),
    )


def _columns(low: float, high: float, most: int, pixels: int, *, whole: bool) -> list[float]:
    """At most about `most` round values, and no more than stand apart in so many pixels: the first and the last figure
    lie wholly beside their mark, towards the middle."""
    steps = round_steps(low, high, most, whole=whole)
    apart = 1.5 * FIGURE * max(len(f"{value:,g}") for value in steps)
    if most == 1 or apart * (len(steps) - 1) <= pixels:
        return steps
    return _columns(low, high, most - 1, pixels, whole=whole)


def _ends(curve: Curve) -> list[float]:
    deviations = curve.deviations or [0.0] * len(curve.means)
    return [mean + side * spread for mean, spread in zip(curve.means, deviations, strict=True) for side in (-1.0, 1.0)]


def anchor_of(value: float, all_values: Sequence[float]) -> str:
    """Where the words of a column begin: those at the edges stay inside."""
    return "start" if value == all_values[0] else "end" if value == all_values[-1] else "middle"


def _drawn(curve: Curve, plot: Plot, label: float, room: int) -> DrawnCurve:
    line = thin([(plot.x(x), plot.y(mean)) for x, mean in zip(curve.xs, curve.means, strict=True)], plot.right)
    return DrawnCurve(fitting(curve.name, room - 6), curve.look, _points(line), _band(curve, plot), label)


def _band(curve: Curve, plot: Plot) -> str:
    if not any(curve.deviations):
        return ""
    rows = list(zip(curve.xs, curve.means, curve.deviations, strict=True))
    upper = [(plot.x(x), plot.y(mean + spread)) for x, mean, spread in rows]
    lower = [(plot.x(x), plot.y(max(mean - spread, plot.ys[0]))) for x, mean, spread in rows]
    return _points([*upper, *reversed(lower)])


def _points(spots: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in spots)


# --- clouds of points ------------------------------------------------------------------------------------------------
LEFT, RIGHT, TOP, BOTTOM = 50, 12, 14, 28  # room for the figures at the edges


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of the cloud."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Scatter(Drawing):
    """One drawing; `zero` is where the vertical axis is 0, None where it does not reach 0."""

    rows: tuple[Mark, ...]
    columns: tuple[Mark, ...]
    dots: tuple[Dot, ...]
    zero: float | None
    ink: str = INKS[0]


def scatter_chart(points: Sequence[tuple[float, float]], size: tuple[int, int]) -> Scatter:
    """The drawing of points (x, y), at least one, in an area of that size (width, height)."""
    width, height = size
    narrow = size == NARROW
    xs, ys = zip(*points, strict=True)
    columns = round_steps(min(xs), max(xs), 5)
    rows = round_steps(min(ys), max(ys), 5 if narrow else 8)
    plot = Plot(LEFT, width - RIGHT, TOP, height - BOTTOM, (columns[0], columns[-1]), (rows[0], rows[-1]))
    return Scatter(
        width,
        height,
        *plot.edges,
        rows=tuple(Mark(plot.y(value), value) for value in rows),
        columns=tuple(Mark(plot.x(value), value, anchor_of(value, columns)) for value in columns),
        dots=tuple(Dot(plot.x(one), plot.y(two)) for one, two in points),
        zero=plot.y(0.0) if rows[0] < 0.0 < rows[-1] else None,
    )


def scatter_pair(points: Sequence[tuple[float, float]]) -> tuple[Scatter, Scatter]:
    """The wide drawing and the narrow one."""
    return scatter_chart(points, WIDE), scatter_chart(points, NARROW)
