"""The sheets an arbiter may print, in order. A new one is a line in SHEETS and a template in tournaments/print/."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubrating.web.formatting import qr_code
from players.privacy.rules import Viewer
from players.refusals import sign
from tournaments.event_pages.selectors.finding import SeatByName, name_key
from tournaments.event_pages.selectors.formats import is_keizer
from tournaments.event_pages.views.rounds import NumberedNote, footnotes_of, title_of_round, words_of_byes
from tournaments.event_pages.views.sections import BY_NUMBER, Section
from tournaments.events.selectors.event_data import ByeData, Entrant, EventData, RoundData
from tournaments.events.selectors.standings import points_before
from tournaments.models import ByeKind
from tournaments.printing.selectors import (
    PlayerCard,
    PrintedBoard,
    board_cards,
    empty_boards,
    hall_list,
    next_to_pair,
    open_numbers,
    player_cards,
    printed_boards,
    rounds_to_fill,
    slips_of,
)

# With more columns than these a table is printed across: rounds, or opponents, with the tie-breaks beside them; cells
# to write in; the tie-breaks of the standings.
MOST_ROUNDS, MOST_OPPONENTS, MOST_CELLS, MOST_TIEBREAKS = 12, 19, 14, 6
MOST_LINES = 25  # a longer list needs a second sheet


@dataclass(frozen=True, slots=True)
class Press:
    """What sheets are printed from: the event, the stages that have the chosen round (or all), the round, who asks.
    `boards_at`: where the pages of boards begin, with the key behind it; empty where players report no results."""

    event: EventData
    sections: tuple[Section, ...]
    round: RoundData | None
    viewer: Viewer
    boards_at: str = ""

    @property
    def rows(self) -> list[tuple[Section, RoundData]]:
        """The stages with their own share of the round."""
        if self.round is None:
            return []
        found = [(section, section.facts.round(self.round.number)) for section in self.sections]
        return [(section, row) for section, row in found if row is not None]

    @property
    def tables(self) -> list[Section]:
        """The stages that are no knockouts and whose players have numbers."""
        return [section for section in self.sections if section.bracket is None and section.ranked.entrants]


def never(part: object) -> bool:
    """Of most sheets no part is broader than the paper."""
    return False


# Sheets that are another one in another order.
_SAME = {"crosstable-number": "crosstable", "start-list-names": "start-list"}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet as the page shows it: `content` is what its template prints, part by part."""

    kind: "SheetKind"
    content: Sequence[Any]

    @property
    def template(self) -> str:
        return f"tournaments/print/{self.kind.folder}{_SAME.get(self.kind.key, self.kind.key).replace('-', '_')}.html"

    @property
    def is_wide(self) -> bool:
        """Whether the paper has to be turned."""
        return any(map(self.kind.is_wide, self.content))


@dataclass(frozen=True, slots=True)
class SheetKind:
    """A kind of sheet. `content` is empty where the round has no use for it; `is_wide` is asked of each of its parts.
    `of_round`: the head names the round; `corrections`: says until when; `has_sides`: says who begins, where that is
    not White (crosstables and cards say it themselves); `headless`: cards have heads of their own; `folder`: where the
    template stands. What `content` is made from is a `Press`, or that of an event of teams."""

    key: str
    name: Promise
    content: Callable[[Any], Sequence[Any]]
    of_round: bool = True
    corrections: bool = False
    has_sides: bool = False
    headless: bool = False
    is_wide: Callable[[Any], bool] = never
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip or a card of a board; `picture`: a QR code of its page, where players report their results there."""

    title: str
    board: PrintedBoard
    picture: SafeString | None


# --- the round --------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class PairingLine:
    """A board with both sides' points before the round; None in a knockout. `note`: the number of a note on the result,
    None without one."""

    board: PrintedBoard
    white_points: int | None
    black_points: int | None
    note: int | None


@dataclass(frozen=True, slots=True)
class PairingsPart:
    """A stage's share of a pairing list; `unit` of the points, `byes` with what they are called."""

    title: str
    lines: tuple[PairingLine, ...]
    byes: tuple[tuple[ByeData, str], ...]
    unit: int
    footnotes: Sequence[NumberedNote]


def _pairings(press: Press) -> list[PairingsPart]:
    parts = []
    for section, row in press.rows:
        before = None if section.bracket else points_before(section.facts, row.number)
        notes = footnotes_of(row.games, press.viewer)
        marks = {note.game: note.number for note in notes}
        lines = tuple(
            PairingLine(board, _points(before, board.white), _points(before, board.black), marks.get(board.key))
            for board in printed_boards(row)
        )
        words = words_of_byes(section.facts)
        byes = [(bye, words[bye.kind]) for bye in row.byes]
        for match in row.matches:
            person = match.upper or match.lower
            if match.is_bye and person:
                byes.append((ByeData(person, ByeKind.ALLOCATED), words[ByeKind.ALLOCATED]))
        parts.append(PairingsPart(title_of_round(section, row), lines, tuple(byes), section.ranked.points.unit, notes))
    return parts


def _points(before: Mapping[int, int] | None, person: Entrant | None) -> int | None:
    return None if before is None or person is None else before.get(person.number or 0, 0)


@dataclass(frozen=True, slots=True)
class NamePart:
    """A stage's share of the list by name; `bye` words by the kind."""

    title: str
    lines: tuple[tuple[SeatByName, str], ...]
    number: int


def _names(press: Press) -> list[NamePart]:
    parts = []
    for section, row in press.rows:
        words = words_of_byes(section.facts)
        seats = hall_list(section.facts, row, press.viewer)
        lines = tuple((seat, words.get(seat.bye, "")) for seat in seats)
        parts.append(NamePart(title_of_round(section, row), lines, row.number))
    return parts


def _slips(press: Press) -> list[Slip]:
    return [_slip(press, section, row, board) for section, row in press.rows for board in slips_of(row)]


def _board_cards(press: Press) -> list[Slip]:
    return [_slip(press, section, row, board) for section, row in press.rows for board in board_cards(row)]


def _slip(press: Press, section: Section, row: RoundData, board: PrintedBoard) -> Slip:
    shows = press.boards_at and board.key and not row.is_draft
    picture = qr_code(f"{press.boards_at}{board.key}/") if shows else None
    return Slip(title_of_round(section, row), board, picture)


# --- the tables -------------------------------------------------------------------------------------------------
def _standings(press: Press) -> list[Section]:
    """A long list goes on on a second sheet, and says there what it is."""
    shown = [section for section in press.sections if section.facts.rounds]
    number = press.round.number if press.round else 0
    for section in shown:
        if len(section.table.rows) > MOST_LINES:
            event = sign(", ").join(name for name in (press.event.tournament.name, section.title) if name)
            text = gettext("%(event)s, round %(number)s: standings")
            section.table.running = text % {"event": event, "number": number}
    return shown


def _is_wide_list(section: Section) -> bool:
    return section.bracket is None and len(_codes(section)) > MOST_TIEBREAKS


def _crosstables(press: Press) -> list[Section]:
    return [section for section in press.tables if section.ranked.rows]


def _is_wide_table(section: Section) -> bool:
    tiebreaks = len(_codes(section))
    if section.is_by_rounds:
        return len(section.facts.rounds) + tiebreaks > MOST_ROUNDS
    return len(section.ranked.entrants) + tiebreaks > MOST_OPPONENTS


def _crosstables_by_number(press: Press) -> list[Section]:
    """Where teams meet, players keep the order of their team. The key tells the table from that by place."""
    own = [section for section in _crosstables(press) if not section.teams]
    return [replace(section, order=BY_NUMBER, key=f"{section.key}-by-number") for section in own]


def _brackets(press: Press) -> list[Section]:
    return [section for section in press.sections if section.bracket and section.bracket.rounds]


def _calendars(press: Press) -> list[Section]:
    return [section for section in press.sections if section.facts.is_schedule and section.facts.rounds]


def _player_cards(press: Press) -> list[tuple[Section, PlayerCard]]:
    return [(section, card) for section in press.tables for card in player_cards(section.facts)]


def _start_list(press: Press) -> Sequence[Entrant]:
    return press.event.entrants


def _start_list_by_name(press: Press) -> Sequence[Entrant]:
    return sorted(press.event.entrants, key=lambda person: name_key(person, press.viewer))


# --- to be filled in by hand --------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class GridLine:
    """A row of an empty table: its label (that of the column nobody fills in too), who, and his points so far."""

    label: str
    entrant: Entrant
    points: int


@dataclass(frozen=True, slots=True)
class Grid:
    """An empty crosstable: the heads of its columns, and who stands in the rows; `has_points`: with points so far."""

    title: str
    columns: tuple[str, ...]
    lines: tuple[GridLine, ...]
    has_points: bool
    unit: int


@dataclass(frozen=True, slots=True)
class BlankRound:
    """A round nobody is paired in yet: its number and its boards."""

    title: str
    number: int
    boards: range


@dataclass(frozen=True, slots=True)
class BlankStandings:
    """An empty table of standings: so many places, these tie-breaks."""

    title: str
    places: range
    codes: tuple[str, ...]


def _blank_results(press: Press) -> list[tuple[Section, RoundData, list[PrintedBoard]]]:
    first = press.round.number if press.round else 1
    return [
        (section, row, printed_boards(row))
        for section in press.sections
        if section.facts.is_schedule
        for row in rounds_to_fill(section.facts, first)
    ]


def _blank_pairings(press: Press) -> list[BlankRound]:
    found = [(section, next_to_pair(section.facts)) for section in press.tables if section.facts.is_by_rounds]
    return [
        BlankRound(section.title, number, range(1, empty_boards(section.facts) + 1))
        for section, number in found
        if number is not None
    ]


def _blank_crosstables(press: Press) -> list[Grid]:
    return [grid for section in press.tables for grid in _grids(section)]


def _grids(section: Section) -> list[Grid]:
    """Team against team, everybody against everybody, or everybody in the rounds to come."""
    everybody = sorted(section.ranked.entrants)
    if section.teams:
        one, other = section.teams
        labels = {number: team.label(number) for team in section.teams for number in team.numbers}
        return [_grid(section, one.numbers, labels, [labels[number] for number in other.numbers])]
    labels = {number: str(number) for number in everybody}
    if section.facts.is_schedule:
        return [_grid(section, everybody, labels, list(labels.values()))]
    rounds = [gettext("R%(number)s") % {"number": number} for number in open_numbers(section.facts)]
    return [_grid(section, everybody, labels, rounds, has_points=True)] if rounds else []


def _grid(
    section: Section,
    numbers: Sequence[int],
    labels: Mapping[int, str],
    columns: Sequence[str],
    *,
    has_points: bool = False,
) -> Grid:
    ranked = section.ranked
    lines = tuple(GridLine(labels[number], ranked.entrants[number], ranked.table[number].points) for number in numbers)
    return Grid(section.title, tuple(columns), lines, has_points, ranked.points.unit)


def _is_wide_grid(grid: Grid) -> bool:
    return len(grid.columns) > MOST_CELLS


def _blank_standings(press: Press) -> list[BlankStandings]:
    return [
        BlankStandings(section.title, range(1, len(section.ranked.entrants) + 1), _codes(section))
        for section in press.tables
    ]


def _codes(section: Section) -> tuple[str, ...]:
    return () if is_keizer(section.facts) else tuple(rule.code for rule in section.ranked.tiebreaks)


SHEETS: tuple[SheetKind, ...] = (
    SheetKind("pairings", _("Pairings by board"), _pairings, corrections=True, has_sides=True),
    SheetKind("names", _("Pairings by name"), _names, has_sides=True),
    SheetKind("slips", _("Result slips"), _slips, headless=True),
    SheetKind("board-cards", _("Board cards"), _board_cards, headless=True),
    SheetKind("standings", _("Standings"), _standings, corrections=True, is_wide=_is_wide_list),
    SheetKind("crosstable", _("Crosstable by place"), _crosstables, is_wide=_is_wide_table),
    SheetKind("crosstable-number", _("Crosstable by number"), _crosstables_by_number, is_wide=_is_wide_table),
    SheetKind("bracket", _("Bracket"), _brackets),
    SheetKind("calendar", _("Calendar of all rounds"), _calendars, of_round=False, has_sides=True),
    SheetKind("player-cards", _("Player cards"), _player_cards, of_round=False, headless=True),
    SheetKind("start-list", _("Start list by number"), _start_list, of_round=False),
    SheetKind("start-list-names", _("Start list by name"), _start_list_by_name, of_round=False),
    SheetKind(
        "blank-results", _("To fill in: results of the rounds to come"), _blank_results, of_round=False, has_sides=True
    ),
    SheetKind(
        "blank-pairings", _("To fill in: pairings of the next round"), _blank_pairings, of_round=False, has_sides=True
    ),
    SheetKind(
        "blank-crosstable",
        _("To fill in: crosstable"),
        _blank_crosstables,
        of_round=False,
        has_sides=True,
        is_wide=_is_wide_grid,
    ),
    SheetKind("blank-standings", _("To fill in: standings"), _blank_standings, of_round=False),
)


def sheets_of(press: Any, kinds: Sequence[SheetKind] = SHEETS) -> list[Sheet]:
    """Every sheet this event, and this round of it, has a use for."""
    sheets = [Sheet(kind, kind.content(press)) for kind in kinds]
    return [sheet for sheet in sheets if sheet.content]
