"""Tables as CSV and Excel: the same rows, numbers as numbers, and nothing that a spreadsheet would carry out."""

import csv
import io
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import nullcontext, suppress
from datetime import date, datetime
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from tournaments.interchange.sheets import (
    MOST_BYTES,
    MOST_ROWS,
    Code,
    Sheet,
    Value,
    as_csv,
    as_csv_bytes,
    as_workbook,
    number,
)
from tournaments.interchange.tables_csv import MOST_COLUMNS, UnreadableFileError, read_table

WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)


def sheet(*rows: tuple[Value, ...], columns: tuple[str, ...] = ("name", "points")) -> Sheet:
    return Sheet("Standings", columns, rows)


def cells(data: bytes) -> list[tuple[Any, ...]]:
    return list(load_workbook(io.BytesIO(data)).worksheets[0].iter_rows(values_only=True))


def workbook(*rows: tuple[Any, ...]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


# --- writing ------------------------------------------------------------------------------------------------------
def test_csv_has_a_decimal_point_iso_days_and_crlf() -> None:
    row = ("Ada, A.", Fraction(17, 2), date(2026, 1, 5), None, 3, Fraction(1, 3))
    text = as_csv(sheet(row, columns=("name", "points", "day", "none", "games", "third")))
    assert text == 'name,points,day,none,games,third\r\n"Ada, A.",8.5,2026-01-05,,3,0.3333\r\n'


def test_no_name_is_a_formula_in_csv_and_a_code_of_our_own_is_written_as_it_is() -> None:
    for name in ("=1+1", "+Ada", "-Ada", "@Ada", "\tAda"):
        (_header, row) = list(csv.reader(io.StringIO(as_csv(sheet((name, 1))))))
        assert row[0] == f"'{name}"
    assert as_csv(sheet((Code("-/+"), 1))).splitlines()[1] == "-/+,1"


def test_text_is_text_in_excel_whatever_it_begins_with() -> None:
    for name in ("=1+1", '=HYPERLINK("http://example.org")', "+Ada", "@Ada", "1990", "TRUE"):
        page = load_workbook(io.BytesIO(as_workbook(sheet((name, 1))))).worksheets[0]
        assert (page["A2"].value, page["A2"].data_type) == (name, "s")
    assert cells(as_workbook(sheet(("A\x01da", 1))))[1] == ("Ada", 1), "signs that Excel cannot keep are left out"


def test_figures_are_numbers_in_excel() -> None:
    row = ("Ada", Fraction(17, 2), 3, Fraction(4, 2), date(2026, 1, 5), None)
    (_header, found) = cells(as_workbook(sheet(row, columns=("a", "b", "c", "d", "e", "f"))))
    assert found == ("Ada", 8.5, 3, 2, datetime(2026, 1, 5), None)  # noqa: DTZ001
    assert [type(value) for value in found[1:4]] == [float, int, int]


def test_the_header_stays_in_sight_and_the_sheet_has_the_events_name() -> None:
    data = as_workbook(Sheet("Cup: 2026/27 [open] and a name that is far too long", ("a",), ()))
    page = load_workbook(io.BytesIO(data)).worksheets[0]
    assert page.freeze_panes == "A2"
    assert page["A1"].font.bold
    assert page.title == "Cup 202627 open and a name that"
    assert load_workbook(io.BytesIO(as_workbook(Sheet("[?]", ("a",), ())))).sheetnames == ["Sheet"]


def test_numbers_have_four_decimals_at_most() -> None:
    numbers = ((3, 3), (Fraction(4, 2), 2), (2.0, 2), (Fraction(1, 3), 0.3333), (0.1 + 0.2, 0.3), (-1.5, -1.5))
    for value, written in numbers:
        assert (number(value), type(number(value))) == (written, type(written))


# --- reading ------------------------------------------------------------------------------------------------------
def test_an_excel_file_is_read_as_the_same_lines_as_csv() -> None:
    data = workbook(
        ("Name", "Birth year", "Day", "Rating"),
        ("Ada", 1990.0, datetime(2026, 1, 5), 1850.5),  # noqa: DTZ001
        (),
        ("Bo",),
    )
    table = read_table(as_csv_bytes(data))
    assert table.columns == ("name", "birth_year", "day", "rating")
    assert [line.values["name"] for line in table.lines] == ["Ada", "Bo"]
    assert next(iter(table.lines)).values == {
        "name": "Ada",
        "birth_year": "1990",
        "day": "2026-01-05",
        "rating": "1850.5",
    }
    assert [line.number for line in table.lines] == [2, 4], "the rows' own numbers, also after a blank one"
    assert table.bad == ()


def test_line_breaks_and_formatted_but_empty_cells_do_no_harm() -> None:
    table = read_table(as_csv_bytes(workbook(("name",), ("Ada\nAlvarez",), ("Bo",))))
    assert [(line.number, line.values["name"]) for line in table.lines] == [(2, "Ada Alvarez"), (3, "Bo")]
    table = read_table(as_csv_bytes(workbook(("name", None, None), ("Ada", "", None), (None, None, " "))))
    assert (table.columns, len(list(table.lines))) == (("name",), 1)
    for data in (b"name\nAda\n", b""):
        assert as_csv_bytes(data) == data, "anything but a workbook is left as it came"


def zipped(name: str, content: str | bytes) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr(name, content)
    return kept.getvalue()


@pytest.mark.extended
def test_a_workbook_that_cannot_be_used_is_refused_with_a_remedy() -> None:
    remedy = r"save it as \.xlsx, or as “CSV UTF-8”"
    huge = zipped("xl/worksheets/sheet1.xml", b"\0" * (MOST_BYTES + 1))
    assert len(huge) < 1_000_000, "refused before it is unpacked"
    for data, found in (
        (b"PK\x03\x04", remedy),
        (b"PK\x03\x04" + b"x" * 100, remedy),
        (b"\xd0\xcf\x11\xe0 old Excel", remedy),
        (zipped("content.xml", "<office/>"), "no Excel workbook"),
        (huge, "too large"),
        (workbook(*((each,) for each in range(MOST_ROWS + 1))), f"more than {MOST_ROWS} rows"),
    ):
        with pytest.raises(UnreadableFileError, match=found):
            as_csv_bytes(data)


# --- workbooks made to hurt -----------------------------------------------------------------------------------------
NAMESPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
CELL = '<c r="{column}{row}"><v>1</v></c>'


def altered(name: str, text: str) -> bytes:
    """A workbook of one name in which the part of that name is another, or is added."""
    kept = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook(("name",), ("Ada",)))) as sound:
        parts: dict[str, str | bytes] = {each: sound.read(each) for each in sound.namelist()}
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as made:
        for each, content in (parts | {name: text}).items():
            made.writestr(each, content)
    return kept.getvalue()


def of_rows(rows: str, before: str = "") -> bytes:
    text = f"<worksheet {NAMESPACE}>{before}<sheetData>{rows}</sheetData></worksheet>"
    return altered("xl/worksheets/sheet1.xml", text)


def rows_of(column: str, count: int) -> str:
    return "".join(f'<row r="{row}">{CELL.format(column=column, row=row)}</row>' for row in range(1, count + 1))


# What it is, and the sentence; None where it does no harm and is read.
HOSTILE: dict[str, tuple[Callable[[], bytes], str | None]] = {
    "a cell in the last column of every row": (lambda: of_rows(rows_of("XFD", 19_000)), "cells"),
    "a cell in the last column of one row": (lambda: of_rows(rows_of("XFD", 1)), "columns"),
    "a cell in the last row": (
        lambda: of_rows('<row r="1048576"><c r="A1048576"><v>1</v></c></row>'),
        "rows",
    ),
    "a size that is not true": (lambda: of_rows(rows_of("A", 2), '<dimension ref="A1:XFD1048576"/>'), None),
    "many empty rows": (lambda: of_rows("<row/>" * 550_000), "too large"),
    "one row many times": (lambda: of_rows('<x:row r="1"/>' * 550_000), "too large"),
    "the same row as often as may be": (lambda: of_rows('<row r="1"/>' * 2 * MOST_ROWS), None),
    "tags that mean nothing": (lambda: of_rows("<b/>" * 3_000_000), "too large"),
    "many cells in one row": (lambda: of_rows(f"<row>{'<c><v>1</v></c>' * 110_000}</row>"), "cells"),
    "styles without number": (
        lambda: altered(
            "xl/styles.xml", f"<styleSheet {NAMESPACE}><cellXfs>{'<xf/>' * 170_000}</cellXfs></styleSheet>"
        ),
        "too large",
    ),
    "texts without number": (
        lambda: altered("xl/sharedStrings.xml", f"<sst {NAMESPACE}>{'<si><t>a</t></si>' * 60_000}</sst>"),
        "too large",
    ),
    "zeros": (lambda: altered("xl/theme/theme1.xml", "0" * (MOST_BYTES + 1)), "too large"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_small_file_that_unpacks_into_a_huge_one_takes_no_memory(kind: str) -> None:
    """Each came as a file of less than 300 kB; some took half a minute and a gigabyte."""
    make, refusal = HOSTILE[kind]
    data = make()
    assert len(data) < 300_000
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableFileError, match=refusal) if refusal else nullcontext():
            as_csv_bytes(data)
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", ["a cell in the last column of one row", "a cell in the last row", "zeros"])
def test_a_sheet_of_impossible_size_is_refused(kind: str) -> None:
    make, refusal = HOSTILE[kind]
    with pytest.raises(UnreadableFileError, match=refusal):
        as_csv_bytes(make())


@pytest.mark.parametrize(("limit", "size", "what"), [("MOST_ROWS", 2, "rows"), ("MOST_CELLS", 4, "cells")])
def test_a_sheet_of_more_rows_or_cells_than_any_list_is_refused(
    monkeypatch: pytest.MonkeyPatch, limit: str, size: int, what: str
) -> None:
    book = as_workbook(Sheet("Members", ("name", "town"), (("Ada", "Cork"),)))
    monkeypatch.setattr(f"tournaments.interchange.sheets.{limit}", size)
    assert as_csv_bytes(book) == b"name,town\nAda,Cork\n"
    monkeypatch.setattr(f"tournaments.interchange.sheets.{limit}", size - 1)
    with pytest.raises(UnreadableFileError, match=f"more than {size - 1} {what}"):
        as_csv_bytes(book)


def test_a_workbook_with_as_much_in_it_as_may_be_is_read_and_one_with_more_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    book = altered("xl/sharedStrings.xml", f"<sst {NAMESPACE}>{'<si><t>a</t></si>' * 40}</sst>")
    with zipfile.ZipFile(io.BytesIO(book)) as parts:
        sizes = {part.filename: part.file_size for part in parts.infolist()}
        tags = {name: parts.read(name).count(b"<") for name in sizes}
    texts, page = (tags.pop(f"xl/{name}.xml") for name in ("sharedStrings", "worksheets/sheet1"))
    limits = {"MOST_BYTES": sum(sizes.values()), "_MOST_SHEET_ROWS": 2, "_MOST_SHEET_TAGS": page}
    for limit, most in {**limits, "_MOST_TEXT_TAGS": texts, "_MOST_TAGS": max(tags.values())}.items():
        monkeypatch.setattr(f"tournaments.interchange.sheets.{limit}", most - 1)
        with pytest.raises(UnreadableFileError, match="too large"):
            as_csv_bytes(book)
        monkeypatch.setattr(f"tournaments.interchange.sheets.{limit}", most)
        assert as_csv_bytes(book), limit


def test_a_table_wider_than_any_list_is_refused_as_csv_too() -> None:
    wide = ",".join(f"column {number}" for number in range(MOST_COLUMNS + 1))
    with pytest.raises(UnreadableFileError, match=f"more than {MOST_COLUMNS} columns"):
        read_table(wide.encode())
    assert len(read_table(wide.rpartition(",")[0].encode()).columns) == MOST_COLUMNS


@pytest.mark.extended
@given(st.lists(st.tuples(WORDS, st.integers(0, 10**9)), min_size=1, max_size=5))
def test_what_is_written_as_excel_is_read_again(rows: list[tuple[str, int]]) -> None:
    text = as_csv_bytes(as_workbook(sheet(*rows))).decode()
    read = list(csv.reader(io.StringIO(text)))
    assert read[1:] == [[" ".join(name.split()), str(points)] for name, points in rows]


@given(st.binary(max_size=200))
def test_any_upload_is_read_or_refused_in_words(data: bytes) -> None:
    for content in (data, b"PK\x03\x04" + data):
        with suppress(UnreadableFileError):
            assert isinstance(as_csv_bytes(content), bytes)
