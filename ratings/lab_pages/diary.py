"""The diary's page: its tables, and the diary's document as drawings with their figures and as files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubrating.ground.curves import Curve, Scatter, scatter_pair
from clubrating.ground.figures import MINUS, points_text
from clubrating.web.formatting import css, decimals
from ratings.lab_pages.charts import Drawing
from ratings.lab_pages.tables.lab import CurveTable, Spread, spread_of, value_columns
from ratings.lab_pages.views.lab import csv_text

# --- tables ----------------------------------------------------------------------------------------------------------
WORLDS = {
    "last": _("Last version: the stronger wins, draws 5 %"),
    "no-draws": _("No draws"),
    "many-draws": _("Draws 30 %"),
    "leagues": _("Two leagues by rating"),
    "chances": _("Finite win chances"),
    "chances-leagues": _("Finite win chances, two leagues"),
    "bug": _("The −1 fault"),
    "first-attempt": _("First version: the rating decides"),
    "second-attempt": _("Second version: the rating decides"),
}


@dataclass(frozen=True, slots=True)
class WorldLine:
    """One world over its replications."""

    key: str
    order: Spread | None
    weaker: Spread | None
    stronger: Spread | None
    top: Spread | None
    lead: Spread | None
    lowest: Spread | None


def world_lines(worlds: Mapping[str, Any]) -> list[WorldLine]:
    """The document's worlds, in the order of WORLDS."""
    names = ("spearman", "weaker_half", "stronger_half", "top_rating", "lead", "lowest")
    return [
        WorldLine(key, *(spread_of(worlds[key]["figures"].get(name)) for name in names))
        for key in WORLDS
        if key in worlds
    ]


def written(value: float, places: int = 0) -> str:
    """A figure with a typographic minus; by the −1 fault or by chance figures can be negative."""
    return decimals(value, places).replace("-", MINUS)


def spread_written(value: Spread, places: int = 0) -> SafeString:
    """2899 ± 67."""
    return format_html(
        '<b>{}</b> <span class="alt">± {}</span>', written(value.mean, places), written(value.sd, places)
    )


class WorldsTable(tables.Table):
    """The diary's world and its remedies side by side."""

    key = tables.Column(verbose_name=_("World"), attrs={"td": {"class": "who"}})
    order = tables.Column(verbose_name=_("Order"), attrs=css("num"))
    weaker = tables.Column(verbose_name=_("weaker half"), attrs=css("num", "second"))
    stronger = tables.Column(verbose_name=_("stronger half"), attrs=css("num", "second"))
    top = tables.Column(verbose_name=_("Highest"), attrs=css("num"))
    lead = tables.Column(verbose_name=_("Lead"), attrs=css("num", "second"))
    lowest = tables.Column(verbose_name=_("Lowest"), attrs=css("num", "third"))

    class Meta:
        orderable = False

    def render_key(self, value: str) -> str:
        return str(WORLDS[value])

    def render_order(self, value: Spread) -> SafeString:
        return spread_written(value, 4)

    def render_weaker(self, value: Spread) -> str:
        return written(value.mean, 3)

    render_stronger = render_weaker

    def render_top(self, value: Spread) -> SafeString:
        return spread_written(value)

    render_lead = render_lowest = render_top


class PeopleTable(tables.Table):
    """The last table of one replication: each player's strength and what Elo made of it."""

    place = tables.Column(verbose_name=_("Place"), attrs=css("num"))
    rating = tables.Column(verbose_name=_("Rating"), attrs=css("num"))
    strength = tables.Column(verbose_name=_("Strength"), attrs=css("num"))
    games = tables.Column(verbose_name=_("Games"), attrs=css("num"))
    wins = tables.Column(verbose_name=_("Wins"), attrs=css("num", "second"))
    draws = tables.Column(verbose_name=_("Draws"), attrs=css("num", "second"))
    losses = tables.Column(verbose_name=_("Losses"), attrs=css("num", "second"))
    peak = tables.Column(verbose_name=_("Peak"), attrs=css("num"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}

    def render_rating(self, value: float) -> str:
        return written(value)


class EventTable(tables.Table):
    """One tournament, a line a player, best performance first."""

    strength = tables.Column(verbose_name=_("Strength"), attrs=css("num"))
    performance = tables.Column(verbose_name=_("Performance"), attrs=css("num"))
    score = tables.Column(verbose_name=_("Points"), accessor="scores", attrs=css("num"))
    games = tables.Column(verbose_name=_("Games"), accessor="scores", attrs=css("num", "second"))
    expected = tables.Column(verbose_name=_("Expected"), attrs=css("num"))
    k = tables.Column(verbose_name=_("K"), attrs=css("num", "second"))
    before = tables.Column(verbose_name=_("Before"), attrs=css("num"))
    after = tables.Column(verbose_name=_("After"), attrs=css("num"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}

    def render_performance(self, value: float) -> str:
        return decimals(value, 2)

    render_expected = render_performance

    def render_score(self, value: Sequence[float]) -> str:
        return points_text(round(2 * sum(value)))

    def render_games(self, value: Sequence[float]) -> str:
        return str(len(value))

    def render_k(self, value: float) -> str:
        return f"{value:g}"


class CourseTable(CurveTable):
    """The leaders' courses as figures."""

    games = tables.Column(verbose_name=_("Tournaments"), attrs=css("num"))

    class Meta(CurveTable.Meta):
        pass


# --- drawings and files ----------------------------------------------------------------------------------------------
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
PEOPLE = ("strength", "rating", "games", "wins", "draws", "losses", "peak")  # the rows of a world's table


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
    lines = [{"place": place, **dict(zip(PEOPLE, row, strict=True))} for place, row in enumerate(rows, start=1)]
    wide, narrow = scatter_pair([(row[0], row[1]) for row in rows])
    return Cloud(key, wide, narrow, PeopleTable(lines))


def leaders(worlds: Mapping[str, Any]) -> Drawing:
    """The highest ratings over time, with their bands, world beside world."""
    curves = []
    for key, column, name, look in COURSES:
        course = worlds[key]["course"]
        xs = [course["every"] * (number + 1) for number in range(len(course[column]))]
        curves.append(Curve(str(name), look, xs, course[column], course[f"{column}_sd"]))
    return Drawing(curves, places=0, from_zero=False)


def leaders_table(drawing: Drawing) -> CourseTable:
    """Some moments of the courses."""
    return CourseTable(drawing.rows, extra_columns=value_columns((curve.name for curve in drawing.curves), "c"))


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
    return csv_text(head, rows)


def people_csv(world: Mapping[str, Any]) -> str:
    """The last table of a world's first replication."""
    return csv_text(PEOPLE, world["table"])


def worlds_csv(worlds: Mapping[str, Any]) -> str:
    """All figures of all worlds: mean, standard deviation, standard error."""
    parts = ("mean", "sd", "se")
    names = list(next(iter(worlds.values()))["figures"])
    rows = [
        [key, world["tournaments"], *(world["figures"][name][part] for name in names for part in parts)]
        for key, world in worlds.items()
    ]
    return csv_text(["world", "tournaments", *(f"{name} {part}" for name in names for part in parts)], rows)


def event_csv(lines: Sequence[Mapping[str, Any]]) -> str:
    """A tournament, a line a player; opponents' ratings and scores in one cell each, game by game."""
    names = list(lines[0])
    return csv_text(names, [[_cell(line[name]) for name in names] for line in lines])


def _cell(value: object) -> object:
    return " ".join(f"{each:g}" for each in value) if isinstance(value, list) else value
