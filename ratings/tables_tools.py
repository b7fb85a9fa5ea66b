"""Lists of the calculators."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubrating.columns import css
from clubrating.figures import round_half_away, signed


def _dashed(value: float | None) -> str:
    return "–" if value is None else signed(value)


class WaysTable(tables.Table):
    """The same game under every system whose points mean what Elo's mean."""

    name = tables.Column(verbose_name=_("System"), accessor="words")
    expected = tables.Column(verbose_name=_("Expected"), empty_values=(), attrs=css("num"))
    win = tables.Column(verbose_name=_("Win"), empty_values=(), accessor="words", attrs=css("num"))
    draw = tables.Column(verbose_name=_("Draw"), empty_values=(), accessor="words", attrs=css("num"))
    loss = tables.Column(verbose_name=_("Loss"), empty_values=(), accessor="words", attrs=css("num"))

    class Meta:
        orderable = False
        row_attrs = {"aria-current": lambda record, table: "true" if record.key == table.chosen else None}

    def __init__(self, data: Sequence[Any], *, asked: dict[str, Any], chosen: str) -> None:
        super().__init__(data)
        self.asked, self.chosen = asked, chosen

    def render_name(self, record: Any) -> SafeString:
        query = urlencode({**{name: f"{value:g}" for name, value in self.asked.items()}, "system": record.key})
        return format_html('<a class="name" href="{}?{}">{}</a>', reverse("tools:elo"), query, record.words)

    def render_expected(self, value: float | None) -> str:
        return "–" if value is None else f"{value:.3f}"

    def render_win(self, record: Any) -> str:
        return _dashed(record.change(1.0))

    def render_draw(self, record: Any) -> str:
        return _dashed(record.change(0.5))

    def render_loss(self, record: Any) -> str:
        return _dashed(record.change(0.0))


class MethodsTable(tables.Table):
    """Both performances of one set of results."""

    name = tables.Column(verbose_name=_("Method"), accessor="words")
    performance = tables.Column(verbose_name=_("Performance"), attrs=css("num rating"))

    class Meta:
        orderable = False

    def render_name(self, record: Any) -> SafeString:
        return format_html('{}<span class="sub always">{}</span>', record.words, record.how)

    def render_performance(self, value: float) -> str:
        return str(round_half_away(value))


class ExpectedTable(tables.Table):
    """What somebody of a given rating was expected to score in those games."""

    name = tables.Column(verbose_name=_("By"), accessor="words")
    expected = tables.Column(verbose_name=_("Expected"), attrs=css("num"))
    difference = tables.Column(verbose_name=_("Scored more"), attrs=css("num"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}

    def render_expected(self, value: float) -> str:
        return f"{value:.2f}"

    def render_difference(self, value: float) -> str:
        return f"{value:+.2f}".replace("-", "−")
