"""Geometry of charts and bars: numbers in, coordinates out. Pure; the template draws it, the stylesheet paints it.

A chart is made twice, wide and narrow, so that its text is never scaled. Text belongs to the template.
The rating chart has one line a list over one axis of time; a rating stays what it is until the next game, so every
line goes on to the chart's end.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import groupby, pairwise
from math import ceil, floor
from unicodedata import east_asian_width

MOST_STEPS = 6
_STEPS = (10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)
APART = 24.0  # pixels from point to point: what a finger can tell apart
LABEL_HEIGHT = 14.0
LETTER = 8.0  # pixels of a letter, about; of a Chinese or Japanese one half as much again
DATE = 96.0  # of the longest date at an axis
ABOVE = 22  # room over the plot, for what is said of the highest game
ZONES_ABOVE = ABOVE + 14  # and, where there was a probation, for a row of its words over that: no line crosses them
ZONE_WORDS = 208.0  # pixels they may take
MOST_POINTS = 150  # up to so many games in a drawing each is a point; of more, those that end an event
SHORT_SPAN = 150  # days: a shorter axis of time counts days, a longer one months
SERIES = 6  # kinds of lines the stylesheet knows


@dataclass(frozen=True, slots=True)
class Sample:
    """The rating after one game: `game` is its number in the list, `ends` says that it is its event's last one,
    `provisional` that the player was still on probation after it. `key` finds the game again."""

    rating: float
    on: date
    game: int = 0
    event: str = ""
    ends: bool = False
    provisional: bool = False
    key: int = 0


@dataclass(frozen=True, slots=True)
class Series:
    """One list's samples, oldest first, at least one; `kind` (0 …) is the look it keeps on every page. The probation
    of the `chosen` one tints the ground."""

    name: str
    samples: Sequence[Sample]
    kind: int = 0
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: where, and the value it stands for."""

    at: float
    value: int = 0
    on: date | None = None
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Point:
    """A game that can be read. What is pressed to read it is a strip from `hit_x` on, as high as the plot, that ends
    half-way to the next game; of a list that is not the chosen one it is the point itself."""

    x: float
    y: float
    sample: Sample
    anchor: str
    hit_x: float = 0.0
    hit_width: float = 0.0


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a line as an SVG point list; on probation it is drawn apart."""

    points: str
    provisional: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One list's line. `look` is 1 … 6, the stylesheet's series; the label stands at `label_y` and has the `short`
    name, cut where there is no room. `peak`: the highest game of the chosen list."""

    name: str
    short: str
    look: int
    chosen: bool
    runs: tuple[Run, ...]
    points: tuple[Point, ...]
    last: Sample
    label_y: float
    peak: Point | None = None


@dataclass(frozen=True, slots=True)
class Zone:
    """Ground of a probation; its words begin at `label_x`, None where those of another one stand too near."""

    x: float
    width: float
    label_x: float | None


@dataclass(frozen=True, slots=True)
class Drawing:
    """How large a drawing is, and where its plot lies in it."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int


@dataclass(frozen=True, slots=True)
class RatingChart(Drawing):
    """One drawing. `by_day`: the axis of time is short enough to count days."""

    by_day: bool
    rows: tuple[Tick, ...]
    columns: tuple[Tick, ...]
    zones: tuple[Zone, ...]
    lines: tuple[Line, ...]

    @property
    def ground(self) -> int:
        """Height of the plot."""
        return self.bottom - self.top


Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Plot:
    """Where a plot lies, and what its edges stand for: `xs` from left to right, `ys` upwards."""

    left: int
    right: int
    top: int
    bottom: int
    xs: tuple[float, float]
    ys: tuple[float, float]

    @property
    def edges(self) -> tuple[int, int, int, int]:
        """As a `Drawing` has them."""
        return self.left, self.right, self.top, self.bottom

    def x(self, value: float) -> float:
        low, high = self.xs
        return round(self.left + (self.right - self.left) * (value - low) / (high - low), 1)

    def y(self, value: float) -> float:
        low, high = self.ys
        return round(self.bottom - (self.bottom - self.top) * (value - low) / (high - low), 1)

    def anchor(self, x: float) -> str:
        """Where a text begins that must not leave the plot."""
        third = (self.right - self.left) / 3
        return "start" if x < self.left + third else "end" if x > self.right - third else "middle"


@dataclass(slots=True)
class _Placed:
    """A list with its spots."""

    series: Series
    spots: list[Spot]
    points: list[Point] = field(default_factory=list)


def scale_steps(low: float, high: float) -> list[int]:
    """Round values that cover low…high in at most `MOST_STEPS` steps."""
    for step in _STEPS:
        first, last = floor(low / step) * step, ceil(high / step) * step
        if (last - first) / step <= MOST_STEPS:
            break
    last = max(last, first + step)
    return list(range(first, last + 1, step))


def thin(values: Sequence[Spot], columns: int) -> list[Spot]:
    """At most four points a pixel column (first, lowest, highest, last), so a long career stays a small drawing and
    loses no peak."""
    kept: list[Spot] = []
    column: list[Spot] = []
    if len(values) <= 2 * columns:
        return list(values)
    for value in values:
        if column and int(value[0]) != int(column[0][0]):
            kept += _extremes(column)
            column = []
        column.append(value)
    return kept + _extremes(column)


def _extremes(column: list[Spot]) -> list[Spot]:
    wanted = {0, len(column) - 1}
    wanted.add(min(range(len(column)), key=lambda index: column[index][1]))
    wanted.add(max(range(len(column)), key=lambda index: column[index][1]))
    return [column[index] for index in sorted(wanted)]


def spread(heights: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """The same heights moved so far apart that labels `gap` high do not cover each other, in their order and between
    `top` and `bottom` as far as there is room."""
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    placed: dict[int, float] = {}
    lowest = top
    for index in order:
        placed[index] = max(heights[index], lowest)
        lowest = placed[index] + gap
    highest = bottom
    for index in reversed(order):
        placed[index] = min(placed[index], highest)
        highest = placed[index] - gap
    return [round(placed[index], 1) for index in range(len(heights))]


def fitting(name: str, room: float) -> str:
    """The name, cut where it needs more pixels than there are."""
    if text_width(name) <= room:
        return name
    while name and text_width(name) + LETTER > room:
        name = name[:-1].rstrip()
    return f"{name}…"


def text_width(text: str) -> float:
    """About how many pixels a label takes."""
    return sum(LETTER * (1.5 if east_asian_width(letter) in "WF" else 1.0) for letter in text)


def rating_chart(lists: Sequence[Series], *, width: int = 720, height: int = 270) -> RatingChart:
    """The drawing of a career in one list or several, at least one; room for labels is kept at the right."""
    is_wide = width > 500
    room = 50 if len(lists) == 1 else 140 if is_wide else 120
    samples = [sample for series in lists for sample in series.samples]
    values = scale_steps(min(each.rating for each in samples), max(each.rating for each in samples))
    days = [_days(series.samples) for series in lists]
    first, last = min(each[0] for each in days), max(each[-1] for each in days)
    span = (first, last if last > first else first + 0.5)
    above = ZONES_ABOVE if any(one.provisional for each in lists if each.chosen for one in each.samples) else ABOVE
    plot = Plot(44 if is_wide else 40, width - room, above, height - 26, span, (values[0], values[-1]))
    placed = [
        _Placed(series, [(plot.x(at), plot.y(sample.rating)) for at, sample in zip(on, series.samples, strict=True)])
        for series, on in zip(lists, days, strict=True)
    ]
    _mark(placed, plot)
    labels = spread([each.spots[-1][1] for each in placed], LABEL_HEIGHT, plot.top, plot.bottom)
    return RatingChart(
        width,
        height,
        *plot.edges,
        by_day=last - first < SHORT_SPAN,
        rows=tuple(Tick(plot.y(value), value) for value in values),
        columns=_dates(plot, 5 if is_wide else 3),
        zones=tuple(zone for each in placed if each.series.chosen for zone in _zones(each, plot, width)),
        lines=tuple(_line(each, plot, label, room) for each, label in zip(placed, labels, strict=True)),
    )


def _days(samples: Sequence[Sample]) -> list[float]:
    """When each game was played, in days; those of one day are spread over it in their order."""
    found: list[float] = []
    for on, games in groupby(samples, key=lambda sample: sample.on):
        count = len(list(games))
        found += [on.toordinal() + index / count for index in range(count)]
    return found


def _line(placed: _Placed, plot: Plot, label: float, room: int) -> Line:
    series = placed.series
    return Line(
        series.name,
        fitting(series.name, room - 6 - 6 * LETTER),  # beside it stands the rating: " 2080?"
        series.kind % SERIES + 1,
        series.chosen,
        tuple(_runs(placed, plot)),
        tuple(sorted(placed.points, key=lambda point: point.x)),
        series.samples[-1],
        label,
        _peak(placed, plot) if series.chosen else None,
    )


def _peak(placed: _Placed, plot: Plot) -> Point:
    """The first of the highest games."""
    samples = placed.series.samples
    at = max(range(len(samples)), key=lambda index: samples[index].rating)
    x, y = placed.spots[at]
    return Point(x, y, samples[at], plot.anchor(x))


def _runs(placed: _Placed, plot: Plot) -> list[Run]:
    """The line in stretches: the way to a game is on probation where the player was when he played it."""
    spots = [*placed.spots, (float(plot.right), placed.spots[-1][1])]
    ways = zip(pairwise(spots), placed.series.samples, strict=True)
    runs = []
    for provisional, stretch in groupby(ways, key=lambda way: way[1].provisional):
        pairs = [pair for pair, _ in stretch]
        corners = [pairs[0][0], *(there for _, there in pairs)]
        drawn = thin(corners, plot.right - plot.left)
        runs.append(Run(" ".join(f"{x},{y}" for x, y in drawn), provisional))
    return runs


def _zones(placed: _Placed, plot: Plot, width: int) -> list[Zone]:
    """The ground of each probation: from its first game to the one that ends it, or to the chart's end."""
    found: list[Zone] = []
    taken = 0.0
    samples, spots = placed.series.samples, placed.spots
    for provisional, group in groupby(range(len(samples)), key=lambda index: samples[index].provisional):
        if not provisional:
            continue
        games = list(group)
        start = spots[games[0]][0]
        end = spots[games[-1] + 1][0] if games[-1] + 1 < len(spots) else float(plot.right)
        words = round(min(start + 6, width - ZONE_WORDS), 1)
        found.append(Zone(start, round(end - start, 1), words if words >= taken else None))
        taken = words + ZONE_WORDS if words >= taken else taken
    return found


def _dates(plot: Plot, most: int) -> tuple[Tick, ...]:
    """Days at equal distances, each once, as many as stand apart, at least two."""
    first, last = plot.xs
    most = max(2, min(most, 1 + int((plot.right - plot.left) / (1.5 * DATE))))
    wanted: dict[int, int] = {}
    for step in range(most):
        wanted.setdefault(floor(first + (last - first) * step / (most - 1)), step)
    anchors = {0: "start", most - 1: "end"}
    return tuple(
        Tick(
            round(plot.left + (plot.right - plot.left) * step / (most - 1), 1),
            on=date.fromordinal(day),
            anchor=anchors.get(step, "middle"),
        )
        for day, step in wanted.items()
    )


def _mark(lists: Sequence[_Placed], plot: Plot) -> None:
    """Give each list the games that can be read: every one, or, where they are many, the ends of events that stay
    apart, the chosen list's first, the latest first."""
    if sum(len(placed.spots) for placed in lists) > MOST_POINTS:
        _mark_ends(lists, plot)
    else:
        for placed in lists:
            samples = placed.series.samples
            placed.points = [
                Point(x, y, sample, plot.anchor(x)) for sample, (x, y) in zip(samples, placed.spots, strict=True)
            ]
    for placed in lists:
        if placed.series.chosen and placed.points:
            placed.points = _with_strips(sorted(placed.points, key=lambda point: point.x), plot)


def _mark_ends(lists: Sequence[_Placed], plot: Plot) -> None:
    taken: list[Spot] = []
    for placed in sorted(lists, key=lambda each: not each.series.chosen):
        samples = placed.series.samples
        for index in range(len(samples) - 1, -1, -1):
            sample, (x, y) = samples[index], placed.spots[index]
            if not sample.ends:
                continue
            if any(abs(x - other) < APART and abs(y - height) < APART for other, height in taken):
                continue
            taken.append((x, y))
            placed.points.append(Point(x, y, sample, plot.anchor(x)))


def _with_strips(points: Sequence[Point], plot: Plot) -> list[Point]:
    """The same points, at least one, in the order of time, with what is pressed to read them."""
    middles = [round((one.x + two.x) / 2, 1) for one, two in pairwise(points)]
    starts, ends = [float(plot.left), *middles], [*middles, float(plot.right)]
    return [
        replace(point, hit_x=start, hit_width=round(end - start, 1))
        for point, start, end in zip(points, starts, ends, strict=True)
    ]
