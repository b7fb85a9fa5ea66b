"""The rating list as a table, best first.

django-tables2 looks up, calls and wraps every cell by itself, which for fifty rows of ten columns is most of a page's
time. Here head, sorting and pages are its work, and the rows are joined from their cells in one go: `body`, which the
template shows in their place.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

import django_tables2 as tables
from django.utils.html import conditional_escape, escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubrating.ground.figures import round_half_away, signed
from clubrating.web.formatting import css, short_day
from players.people.markup import player_link
from players.privacy.rules import Viewer, sees_name
from ratings.lists.markup import probation_chip, spark
from ratings.lists.selectors.probation import standing_at
from ratings.lists.sparks import Stop
from ratings.lists.words import class_words
from ratings.models import PlayerRating, RatingList

Cell = Callable[[Any], str]  # what stands in a row's cell; text is escaped, markup is marked safe
NOT_RANKED = '<span aria-hidden="true">–</span><span class="hidden">{}</span>'
MARK = '<span class="mark" aria-hidden="true">{}</span>'


class LeaderboardTable(tables.Table):
    """A rating list. Provisional players stand where their rating stands, without a place. `trends`: ratings before the
    last games, by player (key), for the rows on the page; set once these are known."""

    place = tables.Column(verbose_name="#", orderable=False, empty_values=(), attrs=css("num"))
    player = tables.Column(verbose_name=_("Player"), orderable=False)
    rating = tables.Column(
        verbose_name=_("Rating"), order_by=("rating", "-reached_order", "-player_id"), attrs=css("num rating")
    )
    title = tables.Column(verbose_name=_("Class"), accessor="rating", orderable=False, attrs=css("second muted nowrap"))
    since = tables.Column(verbose_name=_("Change"), orderable=False, empty_values=(), attrs=css("num change second"))
    trend = tables.Column(verbose_name=_("Trend"), orderable=False, empty_values=(), attrs=css("nowrap"))
    games = tables.Column(verbose_name=_("Games"), attrs=css("num second"))
    record = tables.Column(verbose_name=_("Won, drawn, lost"), orderable=False, empty_values=(), attrs=css("num third"))
    peak = tables.Column(verbose_name=_("Best"), empty_values=(), attrs=css("num third"))
    last_played = tables.Column(verbose_name=_("Last game"), attrs=css("num second"))

    class Meta:
        order_by = ("-rating",)
        empty_text = _("Nobody here. Once a rated game is entered, its players appear.")

    def __init__(
        self,
        *args: Any,
        rating_list: RatingList,
        viewer: Viewer,
        marked: int | None = None,
        titles: bool = False,
        exclude: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        """`marked`: number of the player whose row is pointed out; `titles`: whether classes are shown."""
        super().__init__(*args, exclude=(*exclude, *(() if titles else ("title",))), **kwargs)
        self.rating_list, self.viewer, self.marked, self.titles = rating_list, viewer, marked, titles
        self.trends: Mapping[int, Sequence[Stop]] = {}
        self.nofollow = False
        self.is_since_told = "since" not in exclude
        self.days: dict[date | None, str] = {}
        # Words every row has: looked up once.
        self.not_ranked = format_html(NOT_RANKED, gettext("not ranked"))
        self.away = format_html(' <span class="badge">{}</span>', gettext("inactive"))

    @property
    def body(self) -> SafeString:
        """The rows of the page."""
        columns = [self._column(column) for column in self.columns]
        rows = (row.record for row in self.paginated_rows)
        return mark_safe("\n".join(self._line(row, columns) for row in rows))

    def _column(self, column: Any) -> tuple[str, Cell, str]:
        """How a column's cell begins, what stands in it, how it ends."""
        tag, scope = ("th", ' scope="row"') if column.name == "player" else ("td", "")
        return f"<{tag}{scope} {column.attrs['td'].as_html()}>", getattr(self, f"render_{column.name}"), f"</{tag}>"

    def _line(self, row: PlayerRating, columns: Sequence[tuple[str, Cell, str]]) -> str:
        kind = ' class="provisional"' if self.is_provisional(row) else ""
        here = f' id="player-{row.player.number}" aria-current="true"' if row.player.number == self.marked else ""
        cells = "".join([f"{begin}{conditional_escape(cell(row))}{end}" for begin, cell, end in columns])
        return f"<tr{kind}{here}>{cells}</tr>"

    def is_provisional(self, row: PlayerRating) -> bool:
        return row.games < self.rating_list.provisional_games or row.reentry > 0

    # --- the cells of a row --------------------------------------------------------------------------------------
    def render_place(self, record: Any) -> str:
        return self.not_ranked if record.place is None else str(record.place)

    def render_player(self, record: PlayerRating) -> str:
        name = player_link(record.player, self.viewer)
        chip = ""
        if self.is_provisional(record):
            here = standing_at(self.rating_list, record.games, record.reentry)
            chip = f" {probation_chip(here.done, here.of)}"
        away = "" if record.player.active else self.away
        return mark_safe(f'{name}{chip}{away}<span class="sub">{escape(self._sub(record))}</span>')

    def _sub(self, record: PlayerRating) -> str:
        """What stands under the name where columns have left."""
        said = [ngettext("%(games)s game", "%(games)s games", record.games) % {"games": record.games}]
        if title := self.titles and self._title(record):
            said.append(title)
        if self.is_since_told and (change := self._since(record)):
            said.append(gettext("%(change)s since the last list") % {"change": change})
        return " · ".join(said)

    def render_rating(self, record: PlayerRating) -> str:
        return mark_safe(f"{round_half_away(record.rating)}{MARK.format('?' if self.is_provisional(record) else '')}")

    def render_title(self, record: PlayerRating) -> str:
        return self._title(record)

    def _title(self, record: PlayerRating) -> str:
        return "" if self.is_provisional(record) else class_words(record.rating)

    def render_since(self, record: PlayerRating) -> str:
        return self._since(record) or "–"

    def _since(self, record: Any) -> str:
        """Since the last published list; only where the name is seen: a change may tell an age."""
        if not sees_name(record.player, self.viewer):
            return ""
        if record.published_rating is None:
            return gettext("new")
        return signed(round_half_away(record.rating) - round_half_away(record.published_rating))

    def render_trend(self, record: PlayerRating) -> str:
        """Up to the present rating; as a change, only where the name is seen."""
        steps = self.trends.get(record.player_id, ())
        if not steps or not sees_name(record.player, self.viewer):
            return "–"
        return spark([*steps, Stop(record.rating, self.is_provisional(record))])

    def render_games(self, record: PlayerRating) -> str:
        return str(record.games)

    def render_record(self, record: PlayerRating) -> str:
        return f"{record.wins} – {record.draws} – {record.losses}"

    def render_peak(self, record: PlayerRating) -> str:
        return "–" if self.is_provisional(record) else str(round_half_away(record.peak))

    def render_last_played(self, record: PlayerRating) -> str:
        day = record.last_played
        if day not in self.days:
            self.days[day] = short_day(day)
        return self.days[day]
