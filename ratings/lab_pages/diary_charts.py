"""The diary's document as drawings with their figures, and as files."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _

from clubrating.ground.curves import Curve, Scatter, scatter_pair
from clubrating.web.formatting import css, decimals
from ratings.lab_pages.charts import Drawing
from ratings.lab_pages.tables.diary import CourseTable, PeopleTable, people_table
from ratings.lab_pages.tables.lab import CurveRow

CLOUDS = ("last", "chances", "bug")
# World, column of its course, name at the line's end, look.
COURSES = (
    ("no-draws", "top", _("no draws"), 2),
    ("leagues", "top", _("leagues"), 4),
    ("last", "top", _("draws 5 %"), 1),
    ("last", "second", _("the second"), 6),
    ("many-draws", "top", _("draws 30 %"), 3),
    ("chances", "top", _("chances"), 5),
)
TABLE_ROWS = 10
PEOPLE = ("strength", "rating", "games", "wins", "draws", "losses", "peak")


@dataclass(frozen=True, slots=True)
class Cloud:
    """Rating against strength in one world's first replication."""

    key: str
    wide: Scatter
    narrow: Scatter
    table: PeopleTable


def cloud_of(key: str, worlds: Mapping[str, Any]) -> Cloud:
    """Raises KeyError where the document has no such world."""
    rows: Sequence[Sequence[int]] = worlds[key]["table"]
    wide, narrow = scatter_pair([(row[0], row[1]) for row in rows])
    return Cloud(key, wide, narrow, people_table(rows))


def leaders(worlds: Mapping[str, Any]) -> Drawing:
    """The highest ratings over time, with their bands, world beside world."""
    curves = []
    for key, column, name, look in COURSES:
        course = worlds[key]["course"]
        xs = [course["every"] * (number + 1) for number in range(len(course[column]))]
        curves.append(Curve(str(name), look, xs, course[column], course[f"{column}_sd"]))
    return Drawing(curves, places=0, from_zero=False)


def leaders_table(drawing: Drawing) -> CourseTable:
    """About TABLE_ROWS moments of the courses."""
    curves = drawing.curves
    xs = curves[0].xs
    step = max(len(xs) // TABLE_ROWS, 1)
    rows = [
        CurveRow(int(xs[at]), [decimals(curve.means[at], 0) for curve in curves])
        for at in range(step - 1, len(xs), step)
    ]
    columns = [
        (f"c{number}", tables.Column(verbose_name=curve.name, attrs=css("num"), accessor=f"values__{number}"))
        for number, curve in enumerate(curves)
    ]
    return CourseTable(rows, extra_columns=columns)


def leaders_csv(worlds: Mapping[str, Any]) -> str:
    """Every moment of the courses: mean and standard deviation."""
    found = [(f"{key} {column}", worlds[key]["course"], column) for key, column, _name, _look in COURSES]
    head = ["tournaments", *(f"{name} {figure}" for name, _course, _column in found for figure in ("mean", "sd"))]
    every = found[0][1]["every"]
    count = min(len(course[column]) for _name, course, column in found)
    rows = [
        [
            every * (at + 1),
            *(course[part][at] for _, course, column in found for part in (column, f"{column}_sd")),
        ]
        for at in range(count)
    ]
    return _csv(head, rows)


def people_csv(world: Mapping[str, Any]) -> str:
    """The last table of a world's first replication."""
    return _csv(PEOPLE, world["table"])


def worlds_csv(worlds: Mapping[str, Any]) -> str:
    """All figures of all worlds: mean, standard deviation, standard error."""
    parts = ("mean", "sd", "se")
    names = list(next(iter(worlds.values()))["figures"])
    rows = [
        [key, world["tournaments"], *(world["figures"][name][part] for name in names for part in parts)]
        for key, world in worlds.items()
    ]
    return _csv(["world", "tournaments", *(f"{name} {part}" for name in names for part in parts)], rows)


def event_csv(lines: Sequence[Mapping[str, Any]]) -> str:
    """A tournament, a line a player; opponents' ratings and scores in one cell each, game by game."""
    names = list(lines[0])
    return _csv(names, [[_cell(line[name]) for name in names] for line in lines])


def _cell(value: object) -> object:
    return " ".join(f"{each:g}" for each in value) if isinstance(value, list) else value


def _csv(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return stream.getvalue()
