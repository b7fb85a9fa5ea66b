"""Tables of the lab's page on pairings: games until the list is right, differences, and what fairness costs."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

import django_tables2 as tables
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from clubrating.web.formatting import css, decimals
from ratings.lab_pages.tables.lab import Cell, MeasuresTable, WorldsTable, difference_cell, filled
from ratings.lab_pages.words import PAIRING_WAYS

Worlds = Mapping[str, Mapping[str, Any]]


def games_table(worlds: Worlds, names: Mapping[str, str], estimator: str, replications: int) -> MeasuresTable:
    """Worlds down, ways across: mean games until the order is right. Where not every run came so far, it is at
    least that."""
    rows = {
        names[key]: [
            _games(found["ways"][way][estimator]["mean"], found["reached"][way][estimator] == replications)
            for way in PAIRING_WAYS
        ]
        for key, found in worlds.items()
    }
    return _worlds_table(PAIRING_WAYS.values(), rows, _("Games until the order is right"))


def _games(mean: float, whole: bool) -> Cell:
    return decimals(mean, 0) if whole else format_html('<span class="alt">≥</span> {}', decimals(mean, 0))


def against_table(worlds: Worlds, names: Mapping[str, str], estimator: str) -> MeasuresTable:
    """Worlds down; the games of boards that tell most, less those of another way on the same evenings."""
    others = [way for way in PAIRING_WAYS if way != "learn"]
    rows = {
        names[key]: [difference_cell(found["differences"][way][estimator], 0) for way in others]
        for key, found in worlds.items()
    }
    return _worlds_table([PAIRING_WAYS[way] for way in others], rows, _("Games less than other ways"))


def _worlds_table(heads: Iterable[str | Promise], rows: Mapping[str, Sequence[Cell]], wide: Any) -> MeasuresTable:
    table = filled(WorldsTable, heads, rows, "p")
    table.wide = wide
    return table


class WaysTable(MeasuresTable):
    """Ways of pairing in the place of systems."""

    wide = _("Colours, repeats and gaps")
    name = tables.Column(verbose_name=_("Way of pairing"), accessor="key", attrs=css("who"))

    class Meta(MeasuresTable.Meta):
        pass

    def render_name(self, value: str) -> str:
        return str(PAIRING_WAYS[value])


def fairness_table(worlds: Worlds) -> MeasuresTable:
    """Ways down: colours, boards played again and boards of unequals, means over all worlds; the list at the end."""
    measures = {"colours": (1.0, 2), "worst": (1.0, 1), "repeats": (100.0, 1), "far": (100.0, 1), "end": (100.0, 1)}
    heads = [
        _("Whites less Blacks, mean"),
        _("Whites less Blacks, most"),
        _("met within 30 days, %"),
        _("more than 400 points apart, %"),
        _("pairs in order at the end, %"),
    ]
    rows = {
        way: [decimals(factor * mean_over(worlds, way, name), places) for name, (factor, places) in measures.items()]
        for way in PAIRING_WAYS
    }
    return filled(WaysTable, heads, rows, "f")


def mean_over(worlds: Worlds, way: str, measure: str) -> float:
    """A figure's mean over the worlds."""
    return fmean(found["ways"][way][measure]["mean"] for found in worlds.values())
