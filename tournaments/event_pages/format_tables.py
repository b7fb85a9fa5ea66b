"""Lists of the formats that points alone do not rank: knockout, Keizer, ladder, free play; and rounds by name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from clubrating.ground.figures import fraction_text, points_text, signed
from clubrating.ground.marks import joined
from clubrating.web.formatting import css, day_text, written
from players.models import Player
from players.people.markup import player_link, table_viewer
from ratings.lists.markup import change_figure, figure_of
from tournaments.event_pages import cells
from tournaments.event_pages.selectors.finding import SeatByName
from tournaments.event_pages.selectors.formats import KeizerPlace, LadderPlace, Season
from tournaments.event_pages.selectors.series import Series, SeriesPlace
from tournaments.event_pages.tables import CellColumn, FigureColumn, PeopleTable
from tournaments.events.selectors.event_data import BoardData, Entrant
from tournaments.events.selectors.overall import OverallPlace
from tournaments.knockouts.selectors.brackets import DrawnMatch, KnockoutPlace
from tournaments.models import Colour
from tournaments.templatetags.cards import card_link
from tournaments.templatetags.events import boxes, colour_name, game_kind, reached, wrong_link


class KnockoutTable(PeopleTable):
    """The places of a knockout: who loses in the same round shares them, and who is still in has none yet."""

    place = tables.Column(verbose_name="#", accessor="first", attrs=css("num nowrap"))
    player = tables.Column(verbose_name=_("Player"), accessor="entrant")
    rating = FigureColumn("num rating plain second")
    seed = tables.Column(verbose_name=_("Seed"), accessor="entrant__number", attrs=css("num second"))
    reached = tables.Column(verbose_name=_("Reached"), accessor="round", empty_values=(), attrs=css("second"))

    class Meta(PeopleTable.Meta):
        empty_text = _("There are no places yet: the bracket is not drawn.")

    def render_player(self, record: KnockoutPlace, value: Entrant) -> SafeString:
        so_far = _("still in") if record.still_in else reached(record.round)
        name = cells.with_state(value, table_viewer(self), cells.slug_of(self))
        return format_html('{}<span class="sub">{} · {}</span>', name, cells.figure_in_words(value), so_far)

    def render_reached(self, record: KnockoutPlace, value: str) -> SafeString | str:
        if not record.still_in:
            return reached(value)
        return format_html('{} <span class="badge">{}</span>', reached(value), _("still in"))

    def render_place(self, record: KnockoutPlace, value: int) -> str:
        if record.still_in:
            return "–"
        return f"{value}" if value == record.last else f"{value}–{record.last}"


class OverallTable(PeopleTable):
    """One order over all stations, by the rating after the last game."""

    place = tables.Column(verbose_name="#", attrs=css("num"))
    player = tables.Column(verbose_name=_("Player"), accessor="entrant")
    now = tables.Column(verbose_name=_("Rating"), default="–", attrs=css("num"))
    change = tables.Column(verbose_name=_("Change"), default="", attrs=css("num change"))
    before = tables.Column(verbose_name=_("Before"), default="–", attrs=css("num second"))
    won = tables.Column(verbose_name=_("Stations won"), attrs=css("num second"))

    class Meta(PeopleTable.Meta):
        empty_text = _("There is no order yet: nobody has a number.")

    def __init__(self, rows: Sequence[OverallPlace], digits: int) -> None:
        super().__init__(rows)
        self.digits = digits

    def render_player(self, record: OverallPlace, value: Entrant) -> SafeString:
        name = cells.with_state(value, table_viewer(self), cells.slug_of(self))
        won = ngettext("%(won)s station won", "%(won)s stations won", record.won) % {"won": record.won}
        return format_html('{}<span class="sub">{}</span>', name, won) if record.won else name

    def render_now(self, value: float) -> SafeString:
        return format_html("<b>{}</b>", figure_of(value, self.digits))

    def render_before(self, value: float) -> str:
        return figure_of(value, self.digits)

    def render_change(self, value: float) -> str:
        return change_figure(value, self.digits)


def _fraction(value: Fraction) -> str:
    return written(fraction_text(value))


class KeizerTable(PeopleTable):
    """The Keizer list: points from list values, and how they came about."""

    place = tables.Column(verbose_name="#", attrs=css("num"))
    player = tables.Column(verbose_name=_("Player"), accessor="entrant")
    rating = FigureColumn("num rating plain second")
    score = tables.Column(verbose_name=_("Points"), attrs=css("num"))
    value = CellColumn(_fraction, verbose_name=_("List value"), attrs=css("num second"))
    played = tables.Column(verbose_name=_("Games"), attrs=css("num second"))

    class Meta(PeopleTable.Meta):
        empty_text = _("There is no list yet: nobody has a number.")

    def render_player(self, record: KeizerPlace, value: Entrant) -> SafeString:
        viewer = table_viewer(self)
        name = cells.with_state(value, viewer, cells.slug_of(self))
        return format_html("{}{}", name, cells.below_a_keizer_place(record, viewer))

    def render_score(self, value: Fraction) -> SafeString:
        return format_html("<b>{}</b>", _fraction(value))


class LadderTable(tables.Table):
    """The places of a ladder, and everybody's last climb."""

    place = tables.Column(verbose_name="#", default="–", attrs=css("num"))
    player = tables.Column(verbose_name=_("Player"), accessor="entry__player")
    climb = tables.Column(verbose_name=_("Last climb"), accessor="now", attrs=css("second"))

    class Meta:
        orderable = False
        empty_text = _("Nobody is on the ladder yet.")

    def render_player(self, record: LadderPlace, value: Player) -> SafeString:
        badge = format_html(' <span class="badge">{}</span>', _("withdrawn")) if record.entry.withdrawn else ""
        below = format_html('<span class="sub">{}</span>', cells.climb(record)) if record.now else ""
        return format_html("{}{}{}", player_link(value, table_viewer(self)), badge, below)

    def render_climb(self, record: LadderPlace) -> str:
        return cells.climb(record)


class SeasonTable(tables.Table):
    """Everybody's games of a season in an event without rounds, most points first."""

    player = tables.Column(verbose_name=_("Player"))
    games = tables.Column(verbose_name=_("Games"), attrs=css("num"))
    points = tables.Column(verbose_name=_("Points"), attrs=css("num"))
    wins = tables.Column(verbose_name=_("Won"), attrs=css("num second"))
    draws = tables.Column(verbose_name=_("Drawn"), attrs=css("num second"))
    losses = tables.Column(verbose_name=_("Lost"), attrs=css("num second"))
    change = CellColumn(signed, verbose_name=_("Change"), attrs=css("num change"), default="")

    class Meta:
        orderable = False
        empty_text = _("No games yet.")

    def __init__(self, rows: Sequence[Season], unit: int, **options: Any) -> None:
        changed = any(row.change is not None for row in rows)
        super().__init__(rows, exclude=() if changed else ("change",), **options)
        self.unit = unit

    def render_player(self, record: Season, value: Player) -> SafeString:
        played = {"wins": record.wins, "draws": record.draws, "losses": record.losses}
        words = _("%(wins)s won, %(draws)s drawn, %(losses)s lost") % played
        return format_html('{}<span class="sub">{}</span>', player_link(value, table_viewer(self)), words)

    def render_points(self, value: int) -> SafeString:
        return format_html("<b>{}</b>", points_text(value, self.unit))


class SeriesTable(tables.Table):
    """The standings of an event of tables; below each name how they came about."""

    place = tables.Column(verbose_name="#", accessor="row__place", attrs=css("num"))
    player = tables.Column(verbose_name=_("Player"))
    total = tables.Column(verbose_name=_("Points"), accessor="row__total", attrs=css("num"))
    played = tables.Column(verbose_name=_("Tables"), accessor="row__played", attrs=css("num second"))
    places = tables.Column(verbose_name=_("Places"), accessor="row", attrs=css("num second"))
    score = tables.Column(verbose_name=_("Score"), accessor="row", attrs=css("num second"))
    direct = tables.Column(verbose_name=_("Direct"), accessor="row", attrs=css("num second"))

    class Meta:
        orderable = False
        empty_text = _("No table is entered yet: the standings begin with the first one.")

    def __init__(self, series: Series) -> None:
        rules = series.rules
        self.rules = rules
        unused = [key for key in ("places", "score", "direct") if key not in rules.tie_breaks]
        super().__init__(series.places, exclude=unused)
        if rules.by != "points":
            self.columns["total"].column.verbose_name = _("Won") if rules.by == "wins" else _("Total")
        if rules.by == "wins" and "score" in rules.tie_breaks:
            self.columns["score"].column.verbose_name = _("Difference")

    def render_player(self, record: SeriesPlace, value: Player) -> SafeString:
        return format_html(
            "{}{}", player_link(value, table_viewer(self)), cells.below_a_series_place(record, self.rules)
        )

    def render_total(self, value: Fraction) -> SafeString:
        return format_html("<b>{}</b>", _fraction(value))

    def render_places(self, record: SeriesPlace) -> str:
        return cells.series_value("places", record, self.rules)

    def render_score(self, record: SeriesPlace) -> str:
        return cells.series_value("score", record, self.rules)

    def render_direct(self, record: SeriesPlace) -> str:
        return cells.series_value("direct", record, self.rules)


class NamedPairingTable(PeopleTable):
    """A round by name: board, colour and opponent."""

    player = tables.Column(verbose_name=_("Player"), accessor="entrant")
    board = tables.Column(verbose_name=_("Board"), default="–", attrs=css("num"))
    colour = tables.Column(verbose_name=_("Colour"), attrs=css("nowrap second"))
    opponent = tables.Column(verbose_name=_("Opponent"), empty_values=())

    class Meta(PeopleTable.Meta):
        attrs = {"class": "two-names"}
        empty_text = _("Nobody is paired in this round.")

    def __init__(self, seats: Sequence[SeatByName], words: Mapping[str, str]) -> None:
        super().__init__(seats)
        self.words = words

    def render_player(self, record: SeatByName, value: Entrant) -> SafeString:
        mark = ' <span class="mark" aria-hidden="true">?</span> <span class="word">{}</span>'
        probation = format_html(mark, _("on probation")) if value.provisional else ""
        colour = format_html('<span class="sub">{}</span>', colour_name(record.colour)) if record.colour else ""
        return format_html("{}{}{}", card_link(value, table_viewer(self), cells.slug_of(self)), probation, colour)

    def render_opponent(self, record: SeatByName, value: Entrant | None) -> SafeString | str:
        if record.bye:
            return self.words.get(record.bye, "")
        if value is None:
            return format_html('<i class="muted">{}</i>', _("to come"))
        return card_link(value, table_viewer(self), cells.slug_of(self))

    def render_colour(self, value: str) -> str:
        return str(Colour(value).label)


@dataclass(frozen=True, slots=True)
class MatchGameRow:
    """A game of a match; the match's number stands at its first game."""

    match: int | None
    game: BoardData


class MatchGamesTable(tables.Table):
    """The games of a knockout round, match by match, with the kind of game."""

    match = tables.Column(verbose_name=_("Match"), default="", attrs=css("num second"))
    white = tables.Column(verbose_name=_("White"), accessor="game__white")
    result = tables.Column(verbose_name=_("Result"), accessor="game__result", empty_values=(), attrs=css("mid"))
    black = tables.Column(verbose_name=_("Black"), accessor="game__black")
    kind = CellColumn(game_kind, verbose_name=_("Game"), accessor="game", attrs=css("second"))
    day = CellColumn(
        day_text, verbose_name=_("Day"), accessor="game__played_on", default="–", attrs=css("second nowrap")
    )

    class Meta:
        orderable = False
        empty_text = _("No game is paired in this round yet.")

    numbers: Mapping[int, int] = MappingProxyType({})  # the number of a game's note, by the game's key

    def __init__(self, matches: Sequence[DrawnMatch]) -> None:
        rows = [
            MatchGameRow(match.facts.board if index == 0 else None, game)
            for match in matches
            for index, game in enumerate(match.facts.games)
        ]
        super().__init__(rows)

    def render_white(self, record: MatchGameRow, value: Entrant) -> SafeString:
        words = [_("Match %(number)s,") % {"number": record.match}] if record.match else []
        above = joined(*words, game_kind(record.game))
        return format_html('<span class="sub">{}</span>{}', above, self.render_black(value))

    def render_black(self, value: Entrant) -> SafeString:
        return cells.side(value, table_viewer(self), cells.slug_of(self))

    def render_result(self, record: MatchGameRow, value: str) -> SafeString:
        noted = cells.footnote_mark(record.game.key, self.numbers)
        return format_html("{}{} {}", boxes(value), noted, wrong_link(cells.slug_of(self), record.game.key, value))
