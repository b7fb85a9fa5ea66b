"""Lists of the page that explains a change: both players of the game, and what other results would have done."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from clubrating.ground.marks import joined
from clubrating.web.formatting import css, short_day
from players.models import Player
from players.people.markup import player_link
from players.privacy.rules import Viewer
from players.refusals import listed, sign
from ratings.explain.base import Outcome, decimal, plain
from ratings.lists.markup import change_figure, figure_of, probation_chip
from ratings.lists.selectors.probation import Standing, standing_at
from ratings.models import RatingList
from ratings.systems.base import Side


@dataclass(frozen=True, slots=True)
class SideRow:
    """One player of the game, as the ledger has him; `own`: whose change is explained; `open`: whether the viewer may
    see what the game did to him."""

    player: Player
    side: Side
    score: float
    is_white: bool
    own: bool
    open: bool = True


class SidesTable(tables.Table):
    """White and Black before the game, and what it did to them."""

    player = tables.Column(verbose_name=_("Player"))
    before = tables.Column(verbose_name=_("Before"), accessor="side__before", attrs=css("num rating"))
    result = tables.Column(verbose_name=_("Result"), accessor="score", attrs=css("mid"))
    k = tables.Column(verbose_name="K", accessor="side__k", empty_values=(), attrs=css("num second"))
    expected = tables.Column(verbose_name=_("Expected"), accessor="side__expected", attrs=css("num second"))
    change = tables.Column(verbose_name=_("Change"), accessor="side__change", empty_values=(), attrs=css("num change"))

    class Meta:
        default = "–"
        orderable = False
        row_attrs = {
            "class": lambda record, table: "provisional" if table.standing(record).provisional else None,
            "aria-current": lambda record: "true" if record.own else None,
        }

    def __init__(self, *args: Any, rating_list: RatingList, viewer: Viewer, digits: int = 0, **kwargs: Any) -> None:
        """`digits`: decimals of ratings and changes."""
        super().__init__(*args, **kwargs)
        self.rating_list, self.viewer, self.digits = rating_list, viewer, digits

    def standing(self, record: SideRow) -> Standing:
        return standing_at(self.rating_list, record.side)

    def render_player(self, record: SideRow) -> SafeString:
        here = self.standing(record)
        colour = ("", _("White")) if record.is_white else (" black", _("Black"))
        side = format_html('<span class="side{}"></span><span class="hidden">{}{}</span>', *colour, sign(", "))
        parts = [player_link(record.player, self.viewer)]
        if here.provisional:
            parts.append(probation_chip(here.done, here.of, told=here.by_evidence))
        return format_html('{}{}<span class="sub">{}</span>', side, mark_safe(" ".join(parts)), self._sub(record))

    def _sub(self, record: SideRow) -> str:
        """What stands under the name where columns have left: the change itself stays in sight on a phone."""
        said = [f"K {plain(record.side.k)}"] if record.open and record.side.k else []
        if record.side.expected is not None:
            said.append(_("expected %(score)s") % {"score": decimal(record.side.expected)})
        return " · ".join(said)

    def render_before(self, record: SideRow, value: float) -> SafeString:
        mark = "?" if self.standing(record).provisional else ""
        return format_html('{}<span class="mark" aria-hidden="true">{}</span>', figure_of(value, self.digits), mark)

    def render_result(self, value: float) -> SafeString:
        kind, text = {1.0: ("won", "1"), 0.5: ("drawn", "½"), 0.0: ("lost", "0")}[value]
        return format_html('<span class="result"><span class="{}">{}</span></span>', kind, text)

    def render_k(self, record: SideRow) -> str:
        return plain(record.side.k) if record.open and record.side.k is not None else "–"

    def render_expected(self, value: float) -> str:
        return decimal(value)

    def render_change(self, record: SideRow) -> str:
        change = record.side.change if record.open else None
        return "–" if change is None else change_figure(change, self.digits)


class OutcomeTable(tables.Table):
    """What each result would have done to the player."""

    score = tables.Column(verbose_name=_("Result"))
    change = tables.Column(verbose_name=_("Change"), attrs=css("num change"))
    after = tables.Column(verbose_name=_("Rating"), attrs=css("num rating"))

    class Meta:
        default = "–"
        orderable = False
        attrs = {"class": "compact"}
        row_attrs = {"aria-current": lambda record, table: "true" if record.score == table.happened else None}

    def __init__(self, data: Collection[Outcome], *, score: float, digits: int = 0) -> None:
        super().__init__(data)
        self.happened, self.digits = score, digits

    def render_score(self, value: float) -> str:
        return str({1.0: _("Win"), 0.5: _("Draw"), 0.0: _("Loss")}[value])

    def render_change(self, value: float) -> str:
        return change_figure(value, self.digits)

    def render_after(self, value: float) -> str:
        return figure_of(value, self.digits)


class RuleTable(tables.Table):
    """A list's dated rules: from which day, which system, with which settings."""

    since = tables.Column(verbose_name=_("From"), empty_values=(), attrs=css("nowrap"))
    name = tables.Column(verbose_name=_("System"), accessor="rule__system__name")
    words = tables.Column(verbose_name=_("Settings"), attrs=css("second"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}
        row_attrs = {"aria-current": lambda record: "true" if record.in_force else None}

    def render_since(self, value: Any) -> str:
        return short_day(value) if value else str(_("the beginning"))

    def render_words(self, value: list[str]) -> str:
        return joined(*value)

    def render_name(self, record: Any, value: str) -> SafeString:
        start = getattr(record.rule.settings, "start", None)
        said = [_("start %(start)s") % {"start": plain(start)}] if start is not None else []
        said += [str(_("in force"))] if record.in_force else []
        return format_html('{}<span class="sub always">{}</span>', value, listed(said))
