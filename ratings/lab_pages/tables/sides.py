"""Tables of the lab's page on sides: what a table is worth, mean or sum, the margin, the choice of a partner."""

from collections.abc import Mapping
from typing import Any

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from clubrating.web.formatting import css, decimals
from ratings.lab_pages.tables.lab import (
    NOTHING,
    MeasuresTable,
    WorldsTable,
    difference_cell,
    filled,
    interval_cell,
    measure_name,
    places_of,
    spread_cell,
    trial_table,
)
from ratings.lab_pages.words import SIDES_WORLDS


def worth_table(worth: Mapping[str, Mapping[str, Any]], replications: int) -> MeasuresTable:
    """Systems down, sizes of the table across, the largest first: what one is worth in games, and its interval. Bold
    where that is not the number of games one could play there; nothing where not every replication came so far."""
    rows = {
        key: [
            interval_cell(figures, lambda value: decimals(value, 1), int(sides) - 1.0)
            if figures["reached"] == replications
            else NOTHING
            for sides, figures in reversed([*found.items()])
        ]
        for key, found in worth.items()
    }
    heads = [
        ngettext("table of %(count)s", "table of %(count)s", int(each)) % {"count": each}
        for each in reversed([*next(iter(worth.values()))])
    ]
    return trial_table(heads, rows, _("What a table is worth in games"))


def normaliser_table(world: Mapping[str, Any]) -> MeasuresTable:
    """How much each kind of Elo differs from K/(n − 1) in one world."""
    rows = {
        key: [difference_cell(world["differences"][key].get(name), places_of(name)) for name in ("rms", "log_loss")]
        for key in ("elo-half", "elo-none", "elo-winner")
    }
    return trial_table([measure_name(name) for name in ("rms", "log_loss")], rows, _("Against K/(n − 1)"))


def combine_table(worlds: Mapping[str, Mapping[str, Any]]) -> MeasuresTable:
    """Worlds down; Elo's sum less its mean."""
    measures = ("log_loss", "spearman", "rms")
    rows = {
        str(SIDES_WORLDS[key]): [difference_cell(found.get(name), places_of(name)) for name in measures]
        for key, found in worlds.items()
    }
    table = filled(WorldsTable, map(measure_name, measures), rows)
    table.wide = _("The sum against the mean")
    return table


class EveningsTable(MeasuresTable):
    """Parts of the evenings in the place of systems."""

    wide = _("With and without the margin")
    name = tables.Column(verbose_name=_("Evenings"), accessor="key", attrs=css("who"))

    class Meta(MeasuresTable.Meta):
        pass

    def render_name(self, value: str) -> str:
        return str(EVENINGS[value])


EVENINGS = {"all": _("all of them"), "settled": _("the second half, ratings settled")}


def margin_table(parts: Mapping[str, Mapping[str, Any]]) -> MeasuresTable:
    """Log-loss with and without the margin, and the difference; all evenings, then the settled ones."""
    rows = {
        part: [
            *(spread_cell(found[name], 4) for name in ("plain", "margin")),
            difference_cell(found["difference"], 4),
        ]
        for part, found in parts.items()
    }
    return filled(EveningsTable, [_("without the margin"), _("with the margin"), _("difference")], rows)


def carried_table(carried: Mapping[str, Mapping[str, Any]]) -> MeasuresTable:
    """What both of the pair gain over their equals, in points of strength."""
    rows = {key: [difference_cell(found[who], 0) for who in ("newcomer", "strong")] for key, found in carried.items()}
    return trial_table([_("the newcomer"), _("the strong player")], rows, _("Gains by the choice of a partner"))
