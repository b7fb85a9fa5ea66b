"""Lists of the event pages; what stands in a cell is made in `cells`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any, ClassVar

import django_tables2 as tables
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubrating.ground.figures import points_text, signed
from clubrating.web.formatting import css, day_text
from players.models import Player
from players.people.markup import player_link, table_viewer
from players.privacy.rules import Viewer, sees_name
from tournaments.event_list.selectors import EventLine, Progress
from tournaments.event_pages import cells
from tournaments.events.selectors.event_data import BoardData, Entrant
from tournaments.events.selectors.standings import EventStandings
from tournaments.models import Game, Tournament
from tournaments.standings.tiebreaks import Tiebreak, Worth
from tournaments.templatetags.cards import card_address, worth_cell
from tournaments.templatetags.events import boxes, event_dates, format_name, part_name, wrong_link

# From which tie-break on the columns leave where it is narrow: the later ones first.
_THIRD, _FIFTH = 2, 4


def probation_row(record: Any) -> str | None:
    """The class of a row whose `entrant` is on probation."""
    return "provisional" if record.entrant.provisional else None


def found_row(record: Any, table: "PeopleTable") -> str | None:
    """The mark of a row in which somebody stands who was looked for."""
    return "true" if record.entrant.key in table.found else None


class CellColumn(tables.Column):
    """A column whose values are written by the function `cell`."""

    def __init__(self, cell: Callable[[Any], SafeString | str], **options: Any) -> None:
        super().__init__(**options)
        self.cell = cell

    def render(self, value: Any) -> SafeString | str:
        return self.cell(value)


class FigureColumn(CellColumn):
    """The rating at entry with its mark; `shown` are the classes that say when it leaves."""

    def __init__(self, shown: str) -> None:
        super().__init__(cells.figure, verbose_name=_("Rating at entry"), accessor="entrant", attrs=css(shown))


class PeopleTable(tables.Table):
    """A list of entrants, one a row; `found` are keys of those looked for. `running` heads a second printed sheet."""

    found: frozenset[int] = frozenset()
    running = ""

    class Meta:
        orderable = False
        row_attrs: ClassVar[dict[str, Any]] = {"class": probation_row, "aria-current": found_row}


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One line of the standings as it is shown; `place` is None for somebody whose games count for nobody. `ties`: the
    tie-breaks under the name where their columns have left, each with when that is; `card`: the card's address."""

    place: int | None
    entrant: Entrant
    points: int
    played: int
    tiebreaks: tuple[Worth | None, ...]
    change: float | None
    ties: tuple[tuple[str, SafeString | str], ...] = ()
    card: str = ""


class StandingsTable(PeopleTable):
    """Standings, best first; one column for each tie-break, its rule on the head. `slug` is the event's and `key` the
    stage's, for the way to the cards, where the values are worked out. Only the `first` places, where that is said."""

    place = tables.Column(verbose_name="#", default="–", attrs=css("num"))
    player = tables.Column(verbose_name=_("Player"), accessor="entrant")
    rating = FigureColumn("num rating plain second")
    points = tables.Column(verbose_name=_("Points"), attrs=css("num"))
    played = tables.Column(verbose_name=_("Games"), attrs=css("num second"))
    change = CellColumn(signed, verbose_name=_("Change"), attrs=css("num second change"), default="")

    class Meta(PeopleTable.Meta):
        empty_text = _("There are no standings yet: no round has been paired.")

    def __init__(
        self,
        standings: EventStandings,
        changes: Mapping[int, float],
        viewer: Viewer,
        slug: str,
        key: str = "",
        first: int | None = None,
    ) -> None:
        # K, and so a child's age, could be read off a change: it is shown where the name is.
        changes = {
            person.player.pk: changes[person.player.pk]
            for person in standings.entrants.values()
            if person.player.pk in changes and sees_name(person.player, viewer)
        }
        rows = [
            StandingRow(
                row.place if row.counts else None,
                person,
                row.points,
                row.played,
                row.tiebreaks,
                changes.get(person.player.pk),
                _under_the_name(standings.tiebreaks, row.tiebreaks, key, card),
                card,
            )
            for row in standings.rows[:first]
            for person in [standings.entrants[row.player]]
            for card in [card_address(slug, person)]
        ]
        columns = [TiebreakColumn(rule, index, key) for index, rule in enumerate(standings.tiebreaks)]
        rules = [(f"tiebreak_{column.index}", column) for column in columns]
        super().__init__(rows, extra_columns=rules, sequence=("...", "change"), exclude=() if changes else ("change",))
        self.unit, self.viewer, self.slug = standings.points.unit, viewer, slug

    def render_player(self, record: StandingRow) -> SafeString:
        change = "" if record.change is None else signed(record.change)
        below = cells.below_a_standing(record.entrant, record.played, change, record.ties)
        return format_html("{}{}", cells.with_state(record.entrant, self.viewer, self.slug), below)

    def render_points(self, value: int) -> SafeString:
        return format_html("<b>{}</b>", points_text(value, self.unit))


def _leaving(index: int) -> tuple[str, ...]:
    """When the tie-break at that place leaves the table: the fifth and later ones first, then the third and fourth."""
    return ("fifth-on",) if index >= _FIFTH else ("third-on",) if index >= _THIRD else ()


def _under_the_name(
    rules: Sequence[Tiebreak], worths: Sequence[Worth | None], key: str, card: str
) -> tuple[tuple[str, SafeString | str], ...]:
    """The tie-breaks that can leave the table, each with when it does."""
    return tuple(
        ("".join(_leaving(index)), worth_cell(worth, rule.code, key, card, names_rule=True))
        for index, (rule, worth) in enumerate(zip(rules, worths, strict=True))
        if index >= _THIRD and worth is not None
    )


class TiebreakColumn(tables.Column):
    """The values of the tie-break that stands at `index` in the tournament's order; each leads to its working. On
    narrow screens the first two stay; what leaves stands under the name."""

    def __init__(self, rule: Tiebreak, index: int, key: str) -> None:
        super().__init__(accessor="tiebreaks", attrs=css("num", *_leaving(index)))
        self.rule, self.index, self.key = rule, index, key

    @property
    def header(self) -> SafeString:
        return format_html('<abbr title="{}">{}</abbr>', _(self.rule.name), self.rule.code)

    def render(self, value: Sequence[Worth | None], record: StandingRow) -> SafeString | str:
        return worth_cell(value[self.index], self.rule.code, self.key, record.card)


@dataclass(frozen=True, slots=True)
class EntryRow:
    entrant: Entrant


class EntriesTable(PeopleTable):
    """Everybody entered, by pairing number, with the rating at entry."""

    number = tables.Column(verbose_name=_("No."), accessor="entrant__number", default="–", attrs=css("num"))
    player = tables.Column(verbose_name=_("Player"), accessor="entrant")
    group = CellColumn(part_name, verbose_name=_("Group"), accessor="entrant__group", default="–", attrs=css("second"))
    rating = FigureColumn("num rating")
    games = tables.Column(
        verbose_name=_("Rated games at entry"), accessor="entrant__games", default="–", attrs=css("num second")
    )

    class Meta(PeopleTable.Meta):
        empty_text = _("Nobody is entered yet.")

    def __init__(self, entrants: Sequence[Entrant], viewer: Viewer, slug: str) -> None:
        grouped = any(person.group for person in entrants)
        super().__init__([EntryRow(person) for person in entrants], exclude=() if grouped else ("group",))
        self.viewer, self.slug = viewer, slug

    def render_player(self, value: Entrant) -> SafeString:
        return format_html("{}{}", cells.with_state(value, self.viewer, self.slug), cells.below_an_entry(value))


@dataclass(frozen=True, slots=True)
class PairingRow:
    """One board with both sides' points before the round."""

    facts: BoardData
    white_points: int
    black_points: int


def found_board(record: PairingRow, table: "PairingTable") -> str | None:
    return "true" if {record.facts.white.key, record.facts.black.key} & table.found else None


class PairingTable(tables.Table):
    """The boards of a round: White on the left, points before the round (under the name where it is narrow)."""

    board = tables.Column(verbose_name=_("Board"), accessor="facts__board", attrs=css("num"))
    white_points = tables.Column(verbose_name=_("Pts"), attrs=css("num second"))
    white = tables.Column(verbose_name=_("White"), accessor="facts__white")
    result = tables.Column(verbose_name=_("Result"), accessor="facts", attrs=css("mid"))
    black = tables.Column(verbose_name=_("Black"), accessor="facts__black")
    black_points = tables.Column(verbose_name=_("Pts"), attrs=css("num second"))

    found: frozenset[int] = frozenset()
    brief = False  # results alone, without links
    numbers: Mapping[int, int] = MappingProxyType({})  # the number of a game's note, by the game's key

    class Meta:
        orderable = False
        attrs = {"class": "two-names"}
        row_attrs = {"aria-current": found_board}
        empty_text = _("Nobody is paired in this round.")

    def __init__(
        self, boards: Sequence[BoardData], points: dict[int, int], unit: int, viewer: Viewer, slug: str, why: int
    ) -> None:
        """`why`: the round whose pairings explain themselves; 0 where they do not."""
        rows = [
            PairingRow(board, points.get(board.white.number or 0, 0), points.get(board.black.number or 0, 0))
            for board in boards
        ]
        super().__init__(rows)
        self.unit, self.viewer, self.slug, self.why = unit, viewer, slug, why

    def render_white(self, record: PairingRow, value: Entrant) -> SafeString:
        return cells.side(value, self.viewer, self.slug, cells.so_far(record.white_points, self.unit))

    def render_black(self, record: PairingRow, value: Entrant) -> SafeString:
        return cells.side(value, self.viewer, self.slug, cells.so_far(record.black_points, self.unit))

    def render_result(self, value: BoardData) -> SafeString:
        if self.brief:
            return cells.board_result(value, "", numbers=self.numbers)
        number = value.white.number
        asks = self.why and number is not None
        why = reverse("tournaments:why", args=[self.slug, self.why, number]) if asks else ""
        return cells.board_result(value, why, wrong_link(self.slug, value.key, value.result), self.numbers)

    def render_white_points(self, value: int) -> str:
        return points_text(value, self.unit)

    render_black_points = render_white_points


class GamesTable(tables.Table):
    """The games of an open-ended event, latest day first; the day stands at its first game on the page."""

    day = tables.Column(verbose_name=_("Day"), accessor="played_on", attrs=css("second"))
    white = tables.Column(verbose_name=_("White"))
    result = tables.Column(verbose_name=_("Result"), empty_values=(), attrs=css("mid"))
    black = tables.Column(verbose_name=_("Black"))

    class Meta:
        orderable = False
        empty_text = _("No games yet.")

    firsts: frozenset[int] = frozenset()

    def before_render(self, request: HttpRequest) -> None:
        """Note each day's first game on the page."""
        first: dict[date, int] = {}
        for row in self.paginated_rows:
            first.setdefault(row.record.played_on, row.record.pk)
        self.firsts = frozenset(first.values())

    def render_day(self, record: Game, value: date) -> SafeString:
        shown = "nowrap" if record.pk in self.firsts else "hidden"
        words = day_text(value, "long")
        return format_html('<time class="{}" datetime="{}">{}</time>', shown, value.isoformat(), words)

    def render_white(self, record: Game, value: Player) -> SafeString:
        """On narrow screens the day stands above the day's first game."""
        name = player_link(value, table_viewer(self))
        if record.pk not in self.firsts:
            return name
        return format_html('<span class="sub">{}</span>{}', day_text(record.played_on, "long"), name)

    def render_black(self, value: Player) -> SafeString:
        return player_link(value, table_viewer(self))

    def render_result(self, record: Game) -> SafeString:
        wrong = wrong_link(cells.slug_of(self), record.pk, record.result)
        even = not record.handicap and record.komi is None
        below = "" if even else cells.handicap_mark(record.handicap, record.komi)
        return format_html(
            "{} {}{}{}", boxes(record.result), below, wrong, cells.note_below(record, table_viewer(self))
        )


class EventTable(tables.Table):
    """Events with rounds; `progress` (rounds, leader) is given for those on the page."""

    name = tables.Column(verbose_name=_("Event"), accessor="tournament")
    format = CellColumn(format_name, verbose_name=_("Format"), accessor="stage", attrs=css("second"))
    dates = CellColumn(event_dates, verbose_name=_("Dates"), accessor="tournament", attrs=css("second"))
    players = tables.Column(verbose_name=_("Players"), attrs=css("num second"))
    rounds = tables.Column(verbose_name=_("Rounds"), accessor="tournament", attrs=css("num second"))
    leader = tables.Column(verbose_name=_("Leader"), accessor="tournament")

    progress: Mapping[int, Progress] = MappingProxyType({})

    class Meta:
        orderable = False

    def render_name(self, record: EventLine) -> SafeString:
        return cells.event_name(record, self.progress.get(record.tournament.pk))

    def render_leader(self, value: Tournament) -> SafeString | str:
        return cells.leader(self.progress.get(value.pk), table_viewer(self))

    def render_rounds(self, record: EventLine) -> SafeString | str:
        return f"{record.planned_rounds or '–'}"


class RunningTable(EventTable):
    """Events under way, and which round is on."""

    rounds = tables.Column(verbose_name=_("Round"), accessor="tournament", attrs=css("num second nowrap"))

    class Meta(EventTable.Meta):
        pass

    def render_rounds(self, record: EventLine) -> SafeString | str:
        return cells.round_now(record, self.progress.get(record.tournament.pk))


class FinishedTable(EventTable):
    """Finished events, how many rounds were played, and who won them."""

    rounds = tables.Column(verbose_name=_("Rounds played"), accessor="tournament", attrs=css("num second"))
    leader = tables.Column(verbose_name=_("Winner"), accessor="tournament")

    class Meta(EventTable.Meta):
        sequence = ("...", "leader")

    def render_rounds(self, record: EventLine) -> str:
        progress, planned = self.progress.get(record.tournament.pk), record.planned_rounds
        done = progress.rounds_done if progress else 0
        return f"{done} / {planned}" if planned else f"{done}"


class OpenEventTable(tables.Table):
    """Open-ended events: club evenings and loaded streams of games."""

    name = tables.Column(verbose_name=_("Event"), accessor="tournament")
    games = tables.Column(verbose_name=_("Games"), attrs=css("num"))
    first_on = CellColumn(cells.long_day, verbose_name=_("First game"), attrs=css("second"))
    last_on = CellColumn(cells.long_day, verbose_name=_("Last game"), attrs=css("second"))

    class Meta:
        orderable = False

    def render_name(self, record: EventLine) -> SafeString:
        return cells.open_event_name(record)


@dataclass(frozen=True, slots=True)
class ScheduleRow:
    """A board of the schedule builder; the names are those typed in, of nobody in the database."""

    board: int
    white: str
    black: str


class ScheduleTable(tables.Table):
    """The boards of one round in the schedule builder."""

    board = tables.Column(verbose_name=_("Board"), attrs=css("num"))
    white = tables.Column(verbose_name=_("White"), attrs=css("half"))
    black = tables.Column(verbose_name=_("Black"), attrs=css("half"))

    class Meta:
        orderable = False
        attrs = {"class": "compact"}
