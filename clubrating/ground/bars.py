"""Geometry of bars: one cut in proportion, and columns that stand side by side. Numbers in, coordinates out; pure."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar, in hundredths of its length."""

    x: float
    width: float


def bar(parts: Sequence[float], gap: float = 0.6) -> tuple[Segment, ...]:
    """A bar of 100 units cut in proportion, with a `gap` between its parts; parts of nothing have no width, and a bar
    of nothing has no parts with any."""
    whole = sum(parts)
    shown = sum(part > 0 for part in parts)
    room = 100.0 - gap * max(shown - 1, 0)
    found, at = [], 0.0
    for part in parts:
        width = room * part / whole if whole else 0.0
        found.append(Segment(round(at, 2), round(width, 2)))
        at += width + (gap if part > 0 else 0.0)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Column:
    """A bar that stands on the ground of a drawing."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many stand in each class, as columns in a drawing `width` by `height`, and where one of them is: `here_x`,
    whose words begin at `anchor`."""

    width: int
    height: int
    ground: int
    columns: tuple[Column, ...]
    here: int
    here_x: float
    anchor: str


def histogram(counts: Sequence[int], here: int, at: float, *, width: int = 360, height: int = 76) -> Histogram:
    """The drawing of those counts, at least one; `here` is a class, and the mark stands at the share `at` (0 … 1) of
    the axis. Whoever is there is seen: no column of somebody is lower than two pixels."""
    top, ground = 18, height - 2
    most, room = max(counts) or 1, width / len(counts)
    heights = [max(round((ground - top) * count / most, 1), 2.0) if count else 0.0 for count in counts]
    columns = tuple(
        Column(round(room * index + 0.5, 1), round(ground - tall, 1), round(room - 1, 1), tall)
        for index, tall in enumerate(heights)
    )
    x = round(width * min(max(at, 0.0), 1.0), 1)
    anchor = "start" if x < width / 3 else "end" if x > width * 2 / 3 else "middle"
    return Histogram(width, height, ground, columns, here, x, anchor)


@dataclass(frozen=True, slots=True)
class Step:
    """A part of a waterfall: its bar, which begins where the one above it ends; `joint_x`: where the next begins."""

    x: float
    y: float
    width: float
    joint_x: float


@dataclass(frozen=True, slots=True)
class Waterfall:
    """Parts one below the other, each with a line of words above its bar, from `start_x` to `end_x`. `row`: the height
    of a part, `bar`: of its bar."""

    width: int
    height: int
    row: int
    bar: int
    start_x: float
    end_x: float
    steps: tuple[Step, ...]


_FIGURES = 44.0  # kept free on the right for what each part is


def waterfall(parts: Sequence[float], *, width: int = 360, row: int = 40, bar: int = 12) -> Waterfall:
    """The drawing of those parts of a change; their sum is its end. No part that is something is thinner than a
    pixel."""
    totals = [0.0]
    for part in parts:
        totals.append(totals[-1] + part)
    low, reach = min(totals), (max(totals) - min(totals)) or 1.0
    room = width - _FIGURES - 2.0
    at = [round(2.0 + (total - low) / reach * room, 1) for total in totals]
    steps = tuple(
        Step(min(here, then), row * number + row - bar - 6, max(round(abs(then - here), 1), 1.0 if part else 0.0), then)
        for number, (part, here, then) in enumerate(zip(parts, at, at[1:], strict=False))
    )
    return Waterfall(width, row * len(parts), row, bar, at[0], at[-1], steps)
