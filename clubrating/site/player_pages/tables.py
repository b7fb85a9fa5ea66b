"""Lists of the rating pages."""

from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubrating.ground.figures import points_text, round_half_away, signed
from clubrating.site.player_pages.careers import EventLine
from clubrating.web.formatting import css, short_day
from players.models import Player
from players.people.markup import player_link
from players.privacy.rules import Viewer
from ratings.lists.markup import rating_in_text
from ratings.models import LedgerEntry, RatingList
from tournaments.templatetags.events import wrong_link


class GameTable(tables.Table):
    """A player's rated games, latest first: whom he met, with what result, and what it changed."""

    on = tables.Column(verbose_name=_("Date"), accessor="game__played_on", attrs=css("nowrap second"))
    opponent = tables.Column(verbose_name=_("Opponent"), empty_values=())
    result = tables.Column(verbose_name=_("Result"), empty_values=(), attrs=css("mid"))
    change = tables.Column(verbose_name=_("Change"), empty_values=(), attrs=css("num change"))
    after = tables.Column(verbose_name=_("Rating"), empty_values=(), attrs=css("num second"))
    event = tables.Column(verbose_name=_("Event"), accessor="game__tournament", attrs=css("third"))

    class Meta:
        orderable = False
        empty_text = _("No rated game yet.")

    def __init__(self, *args: Any, player: Player, rating_list: RatingList, viewer: Viewer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player, self.rating_list, self.viewer = player, rating_list, viewer
        self.provisional_games = rating_list.provisional_games

    def _is_white(self, row: LedgerEntry) -> bool:
        return row.game.white_id == self.player.pk

    def _own(self, row: LedgerEntry, name: str) -> Any:
        """The player's side of a ledger column."""
        return getattr(row, f"{'white' if self._is_white(row) else 'black'}_{name}")

    def _other(self, row: LedgerEntry, name: str) -> Any:
        """The opponent's side of it."""
        return getattr(row, f"{'black' if self._is_white(row) else 'white'}_{name}")

    def render_on(self, value: Any) -> str:
        return short_day(value)

    def render_opponent(self, record: LedgerEntry) -> SafeString:
        white = self._is_white(record)
        opponent = record.game.black if white else record.game.white
        provisional = self._other(record, "games") < self.provisional_games
        figure = rating_in_text(self._other(record, "before"), provisional=provisional)
        side = format_html(
            '<span class="side{}"></span><span class="hidden">{}, </span>',
            "" if white else " black",
            _("White") if white else _("Black"),
        )
        sub = format_html(
            '<span class="sub">{} · {}</span>', short_day(record.game.played_on), record.game.tournament.name
        )
        return format_html("{}{} {}{}", side, player_link(opponent, self.viewer), figure, sub)

    def render_result(self, record: LedgerEntry) -> SafeString:
        score = record.score if self._is_white(record) else 1.0 - record.score
        kind, text = {1.0: ("won", "1"), 0.5: ("drawn", "½"), 0.0: ("lost", "0")}[score]
        box = format_html('<span class="result"><span class="{}">{}</span></span>', kind, text)
        game = record.game
        return format_html("{} {}", box, wrong_link(game.tournament.slug, game.pk, game.result))

    def render_change(self, record: LedgerEntry) -> SafeString:
        """The change, linked to its explanation; a game that has none of its own leads there too."""
        change = self._own(record, "change")
        why = reverse("ratings:why", args=[self.rating_list.slug, record.game_id, self.player.number])
        hint = _("why?")
        return format_html(
            '<a href="{}">{}<span class="hidden">, {}</span></a>', why, "–" if change is None else signed(change), hint
        )

    def render_after(self, record: LedgerEntry) -> SafeString | str:
        if self._own(record, "after") is None:
            return "–"
        after = round_half_away(self._own(record, "after"))
        if self._own(record, "games") + 1 >= self.provisional_games:
            return format_html("{}", after)
        return format_html(
            '<span class="provisional"><span class="rating">{}</span><span class="mark">?</span></span>', after
        )

    def render_event(self, record: LedgerEntry) -> SafeString:
        event = record.game.tournament
        return format_html('<a class="name" href="{}">{}</a>', event.get_absolute_url(), event.name)


class CareerEventsTable(tables.Table):
    """A player's events in one list, the latest first: score, performance by both methods, and what the event did to
    the rating."""

    name = tables.Column(verbose_name=_("Event"))
    score = tables.Column(verbose_name=_("Score"), empty_values=(), attrs=css("num nowrap"))
    by_400 = tables.Column(verbose_name=_("Performance by 400"), empty_values=(), attrs=css("num second"))
    by_fide = tables.Column(verbose_name=_("Performance, FIDE"), empty_values=(), attrs=css("num second"))
    change = tables.Column(verbose_name=_("Change"), empty_values=(), attrs=css("num change"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}

    def render_name(self, record: EventLine) -> SafeString:
        link = format_html(
            '<a class="name" href="{}">{}</a>', reverse("tournaments:tournament", args=[record.slug]), record.name
        )
        if "by_400" in self.exclude or record.by_400 is None:
            return link
        performances = {"first": self.render_by_400(record.by_400), "second": self.render_by_fide(record.by_fide)}
        words = _("performance %(first)s by 400, %(second)s by FIDE’s table") % performances
        return format_html('{}<span class="sub">{}</span>', link, words)

    def render_by_400(self, value: float | None) -> str:
        return "–" if value is None else str(round_half_away(value))

    def render_by_fide(self, value: int | None) -> str:
        return "–" if value is None else str(value)

    def render_score(self, record: EventLine) -> str:
        return f"{points_text(record.tally.half_points)} / {record.tally.games}"

    def render_change(self, value: float | None) -> str:
        return "–" if value is None else signed(value)
