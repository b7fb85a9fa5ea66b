"""A report's bytes as numbered lines.

Lines end in CR, LF or CRLF. The text is UTF-8, with or without byte order mark; where it is not, Latin-1 is assumed,
which older programs write, and the reader is told so.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from clubrating.ground.marks import marked
from tournaments.interchange.trf.records import Note, ReportError

_LINE_END = re.compile("\r\n|\r|\n")
_DOS_END = "\x1a"


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
    lines = enumerate(_LINE_END.split(text.rstrip(_DOS_END)), start=1)
    return [Line(number, line) for number, line in lines if line.strip()], notes
