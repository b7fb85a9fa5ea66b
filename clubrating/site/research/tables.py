"""Tables of the back-test's page and of the committee's proposals."""

from collections.abc import Mapping
from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubrating.ground.figures import MINUS, round_half_away, signed_tenths
from clubrating.site.research.backtested import BETTER, SAME, VERDICTS, WORSE, Tried, system_name
from clubrating.site.research.proposed import MoverRow
from clubrating.web.formatting import css, decimals, written
from players.people.markup import player_link, table_viewer
from ratings.lists.markup import probation_chip
from ratings.lists.selectors.probation import standing_at
from ratings.models import RatingList
from ratings.systems.probation import Record

# A mark beside the word, so that nothing depends on colour alone.
MARKS = {BETTER: "▲", WORSE: "▼", SAME: "="}
KINDS = {BETTER: "good", WORSE: "bad"}


class SystemsTable(tables.Table):
    """The systems of a back-test, best first, each beside the club's rules."""

    wide = _("How well each system predicts")
    name = tables.Column(verbose_name=_("System"), accessor="key", attrs=css("who"))
    log_loss = tables.Column(verbose_name=_("Log-loss"), attrs=css("num"))
    brier = tables.Column(verbose_name=_("Brier score"), attrs=css("num", "second"))
    mean = tables.Column(verbose_name=_("Against the club’s rules"), attrs=css("num", "second"))
    verdict = tables.Column(verbose_name=_("What that says"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}

    def render_name(self, value: str, record: Tried) -> SafeString | str:
        """The name, and under it on narrow screens what stands in a column on wide ones."""
        if record.is_own:
            return format_html('{} <span class="badge good">{}</span>', system_name(value), _("used here"))
        return format_html('{}<span class="sub">{}</span>', system_name(value), difference_text(record))

    def render_log_loss(self, value: float) -> str:
        return decimals(value, 4)

    render_brier = render_log_loss

    def render_mean(self, record: Tried) -> SafeString | str:
        """+0.0301 +0.0114 … +0.0500."""
        if record.is_own:
            return "–"
        mean, interval = _signed(record.mean), _interval(record)
        return format_html('{} <span class="alt nowrap">{}</span>', mean, interval) if interval else mean

    def render_verdict(self, record: Tried) -> SafeString | str:
        return "–" if record.is_own else verdict_words(record)


def difference_text(each: Tried) -> str:
    """+0.0301 (+0.0114 … +0.0500)."""
    mean, interval = _signed(each.mean), _interval(each)
    return f"{mean} ({interval})" if interval else mean


def _interval(each: Tried) -> str:
    return "" if each.low is None or each.high is None else f"{_signed(each.low)} … {_signed(each.high)}"


def verdict_words(each: Tried) -> SafeString:
    """The verdict as a mark and a word."""
    kind, mark = KINDS.get(each.verdict, ""), MARKS.get(each.verdict, "–")
    markup = '<span class="badge {}"><span aria-hidden="true">{}</span> {}</span>'
    return format_html(markup, kind, mark, VERDICTS[each.verdict])


def _signed(value: float) -> str:
    sign = "" if not round(abs(value), 4) else MINUS if value < 0 else "+"
    return f"{sign}{decimals(abs(value), 4)}"


class MoversTable(tables.Table):
    """Who would stand otherwise, the biggest movers first."""

    wide = _("Who moves")
    player = tables.Column(verbose_name=_("Player"))
    now = tables.Column(verbose_name=_("Now"), attrs=css("num rating"))
    then = tables.Column(verbose_name=_("Then"), attrs=css("num rating"))
    change = tables.Column(verbose_name=_("Change"), attrs=css("num"))
    places = tables.Column(verbose_name=_("Place"), empty_values=(), attrs=css("num"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}
        empty_text = _("Nobody would stand otherwise.")

    def __init__(self, *args: Any, rating_list: RatingList, **kwargs: Any) -> None:
        self.rating_list = rating_list
        kwargs["row_attrs"] = {"class": lambda record: "provisional" if self.is_provisional(record) else ""}
        super().__init__(*args, **kwargs)

    def is_provisional(self, record: MoverRow) -> bool:
        return self.rating_list.probation.holds(_known(record))

    def render_player(self, record: MoverRow) -> SafeString:
        name = player_link(record.player, table_viewer(self))
        if not self.is_provisional(record):
            return name
        here = standing_at(self.rating_list, _known(record))
        return format_html("{} {}", name, probation_chip(here.done, here.of, told=here.by_evidence))

    def render_now(self, record: MoverRow) -> int:
        return round_half_away(record.now["rating"])

    def render_then(self, record: MoverRow) -> int:
        return round_half_away(record.then["rating"])

    def render_change(self, value: float) -> str:
        return written(signed_tenths(value))

    def render_places(self, record: MoverRow) -> str:
        now, then = record.now["place"], record.then["place"]
        return f"{now or '–'} → {then or '–'}" if now != then else str(now or "–")


def _known(record: MoverRow) -> Record:
    now = record.now
    return Record(now["games"], now["reentry"], now.get("deviation"))  # earlier answers have none


class WorthsTable(tables.Table):
    """What a game is worth under the present rules and the proposed one."""

    name = tables.Column(verbose_name="", attrs=css("who"))
    now = tables.Column(verbose_name=_("The present rules"), attrs=css("num"))
    then = tables.Column(verbose_name=_("The proposed rule"), attrs=css("num"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}


def worths_table(values: Mapping[str, Mapping[str, float | None]]) -> WorthsTable:
    """`values`: K (mean, lowest, highest) and points a game moves a rating by, under "now" and "then"; None where a
    system knows no K, or nothing was rated."""
    lines = {"k": _("K, on average"), "low": _("lowest K"), "high": _("highest K"), "move": _("points a game moves")}
    return WorthsTable(
        [
            {"name": words, **{side: decimals(values[side][key], 1) for side in ("now", "then")}}
            for key, words in lines.items()
        ]
    )
