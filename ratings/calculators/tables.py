"""Tables of the calculators: one game, an event, performances, and lists of gaps and expected scores."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any
from urllib.parse import urlencode

import django_tables2 as tables
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from clubrating.ground.figures import MINUS, points_text, round_half_away, signed, signed_tenths
from clubrating.web.formatting import css, decimals, written
from ratings.systems.gaps import Gaps


# --- games, events, performances -------------------------------------------------------------------------------------
def _dashed(value: float | None) -> str:
    return "–" if value is None else signed(value)


def _rounded(value: float | None) -> str:
    return "–" if value is None else str(round_half_away(value))


class _Compact(tables.Table):
    def __init__(self, data: Sequence[Any]) -> None:
        super().__init__(data, orderable=False, attrs={"class": "compact"})


class _Decimals(tables.Column):
    """A figure with so many decimals."""

    def __init__(self, places: int, **options: Any) -> None:
        super().__init__(attrs=css("num"), **options)
        self.places = places

    def render(self, value: float | None) -> str:
        return decimals(value, self.places)


class _SameQuestion(tables.Table):
    """A row for each system, whose name leads to the same question asked of that system."""

    tool = ""

    def __init__(self, data: Sequence[Any], *, asked: Mapping[str, Any], chosen: str) -> None:
        super().__init__(data, orderable=False, row_attrs={"aria-current": _is_chosen})
        self.chosen = chosen
        self.asked = {name: value for name, value in asked.items() if str(value).strip() and name != "system"}

    def render_name(self, record: Any) -> SafeString:
        query = urlencode({**self.asked, "system": record.key})
        link = format_html('<a class="name" href="{}?{}">{}</a>', reverse(self.tool), query, record.words)
        says = self.says(record)
        return format_html('{}<span class="sub always">{}</span>', link, says) if says else link

    def says(self, record: Any) -> str | Promise:
        """What stands under the name."""
        return ""


def _is_chosen(record: Any, table: Any) -> str | None:
    return "true" if record.key == table.chosen else None


class WaysTable(_SameQuestion):
    """The same game under every system: what each result changes for both, and the ratings after it."""

    tool = "tools:elo"

    name = tables.Column(verbose_name=_("System"), accessor="words")
    expected = _Decimals(3, verbose_name=_("Expected"), empty_values=())
    win = tables.Column(verbose_name=_("Win"), empty_values=(), accessor="words", attrs=css("num"))
    draw = tables.Column(verbose_name=_("Draw"), empty_values=(), accessor="words", attrs=css("num"))
    loss = tables.Column(verbose_name=_("Loss"), empty_values=(), accessor="words", attrs=css("num"))

    def says(self, record: Any) -> str | Promise:
        if record.highest is not None:
            return _now("counts from 0 to %(highest)s") % {"highest": record.highest}
        return _("a scale of its own") if record.own_scale else ""

    def render_win(self, record: Any) -> SafeString | str:
        return self._both(record.outcome(1.0))

    def render_draw(self, record: Any) -> SafeString | str:
        return self._both(record.outcome(0.5))

    def render_loss(self, record: Any) -> SafeString | str:
        return self._both(record.outcome(0.0))

    def _both(self, outcome: Any) -> SafeString | str:
        """The changes of both; where there is room, the ratings after them."""
        if outcome is None or outcome.own.change is None:
            return "–"
        both = outcome.own, outcome.other
        own, other = (_dashed(half.change) for half in both)
        after = " : ".join(_rounded(half.after) for half in both)
        changes = format_html('{}<span class="second"> : </span><span class="alt">{}</span>', own, other)
        return format_html('{}<br class="second"><small class="second">{}</small>', changes, after)


class EventWaysTable(_SameQuestion):
    """What a whole event brings in every system."""

    tool = "tools:event"

    name = tables.Column(verbose_name=_("System"), accessor="words")
    expected = tables.Column(verbose_name=_("Expected"), empty_values=(), accessor="outcome", attrs=css("num"))
    change = tables.Column(verbose_name=_("Change"), empty_values=(), accessor="outcome", attrs=css("num change"))
    after = tables.Column(verbose_name=_("New rating"), empty_values=(), accessor="outcome", attrs=css("num rating"))

    def says(self, record: Any) -> str | Promise:
        if record.outcome is None:
            return _("tells nothing of this")
        if record.own_scale:
            return _("a scale of its own")
        return _("once, after the event") if record.by_event else ""

    def render_expected(self, value: Any) -> str:
        return decimals(value and value.expected, 2)

    def render_change(self, value: Any) -> str:
        change = value and value.change
        return "–" if change is None else written(signed_tenths(change))

    def render_after(self, value: Any) -> str:
        return _rounded(value and value.after)


class EventGamesTable(_Compact):
    """The games of an event as one system rates them."""

    number = tables.Column(verbose_name=_("Game"), attrs=css("num"))
    opponent = tables.Column(verbose_name=_("Opponent"), attrs=css("num"))
    score = tables.Column(verbose_name=_("Result"), attrs=css("num"))
    expected = tables.Column(verbose_name=_("Expected"), empty_values=(), accessor="side", attrs=css("num"))
    k = tables.Column(verbose_name=_("K"), empty_values=(), accessor="side", attrs=css("num second"))
    change = tables.Column(verbose_name=_("Change"), empty_values=(), accessor="side", attrs=css("num change"))
    after = tables.Column(verbose_name=_("to"), empty_values=(), accessor="side", attrs=css("num rating second"))

    def render_opponent(self, value: float) -> str:
        return _rounded(value)

    def render_score(self, value: float) -> str:
        return points_text(round(2 * value))

    def render_expected(self, value: Any) -> str:
        return decimals(value and value.expected, 3)

    def render_k(self, value: Any) -> str:
        k = value and value.k
        return "–" if k is None else decimals(k, 0 if k == int(k) else 1)

    def render_change(self, value: Any) -> str:
        return "–" if value is None or value.change is None else written(signed_tenths(value.change))

    def render_after(self, value: Any) -> str:
        return _rounded(value and value.after)


class MethodsTable(tables.Table):
    """The performances of one set of results."""

    name = tables.Column(verbose_name=_("Method"), accessor="words")
    performance = tables.Column(verbose_name=_("Performance"), empty_values=(), attrs=css("num rating"))

    class Meta:
        orderable = False

    def render_name(self, record: Any) -> SafeString:
        return format_html('{}<span class="sub always">{}</span>', record.words, record.how)

    def render_performance(self, value: float | None) -> str:
        return _rounded(value)


class ExpectedTable(_Compact):
    """What somebody of a given rating was expected to score in those games."""

    name = tables.Column(verbose_name=_("By"), accessor="words")
    expected = _Decimals(2, verbose_name=_("Expected"))
    difference = tables.Column(verbose_name=_("Scored more"), attrs=css("num"))

    def render_difference(self, value: float) -> str:
        figure = decimals(abs(value), 2)
        return f"−{figure}" if value < 0 else f"+{figure}"


# --- gaps and expected scores ----------------------------------------------------------------------------------------
def gap_words(gaps: Gaps | None) -> str:
    """A gap, or from where to where: 193; 189 to 197; from 736 on."""
    if gaps is None:
        return "–"
    low, high = gaps
    if low == high:
        return _now("without end") if low in (inf, -inf) else _whole(low)
    if high == inf:
        return _now("from %(gap)s on") % {"gap": _whole(low)}
    if low == -inf:
        return _now("up to %(gap)s") % {"gap": _whole(high)}
    return _now("%(low)s to %(high)s") % {"low": _whole(low), "high": _whole(high)}


def _whole(gap: float) -> str:
    return f"{gap:.0f}".replace("-", MINUS) if round(gap) else "0"


class LawsOfGapTable(_Compact):
    """What every law expects at one gap, and of the other side."""

    name = tables.Column(verbose_name=_("By"), accessor="words")
    expected = _Decimals(3, verbose_name=_("Expected"))
    other = tables.Column(verbose_name=_("Opponent"), accessor="expected", attrs=css("num"))

    def render_other(self, value: float) -> str:
        return decimals(1 - value, 3)


class LawsOfScoreTable(_Compact):
    """The gap that every law knows for one score."""

    name = tables.Column(verbose_name=_("By"), accessor="words")
    gaps = tables.Column(verbose_name=_("Gap"), empty_values=(), attrs=css("num"))

    def render_gaps(self, value: Gaps | None) -> str:
        return gap_words(value)


class AnchorsTable(_Compact):
    """Round gaps, to be remembered."""

    gap = tables.Column(verbose_name=_("Gap"), attrs=css("num"))
    fide = _Decimals(2, verbose_name=_("FIDE"))
    xiangqi = _Decimals(2, verbose_name=_("Xiangqi"))
    logistic = _Decimals(3, verbose_name=_("Logistic"))

    class Meta:
        row_attrs = {"class": lambda record: "differs" if record["fide"] != record["xiangqi"] else None}


class BandsTable(_Compact):
    """Table 8.1.2: gap → score of the higher rated and of the lower, with the curve at both ends of each step."""

    gap = tables.Column(verbose_name=_("Gap"), accessor="low", attrs=css("num"))
    higher = tables.Column(verbose_name=_("Higher"), accessor="percent", attrs=css("num"))
    lower = tables.Column(verbose_name=_("Lower"), accessor="percent", attrs=css("num"))
    curve = tables.Column(verbose_name=_("Logistic"), attrs=css("num"))

    def render_gap(self, record: Any) -> str:
        if record.high is None:
            return _now("above %(gap)s") % {"gap": record.low - 1}
        words = f"{record.low}–{record.high}"
        return f"{words}*" if record.xiangqi else words

    def render_higher(self, value: int) -> str:
        return decimals(value / 100, 2)

    def render_lower(self, value: int) -> str:
        return decimals(1 - value / 100, 2)

    def render_curve(self, value: tuple[float, float | None]) -> str:
        low, high = value
        return decimals(low, 3) + ("" if high is None else f"–{decimals(high, 3)}")


class DifferencesTable(_Compact):
    """Table 8.1.1: score → gap, with the curve's."""

    percent = tables.Column(verbose_name=_("Score"), attrs=css("num"))
    difference = tables.Column(verbose_name=_("Gap"), attrs=css("num"))
    curve = tables.Column(verbose_name=_("Logistic"), empty_values=(), attrs=css("num"))

    def render_percent(self, value: int) -> str:
        return decimals(value / 100, 2)

    def render_curve(self, value: float | None) -> str:
        return _now("without end") if value is None else f"{value:.0f}"
