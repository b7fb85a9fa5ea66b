"""Tables of the lab's trials: newcomers, a jump of strength, farming, the ceiling. Figures come from the document."""

from collections.abc import Mapping, Sequence
from typing import Any

import django_tables2 as tables
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubrating.ground.figures import MINUS
from clubrating.web.formatting import css, decimals
from ratings.lab_pages.tables.lab import (
    CurveRow,
    CurveTable,
    MeasuresTable,
    Spread,
    curve_table,
    spread_of,
    spread_words,
)

Cell = SafeString | str
NOTHING = "–"
PERCENT = 100.0


def trial_table(heads: Sequence[str | Promise], rows: Mapping[str, Sequence[Cell]], wide: Any) -> MeasuresTable:
    """Systems down (by key), those columns across. `wide` names the region in which it can be pushed sideways."""
    columns = [
        (f"t{at}", tables.Column(verbose_name=head, attrs=css("num"), accessor=f"values__{at}"))
        for at, head in enumerate(heads)
    ]
    table = MeasuresTable([{"key": key, "values": values} for key, values in rows.items()], extra_columns=columns)
    table.wide = wide
    return table


def points_table(systems: Mapping[str, Any]) -> MeasuresTable:
    """Newcomers' mean distance to the truth in points, systems on Elo's scale; then that of the established beside
    them, and how many games bring the one near the other."""
    found = {key: each for key, each in systems.items() if each["probation"] and "points" in each["probation"][0]}
    rows = {
        key: [
            *(_mean(row["points"]) for row in each["probation"]),
            _mean(each["probation"][-1]["established_points"]),
            _games(each["enough"]),
        ]
        for key, each in found.items()
    }
    return trial_table([*_after(found), _("the established"), _("enough")], rows, _("Error in points"))


def places_table(systems: Mapping[str, Any]) -> MeasuresTable:
    """Newcomers' mean distance to their true places, in percent of the table; then that of the established."""
    found = {key: each for key, each in systems.items() if each["probation"]}
    rows = {
        key: [
            *(_mean(row["places"], PERCENT, 1) for row in each["probation"]),
            _mean(each["probation"][-1]["established_places"], PERCENT, 1),
        ]
        for key, each in found.items()
    }
    return trial_table([*_after(found), _("the established")], rows, _("Error in places"))


def gains_table(systems: Mapping[str, Any]) -> MeasuresTable:
    """By how many points the error fell in each ten games up to that number, systems on Elo's scale."""
    found = {
        key: {"probation": [row for row in each["probation"] if "points_gain" in row]} for key, each in systems.items()
    }
    found = {key: each for key, each in found.items() if each["probation"]}
    rows = {key: [_mean(row["points_gain"]) for row in each["probation"]] for key, each in found.items()}
    return trial_table(_after(found), rows, _("Gain of ten games"))


def jump_table(systems: Mapping[str, Any]) -> MeasuresTable:
    """Own games until half and until nine tenths of a jump are in the rating, and how much is in it at the end."""
    rows = {
        key: [
            _games(each["jump"]["half"]),
            _games(each["jump"]["ninety"]),
            decimals(PERCENT * each["jump"]["mean"][-1], 0) if each["jump"]["mean"] else NOTHING,
        ]
        for key, each in systems.items()
    }
    return trial_table(
        [_("half of it"), _("nine tenths"), _("percent of it at the end")], rows, _("A jump of strength")
    )


def farming_table(systems: Mapping[str, Any]) -> MeasuresTable:
    """Points a hundred games, and the same in standard deviations of the table."""
    rows = {key: [*_pairs_of(each["farming"])] for key, each in systems.items()}
    spreads = _("in spreads")
    heads = [_("farmed"), spreads, _("one lets win"), spreads, _("won in turn"), spreads]
    return trial_table(heads, rows, _("Farming"))


def ceiling_table(points: Sequence[Mapping[str, Any]]) -> CurveTable:
    """What Bradley–Terry makes of all games so far."""
    names = {"index": (_("Disorder index"), 1), "tau": (_("Kendall’s tau"), 3), "ordered": (_("Pairs in order"), 3),
             "log_loss": (_("Log-loss"), 4)}  # fmt: skip
    rows = [
        CurveRow(point["games"], [_told(point.get(name), places) for name, (_words, places) in names.items()])
        for point in points
    ]
    return curve_table([str(words) for words, _places in names.values()], rows)


def _pairs_of(farming: Mapping[str, Any]) -> Sequence[Cell]:
    return [
        cell
        for name in ("farmed", "pumped", "swapped")
        for cell in (_told(farming.get(name), 0), _mean(farming.get(f"{name}_spreads"), 1.0, 2))
    ]


def _after(found: Mapping[str, Any]) -> list[str]:
    """A head a number of own games: the number alone, so that all columns are seen at once."""
    rows = next(iter(found.values()))["probation"] if found else []
    return [decimals(row["own_games"], 0) for row in rows]


def _told(figures: Mapping[str, float] | None, places: int) -> Cell:
    """Mean ± deviation. What rounds to nothing has no sign."""
    spread = spread_of(figures)
    return NOTHING if spread is None else spread_words(Spread(round(spread.mean, places) + 0.0, spread.sd), places)


def _mean(figures: Mapping[str, float] | None, unit: float = 1.0, places: int = 0) -> str:
    if figures is None:
        return NOTHING
    value = round(unit * figures["mean"], places) + 0.0
    return (MINUS if value < 0.0 else "") + decimals(abs(value), places)


def _games(count: int | None) -> str:
    return str(_("not reached")) if count is None else decimals(count, 0)
