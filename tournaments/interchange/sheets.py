"""Tables as files a spreadsheet opens: CSV and Excel (pure). Written from the same rows, read into the same lines.

In CSV the separator is a comma, numbers have a decimal point, days are YYYY-MM-DD, and text that a spreadsheet would
take for a formula gets an apostrophe in front. In Excel numbers are numbers and text is text, whatever it begins with.
Read from Excel: the first sheet, as it shows its values. Not done: .xls and .ods, which are refused with a remedy.
"""

import csv
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from openpyxl import Workbook, load_workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font

from clubrating.ground.marks import marked, sentence
from tournaments.interchange.list_csv import guarded
from tournaments.interchange.tables_csv import UnreadableFileError, refuse_wide

Value = str | int | float | Fraction | date | None
# What a workbook may hold, so that a small file that unpacks into a huge one takes about a second and not a gigabyte:
# bytes in all, rows and cells in the sheet that is read, rows and XML tags in every sheet, tags in every other part.
MOST_BYTES = 16 * 1024 * 1024
MOST_ROWS, MOST_CELLS = 20_000, 100_000
_SHEET, _TEXTS = "/worksheets/", "sharedStrings"
_MOST_SHEET_ROWS, _MOST_SHEET_TAGS, _MOST_TEXT_TAGS, _MOST_TAGS = 2 * MOST_ROWS, 600_000, 150_000, 50_000
_ROW = re.compile(rb"<(?:\w+:)?row\b")
_ZIP, _OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_NO_TITLE = str.maketrans(dict.fromkeys("[]:*?/\\"))
_NO_WORKBOOK = marked("The file is no Excel workbook that can be read: save it as .xlsx, or as “CSV UTF-8”.")


class Code(str):
    """Text out of our own lists ("-/+"), which nobody typed: written as it is, so that programs read it again."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table to be written: the columns' names, and the rows in order."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


# --- writing --------------------------------------------------------------------------------------------------
def as_csv(sheet: Sheet) -> str:
    """The text of the CSV file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(sheet.columns)
    writer.writerows([_written(value) for value in row] for row in sheet.rows)
    return text.getvalue()


def _written(value: Value) -> str | int | float | None:
    return guarded(value) if isinstance(value, str) and not isinstance(value, Code) else _plain(value)


def number(value: int | float | Fraction) -> int | float:
    """A number as files have it: whole where it is whole, else with four decimals at most."""
    if isinstance(value, int):
        return value
    rounded = round(float(value), 4)
    return int(rounded) if rounded == int(rounded) else rounded


def records(sheet: Sheet) -> list[dict[str, str | int | float | None]]:
    """The rows for programs, by the columns' names: numbers as in a file, days YYYY-MM-DD, text as it is."""
    return [dict(zip(sheet.columns, map(_plain, row), strict=True)) for row in sheet.rows]


def _plain(value: Value) -> str | int | float | None:
    if value is None or isinstance(value, str):
        return value
    return value.isoformat() if isinstance(value, date) else number(value)


def as_workbook(sheet: Sheet) -> bytes:
    """The bytes of the Excel file: one sheet, its header bold and always in sight."""
    book = Workbook(write_only=True)
    # Excel takes 31 letters, and some signs not at all.
    page = book.create_sheet(sheet.title.translate(_NO_TITLE)[:31])
    page.freeze_panes = "A2"
    header = [_cell(page, name) for name in sheet.columns]
    for cell in header:
        cell.font = Font(bold=True)
    page.append(header)
    for row in sheet.rows:
        page.append([_cell(page, value) for value in row])
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


def _cell(page: Any, value: Value) -> Any:
    if value == "":
        return WriteOnlyCell(page, None)
    if isinstance(value, str):
        cell = WriteOnlyCell(page, ILLEGAL_CHARACTERS_RE.sub("", value))
        cell.data_type = "s"  # else what begins with "=" would be a formula
        return cell
    return WriteOnlyCell(page, number(value) if isinstance(value, int | float | Fraction) else value)


# --- reading --------------------------------------------------------------------------------------------------
def as_csv_bytes(data: bytes) -> bytes:
    """A file as `tables_csv.read_table` wants it: a workbook's first sheet as CSV, anything else as it came. Raises
    UnreadableFileError for a workbook that is none."""
    if data.startswith(_OLD_EXCEL):
        raise UnreadableFileError(_NO_WORKBOOK)
    if not data.startswith(_ZIP):
        return data
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(_first_sheet(data))
    return text.getvalue().encode()


def _first_sheet(data: bytes) -> list[list[str]]:
    """The sheet's rows as texts; blank ones at its end left out. openpyxl tells of a broken file by any exception its
    parts come with, so all of them mean the same here."""
    try:
        _check_size(data)
        page = load_workbook(io.BytesIO(data), read_only=True, data_only=True).worksheets[0]
        page.reset_dimensions()  # rows are as long as they are, whatever the file says of the sheet's size
        rows = [[_text(value) for value in row] for row in _values(page)]
    except UnreadableFileError:
        raise
    except Exception:
        raise UnreadableFileError(_NO_WORKBOOK) from None
    while rows and not any(rows[-1]):
        rows.pop()
    width = max((index + 1 for row in rows for index, text in enumerate(row) if text), default=0)
    refuse_wide(width)
    return [row[:width] + [""] * (width - len(row)) for row in rows]


def _check_size(data: bytes) -> None:
    """Raises UnreadableFileError for a workbook that takes too long to read."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        too_large = sum(part.file_size for part in parts.infolist()) > MOST_BYTES
        read = [name for name in parts.namelist() if name.endswith((".xml", ".rels"))]
        if too_large or any(_is_large(name, parts.read(name)) for name in read):
            raise UnreadableFileError(marked("The workbook is too large: save the one sheet as “CSV UTF-8”."))


def _is_large(name: str, part: bytes) -> bool:
    tags = part.count(b"<")
    if _SHEET in name:
        return tags > _MOST_SHEET_TAGS or len(_ROW.findall(part)) > _MOST_SHEET_ROWS
    return tags > (_MOST_TEXT_TAGS if _TEXTS in name else _MOST_TAGS)


def _values(page: Any) -> Iterator[Sequence[Any]]:
    cells = 0
    for count, row in enumerate(page.iter_rows(values_only=True), start=1):
        cells += len(row)
        if count > MOST_ROWS:
            raise UnreadableFileError(
                sentence("The sheet has more than %(most)s rows: leave out what is not needed.", most=MOST_ROWS)
            )
        if cells > MOST_CELLS:
            raise UnreadableFileError(
                sentence("The sheet has more than %(most)s cells: leave out what is not needed.", most=MOST_CELLS)
            )
        yield row


def _text(value: Any) -> str:
    """A cell as it would stand in a CSV file: 1990.0 is 1990, a day is YYYY-MM-DD."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, float):
        return str(number(value))
    return " ".join(str(value).split())
