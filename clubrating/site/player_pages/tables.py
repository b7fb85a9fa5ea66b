"""Tables of the player pages: games and events of one player, the lines of the chart, and two players' meetings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubrating.ground.charts import Sample
from clubrating.ground.figures import points_text, round_half_away, signed
from clubrating.site.player_pages.careers import EventLine, Mark
from clubrating.site.player_pages.selectors import Placing
from clubrating.web.formatting import css, short_day
from players.models import Player
from players.people.markup import player_link, table_viewer
from players.refusals import sign
from ratings.lists.markup import change_figure, figure_of, rating_in_table, rating_in_text
from ratings.lists.selectors.listing import listing_of
from ratings.models import LedgerEntry, RatingList
from ratings.systems.base import Tally
from ratings.systems.probation import Record
from tournaments.event_pages.cells import event_link
from tournaments.models import Game, Tournament
from tournaments.standings.points import OUTCOMES, Result


def _why(change: float | None, rating_list: RatingList, game: int, player: Player) -> SafeString:
    """The change, linked to its explanation; a game that has none of its own leads there too."""
    page = reverse("ratings:why", args=[rating_list.slug, game, player.number])
    text = "–" if change is None else change_figure(change, listing_of(rating_list).digits)
    return format_html('<a href="{}">{}<span class="hidden">{}{}</span></a>', page, text, sign(", "), _("why?"))


class GameTable(tables.Table):
    """A player's rated games, latest first: against whom, with what result, and what it changed."""

    on = tables.Column(verbose_name=_("Date"), accessor="game__played_on", attrs=css("nowrap second"))
    opponent = tables.Column(verbose_name=_("Opponent"), empty_values=())
    result = tables.Column(verbose_name=_("Result"), empty_values=(), attrs=css("mid"))
    change = tables.Column(verbose_name=_("Change"), empty_values=(), attrs=css("num change"))
    after = tables.Column(verbose_name=_("Rating"), empty_values=(), attrs=css("num second"))
    event = tables.Column(verbose_name=_("Event"), accessor="game__tournament", attrs=css("third"))

    class Meta:
        orderable = False
        empty_text = _("No rated game yet.")

    def __init__(
        self,
        rows: list[LedgerEntry],
        *,
        player: Player,
        rating_list: RatingList,
        deviation: float | None,
        **kwargs: Any,
    ) -> None:
        """`deviation`: his after the first of the rows; after each other it is the one before the next game."""
        super().__init__(rows, **kwargs)
        self.player, self.rating_list = player, rating_list
        after = [deviation, *(self._own(row, "deviation") for row in rows)]
        self.deviations = {row.pk: told for row, told in zip(rows, after, strict=False)}

    def _is_white(self, row: LedgerEntry) -> bool:
        return row.game.white_id == self.player.pk

    def _own(self, row: LedgerEntry, name: str) -> Any:
        """The player's side of a ledger column."""
        return getattr(row, f"{'white' if self._is_white(row) else 'black'}_{name}")

    def render_on(self, value: Any) -> str:
        return short_day(value)

    def render_opponent(self, record: LedgerEntry) -> SafeString:
        game = record.game
        if self._is_white(record):
            black, colour = "", _("White")
            opponent, before = game.black, record.black_before
            known = Record(record.black_games, deviation=record.black_deviation)
        else:
            black, colour = " black", _("Black")
            opponent, before = game.white, record.white_before
            known = Record(record.white_games, deviation=record.white_deviation)
        figure = rating_in_text(before, provisional=self.rating_list.probation.holds(known))
        side = format_html('<span class="side{}"></span><span class="hidden">{}{}</span>', black, colour, sign(", "))
        sub = format_html('<span class="sub">{} · {}</span>', short_day(game.played_on), game.tournament.name)
        return format_html("{}{} {}{}", side, player_link(opponent, table_viewer(self)), figure, sub)

    def render_result(self, record: LedgerEntry) -> SafeString:
        score = record.score if self._is_white(record) else 1.0 - record.score
        kind, text = {1.0: ("won", "1"), 0.5: ("drawn", "½"), 0.0: ("lost", "0")}[score]
        return format_html('<span class="result"><span class="{}">{}</span></span>', kind, text)

    def render_change(self, record: LedgerEntry) -> SafeString:
        return _why(self._own(record, "change"), self.rating_list, record.game_id, self.player)

    def render_after(self, record: LedgerEntry) -> SafeString | str:
        after = self._own(record, "after")
        if after is None:
            return "–"
        shown = figure_of(after, listing_of(self.rating_list).digits)
        known = Record(self._own(record, "games") + 1, deviation=self.deviations[record.pk])
        if not self.rating_list.probation.holds(known):
            return format_html("{}", shown)
        markup = '<span class="provisional"><span class="rating">{}</span><span class="mark">?</span></span>'
        return format_html(markup, shown)

    def render_event(self, value: Tournament) -> SafeString:
        return event_link(value)


class CareerEventsTable(tables.Table):
    """A player's events in one list, the latest first: place, score, performance by both methods, and what the event
    did to the rating."""

    name = tables.Column(verbose_name=_("Event"))
    place = tables.Column(verbose_name=_("Place"), empty_values=(), attrs=css("num nowrap"))
    score = tables.Column(verbose_name=_("Score"), empty_values=(), attrs=css("num nowrap"))
    by_400 = tables.Column(verbose_name=_("Performance, ± 400 a game"), default="–", attrs=css("num second"))
    by_fide = tables.Column(verbose_name=_("Performance, FIDE"), default="–", attrs=css("num second"))
    change = tables.Column(verbose_name=_("Change"), default="–", attrs=css("num change"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}

    def __init__(self, *args: Any, places: Mapping[str, Placing], **kwargs: Any) -> None:
        """`places`: the player's, by the event's address."""
        super().__init__(*args, **kwargs)
        self.places = places

    def render_place(self, record: EventLine) -> SafeString | str:
        found = self.places.get(record.slug)
        if found is None:
            return "–"
        place = str(found.first) if found.first == found.last else f"{found.first}–{found.last}"
        of = _("of %(players)s") if found.final else _("of %(players)s, so far")
        return format_html('{} <span class="alt">{}</span>', place, of % {"players": found.players})

    def render_name(self, record: EventLine) -> SafeString:
        page = reverse("tournaments:tournament", args=[record.slug])
        link = format_html('<a class="name" href="{}">{}</a>', page, record.name)
        if "by_400" in self.exclude or record.by_400 is None:
            return link
        performances = {"first": self.render_by_400(record.by_400), "second": record.by_fide}
        words = _("performance %(second)s; as opponent ± 400 a game: %(first)s") % performances
        return format_html('{}<span class="sub">{}</span>', link, words)

    def render_by_400(self, value: float) -> str:
        return str(round_half_away(value))

    def render_by_fide(self, value: int) -> str:
        return str(value)

    def render_score(self, record: EventLine) -> str:
        return f"{points_text(record.tally.half_points)} / {record.tally.games}"

    def render_change(self, value: float) -> str:
        return signed(value)


RESULT_BOXES = {"1": "won", "+": "won", "½": "drawn", "0": "lost", "−": "lost"}


class MarksTable(tables.Table):
    """The chart as a table: where each of its games left the player."""

    on = tables.Column(verbose_name=_("Date"), accessor="sample__on", attrs=css("nowrap"))
    name = tables.Column(verbose_name=_("Event"), accessor="sample__event")
    list_name = tables.Column(verbose_name=_("List"), accessor="rating_list__shown_name", attrs=css("second"))
    game = tables.Column(verbose_name=_("Game"), accessor="sample__game", attrs=css("num second"))
    rating = tables.Column(verbose_name=_("Rating after"), accessor="sample", attrs=css("num rating"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}
        row_attrs = {"class": lambda record: "provisional" if record.sample.provisional else None}

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player = player

    def render_name(self, record: Mark) -> SafeString:
        word = format_html(' <span class="probation">{}</span>', _("on probation")) if record.sample.provisional else ""
        sub = (
            ""
            if "list_name" in self.exclude
            else format_html('<span class="sub">{}</span>', record.rating_list.shown_name)
        )
        return format_html("{}{}{}", record.sample.event, word, sub)

    def render_on(self, value: Any) -> str:
        return short_day(value)

    def render_rating(self, record: Mark, value: Sample) -> SafeString:
        rating = rating_in_table(value.rating, provisional=value.provisional)
        if not value.key:
            return rating
        page = reverse("ratings:why", args=[record.rating_list.slug, value.key, self.player.number])
        return format_html(
            '<a class="worth" href="{}">{}<span class="hidden">{}{}</span></a>', page, rating, sign(", "), _("why?")
        )


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """The score of some of the games; `side` is the colour the player had in them, "" for either."""

    words: str
    tally: Tally
    side: str = ""


class ScoreTable(tables.Table):
    """One player's score against another: in all, by colour, by pool."""

    name = tables.Column(verbose_name=_("Games"), accessor="words")
    wins = tables.Column(verbose_name=_("Won"), accessor="tally__wins", attrs=css("num"))
    draws = tables.Column(verbose_name=_("Drawn"), accessor="tally__draws", attrs=css("num"))
    losses = tables.Column(verbose_name=_("Lost"), accessor="tally__losses", attrs=css("num"))
    score = tables.Column(verbose_name=_("Score"), accessor="tally", attrs=css("num nowrap"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}

    def render_name(self, record: ScoreLine) -> SafeString | str:
        if not record.side:
            return record.words
        return format_html('<span class="side{}"></span> {}', " black" if record.side == "black" else "", record.words)

    def render_score(self, value: Tally) -> str:
        return f"{points_text(value.half_points)} / {value.games}"


class TablesTable(ScoreTable):
    """The tables at which both sat, by whether they sat on one side."""

    name = tables.Column(verbose_name=_("Tables"), accessor="words")
    wins = tables.Column(verbose_name=_("First or above"), accessor="tally__wins", attrs=css("num"))
    draws = tables.Column(verbose_name=_("Shared"), accessor="tally__draws", attrs=css("num"))
    losses = tables.Column(verbose_name=_("Behind"), accessor="tally__losses", attrs=css("num"))
    score = None

    class Meta(ScoreTable.Meta):
        pass


@dataclass(frozen=True, slots=True)
class ProspectRow:
    """One player before the next game: `moves` are what a win, a draw and a loss would change, and the rating after."""

    player: Player
    rating: float
    provisional: bool
    deviation: float | None
    expected: float | None
    moves: Mapping[str, tuple[float | None, float | None]]


class ProspectTable(tables.Table):
    """Two players before their next game in one list, and what each result would do to either."""

    player = tables.Column(verbose_name=_("Player"))
    rating = tables.Column(verbose_name=_("Rating"), attrs=css("num rating"))
    expected = tables.Column(verbose_name=_("Expected"), empty_values=(), attrs=css("num second"))
    win = tables.Column(verbose_name=_("Win"), accessor="moves__win", attrs=css("num change"))
    draw = tables.Column(verbose_name=_("Draw"), accessor="moves__draw", attrs=css("num change"))
    loss = tables.Column(verbose_name=_("Loss"), accessor="moves__loss", attrs=css("num change"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}
        row_attrs = {"class": lambda record: "provisional" if record.provisional else None}

    def __init__(self, data: Sequence[ProspectRow], *, knows: bool) -> None:
        """`knows`: whether what results would change may be seen."""
        hidden = [] if knows and any(row.moves for row in data) else ["win", "draw", "loss"]
        hidden += ["expected"] if all(row.expected is None for row in data) else []
        super().__init__(data, exclude=hidden)

    def render_player(self, record: ProspectRow) -> SafeString:
        lines: list[object] = [_("on probation")] if record.provisional else []
        if record.deviation is not None:
            lines.append(_("deviation %(figure)s") % {"figure": round_half_away(record.deviation)})
        kind = "sub always probation" if record.provisional else "sub always"
        sub = format_html('<span class="{}">{}</span>', kind, " · ".join(map(str, lines))) if lines else ""
        expected = ""
        if record.expected is not None:
            words = _("expected %(score)s") % {"score": self.render_expected(record.expected)}
            expected = format_html('<span class="sub">{}</span>', words)
        return format_html("{}{}{}", player_link(record.player, table_viewer(self)), sub, expected)

    def render_rating(self, record: ProspectRow) -> SafeString:
        return rating_in_table(record.rating, provisional=record.provisional)

    def render_expected(self, value: float | None) -> str:
        return "–" if value is None else number_format(round(value, 2), decimal_pos=2)

    def render_win(self, value: tuple[float | None, float | None]) -> SafeString | str:
        change, after = value
        if change is None or after is None:
            return "–"
        return format_html('{}<span class="sub always">{}</span>', signed(change), round_half_away(after))

    render_draw = render_loss = render_win


class MeetingsTable(tables.Table):
    """All games of two players, latest first, seen from the first of them."""

    on = tables.Column(verbose_name=_("Date"), accessor="played_on", attrs=css("nowrap second"))
    name = tables.Column(verbose_name=_("Event"), accessor="tournament")
    colour = tables.Column(verbose_name=_("Colour"), accessor="white_id", attrs=css("nowrap"))
    result = tables.Column(verbose_name=_("Result"), attrs=css("mid nowrap"))
    change = tables.Column(verbose_name=_("Change"), empty_values=(), accessor="pk", attrs=css("num change"))

    class Meta:
        orderable = False

    def __init__(
        self, data: Sequence[Game], *, player: Player, changes: Mapping[int, LedgerEntry], knows: bool, caption: str
    ) -> None:
        """`changes`: the ledger row of each game (by key); `knows`: whether the player's changes may be seen."""
        super().__init__(data, exclude=() if knows else ("change",))
        self.player, self.changes, self.caption = player, changes, caption

    def _is_white(self, game: Game) -> bool:
        return game.white_id == self.player.pk

    def render_on(self, value: Any) -> str:
        return short_day(value)

    def render_name(self, record: Game) -> SafeString:
        link, row = event_link(record.tournament), record.pairing.round
        if row is not None:
            at = reverse("tournaments:round", args=[record.tournament.slug, row.number])
            words = _("round %(number)s") % {"number": row.number}
            link = format_html('{}{}<a href="{}">{}</a>', link, sign(", "), at, words)
        return format_html('{}<span class="sub">{}</span>', link, short_day(record.played_on))

    def render_colour(self, record: Game) -> SafeString:
        black, colour = ("", _("White")) if self._is_white(record) else (" black", _("Black"))
        return format_html('<span class="side{}"></span> <span class="alt">{}</span>', black, colour)

    def render_result(self, record: Game) -> SafeString:
        outcome = OUTCOMES[Result(record.result)]
        own, other = outcome.shown if self._is_white(record) else outcome.shown[::-1]
        markup = '<span class="result"><span class="{}">{}</span><span class="{}">{}</span></span>'
        box = format_html(markup, RESULT_BOXES[own], own, RESULT_BOXES[other], other)
        return box if outcome.played else format_html('{} <span class="alt">{}</span>', box, _("not played"))

    def render_change(self, record: Game) -> SafeString | str:
        row = self.changes.get(record.pk)
        if row is None:
            return format_html('–<span class="hidden"> {}</span>', _("not rated"))
        change = row.white_change if self._is_white(record) else row.black_change
        return _why(change, row.rating_list, record.pk, self.player)
