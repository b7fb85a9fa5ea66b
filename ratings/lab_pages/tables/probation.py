"""Tables of the lab's page on probation: games to an equal error, the error then, and how people leave."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubrating.web.formatting import decimals
from ratings.lab.probation_study import BY_COUNT
from ratings.lab_pages.tables.lab import NOTHING, Cell, MeasuresTable, WorldsTable, difference_cell, filled

Row = Mapping[str, Any]
Rows = Mapping[str, Mapping[str, Row]]
LIST_WORDS = {
    BY_COUNT: _("by count"),
    "fide-known": _("until known"),
    "fide-evidence": _("by evidence"),
    "glicko": _("Glicko-1"),
}
OTHERS = [key for key in LIST_WORDS if key != BY_COUNT]


def games_table(rows: Rows, names: Mapping[str, str], same_as: Sequence[int]) -> MeasuresTable:
    """Worlds down; own games until the error of the count after 30 and 60."""
    heads = [_after(LIST_WORDS[key], games) for key in OTHERS for games in same_as]
    cells = {
        names[world]: [_figure(games) for key in OTHERS for games in lists[key]["same_error"]]
        for world, lists in rows.items()
    }
    return _table(heads, cells, _("Own games to the same error"))


def left_table(rows: Rows, names: Mapping[str, str], probations: Sequence[int]) -> MeasuresTable:
    """Worlds down; the error of those the count lets go, then games and error of those who leave by evidence."""
    last = len(probations) - 1
    heads: list[str | Promise] = [_("by count: error after 30"), *(_told(games) for games in probations)]
    cells = {
        names[world]: [
            _figure(lists[BY_COUNT]["off"][last]["size"]),
            *(_leaving(off) for off in lists["fide-evidence"]["off"]),
        ]
        for world, lists in rows.items()
    }
    return _table(heads, cells, _("How they leave probation"))


def less_table(rows: Rows, names: Mapping[str, str], after: Sequence[int]) -> MeasuresTable:
    """Worlds down; the error after 30 games by count and by evidence, the difference with its interval, and the errors
    of the established."""
    at = after.index(30)
    heads: list[str | Promise] = [
        *(_("by count"), _("by evidence"), _("difference")),
        *(_("established, by count"), _("established, by evidence")),
    ]
    cells = {}
    for world, lists in rows.items():
        count, own = lists[BY_COUNT], lists["fide-evidence"]
        mean, low, high = own["less"][0]
        cells[names[world]] = [
            _figure(count["error"][at]),
            _figure(own["error"][at]),
            difference_cell({"mean": mean, "low": low, "high": high}, 0),
            _figure(count["established"][at]),
            _figure(own["established"][at]),
        ]
    return _table(heads, cells, _("Errors after 30 games"))


def _table(heads: Sequence[str | Promise], cells: Mapping[str, Sequence[Cell]], wide: Any) -> MeasuresTable:
    table = filled(WorldsTable, heads, cells, "n")
    table.wide = wide
    return table


def _after(name: Promise, games: int) -> str:
    return gettext("%(list)s, as after %(games)s games") % {"list": name, "games": games}


def _told(games: int) -> str:
    return ngettext("by evidence, %(games)s game", "by evidence, %(games)s games", games) % {"games": games}


def _figure(value: float | None) -> str:
    return NOTHING if value is None else decimals(value, 0)


def _leaving(off: Mapping[str, float]) -> Cell:
    return format_html('<b>{}</b> <span class="alt">{}</span>', _figure(off["games"]), _figure(off["size"]))
