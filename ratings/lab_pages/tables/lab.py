"""Tables of the lab's pages: studies, curves, scenarios and sweeps, and the trials (newcomers, jump, farming, ceiling).

Figures come from the documents; nothing is computed but ratios and formats.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import django_tables2 as tables
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from clubrating.ground.figures import MINUS
from clubrating.web.formatting import css, decimals
from players.refusals import said
from ratings.lab_pages.words import LOOKS, MEASURES, NEWCOMER, system_words

Cell = SafeString | str
NOTHING = "–"

# --- studies, scenarios and sweeps -----------------------------------------------------------------------------------
KEY_LINE = (
    '<svg class="key-line s{0}" viewBox="0 0 32 12" aria-hidden="true"><line class="line s{0}" x2="32" y1="6" y2="6"/>'
    "</svg>"
)


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and standard deviation over replications; None where there is nothing to measure."""

    mean: float
    sd: float


@dataclass(frozen=True, slots=True)
class SystemLine:
    """One system of a study. `cost`: its index on the second range over Elo's."""

    key: str
    first: Spread | None
    second: Spread | None
    cost: float | None
    adopted: bool = False


def spread_of(figures: Mapping[str, float | None] | None) -> Spread | None:
    """A document's figures as a spread; None where it has none."""
    mean, sd = (figures["mean"], figures["sd"]) if figures else (None, None)
    return None if mean is None or sd is None else Spread(mean, sd)


def system_lines(systems: Mapping[str, Any], used: set[str]) -> list[SystemLine]:
    """A study's systems, best first on the second range (on the first where there is no second). `used`: keys of the
    systems the club's lists are rated by."""
    base = spread_of(systems.get("elo", {}).get("index_2"))
    found = [_line(key, figures, base, used) for key, figures in systems.items()]
    return sorted(found, key=lambda line: (line.second or line.first or Spread(0.0, 0.0)).mean)


def _line(key: str, figures: Mapping[str, Any], base: Spread | None, used: set[str]) -> SystemLine:
    first, second = spread_of(figures.get("index_1")), spread_of(figures.get("index_2"))
    cost = second.mean / base.mean if second and base and base.mean else None
    return SystemLine(key, first, second, cost, key in used)


class StudyTable(tables.Table):
    """The systems of a study side by side."""

    line = tables.Column(verbose_name="", accessor="key", orderable=False)
    name = tables.Column(verbose_name=_("System"), accessor="key")
    first = tables.Column(verbose_name=_("to 10,000"), attrs=css("num"))
    second = tables.Column(verbose_name=_("to 100,000"), attrs=css("num"))
    cost = tables.Column(verbose_name=_("against Elo"), attrs=css("num", "second"))

    class Meta:
        orderable = False

    def render_line(self, value: str) -> SafeString | str:
        return format_html(KEY_LINE, LOOKS[value]) if value in LOOKS else ""

    def render_name(self, value: str, record: SystemLine) -> SafeString | str:
        if not record.adopted:
            return system_words(value)
        return format_html('{} <span class="badge good">{}</span>', system_words(value), _("used here"))

    def render_first(self, value: Spread) -> SafeString:
        return spread_words(value)

    render_second = render_first

    def render_cost(self, value: float) -> str:
        return f"× {decimals(value, 2)}"


def spread_words(value: Spread, places: int = 1) -> SafeString:
    """35.8 ± 2.1."""
    return format_html(
        '<b>{}</b> <span class="alt">± {}</span>', decimals(value.mean, places), decimals(value.sd, places)
    )


@dataclass(frozen=True, slots=True)
class CurveRow:
    """One moment of the curves: games so far, a value a curve."""

    games: int
    values: Sequence[str]


class CurveTable(tables.Table):
    """The curves behind a chart as figures."""

    wide = _("Figures of the curves")
    games = tables.Column(verbose_name=_("Games"), attrs=css("num", "who"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}

    def render_games(self, value: int) -> str:
        return number_format(value, force_grouping=True)


def value_columns(heads: Iterable[str | Promise], letter: str) -> list[tuple[str, tables.Column]]:
    """Columns for the rows' `values`, in their order, called by the letter and the number."""
    return [
        (f"{letter}{at}", tables.Column(verbose_name=head, attrs=css("num"), accessor=f"values__{at}"))
        for at, head in enumerate(heads)
    ]


def curve_table(names: Iterable[str], rows: Sequence[CurveRow], across: str | None = None) -> CurveTable:
    """A table with a column a curve; `across` heads the first one, where it does not count games."""
    columns = value_columns(names, "c")
    if across is not None:
        columns.insert(0, ("games", tables.Column(verbose_name=across, attrs=css("num", "who"))))
    return CurveTable(rows, extra_columns=columns)


class MeasuresTable(tables.Table):
    """Systems down, measures across."""

    wide = _("Measures of all systems")
    name = tables.Column(verbose_name=_("System"), accessor="key", attrs=css("who"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}

    def render_name(self, value: str) -> str:
        return system_words(value)


class WorldsTable(MeasuresTable):
    """Worlds in the place of systems."""

    name = tables.Column(verbose_name=_("World"), accessor="key", attrs=css("who"))

    class Meta(MeasuresTable.Meta):
        pass

    def render_name(self, value: str) -> str:
        return said(value)


class LengthsTable(MeasuresTable):
    """Lengths of the probation in the place of systems."""

    wide = _("Newcomers’ errors by length of the probation")
    name = tables.Column(verbose_name=_("Probation"), accessor="key", attrs=css("who"))

    class Meta(MeasuresTable.Meta):
        pass

    def render_name(self, value: str) -> str:
        return ngettext("%(count)s game", "%(count)s games", int(value)) % {"count": value}


def filled(
    kind: type[MeasuresTable], heads: Iterable[str | Promise], rows: Mapping[str, Sequence[Cell]], letter: str = "m"
) -> MeasuresTable:
    """A table with those columns, and the cells of each row by its key."""
    lines = [{"key": key, "values": cells} for key, cells in rows.items()]
    return kind(lines, extra_columns=value_columns(heads, letter))


def measures_table(systems: Mapping[str, Any], measures: Sequence[str]) -> MeasuresTable | None:
    """Mean ± deviation of those of the measures that there are; None where there is none of them."""
    present = [name for name in measures if any(name in figures for figures in systems.values())]
    rows = {
        key: [spread_cell(figures.get(name), places_of(name)) for name in present] for key, figures in systems.items()
    }
    return filled(MeasuresTable, map(measure_name, present), rows) if present else None


def spread_cell(figures: Mapping[str, float] | None, places: int) -> Cell:
    spread = spread_of(figures)
    return NOTHING if spread is None else spread_words(spread, places)


def places_of(name: str) -> int:
    return MEASURES[name].places if name in MEASURES else 0


def measure_name(name: str) -> str:
    if name in MEASURES:
        return str(MEASURES[name].name)
    games = int(name.removeprefix(NEWCOMER))
    return ngettext("after %(games)s game", "after %(games)s games", games) % {"games": games}


def difference_table(differences: Mapping[str, Any], measures: Sequence[str]) -> MeasuresTable:
    """Each system minus the yardstick on the same games: the mean difference and its interval; bold where the interval
    does not contain 0."""
    rows = {
        key: [difference_cell(figures.get(name), places_of(name)) for name in measures]
        for key, figures in differences.items()
    }
    return filled(MeasuresTable, map(measure_name, measures), rows)


def difference_cell(figures: Mapping[str, float | None] | None, places: int) -> Cell:
    return interval_cell(figures, lambda value: _signed(value, places))


def interval_cell(
    figures: Mapping[str, float | None] | None, written: Callable[[float], str], compared: float = 0.0
) -> Cell:
    """Mean and interval; bold where the interval does not contain the number compared with."""
    if figures is None or figures["mean"] is None:
        return NOTHING
    mean = written(figures["mean"])
    low, high = figures["low"], figures["high"]
    if low is None or high is None:
        return mean
    is_clear = low > compared or high < compared
    shown = format_html("<b>{}</b>", mean) if is_clear else mean
    return format_html('{} <span class="alt">{} … {}</span>', shown, written(low), written(high))


def _signed(value: float, places: int) -> str:
    return f"{MINUS if value < 0 else '+'}{decimals(abs(value), places)}"


def best_table(worlds: Mapping[str, Mapping[str, float]], measures: Sequence[str]) -> MeasuresTable:
    """Worlds (by name) down, measures across: the K that is best by each."""
    rows = {
        name: [f"{best[each]:g}" if each in best else NOTHING for each in measures] for name, best in worlds.items()
    }
    return filled(WorldsTable, map(measure_name, measures), rows)


PROBATION = {
    "off": _("coming off it"),
    "after_30": _("after 30 games"),
    "after_50": _("after 50 games"),
    "after_100": _("after 100 games"),
    "paid": _("opponents paid"),
}


def probation_table(document: Mapping[str, Any]) -> MeasuresTable:
    """Lengths down; how far newcomers are off, in points, and what a game with one cost an opponent."""
    rows = {
        length: [spread_cell(figures.get(name), 2 if name == "paid" else 0) for name in PROBATION]
        for length, figures in document["lengths"].items()
    }
    return filled(LengthsTable, PROBATION.values(), rows)


# --- trials ----------------------------------------------------------------------------------------------------------
PERCENT = 100.0


def trial_table(heads: Sequence[str | Promise], rows: Mapping[str, Sequence[Cell]], wide: Any) -> MeasuresTable:
    """Systems down (by key), those columns across. `wide` names the region in which the table scrolls sideways."""
    table = filled(MeasuresTable, heads, rows, "t")
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
    rows = {
        key: [
            cell
            for name in ("farmed", "pumped", "swapped")
            for cell in (
                _trial_text(each["farming"].get(name), 0),
                _mean(each["farming"].get(f"{name}_spreads"), 1.0, 2),
            )
        ]
        for key, each in systems.items()
    }
    spreads = _("in spreads")
    heads = [_("farmed"), spreads, _("one lets win"), spreads, _("won in turn"), spreads]
    return trial_table(heads, rows, _("Farming"))


def ceiling_table(points: Sequence[Mapping[str, Any]]) -> CurveTable:
    """What Bradley–Terry makes of all games so far."""
    names = {"index": (_("Disorder index"), 1), "tau": (_("Kendall’s tau"), 3), "ordered": (_("Pairs in order"), 3),
             "log_loss": (_("Log-loss"), 4)}  # fmt: skip
    rows = [
        CurveRow(point["games"], [_trial_text(point.get(name), places) for name, (_words, places) in names.items()])
        for point in points
    ]
    return curve_table([str(words) for words, places_of in names.values()], rows)


def _after(found: Mapping[str, Any]) -> list[str]:
    """A head a number of own games: the number alone, so that all columns are seen at once."""
    rows = next(iter(found.values()))["probation"] if found else []
    return [decimals(row["own_games"], 0) for row in rows]


def _trial_text(figures: Mapping[str, float] | None, places: int) -> Cell:
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
