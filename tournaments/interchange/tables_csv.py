"""A CSV file with a header as lines of named texts: what every reader of such files begins with (pure).

UTF-8 with or without byte order mark; lines end in LF, CRLF or CR; values are separated by commas, or by semicolons
or tabs where the header uses those. Column names are read without regard to case, blanks inside count as "_".
A line that cannot be used is reported with its number (the header is line 1) and the remedy; it is never half used.

Not done: guessing other encodings. Latin-1 reads any bytes without complaint, and a club's names would be spoilt
silently; such a file is refused with the line of the first wrong letter.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from clubrating.ground.marks import marked, sentence

T = TypeVar("T")
DELIMITERS = ",;\t"
_SAVE_AS = marked("save it as “CSV UTF-8” and try again")


class UnreadableFileError(ValueError):
    """The file as a whole cannot be used; the text says why and what to do."""


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


@dataclass(frozen=True, slots=True)
class Line:
    """One line under the header: its number in the file and its values by column."""

    number: int
    values: dict[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """The file's columns, its usable lines in order, and the unusable ones."""

    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    bad: tuple[BadRow, ...]

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
    """A whole file. Raises UnreadableFileError where it is empty, no UTF-8 text, or names a column twice."""
    text = _decoded(data)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    records = list(_records(reader))
    if not records:
        raise UnreadableFileError(marked("The file is empty: its first line must name the columns."))
    first, header = records[0]
    if isinstance(header, str):
        raise UnreadableFileError(
            sentence("The header (line %(line)s) cannot be read: %(reason)s.", line=first, reason=header)
        )
    columns = tuple("_".join(name.split()).casefold() for name in header)
    _refuse_twins(columns)
    lines: list[Line] = []
    bad: list[BadRow] = []
    for number, record in records[1:]:
        problem = record if isinstance(record, str) else _ragged(record, columns)
        if problem:
            bad.append(BadRow(number, problem))
        elif any(value.strip() for value in record):
            named = zip(columns, record, strict=False)
            lines.append(Line(number, {name: value.strip() for name, value in named if name}))
    return Table(columns, tuple(lines), tuple(bad))


def _decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = len(data[: error.start].splitlines()) or 1
        raise UnreadableFileError(
            sentence("The file is not UTF-8 text (line %(number)s): %(remedy)s.", number=number, remedy=_SAVE_AS)
        ) from None
    if "\0" in text:
        raise UnreadableFileError(sentence("The file is no text: if it is a spreadsheet, %(remedy)s.", remedy=_SAVE_AS))
    return text


def _delimiter(text: str) -> str:
    """The separator the header uses most; a comma where it uses none."""
    header = next((line for line in text.lstrip().splitlines()), "")
    return max(DELIMITERS, key=header.count)


def _records(reader: Iterator[list[str]]) -> Iterator[tuple[int, Sequence[str]]]:
    """(line, values) of every line that is not blank; where quotation marks are out of order (line, the reason)."""
    while True:
        number = reader.line_num + 1  # type: ignore[attr-defined]
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield number, _csv_problem(str(error))
            continue
        if record:
            yield number, record


def _csv_problem(error: str) -> str:
    if "field larger" in error or "end of data" in error:
        return marked("a quotation mark is opened and never closed: close it or take it out")
    return marked(
        "quotation marks are out of order: one inside a text is written twice, and the text stands in quotation marks"
    )


def _refuse_twins(columns: tuple[str, ...]) -> None:
    twins = sorted({name for name in columns if name and columns.count(name) > 1})
    if twins:
        raise UnreadableFileError(
            sentence("The header names %(twins)s more than once: rename or remove the others.", twins=_listed(twins))
        )


def _ragged(record: Sequence[str], columns: tuple[str, ...]) -> str:
    """What is wrong with the number of values; "" where nothing is. Empty values too many do no harm."""
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
    return ", ".join(f"“{name}”" for name in names) or "none"


class Fields:
    """Typed values from one line. What cannot be read is remembered in `problems`, and a stand-in is handed out, so
    that all of a line's mistakes are found at once."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.problems: list[str] = []

    def take(self, column: str, read: Callable[[str], T], stand_in: T) -> T:
        """The column's value through `read`, which raises ValueError with the reason; "" where there is no column."""
        try:
            return read(self.line.values.get(column, ""))
        except ValueError as reason:
            self.problems.append(str(reason))
            return stand_in

    def bad_rows(self) -> tuple[BadRow, ...]:
        """The line's mistakes, in the order they were found."""
        return tuple(BadRow(self.line.number, problem) for problem in self.problems)
