"""Geometry of the rating chart: numbers in, coordinates out. Pure; the template draws it, the stylesheet paints it.

A chart is made twice, wide and narrow, so that its text is never scaled. Text belongs to the template.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil, floor

_STEPS = (10, 20, 25, 50, 100, 200, 250, 500, 1000)


@dataclass(frozen=True, slots=True)
class Sample:
    """The rating after one game. `event` names the event where this game is the last of it, else ""."""

    rating: float
    on: date
    event: str = ""


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: where, and the value it stands for."""

    at: float
    value: int = 0
    on: date | None = None
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Point:
    """A marked game: the end of an event."""

    x: float
    y: float
    game: int
    rating: float
    event: str
    provisional: bool
    anchor: str


@dataclass(frozen=True, slots=True)
class RatingChart:
    """One drawing. Lines are SVG point lists; `zone` is the width of the probation ground, 0 where there is none."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    rows: tuple[Tick, ...]
    columns: tuple[Tick, ...]
    provisional_line: str
    line: str
    zone: float
    points: tuple[Point, ...]
    last_x: float
    last_y: float


def scale_steps(low: float, high: float, most: int = 6) -> list[int]:
    """Round values that cover low…high in at most `most` steps."""
    for step in _STEPS:
        first, last = floor(low / step) * step, ceil(high / step) * step
        if (last - first) / step <= most:
            break
    last = max(last, first + step)
    return list(range(first, last + 1, step))


def thin(values: Sequence[tuple[float, float]], columns: int) -> list[tuple[float, float]]:
    """At most four points a pixel column (first, lowest, highest, last), so a long career stays a small drawing and
    loses no peak."""
    kept: list[tuple[float, float]] = []
    column: list[tuple[float, float]] = []
    if len(values) <= 2 * columns:
        return list(values)
    for value in values:
        if column and int(value[0]) != int(column[0][0]):
            kept += _extremes(column)
            column = []
        column.append(value)
    return kept + _extremes(column)


def _extremes(column: list[tuple[float, float]]) -> list[tuple[float, float]]:
    wanted = {0, len(column) - 1}
    wanted.add(min(range(len(column)), key=lambda index: column[index][1]))
    wanted.add(max(range(len(column)), key=lambda index: column[index][1]))
    return [column[index] for index in sorted(wanted)]


def rating_chart(
    samples: Sequence[Sample], *, games_before: int, provisional_games: int, width: int = 720, height: int = 270
) -> RatingChart:
    """The drawing of a career. `games_before` were rated before the first sample; a sample is provisional while its
    game number is below `provisional_games`. Needs at least one sample."""
    left, right, top, bottom = 44, width - 14, 22, height - 26
    ratings = [sample.rating for sample in samples]
    values = scale_steps(min(ratings), max(ratings))
    span_x, span_y = max(len(samples) - 1, 1), values[-1] - values[0]

    def x(index: int) -> float:
        return round(left + (right - left) * index / span_x, 1)

    def y(rating: float) -> float:
        return round(bottom - (bottom - top) * (rating - values[0]) / span_y, 1)

    spots = [(x(index), y(sample.rating)) for index, sample in enumerate(samples)]
    on_probation = max(min(provisional_games - games_before, len(samples)), 0)
    return RatingChart(
        width,
        height,
        left,
        right,
        top,
        bottom,
        rows=tuple(Tick(y(value), value) for value in values),
        columns=_dates(samples, x, 5 if width > 500 else 3),
        provisional_line=_line(spots[:on_probation], right - left),
        line=_line(spots[max(on_probation - 1, 0) :], right - left) if on_probation < len(samples) else "",
        zone=round(spots[on_probation - 1][0] - left, 1) if on_probation > 1 else 0,
        points=_marked(samples, spots, games_before, provisional_games, width),
        last_x=spots[-1][0],
        last_y=spots[-1][1],
    )


def _line(spots: list[tuple[float, float]], columns: int) -> str:
    return " ".join(f"{x},{y}" for x, y in thin(spots, columns))


def _dates(samples: Sequence[Sample], x: Callable[[int], float], most: int) -> tuple[Tick, ...]:
    last = len(samples) - 1
    count = min(most, last + 1)
    wanted = sorted({round(last * step / max(count - 1, 1)) for step in range(count)})
    anchors = {0: "start", last: "end"}
    return tuple(Tick(x(index), on=samples[index].on, anchor=anchors.get(index, "middle")) for index in wanted)


def _marked(
    samples: Sequence[Sample], spots: Sequence[tuple[float, float]], games_before: int, provisional: int, width: int
) -> tuple[Point, ...]:
    """The ends of the latest events, as many as stay apart."""
    found: list[Point] = []
    for index in range(len(samples) - 1, -1, -1):
        sample, (x, y) = samples[index], spots[index]
        if not sample.event or (found and found[-1].x - x < 24):
            continue
        anchor = "start" if x < width / 3 else "end" if x > 2 * width / 3 else "middle"
        game = games_before + index + 1
        found.append(Point(x, y, game, sample.rating, sample.event, game < provisional, anchor))
    return tuple(reversed(found))
