"""CSV files with a header, as lines of named texts, and readers of their single values (pure).

`read_table`: UTF-8 with or without byte order mark; lines end in LF, CRLF or CR; values are separated by commas, or by
semicolons or tabs where the header uses those. Column names are read without regard to case, blanks inside count as
"_". A line that cannot be used is reported with its number (the header is line 1) and the remedy; it is never half
used, and behind MOST_BAD mistakes reading ends. A blank line is passed over without a word: it says nothing, and
lines are called by their numbers in the file.
Not done: guessing other encodings. Latin-1 reads any bytes without complaint, and a club's names would be spoilt
silently; such a file is refused with the line of the first wrong letter.

Readers of single values return the value or raise ValueError: a clause that follows "line 17: ", with the remedy.
"""

import re
from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from typing import Any, Generic, TypeVar

from clubrating.ground.marks import marked, sentence
from players.people.names import MAX_NAME, clean_name
from tournaments.interchange.csv_text import MOST_COLUMNS as MOST_COLUMNS
from tournaments.interchange.csv_text import UnreadableFileError as UnreadableFileError
from tournaments.interchange.csv_text import check_text, records
from tournaments.interchange.csv_text import refuse_long as refuse_long
from tournaments.interchange.csv_text import refuse_wide as refuse_wide

# --- a table ------------------------------------------------------------------------------------------------------
T = TypeVar("T")
DELIMITERS = ",;\t"
_MOST_NAMED = 12
MOST_BAD = 10_000  # mistakes told; behind so many a file is not read on
_FIRST_LINE = re.compile(rb"\S[^\r\n]*")


@dataclass(frozen=True, slots=True)
class BadRow:
    """A line that cannot be used, and why."""

    line: int
    reason: str

    def __str__(self) -> str:
        return sentence("line %(line)s: %(reason)s", line=self.line, reason=self.reason)


def in_order(bad: Iterable[BadRow]) -> tuple[BadRow, ...]:
    """Bad rows in the file's order; several of one line stay as they were found."""
    return tuple(sorted(bad, key=lambda row: row.line))


@dataclass(frozen=True)  # with slots `PlayersFile(…)`, which is `Rows[PlayerRow]`, could not be called
class Rows(Generic[T]):
    """What a file holds: the good rows in its order, every bad one, and the lines that are none and are left out."""

    rows: tuple[T, ...]
    bad: tuple[BadRow, ...]
    left: tuple[BadRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One line under the header: its number in the file and its values by column."""

    number: int
    values: dict[str, str]


class Lines:
    """Lines that are read from the file each time they are asked for: a long file is never held as a list of rows."""

    def __init__(self, read: Callable[[], Iterator[Line]]) -> None:
        self._read = read

    def __iter__(self) -> Iterator[Line]:
        return self._read()


@dataclass(frozen=True, slots=True)
class Table:
    """The file's columns, its usable lines in order, and the unusable ones. `alone`: column and text of each unusable
    line that has no other value, by its number; `left`: lines that are left out (`headers.without_footers`)."""

    columns: tuple[str, ...]
    lines: Lines
    bad: tuple[BadRow, ...]
    alone: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    left: tuple[BadRow, ...] = ()

    def changed(self, change: Callable[[Line], Line | None]) -> Lines:
        """The lines, each as `change` gives it; None leaves it out."""
        return Lines(lambda: (new for line in self.lines if (new := change(line))))

    def require(self, *columns: str) -> None:
        """Raises UnreadableFileError naming those of the columns that are missing."""
        missing = [name for name in columns if name not in self.columns]
        if missing:
            named = [name for name in self.columns if name]
            raise UnreadableFileError(
                sentence(
                    "The header lacks %(missing)s: its columns are %(named)s.",
                    missing=_listed(missing),
                    named=_listed(named),
                )
            )


def read_table(data: bytes) -> Table:
    """A whole file. Raises UnreadableFileError where it is empty, no UTF-8 text, too long, too wide, or names a column
    twice. The lines are checked once, and read when they are asked for."""
    columns, delimiter = _header(data)
    bad: list[BadRow] = []
    alone: dict[int, tuple[str, str]] = {}
    end = None
    for number, record in _body(data, delimiter):
        if len(record) == len(columns) and not isinstance(record, str):
            continue
        problem = record if isinstance(record, str) else _ragged(record, columns)
        if not problem:
            continue
        if len(bad) == MOST_BAD:
            bad.append(not_read_on(number))
            end = number
            break
        bad.append(BadRow(number, problem))
        filled = [at for at, value in enumerate(record) if value.strip()]
        if len(filled) == 1 and filled[0] < len(columns) and not isinstance(record, str):
            alone[number] = (columns[filled[0]], record[filled[0]].strip())
    return Table(columns, Lines(lambda: _usable(data, delimiter, columns, end)), tuple(bad), alone)


def read_columns(data: bytes) -> tuple[str, ...]:
    """The columns that the header names. Raises UnreadableFileError as `read_table` does."""
    return _header(data)[0]


def _header(data: bytes) -> tuple[tuple[str, ...], str]:
    """The columns, and the separator: the one the header uses most, a comma where it uses none."""
    check_text(data)
    first_line = _FIRST_LINE.search(data, len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0)
    written = first_line[0] if first_line else b""
    delimiter = max(DELIMITERS, key=lambda sign: written.count(sign.encode()))
    first, header = next(records(data, delimiter), (0, None))
    if header is None:
        raise UnreadableFileError(marked("The file is empty: its first line must name the columns."))
    if isinstance(header, str):
        raise UnreadableFileError(
            sentence("The header (line %(line)s) cannot be read: %(reason)s.", line=first, reason=header)
        )
    refuse_wide(len(header))
    columns = tuple("_".join(name.split()).casefold() for name in header)
    twins = sorted({name for name in columns if name and columns.count(name) > 1})
    if twins:
        raise UnreadableFileError(
            sentence("The header names %(twins)s more than once: rename or remove the others.", twins=_listed(twins))
        )
    return columns, delimiter


def _body(data: bytes, delimiter: str) -> Iterator[tuple[int, Sequence[str]]]:
    """Everything below the header."""
    return islice(records(data, delimiter), 1, None)


def _usable(data: bytes, delimiter: str, columns: tuple[str, ...], end: int | None) -> Iterator[Line]:
    """The lines up to the one at which reading ended. What stands in columns without a name is one value, called ""."""
    nameless = [at for at, name in enumerate(columns) if not name]
    for number, record in _body(data, delimiter):
        if number == end:
            return
        if isinstance(record, str) or (len(record) != len(columns) and _ragged(record, columns)):
            continue
        stripped = [value.strip() for value in record]
        if not any(stripped):
            continue
        values = dict(zip(columns, stripped, strict=False))
        if nameless:
            values[""] = "".join(stripped[at] for at in nameless)
        yield Line(number, values)


def not_read_on(number: int) -> BadRow:
    """What is said of the line at which reading ends."""
    return BadRow(
        number,
        sentence(
            "%(most)s lines above cannot be used: correct them; the file was not read from here on", most=MOST_BAD
        ),
    )


def _ragged(record: Sequence[str], columns: tuple[str, ...]) -> str:
    """What is wrong with the number of values, which is not that of the columns; "" where nothing is: empty values too
    many do no harm."""
    too_many = any(value.strip() for value in record[len(columns) :])
    too_few = len(record) < len(columns) and any(value.strip() for value in record)
    if not too_many and not too_few:
        return ""
    return sentence(
        "has %(values)s values and the header %(columns)s: add what is missing; a name with a comma in it stands in "
        "quotation marks",
        values=len(record),
        columns=len(columns),
    )


def _listed(names: Sequence[str]) -> str:
    shown = [f"“{shortened(name)}”" for name in names[:_MOST_NAMED]]
    return ", ".join(shown + ["…"] * (len(names) > _MOST_NAMED)) or "none"


Known = defaultdict[str, dict[str, Any]]  # values by column and text
_MOST_KNOWN = 5_000  # of a column: days, results and names come again


class Fields:
    """Typed values from one line. What cannot be read is remembered in `problems`, and a stand-in is handed out, so
    that all of a line's mistakes are found at once. `known`: what other lines of the table had already."""

    def __init__(self, line: Line, known: Known | None = None) -> None:
        self.line = line
        self.problems: list[str] = []
        self._known = Known(dict) if known is None else known

    def take(self, column: str, read: Callable[[str], T], stand_in: T) -> T:
        """The column's value through `read`, which raises ValueError with the reason; "" where there is no column. What
        the same text gave in another line is not read again."""
        known = self._known[column]
        text = self.line.values.get(column, "")
        if text in known:
            found: T = known[text]
            return found
        value = self.take_anew(column, read, stand_in)
        if len(known) < _MOST_KNOWN and not self.problems:
            known[text] = value
        return value

    def take_anew(self, column: str, read: Callable[[str], T], stand_in: T) -> T:
        """The same, where `read` knows of other lines."""
        try:
            return read(self.line.values.get(column, ""))
        except ValueError as reason:
            self.problems.append(str(reason))
            return stand_in

    def part(self, values: dict[str, str]) -> "Fields":
        """One of several that a line tells of, with values of its own."""
        return Fields(Line(self.line.number, values), self._known)

    def refuse_twin(self, name: str, lines: dict[str, int]) -> None:
        """A name that stands in one of those `lines` already is a mistake; a good one is added to them."""
        if name in lines:
            self.problems.append(
                sentence(
                    "“%(name)s” stands in line %(line)s already: remove one of the two",
                    name=shortened(name),
                    line=lines[name],
                )
            )
        elif not self.problems:
            lines[name] = self.line.number

    def bad_rows(self) -> tuple[BadRow, ...]:
        """The line's mistakes, in the order they were found."""
        return tuple(BadRow(self.line.number, problem) for problem in self.problems)


def read_rows(table: Table, read: Callable[[Fields], T]) -> Rows[T]:
    """Every line of the table through `read`; one with a mistake is a bad row."""
    rows: list[T] = []
    bad = list(table.bad)
    known = Known(dict)
    refused = 0
    for line in table.lines:
        if refused >= MOST_BAD:
            bad.append(not_read_on(line.number))
            break
        fields = Fields(line, known)
        row = read(fields)
        if fields.problems:
            bad += fields.bad_rows()
            refused += len(fields.problems)
        else:
            rows.append(row)
    return Rows(tuple(rows), in_order(bad), table.left)


# --- single values ------------------------------------------------------------------------------------------------
EARLIEST_DAY = date(1850, 1, 1)
_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WHOLE = re.compile(r"[0-9]{1,15}")
_DECIMAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,30})?")


def read_name(text: str, whose: str) -> str:
    """A person's (or event's) name, cleaned; `whose` names it in the reason: "White's name"."""
    name = clean_name(text)
    if not name:
        raise ValueError(sentence("%(whose)s is missing", whose=whose))
    if not any(char.isalnum() for char in name):
        raise ValueError(
            sentence("%(whose)s “%(name)s” has neither letter nor digit: correct it", whose=whose, name=shortened(name))
        )
    if len(name) > MAX_NAME:
        raise ValueError(
            sentence(
                "%(whose)s “%(name)s” is longer than %(most)s characters: shorten it",
                whose=whose,
                name=shortened(name),
                most=MAX_NAME,
            )
        )
    return name


def read_optional_name(text: str, whose: str) -> str:
    """The same; "" where nothing is written."""
    return read_name(text, whose) if clean_name(text) else ""


def day_reader(today: date) -> Callable[[str], date]:
    """A reader of days written YYYY-MM-DD, from 1850 to `today`."""

    def read_day(text: str) -> date:
        if not text:
            raise ValueError(marked("the date is missing: write it, or leave the column “date” out for the whole file"))
        if not _ISO_DAY.fullmatch(text):
            raise ValueError(
                sentence(
                    "date “%(value)s” is not known: write YYYY-MM-DD, for example 2024-12-31", value=shortened(text)
                )
            )
        try:
            day = date.fromisoformat(text)
        except ValueError:
            raise ValueError(sentence("date “%(value)s” is no day of the calendar: correct it", value=text)) from None
        if day > today:
            raise ValueError(
                sentence("date %(value)s lies in the future (today is %(today)s): correct it", value=text, today=today)
            )
        if day < EARLIEST_DAY:
            raise ValueError(
                sentence("date %(value)s lies before %(year)s: check the year", value=text, year=EARLIEST_DAY.year)
            )
        return day

    return read_day


def whole_reader(what: str, *, low: int = 0, high: int) -> Callable[[str], int | None]:
    """A reader of whole numbers from `low` to `high`; None where nothing is written."""

    def read_whole(text: str) -> int | None:
        if not text:
            return None
        if not _WHOLE.fullmatch(text) or not low <= int(text) <= high:
            raise ValueError(
                sentence(
                    "%(what)s “%(value)s” is not known: write a whole number from %(low)s to %(high)s",
                    what=what,
                    value=shortened(text),
                    low=low,
                    high=high,
                )
            )
        return int(text)

    return read_whole


def number_reader(what: str, *, low: float, high: float) -> Callable[[str], float | None]:
    """A reader of numbers from `low` to `high`, decimal point or comma; None where nothing is written."""

    def read_number(text: str) -> float | None:
        if not text:
            return None
        written = text.replace(",", ".")
        if not _DECIMAL.fullmatch(written) or not low <= float(written) <= high:
            raise ValueError(
                sentence(
                    "%(what)s “%(value)s” is not known: write a number from %(low)s to %(high)s",
                    what=what,
                    value=shortened(text),
                    low=f"{low:g}",
                    high=f"{high:g}",
                )
            )
        return float(written)

    return read_number


def shortened(text: str, most: int = 40) -> str:
    """Text for a message: one line, and not all of it where it is long."""
    line = clean_name(text)
    return line if len(line) <= most else line[: most - 1] + "…"
