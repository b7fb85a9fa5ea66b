"""The text of a CSV file as records, and what is no such text (pure). Nothing is held beside the bytes: lines are
decoded and cut into values as they are asked for, and what is too long or too wide is refused before that.
"""

import csv
import io
from collections.abc import Iterator, Sequence

from clubrating.ground.marks import marked, sentence

MOST_COLUMNS = 200
MOST_LINES, _MOST_SEPARATORS = 2_000_000, 10_000
_SAVE_AS = marked("save it as “CSV UTF-8” and try again")


class UnreadableFileError(ValueError):
    """The file as a whole cannot be used; the text says why and what to do."""


def check_text(data: bytes) -> None:
    """Raises UnreadableFileError for what is no UTF-8 text, and for more lines than any table has."""
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        number = 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
        raise UnreadableFileError(
            sentence("The file is not UTF-8 text (line %(number)s): %(remedy)s.", number=number, remedy=_SAVE_AS)
        ) from None
    if b"\0" in data:
        raise UnreadableFileError(sentence("The file is no text: if it is a spreadsheet, %(remedy)s.", remedy=_SAVE_AS))
    refuse_long(data, MOST_LINES)


def refuse_long(data: bytes, most: int) -> None:
    """Raises UnreadableFileError for more than so many lines, before any of them is read."""
    if max(data.count(b"\n"), data.count(b"\r")) > most:
        raise UnreadableFileError(
            sentence("The file has more than %(most)s lines: leave out what is not needed.", most=most)
        )


def _physical_lines(data: bytes, delimiter: str) -> Iterator[str]:
    """As they are decoded piece by piece, so that the text is never held beside the bytes. Raises UnreadableFileError
    for one with far more separators than a table has columns, before it is cut into values."""
    for line in io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", newline=""):
        if len(line) > _MOST_SEPARATORS and line.count(delimiter) > _MOST_SEPARATORS:
            refuse_wide(_MOST_SEPARATORS)
        yield line


def records(data: bytes, delimiter: str) -> Iterator[tuple[int, Sequence[str]]]:
    """(line, values) of every line that is not blank; where quotation marks are out of order (line, the reason)."""
    reader = csv.reader(_physical_lines(data, delimiter), delimiter=delimiter, strict=True)
    while True:
        number = reader.line_num + 1
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


def refuse_wide(columns: int) -> None:
    """Raises UnreadableFileError for a table of more than MOST_COLUMNS columns."""
    if columns > MOST_COLUMNS:
        raise UnreadableFileError(
            sentence("The table has more than %(most)s columns: leave out what is not needed.", most=MOST_COLUMNS)
        )
