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
from ratings.models import RatingList
from tournaments.event_list.selectors import Progress
from tournaments.models import Game, Tournament
from tournaments.rounds.selectors.progress import RoundProgress


def _white(record: Any, table: "TonightTable") -> dict[str, Any]:
    return {"rating": record.white_rating, "games": record.white_games, "of": table.probation}


def _black(record: Any, table: "TonightTable") -> dict[str, Any]:
    return {"rating": record.black_rating, "games": record.black_games, "of": table.probation}


class TonightTable(tables.Table):
    """The first boards of the round that is played, with both players' present ratings."""

    board = tables.Column(verbose_name=_("Board"), accessor="pairing__board", attrs=css("num"))
    white = tables.TemplateColumn(
        template_name="home/cells/side.html", verbose_name=_("White"), extra_context=_white, attrs=css("half")
    )
    result = tables.TemplateColumn(template_name="home/cells/result.html", verbose_name=_("Result"), attrs=css("mid"))
    black = tables.TemplateColumn(
        template_name="home/cells/side.html", verbose_name=_("Black"), extra_context=_black, attrs=css("half")
    )

    class Meta:
        orderable = False
        attrs = {"class": "two-names"}

    def __init__(self, games: list[Game], rating_list: RatingList | None) -> None:
        super().__init__(games)
        self.probation = rating_list.provisional_games if rating_list else 0


class ResultsTable(tables.Table):
    """The results that came in last."""

    white = tables.TemplateColumn(template_name="home/cells/person.html", verbose_name=_("White"))
    result = tables.TemplateColumn(template_name="home/cells/result.html", verbose_name=_("Result"), attrs=css("mid"))
    black = tables.TemplateColumn(template_name="home/cells/black.html", verbose_name=_("Black"))
    event = tables.TemplateColumn(
        template_name="home/cells/event.html",
        accessor="tournament",
        verbose_name=_("Event"),
        attrs=css("second"),
    )

    class Meta:
        orderable = False
        empty_text = _("No result yet. The first one appears here the moment an arbiter enters it.")


class RoundsTable(tables.Table):
    """The other rounds that are on: how many of their boards have a result."""

    name = tables.TemplateColumn(template_name="home/cells/event.html", accessor="tournament", verbose_name=_("Event"))
    round = tables.Column(verbose_name=_("Round"), accessor="round__number", attrs=css("num"))
    planned = tables.Column(verbose_name=_("Day"), accessor="round__planned_on", attrs=css("nowrap second"))
    boards = tables.Column(verbose_name=_("Boards with a result"), attrs=css("num nowrap"))

    class Meta:
        orderable = False

    def render_round(self, record: RoundProgress) -> SafeString:
        page = reverse("tournaments:round", args=[record.tournament.slug, record.round.number])
        return format_html('<a href="{}">{}</a>', page, record.round.number)

    def render_planned(self, value: date) -> str:
        return day_text(value, "near")

    def render_boards(self, record: RoundProgress) -> str:
        return f"{record.done} / {record.boards}"


def _progress(record: Tournament, table: "RunningTable") -> dict[str, Progress | None]:
    return {"progress": table.progress.get(record.pk)}


class RunningTable(tables.Table):
    """Events under way and who leads them; `current` is the first round with an open board."""

    name = tables.TemplateColumn(template_name="home/cells/event.html", accessor="pk", verbose_name=_("Event"))
    leader = tables.TemplateColumn(
        template_name="tournaments/cells/event_leader.html",
        accessor="pk",
        verbose_name=_("Leader"),
        extra_context=_progress,
    )
    players = tables.Column(verbose_name=_("Players"), attrs=css("num second"))
    current = tables.Column(verbose_name=_("Round"), attrs=css("num nowrap"))

    class Meta:
        orderable = False
        empty_text = _("No event is running.")

    def __init__(self, events: Sequence[Tournament], progress: Mapping[int, Progress]) -> None:
        super().__init__(events)
        self.progress = progress

    def render_current(self, record: Any) -> SafeString:
        event: Tournament = record
        page = reverse("tournaments:round", args=[event.slug, record.current])
        if record.rounds is None:
            return format_html('<a href="{}">{}</a>', page, record.current)
        return format_html('<a href="{}">{} / {}</a>', page, record.current, record.rounds)
