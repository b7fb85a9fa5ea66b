"""Players' lines (001) of a report read, and a whole report written, as TRF16 or TRF26.

`RowReader`: columns of the TRF16 text, counted from 1. What a program got wrong beside the games (title, rating,
points, rank) is noted and left out. Lines with letters beyond ASCII may be laid out in bytes instead of characters:
where the rounds do not stand in their columns, the line is read by its bytes.

`write_report`: columns are those of the TRF16 text, players and rounds alike in both editions; they differ in how the
number of rounds and the first colour are said. Records that were kept are written as they came, after the players.
UTF-8, lines end in LF; a name longer than its 33 columns is cut.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from clubrating.ground.marks import marked, sentence
from clubrating.ground.numbers import whole_number
from tournaments.interchange.trf.cells import FIRST_COLUMN, Line, fits, long_day, read_cells, year_of
from tournaments.interchange.trf.records import OPEN, WHITE, Cell, Note, Report, ReportPlayer

# --- reading a player's line --------------------------------------------------------------------------------------
NAME_WIDTH = 33
RANK_AT = 86
_ONE_LETTER = {"G": "GM", "M": "IM", "F": "FM", "C": "CM", "WG": "WGM", "WM": "WIM", "WF": "WFM", "WC": "WCM"}
TITLES = frozenset(_ONE_LETTER.values())
_SEXES = {"m": "m", "w": "w", "f": "w", "u": "", "": ""}
_BETWEEN = (14, 48, 53, 57, 69, 80, 85)  # columns that part the values of a line
_POINTS = re.compile(r"[0-9]{1,3}(?:[.,][0-9]{1,2})?")


@dataclass(frozen=True, slots=True)
class Row:
    """A line 001, to be cut into its columns."""

    line: Line
    in_bytes: bool = False

    @property
    def text(self) -> str:
        """The line with one character for each column."""
        return self.line.text.encode().decode("latin-1") if self.in_bytes else self.line.text

    def cut(self, first: int, last: int) -> str:
        """What stands in those columns, without blanks around it."""
        part = self.text[first - 1 : last]
        return (part.encode("latin-1").decode(errors="ignore") if self.in_bytes else part).strip()


def laid_out(line: Line) -> Row:
    """The line by its characters, or by its bytes where only those put the rounds into their columns."""
    row, in_bytes = Row(line), Row(line, in_bytes=True)
    return in_bytes if not fits(row.text) and fits(in_bytes.text) else row


class RowReader:
    """Reads the lines 001 of a file, one after the other; `problems` and `notes` fill meanwhile. `shift`: how many
    columns beside their place the rounds stand."""

    def __init__(self, problems: list[Note], notes: list[Note], shift: int) -> None:
        self.problems, self.notes, self._shift = problems, notes, shift

    def read(self, row: Row) -> ReportPlayer | None:
        """The player; None where there is no starting number, which is a problem."""
        line, number = row.line.number, row.cut(5, 8)
        if not whole_number(number):
            text = sentence(
                "“%(number)s” is no starting number: expected one from 1 on in columns 5 to 8", number=number
            )
            self.problems.append(Note(line, 5, text))
            return None
        if row.cut(9, 9):
            text = sentence("“%(number)s” goes on beyond column 8: expected a blank in column 9", number=number)
            self.problems.append(Note(line, 9, text))
        for column in _BETWEEN:
            if row.cut(column, column):
                self._note(row, column, marked("expected a blank here: look at the values beside it"))
        return ReportPlayer(
            number=int(number),
            name=self._name(row),
            sex=self._sex(row),
            title=self._title(row),
            rating=self._whole(row, 49, 52, marked("rating")),
            federation=row.cut(54, 56),
            fide_id=row.cut(58, 68),
            birth=self._birth(row),
            points=self._points(row),
            rank=self._whole(row, RANK_AT, 89, marked("rank")),
            cells=read_cells(row.text, line, self._shift, self.problems),
            line=line,
        )

    def _name(self, row: Row) -> str:
        name = row.cut(15, 47)
        if len(name) == NAME_WIDTH:
            text = sentence(
                "“%(name)s” fills all %(columns)s columns and may have been cut", name=name, columns=NAME_WIDTH
            )
            self._note(row, 15, text)
        return name

    def _sex(self, row: Row) -> str:
        written = row.cut(10, 10).lower()
        if written not in _SEXES:
            self._note(row, 10, sentence("“%(written)s” is left out: expected m or w", written=written))
        return _SEXES.get(written, "")

    def _title(self, row: Row) -> str:
        written = row.cut(11, 13)
        title = _ONE_LETTER.get(written.upper(), written.upper())
        if title in TITLES or not title:
            return title
        text = sentence("“%(written)s” is no FIDE title: expected GM, IM, FM, CM, or these with a W", written=written)
        self._note(row, 11, text)
        return written

    def _whole(self, row: Row, first: int, last: int, what: str) -> int | None:
        """A whole number from 1 on; a nought and blanks are none."""
        written = row.cut(first, last)
        if (number := whole_number(written)) is not None:
            return number or None
        if written:
            text = sentence(
                "“%(written)s” is no %(what)s and left out: expected a whole number", written=written, what=what
            )
            self._note(row, first, text)
        return None

    def _birth(self, row: Row) -> str:
        written = row.cut(70, 79)
        if written.strip("0/.-") and year_of(written) is None:
            self._note(row, 70, sentence("“%(written)s” is no date of birth: expected YYYY/MM/DD", written=written))
        return written

    def _points(self, row: Row) -> str:
        written = row.cut(81, 84)
        if not written or _POINTS.fullmatch(written):
            return written.replace(",", ".")
        text = sentence("“%(written)s” are no points and left out: expected a number such as 4.5", written=written)
        self._note(row, 81, text)
        return ""

    def _note(self, row: Row, column: int, text: str) -> None:
        self.notes.append(Note(row.line.number, column, text))


def looks_like_a_player(line: Line) -> bool:
    """Whether a line of an unknown number is laid out like a player's: a starting number, a name, points and rank in
    their columns."""
    row = Row(line)
    number, points, rank = row.cut(5, 8), row.cut(81, 84), row.cut(86, FIRST_COLUMN - 3)
    return number.isdigit() and bool(row.cut(15, 47)) and bool(_POINTS.fullmatch(points)) and rank.isdigit()


# --- writing a report ---------------------------------------------------------------------------------------------
VERSIONS = (16, 26)
_TEAM_TAGS = ("013", "310")


def write_report(report: Report, version: int = 26) -> bytes:
    """The whole file; `version` is one of VERSIONS."""
    lines = [
        *(f"### {comment}" for comment in report.comments),
        *head_lines(report),
        *settings_lines(report, version),
        *(_row(player) for player in report.players),
        *(record.line for record in report.records),
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def head_lines(report: Report) -> Iterator[str]:
    """The lines 012 to 132."""
    yield f"012 {report.name}"
    yield f"022 {report.city}"
    yield f"032 {report.federation}"
    yield f"042 {long_day(report.starts_on)}"
    yield f"052 {long_day(report.ends_on)}"
    yield f"062 {len(report.players)}"
    yield f"072 {sum(player.rating is not None for player in report.players)}"
    yield f"082 {max(sum(record.tag == tag for record in report.records) for tag in _TEAM_TAGS)}"
    yield f"092 {report.kind}"
    yield f"102 {report.chief_arbiter}"
    yield from (f"112 {name}" for name in report.deputies)
    yield f"122 {report.time_control}"
    if report.round_days:
        days = "".join(f"{day:%y/%m/%d}  " if day else " " * 10 for day in report.round_days)
        yield f"{'132':<91}{days}".rstrip()


def settings_lines(report: Report, version: int) -> Iterator[str]:
    """Number of rounds, first colour, and whether numbers follow the ranks, as that edition says them."""
    colour = "white1" if report.first_colour == WHITE else "black1"
    if report.rounds:
        yield f"142 {report.rounds}" if version == 26 else f"XXR {report.rounds}"
    if report.first_colour:
        yield f"152 {colour[0].upper()}" if version == 26 else f"XXC {colour}"
    if report.by_rank:
        yield "XXC rank"


def _row(player: ReportPlayer) -> str:
    person = (
        f"001 {player.number:>4} {player.sex:1}{player.title:>3} {player.name[:NAME_WIDTH]:<{NAME_WIDTH}} "
        f"{player.rating or '':>4} {player.federation[:3]:<3} {player.fide_id[:11]:>11} {player.birth[:10]:<10} "
        f"{player.points:>4} {player.rank or '':>4}"
    )
    return person + "".join(_cell(cell) for cell in player.cells)


def _cell(cell: Cell) -> str:
    """Ten columns: two blanks, then opponent, colour, result. An open game has a blank where the result comes."""
    if not cell.opponent:
        return f"  0000 - {cell.code}"
    code = " " if cell.code == OPEN else cell.code
    return f"  {cell.opponent:>4} {cell.colour or '-'} {code}"
