"""Lists of the front page."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubrating.web.formatting import css, day_text
from players.models import Player
from players.people.markup import player_link, table_viewer
from ratings.lists.markup import rating_in_text
from ratings.models import RatingList
from ratings.systems.probation import Probation, Record
from tournaments.event_list.selectors import EventLine, Progress
from tournaments.event_pages.cells import event_link, leader, round_now
from tournaments.event_pages.tables import CellColumn
from tournaments.models import Game, Tournament
from tournaments.rounds.selectors.progress import RoundProgress
from tournaments.templatetags.events import boxes


class TonightTable(tables.Table):
    """The first boards of the round that is played, with both players' present ratings."""

    board = tables.Column(verbose_name=_("Board"), accessor="pairing__board", attrs=css("num"))
    white = tables.Column(verbose_name=_("White"), attrs=css("half"))
    result = tables.Column(verbose_name=_("Result"), empty_values=(), attrs=css("mid"))
    black = tables.Column(verbose_name=_("Black"), attrs=css("half"))

    class Meta:
        orderable = False
        attrs = {"class": "two-names"}

    def __init__(self, games: list[Game], rating_list: RatingList | None) -> None:
        super().__init__(games)
        self.probation = rating_list.probation if rating_list else Probation(0)

    def render_white(self, record: Any, value: Player) -> SafeString:
        return self._side(value, record.white_rating, record.white_games, record.white_deviation)

    def render_black(self, record: Any, value: Player) -> SafeString:
        return self._side(value, record.black_rating, record.black_games, record.black_deviation)

    def _side(self, player: Player, rating: float | None, games: int | None, deviation: float | None) -> SafeString:
        is_new = games is not None and self.probation.holds(Record(games, deviation=deviation))
        figure = rating_in_text(rating, provisional=is_new)
        return format_html("{} {}", player_link(player, table_viewer(self)), figure)

    def render_result(self, record: Game) -> SafeString:
        return boxes(record.result)


class ResultsTable(tables.Table):
    """The results that came in last."""

    white = tables.Column(verbose_name=_("White"))
    result = tables.Column(verbose_name=_("Result"), empty_values=(), attrs=css("mid"))
    black = tables.Column(verbose_name=_("Black"))
    event = tables.Column(accessor="tournament", verbose_name=_("Event"), attrs=css("second"))

    class Meta:
        orderable = False
        empty_text = _("No result yet. The first one appears here the moment an arbiter enters it.")

    def render_white(self, value: Player) -> SafeString:
        return player_link(value, table_viewer(self))

    def render_result(self, record: Game) -> SafeString:
        return boxes(record.result)

    def render_black(self, record: Game, value: Player) -> SafeString:
        name = player_link(value, table_viewer(self))
        return format_html('{}<span class="sub">{}</span>', name, record.tournament.name)

    def render_event(self, value: Tournament) -> SafeString:
        return event_link(value)


class RoundsTable(tables.Table):
    """The other rounds that are on: how many of their boards have a result."""

    name = tables.Column(accessor="tournament", verbose_name=_("Event"))
    round = tables.Column(verbose_name=_("Round"), accessor="round__number", attrs=css("num"))
    planned = tables.Column(verbose_name=_("Day"), accessor="round__planned_on", attrs=css("nowrap second"))
    boards = tables.Column(verbose_name=_("Boards with a result"), attrs=css("num nowrap"))

    class Meta:
        orderable = False

    def render_name(self, value: Tournament) -> SafeString:
        return event_link(value)

    def render_round(self, record: RoundProgress) -> SafeString:
        page = reverse("tournaments:round", args=[record.tournament.slug, record.round.number])
        return format_html('<a href="{}">{}</a>', page, record.round.number)

    def render_planned(self, value: date) -> str:
        return day_text(value, "near")

    def render_boards(self, record: RoundProgress) -> str:
        return f"{record.done} / {record.boards}"


class RunningTable(tables.Table):
    """Events under way, who leads them, and which round is on: as in the list of all events."""

    name = CellColumn(event_link, accessor="tournament", verbose_name=_("Event"))
    leader = tables.Column(accessor="tournament", verbose_name=_("Leader"))
    players = tables.Column(verbose_name=_("Players"), attrs=css("num second"))
    round = tables.Column(accessor="tournament", verbose_name=_("Round"), attrs=css("num nowrap"))

    class Meta:
        orderable = False
        empty_text = _("No event is running.")

    def __init__(self, events: Sequence[EventLine], progress: Mapping[int, Progress]) -> None:
        super().__init__(events)
        self.progress = progress

    def render_leader(self, value: Tournament) -> SafeString | str:
        return leader(self.progress.get(value.pk), table_viewer(self))

    def render_round(self, record: EventLine, value: Tournament) -> SafeString | str:
        return round_now(record, self.progress.get(value.pk))
