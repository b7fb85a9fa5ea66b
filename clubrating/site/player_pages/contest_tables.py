"""A player's contests in one list: the place, with whom, against whom, and what it changed."""

from collections.abc import Sequence
from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubrating.site.player_pages.selectors import OwnContest
from clubrating.web.formatting import css, short_day
from players.models import Player
from players.people.markup import player_link, table_viewer
from players.refusals import sign
from ratings.lists.markup import change_figure, figure_of
from ratings.lists.selectors.listing import listing_of
from ratings.models import RatingList
from tournaments.event_pages.cells import event_link

MOST_NAMED = 4


class ContestTable(tables.Table):
    """A player's contests, the latest first."""

    on = tables.Column(verbose_name=_("Date"), accessor="shown__contest__played_on", attrs=css("nowrap second"))
    place = tables.Column(verbose_name=_("Place"), accessor="entry__place", attrs=css("nowrap"))
    people = tables.Column(verbose_name=_("With and against"), empty_values=())
    change = tables.Column(verbose_name=_("Change"), accessor="entry__change", attrs=css("num change"))
    after = tables.Column(verbose_name=_("Rating"), accessor="entry__after", attrs=css("num second"))
    event = tables.Column(verbose_name=_("Event"), accessor="shown__contest__tournament", attrs=css("third"))

    class Meta:
        orderable = False

    def __init__(self, *args: Any, player: Player, rating_list: RatingList, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player, self.rating_list = player, rating_list

    def render_on(self, value: Any) -> str:
        return short_day(value)

    def render_place(self, record: OwnContest) -> SafeString:
        shared = any(side.is_tied and side.place == record.entry.place for side in record.shown.sides)
        words = _("%(place)s of %(sides)s, shared") if shared else _("%(place)s of %(sides)s")
        return format_html("{}", words % {"place": record.entry.place, "sides": record.entry.sides})

    def render_people(self, record: OwnContest) -> SafeString:
        parts = []
        if record.others:
            parts.append(format_html("{}{}{}", _("with"), sign(" "), self._names(record.others)))
        parts.append(format_html("{}{}{}", _("against"), sign(" "), self._names(record.opponents)))
        contest = record.shown.contest
        sub = format_html('<span class="sub">{} · {}</span>', short_day(contest.played_on), contest.tournament.name)
        return format_html("{}{}", format_html_join(" ", "{}", ((part,) for part in parts)), sub)

    def _names(self, people: Sequence[Player]) -> SafeString:
        links = format_html_join(
            sign("、"), "{}", ((player_link(one, table_viewer(self)),) for one in people[:MOST_NAMED])
        )
        more = len(people) - MOST_NAMED
        return format_html("{} {}", links, _("and %(count)s more") % {"count": more}) if more > 0 else links

    def render_change(self, record: OwnContest) -> SafeString:
        why = reverse("ratings:why-contest", args=[self.rating_list.slug, record.entry.contest_id])
        text = change_figure(record.entry.change, listing_of(self.rating_list).digits)
        return format_html('<a href="{}">{}<span class="hidden">{}{}</span></a>', why, text, sign(", "), _("why?"))

    def render_after(self, record: OwnContest) -> str:
        return figure_of(record.entry.after, listing_of(self.rating_list).digits)

    def render_event(self, value: Any) -> SafeString:
        return event_link(value)
