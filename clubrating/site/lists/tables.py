"""Tables of rating lists: the leaderboard, and the tables of the pages about earlier days.

The leaderboard: django-tables2 looks up, calls and wraps every cell by itself, which for fifty rows of ten columns is
most of a page's time. Here it makes the head, sorting and pages only, and the rows are joined from their cells in one
step: `body`, which the template shows in their place.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import django_tables2 as tables
from django.utils.html import conditional_escape, escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubrating.ground.figures import MINUS, round_half_away, signed
from clubrating.site.lists.selectors import Difference
from clubrating.web.formatting import css, day_text, short_day, written
from players.models import AuditEvent, Player
from players.people.markup import player_link, table_viewer
from players.privacy.rules import Viewer, sees_name
from ratings.lists.markup import change_figure, listed_in_table, probation_chip, spark
from ratings.lists.selectors.probation import standing_at
from ratings.lists.sparks import Stop
from ratings.lists.words import ROLES, class_words
from ratings.models import PlayerRating, RatingList
from ratings.published.services import Standing
from ratings.systems.rules import AS_RATED, Listing
from tournaments.event_pages.cells import event_link, games_words
from tournaments.models import Tournament

Cell = Callable[[Any], str]  # what stands in a row's cell; text is escaped, markup is marked safe
NOT_RANKED = '<span aria-hidden="true">–</span><span class="hidden">{}</span>'


class LeaderboardTable(tables.Table):
    """A rating list. Provisional players stand where their rating stands, without a place. `trends`: ratings before the
    last games, by player (key), for the rows on the page; set once these are known."""

    place = tables.Column(verbose_name="#", orderable=False, empty_values=(), attrs=css("num"))
    player = tables.Column(verbose_name=_("Player"), orderable=False)
    rating = tables.Column(
        verbose_name=_("Rating now"), order_by=("rating", "-reached_order", "-player_id"), attrs=css("num rating")
    )
    title = tables.Column(verbose_name=_("Class"), accessor="rating", orderable=False, attrs=css("second muted"))
    since = tables.Column(verbose_name=_("Change"), orderable=False, empty_values=(), attrs=css("num change second"))
    trend = tables.Column(verbose_name=_("Trend"), orderable=False, empty_values=(), attrs=css("nowrap"))
    # Among equals the player's key decides, or a player could stand on two pages of the list and another on none.
    games = tables.Column(verbose_name=_("Games"), order_by=("games", "-player_id"), attrs=css("num second"))
    record = tables.Column(verbose_name=_("Won, drawn, lost"), orderable=False, empty_values=(), attrs=css("num third"))
    peak = tables.Column(
        verbose_name=_("Best"), order_by=("peak", "-player_id"), empty_values=(), attrs=css("num third")
    )
    last_played = tables.Column(
        verbose_name=_("Last game"), order_by=("last_played", "-player_id"), attrs=css("num second")
    )

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
        listing: Listing = AS_RATED,
        exclude: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        """`marked`: number of the player whose row is pointed out; `titles`: whether classes are shown. A list that
        shows less than the rating is sorted by what it shows; the best rating there was says little beside it."""
        self.listing = listing
        if listing.deviations:
            kwargs["extra_columns"] = [("rating", _listed_column())]
            exclude = (*exclude, "peak")
        super().__init__(*args, exclude=(*exclude, *(() if titles else ("title",))), **kwargs)
        self.rating_list, self.viewer, self.marked, self.titles = rating_list, viewer, marked, titles
        self.probation = rating_list.probation
        self.trends: Mapping[int, Sequence[Stop]] = {}
        self.nofollow = False
        self.shows_since = "since" not in exclude
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
        return self.probation.holds(row)

    # --- the cells of a row --------------------------------------------------------------------------------------
    def render_place(self, record: Any) -> str:
        return self.not_ranked if record.place is None else str(record.place)

    def render_player(self, record: PlayerRating) -> str:
        name = player_link(record.player, self.viewer)
        chip = ""
        if self.is_provisional(record):
            here = standing_at(self.rating_list, record)
            chip = f" {probation_chip(here.done, here.of, told=here.by_evidence)}"
        away = "" if record.player.active else self.away
        return mark_safe(f'{name}{chip}{away}<span class="sub">{escape(self._sub(record))}</span>')

    def _sub(self, record: PlayerRating) -> str:
        """What stands under the name where columns have left."""
        parts = [games_words(record.games)]
        if title := self.titles and self.render_title(record):
            parts.append(title)
        if self.shows_since and (change := self._since(record)):
            parts.append(gettext("%(change)s since the last list") % {"change": change})
        return " · ".join(parts)

    def render_rating(self, record: PlayerRating) -> str:
        provisional = self.is_provisional(record)
        return listed_in_table(self.listing, record.rating, record.deviation, provisional=provisional)

    def render_title(self, record: PlayerRating) -> str:
        return "" if self.is_provisional(record) else class_words(record.rating)

    def render_since(self, record: PlayerRating) -> str:
        return self._since(record) or "–"

    def _since(self, record: Any) -> str:
        """Since the last published list; only where the name is seen: a change may tell an age."""
        if not sees_name(record.player, self.viewer):
            return ""
        if record.published_rating is None:
            return gettext("new")
        now = self.listing.value(record.rating, record.deviation)
        if digits := self.listing.digits:
            change = round(now, digits) - round(record.published_rating, digits)
            return change_figure(change, digits)
        return signed(round_half_away(now) - round_half_away(record.published_rating))

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


def _listed_column() -> tables.Column:
    return tables.Column(
        verbose_name=_("Rating − 3 deviations"),
        order_by=("listed", "-reached_order", "-player_id"),
        attrs=css("num rating"),
    )


ACTIONS: dict[str, Any] = {
    "result.recorded": _("a result was entered late"),
    "result.corrected": _("a result was corrected"),
    "colours.swapped": _("White and Black were exchanged"),
    "handicap.corrected": _("stones or komi of a game were corrected"),
    "seats.exchanged": _("others had sat at a board"),
    "game.removed": _("a game was taken out"),
    "game.inserted": _("a game was put in"),
    "contest.inserted": _("a table was put in"),
    "contest.corrected": _("a table was corrected"),
    "games.loaded": _("earlier games were loaded"),
    "report.imported": _("an earlier tournament was brought in"),
    "match.ruled": _("the arbiter decided a match"),
    "match.ruling_taken_back": _("a decision of a match was taken back"),
    "players.merged": _("two records of one person were joined"),
    "players.unmerged": _("two records were separated again"),
    "starting-rating.entered": _("a starting rating was entered"),
    "starting-rating.changed": _("a starting rating was changed"),
    "starting-rating.removed": _("a starting rating was taken back"),
    "list.rules-changed": _("the list’s rules were changed"),
    "list.changed": _("the list’s probation was changed"),
    "player.changed": _("a player’s data were changed"),
    "tournament.changed": _("an event’s data were changed"),
    "tournament.deleted": _("an event was deleted"),
    "event.importance": _("an event was given another importance"),
}


# --- earlier days ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class PastRow:
    """A row of an earlier list with its person."""

    player: Player
    standing: Standing


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """A difference with its person."""

    player: Player
    difference: Difference


class PastListTable(tables.Table):
    """A list of an earlier day, in its order; `listing`: what it showed."""

    place = tables.Column(verbose_name="#", accessor="standing__place", empty_values=(), attrs=css("num"))
    player = tables.Column(verbose_name=_("Player"))
    rating = tables.Column(verbose_name=_("Rating"), accessor="standing__rating", attrs=css("num rating"))
    games = tables.Column(verbose_name=_("Games"), accessor="standing__games", attrs=css("num second"))

    class Meta:
        orderable = False
        row_attrs = {"class": lambda record: "provisional" if record.standing.provisional else None}
        empty_text = _("Nobody of that name was in the list.")

    def __init__(self, *args: Any, listing: Listing = AS_RATED, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.listing = listing

    def render_place(self, value: int | None) -> SafeString | str:
        return format_html(NOT_RANKED, _("not ranked")) if value is None else str(value)

    def render_player(self, record: PastRow) -> SafeString:
        parts = [player_link(record.player, table_viewer(self))]
        if record.standing.provisional:
            parts.append(format_html('<span class="probation">{}</span>', _("on probation")))
        words = games_words(record.standing.games)
        return format_html('{}<span class="sub">{}</span>', mark_safe(" ".join(parts)), words)

    def render_rating(self, record: PastRow) -> SafeString:
        row = record.standing
        return listed_in_table(self.listing, row.rating, row.deviation, provisional=row.provisional)


class DifferenceTable(tables.Table):
    """Whose rating is known otherwise now. Whoever does not see the name does not see by how much either: a change
    may tell an age."""

    player = tables.Column(verbose_name=_("Player"))
    published = tables.Column(
        verbose_name=_("Then"), accessor="difference__published", default=_("not in the list"), attrs=css("num")
    )
    known = tables.Column(
        verbose_name=_("Now"), accessor="difference__known", default=_("not in the list"), attrs=css("num")
    )
    points = tables.Column(
        verbose_name=_("Change"), accessor="difference__points", default="–", attrs=css("num change")
    )

    class Meta:
        orderable = False
        attrs = {"class": "compact"}

    def render_player(self, value: Player) -> SafeString:
        return player_link(value, table_viewer(self))

    def render_published(self, record: DifferenceRow, value: float) -> str:
        return written(f"{value:.1f}") if sees_name(record.player, table_viewer(self)) else str(round_half_away(value))

    render_known = render_published

    def render_points(self, record: DifferenceRow, value: float) -> str:
        return tenths(value) if sees_name(record.player, table_viewer(self)) else "–"


class ChangeTable(tables.Table):
    """What was changed since a list was published: when, what and why, in which role. Names are for officers."""

    at = tables.Column(verbose_name=_("When"), attrs=css("nowrap"))
    action = tables.Column(verbose_name=_("What"))
    event = tables.Column(verbose_name=_("Event"), default="–", attrs=css("second"))
    reason = tables.Column(verbose_name=_("Why"), default="–", attrs=css("second"))
    role = tables.Column(verbose_name=_("By"), default="–", attrs=css("third"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}
        empty_text = _("Nothing of it stands in the audit trail.")

    def render_at(self, value: Any) -> str:
        return day_text(value, "when")

    def render_role(self, value: str) -> str:
        return str(ROLES.get(value, value))

    def render_action(self, record: Any) -> SafeString:
        lines = [reason_words(record.reason)] if record.reason else []
        lines += [record.event.name] if record.event else []
        what = ACTIONS.get(record.action, _("another change"))
        return format_html('{}<span class="sub">{}</span>', what, " · ".join(lines))

    def render_event(self, value: Tournament) -> SafeString:
        return event_link(value)

    def render_reason(self, value: str) -> str:
        return reason_words(value)


def reason_words(code: str) -> str:
    """A correction's reason in words."""
    return str(dict(AuditEvent.Reason.choices).get(code, code))


def tenths(points: float) -> str:
    """A difference with its sign and one decimal: a correction moves many by less than a point."""
    shown = f"{abs(points):.1f}"
    sign = "±" if shown == "0.0" else "+" if points > 0 else MINUS
    return f"{sign}{written(shown)}"
