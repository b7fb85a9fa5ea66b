"""Tables of the calculators: one game, an event, performances, and lists of gaps and expected scores."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
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


def _change(value: float | None) -> str:
    return "–" if value is None else written(signed_tenths(value))


def _k(value: float | None) -> str:
    return "–" if value is None else decimals(value, 0 if value == int(value) else 1)


def _both(outcome: Any) -> SafeString | str:
    """The changes of both; where there is room, the ratings after them."""
    if outcome is None or outcome.own.change is None:
        return "–"
    both = outcome.own, outcome.other
    own, other = (_dashed(side.change) for side in both)
    after = " : ".join(_rounded(side.after) for side in both)
    changes = format_html('{}<span class="second"> : </span><span class="alt">{}</span>', own, other)
    return format_html('{}<br class="second"><small class="second">{}</small>', changes, after)


class _Compact(tables.Table):
    def __init__(self, data: Sequence[Any]) -> None:
        super().__init__(data, orderable=False, attrs={"class": "compact"})


class _Figure(tables.Column):
    """A figure as `words` writes it, a missing one too."""

    def __init__(self, name: Promise, words: Callable[[Any], Any], accessor: Any = None, look: str = "num") -> None:
        super().__init__(verbose_name=name, accessor=accessor, empty_values=(), attrs=css(look))
        self.words = words

    def render(self, value: Any) -> Any:
        return self.words(value)


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
    expected = _Figure(_("Expected"), partial(decimals, places=3))
    win = _Figure(_("Win"), _both, "outcomes__0")
    draw = _Figure(_("Draw"), _both, "outcomes__1")
    loss = _Figure(_("Loss"), _both, "outcomes__2")

    def says(self, record: Any) -> str | Promise:
        if record.highest is not None:
            return _now("counts from 0 to %(highest)s") % {"highest": record.highest}
        return _("a scale of its own") if record.own_scale else ""


class EventWaysTable(_SameQuestion):
    """What a whole event brings in every system."""

    tool = "tools:event"

    name = tables.Column(verbose_name=_("System"), accessor="words")
    expected = _Figure(_("Expected"), partial(decimals, places=2), "outcome__expected")
    change = _Figure(_("Change"), _change, "outcome__change", "num change")
    after = _Figure(_("New rating"), _rounded, "outcome__after", "num rating")

    def says(self, record: Any) -> str | Promise:
        if record.outcome is None:
            return _("tells nothing of this")
        if record.own_scale:
            return _("a scale of its own")
        return _("once, after the event") if record.by_event else ""


class EventGamesTable(_Compact):
    """The games of an event as one system rates them."""

    number = tables.Column(verbose_name=_("Game"), attrs=css("num"))
    opponent = _Figure(_("Opponent"), _rounded)
    score = _Figure(_("Result"), lambda score: points_text(round(2 * score)))
    expected = _Figure(_("Expected"), partial(decimals, places=3), "side__expected")
    k = _Figure(_("K"), _k, "side__k", "num second")
    change = _Figure(_("Change"), _change, "side__change", "num change")
    after = _Figure(_("to"), _rounded, "side__after", "num rating second")


class MethodsTable(tables.Table):
    """The performances of one set of results."""

    name = tables.Column(verbose_name=_("Method"), accessor="words")
    performance = _Figure(_("Performance"), _rounded, look="num rating")

    class Meta:
        orderable = False

    def render_name(self, record: Any) -> SafeString:
        return format_html('{}<span class="sub always">{}</span>', record.words, record.how)


class ExpectedTable(_Compact):
    """What somebody of a given rating was expected to score in those games."""

    name = tables.Column(verbose_name=_("By"), accessor="words")
    expected = _Figure(_("Expected"), partial(decimals, places=2))
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
    expected = _Figure(_("Expected"), partial(decimals, places=3))
    other = _Figure(_("Opponent"), lambda expected: decimals(1 - expected, 3), "expected")


class LawsOfScoreTable(_Compact):
    """The gap that every law knows for one score."""

    name = tables.Column(verbose_name=_("By"), accessor="words")
    gaps = _Figure(_("Gap"), gap_words)


class AnchorsTable(_Compact):
    """Round gaps, to be remembered."""

    gap = tables.Column(verbose_name=_("Gap"), attrs=css("num"))
    fide = _Figure(_("FIDE"), partial(decimals, places=2))
    xiangqi = _Figure(_("Xiangqi"), partial(decimals, places=2))
    logistic = _Figure(_("Logistic"), partial(decimals, places=3))

    class Meta:
        row_attrs = {"class": lambda record: "differs" if record["fide"] != record["xiangqi"] else None}


class BandsTable(_Compact):
    """Table 8.1.2: gap → score of the higher rated and of the lower, with the curve at both ends of each step."""

    gap = tables.Column(verbose_name=_("Gap"), accessor="low", attrs=css("num"))
    higher = _Figure(_("Higher"), lambda percent: decimals(percent / 100, 2), "percent")
    lower = _Figure(_("Lower"), lambda percent: decimals(1 - percent / 100, 2), "percent")
    curve = tables.Column(verbose_name=_("Logistic"), attrs=css("num"))

    def render_gap(self, record: Any) -> str:
        if record.high is None:
            return _now("above %(gap)s") % {"gap": record.low - 1}
        words = f"{record.low}–{record.high}"
        return f"{words}*" if record.xiangqi else words

    def render_curve(self, value: tuple[float, float | None]) -> str:
        low, high = value
        return decimals(low, 3) + ("" if high is None else f"–{decimals(high, 3)}")


class DifferencesTable(_Compact):
    """Table 8.1.1: score → gap, with the curve's."""

    percent = _Figure(_("Score"), lambda percent: decimals(percent / 100, 2))
    difference = tables.Column(verbose_name=_("Gap"), attrs=css("num"))
    curve = tables.Column(verbose_name=_("Logistic"), empty_values=(), attrs=css("num"))

    def render_curve(self, value: float | None) -> str:
        return _now("without end") if value is None else f"{value:.0f}"
