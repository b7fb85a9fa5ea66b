"""Lists of gaps and expected scores."""

from math import inf
from typing import Any

import django_tables2 as tables
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from clubrating.web.formatting_columns import css, decimals
from clubrating.ground.figures import MINUS
from ratings.systems.gaps import Gaps


def hundredths(value: float) -> str:
    """A score as the tables print it: 0.76."""
    return decimals(value, 2)


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


class _Compact(tables.Table):
    class Meta:
        orderable = False
        attrs = {"class": "compact"}


class LawsOfGapTable(_Compact):
    """What every law expects at one gap, and of the other side."""

    name = tables.Column(verbose_name=_("By"), accessor="words")
    expected = tables.Column(verbose_name=_("Expected"), attrs=css("num"))
    other = tables.Column(verbose_name=_("Opponent"), accessor="expected", attrs=css("num"))

    class Meta(_Compact.Meta):
        pass

    def render_expected(self, value: float) -> str:
        return decimals(value, 3)

    def render_other(self, value: float) -> str:
        return decimals(1 - value, 3)


class LawsOfScoreTable(_Compact):
    """The gap that every law knows for one score."""

    name = tables.Column(verbose_name=_("By"), accessor="words")
    gaps = tables.Column(verbose_name=_("Gap"), empty_values=(), attrs=css("num"))

    class Meta(_Compact.Meta):
        pass

    def render_gaps(self, value: Gaps | None) -> str:
        return gap_words(value)


class AnchorsTable(_Compact):
    """Round gaps, to be remembered."""

    gap = tables.Column(verbose_name=_("Gap"), attrs=css("num"))
    fide = tables.Column(verbose_name=_("FIDE"), attrs=css("num"))
    xiangqi = tables.Column(verbose_name=_("Xiangqi"), attrs=css("num"))
    logistic = tables.Column(verbose_name=_("Logistic"), attrs=css("num"))

    class Meta(_Compact.Meta):
        row_attrs = {"class": lambda record: "differs" if record.fide != record.xiangqi else None}

    def render_fide(self, value: float) -> str:
        return hundredths(value)

    def render_xiangqi(self, value: float) -> str:
        return hundredths(value)

    def render_logistic(self, value: float) -> str:
        return decimals(value, 3)


class BandsTable(_Compact):
    """Table 8.1.2: gap → score of the higher rated and of the lower, with the curve at both ends of each step."""

    gap = tables.Column(verbose_name=_("Gap"), accessor="low", attrs=css("num"))
    higher = tables.Column(verbose_name=_("Higher"), accessor="percent", attrs=css("num"))
    lower = tables.Column(verbose_name=_("Lower"), accessor="percent", attrs=css("num"))
    curve = tables.Column(verbose_name=_("Logistic"), attrs=css("num"))

    class Meta(_Compact.Meta):
        pass

    def render_gap(self, record: Any) -> str:
        if record.high is None:
            return _now("above %(gap)s") % {"gap": record.low - 1}
        words = f"{record.low}–{record.high}"
        return f"{words}*" if record.xiangqi else words

    def render_higher(self, value: int) -> str:
        return hundredths(value / 100)

    def render_lower(self, value: int) -> str:
        return hundredths(1 - value / 100)

    def render_curve(self, value: tuple[float, float | None]) -> str:
        low, high = value
        return decimals(low, 3) + ("" if high is None else f"–{decimals(high, 3)}")


class DifferencesTable(_Compact):
    """Table 8.1.1: score → gap, with the curve's."""

    percent = tables.Column(verbose_name=_("Score"), attrs=css("num"))
    difference = tables.Column(verbose_name=_("Gap"), attrs=css("num"))
    curve = tables.Column(verbose_name=_("Logistic"), empty_values=(), attrs=css("num"))

    class Meta(_Compact.Meta):
        pass

    def render_percent(self, value: int) -> str:
        return hundredths(value / 100)

    def render_curve(self, value: float | None) -> str:
        return _now("without end") if value is None else f"{value:.0f}"
