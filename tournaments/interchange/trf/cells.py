"""The parts of a tournament report: its lines, the cells of a player's line, and days.

`numbered_lines`: a report's bytes as numbered lines. Lines end in CR, LF or CRLF. The text is UTF-8, with or without
byte order mark; where it is not, Latin-1 is assumed, which older programs write, and a note says so.

`read_cell`: one round of one player's line, ten columns, `oooo c r  `. Opponents may be padded with blanks or noughts,
`0000` or blanks mean nobody; codes may be in small letters. Rounds without opponent in the manner of older programs
(`0000 - =`, `0000 - +`, `0000 - -`) are read as half-, full- and zero-point byes. Some files have all rounds a column
or two beside their place: `find_shift`.

`read_day`: TRF16 writes YYYY/MM/DD in the head and YY/MM/DD for the rounds; files seen in clubs also have 2008-06-07,
24/09/2010, 28. 07. 2005, 25.02.2011, May 29, 2020 and 08/06/07. Two figures for the year stand first, unless points
separate them or no such day exists; 70…99 are of the last century.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from clubrating.ground.marks import marked, sentence
from clubrating.ground.numbers import whole_number
from tournaments.interchange.trf.records import (
    ALLOCATED,
    BLACK,
    BYE_CODES,
    FORFEIT_LOSS,
    FORFEIT_WIN,
    FULL,
    GAME_CODES,
    HALF,
    NO_COLOUR,
    OPEN,
    WHITE,
    ZERO,
    Cell,
    Note,
    ReportError,
)

# --- lines --------------------------------------------------------------------------------------------------------
_LINE_END = re.compile("\r\n|\r|\n")
_DOS_END = "\x1a"
# Signs that move others on a terminal are blanks here, so that columns stay where they are.
_CONTROLS = dict.fromkeys((*range(1, 9), 11, 12, *range(14, 32), 127), " ")


@dataclass(frozen=True, slots=True)
class Line:
    """One line as written, its number counted from 1."""

    number: int
    text: str

    @property
    def tag(self) -> str:
        """The first three characters, where a blank or nothing follows; else empty."""
        return self.text[:3] if len(self.text) >= 3 and not self.text[3:4].strip() else ""

    @property
    def said(self) -> str:
        """What follows the tag."""
        return self.text[3:].strip()


def numbered_lines(data: bytes) -> tuple[Sequence[Line], list[Note]]:
    """The lines that are not blank, and what was odd about the bytes. Raises ReportError for what is no text."""
    notes = []
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = data.decode("latin-1")
        number = len(_LINE_END.findall(text, 0, error.start)) + 1
        notes.append(Note(number, 0, marked("the file is not UTF-8 and was read as Latin-1: look at the names")))
    if "\0" in text:
        raise ReportError([Note(0, 0, marked("The file is no plain text: save the report as text in UTF-8."))])
    lines = enumerate(_LINE_END.split(text.rstrip(_DOS_END).translate(_CONTROLS)), start=1)
    return [Line(number, line) for number, line in lines if line.strip()], notes


# --- cells --------------------------------------------------------------------------------------------------------
FIRST_COLUMN, WIDTH = 92, 10
COLOUR_AT, CODE_AT = 5, 7
_SHIFTS = (0, 1, -1, 2, -2, 3, -3)
_OLD_BYES = {"=": HALF, "1": FULL, "+": FULL, "0": ZERO, "-": ZERO, " ": ZERO}
_COLOURS = {"w": WHITE, "b": BLACK, "-": NO_COLOUR, " ": NO_COLOUR}


class CellError(ValueError):
    """A cell that is none: how many columns after its first, and what was expected."""

    def __init__(self, offset: int, text: str) -> None:
        self.offset = offset
        super().__init__(text)


def column_of(round_number: int, offset: int = 0) -> int:
    """The column in which a round's cell begins, or one of its parts."""
    return FIRST_COLUMN + WIDTH * (round_number - 1) + offset


def slots(row: str, shift: int = 0) -> list[str]:
    """The ten columns of each round of a player's line."""
    rounds = row[FIRST_COLUMN - 1 + shift :].rstrip()
    return [rounds[at : at + WIDTH].ljust(WIDTH) for at in range(0, len(rounds), WIDTH)]


def read_cell(slot: str) -> Cell:
    """One round. Raises CellError."""
    if not _keeps_columns(slot):
        text = sentence(
            "“%(slot)s” is no round: expected an opponent in four columns, w or b, and a result", slot=slot.strip()
        )
        raise CellError(0, text)
    opponent = int(slot[:4]) if slot[:4].strip() else 0
    colour, code = slot[COLOUR_AT].lower(), slot[CODE_AT].upper()
    if colour not in _COLOURS:
        raise CellError(COLOUR_AT, sentence("“%(slot)s” is no colour: expected w, b or -", slot=slot[COLOUR_AT]))
    return _game(opponent, _COLOURS[colour], code) if opponent else _bye(code)


def find_shift(rows: Iterable[str]) -> int | None:
    """How many columns to the right of their place all the rounds of a file stand; None where no shift fits."""
    written = list(rows)
    return next((shift for shift in _SHIFTS if all(fits(row, shift) for row in written)), None)


def fits(row: str, shift: int = 0) -> bool:
    """Whether a line's rounds stand where they are looked for."""
    before = row[FIRST_COLUMN - 3 + shift : FIRST_COLUMN - 1 + shift]
    return not before.strip() and all(_keeps_columns(slot) for slot in slots(row, shift))


def read_cells(row: str, line: int, shift: int, problems: list[Note]) -> tuple[Cell, ...]:
    """All rounds of a line; what cannot be read goes to `problems`."""
    cells = []
    for number, slot in enumerate(slots(row, shift), start=1):
        try:
            cells.append(read_cell(slot))
        except CellError as problem:
            text = sentence("round %(number)s: %(reason)s", number=number, reason=problem)
            problems.append(Note(line, column_of(number, problem.offset + shift), text))
    return tuple(cells)


def _keeps_columns(slot: str) -> bool:
    between = slot[4] + slot[6] + slot[8:]
    opponent = slot[:4].strip()
    return not between.strip() and (not opponent or whole_number(opponent) is not None)


def _game(opponent: int, colour: str, code: str) -> Cell:
    code = OPEN if code == " " else code
    if code in BYE_CODES - {OPEN}:
        text = sentence(
            "“%(code)s” is a bye and there is an opponent, %(opponent)s: expected 1, 0, =, + or -",
            code=code,
            opponent=opponent,
        )
        raise CellError(CODE_AT, text)
    if code not in GAME_CODES:
        raise CellError(CODE_AT, sentence("“%(code)s” is no result: expected 1, 0, =, +, -, W, D or L", code=code))
    if colour == NO_COLOUR and code not in (FORFEIT_WIN, FORFEIT_LOSS):
        text = sentence("against %(opponent)s there is no colour: expected w or b", opponent=opponent)
        raise CellError(COLOUR_AT, text)
    return Cell(opponent, colour, code)


def _bye(code: str) -> Cell:
    code = _OLD_BYES.get(code, code)
    if code in BYE_CODES:
        return Cell(0, NO_COLOUR, code)
    wanted = f"{HALF}, {FULL}, {ALLOCATED}, {ZERO}"
    if code in GAME_CODES:
        text = sentence("“%(code)s” is a game and there is no opponent: expected %(wanted)s", code=code, wanted=wanted)
    else:
        text = sentence(
            "“%(code)s” is no result: expected %(wanted)s where there is no opponent", code=code, wanted=wanted
        )
    raise CellError(CODE_AT, text)


# --- days ---------------------------------------------------------------------------------------------------------
_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_YEAR_FIRST = re.compile(r"([0-9]{4})([-/.]) ?([0-9]{1,2})[-/.] ?([0-9]{1,2})")
_YEAR_LAST = re.compile(r"([0-9]{1,2})[-/.] ?([0-9]{1,2})[-/.] ?([0-9]{4})")
_SHORT = re.compile(r"([0-9]{1,2})([-/.]) ?([0-9]{1,2})[-/.] ?([0-9]{1,2})")
_MONTH_FIRST = re.compile(r"([a-z]{3,9})\.? ([0-9]{1,2})(?:st|nd|rd|th)?,? ([0-9]{4})")
_MONTH_SECOND = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th)?\.? ([a-z]{3,9})\.?,? ([0-9]{4})")
_ANY_YEAR = re.compile(r"(?<![0-9])(1[89][0-9]{2}|2[01][0-9]{2})(?![0-9])")
_CENTURY_FROM = 70


def read_day(text: str) -> date | None:
    """The day, or None where the text is none."""
    written = " ".join(text.casefold().split())
    if found := _YEAR_FIRST.fullmatch(written):
        return _day(found[1], found[3], found[4])
    if found := _YEAR_LAST.fullmatch(written):
        return _day(found[3], found[2], found[1]) or _day(found[3], found[1], found[2])
    if found := _SHORT.fullmatch(written):
        year_first = _day(_full_year(found[1]), found[3], found[4])
        year_last = _day(_full_year(found[4]), found[3], found[1])
        return (year_last or year_first) if found[2] == "." else (year_first or year_last)
    if found := _MONTH_FIRST.fullmatch(written):
        return _named_day(found[3], found[1], found[2])
    if found := _MONTH_SECOND.fullmatch(written):
        return _named_day(found[3], found[2], found[1])
    return None


def long_day(day: date | None) -> str:
    """YYYY/MM/DD; nothing for no day."""
    return f"{day.year:04d}/{day:%m/%d}" if day else ""


def year_of(birth: str) -> int | None:
    """The year in a date of birth, in whatever shape it stands; None where there is none."""
    if found := _ANY_YEAR.search(birth):
        return int(found[1])
    day = read_day(birth)
    return day.year if day else None


def _full_year(figures: str) -> str:
    return f"{'19' if int(figures) >= _CENTURY_FROM else '20'}{int(figures):02d}"


def _named_day(year: str, month: str, day: str) -> date | None:
    number = next((at for at, name in enumerate(_MONTHS, start=1) if name.startswith(month)), 0)
    return _day(year, str(number), day)


def _day(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
