"""Pages of a PDF: texts and lines at places in points, counted from the upper left corner (pure).

Written by ReportLab, which is loaded with the first page, or the first question what is `unwritable`: no other request
pays for it. The same words make the same bytes on the same machine. Fonts are the machine's own (`fonts`), cut down to
the letters used; then Helvetica, which every reader of PDF has, for Latin; then for Chinese, Japanese and Korean the
readers' own fonts of the standard, which are named and not embedded. A text is set in runs, each by the first font that
has its letters. What no font has is left out: `unwritable` names it beforehand. Not done: letters that join or run from
right to left.
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from io import BytesIO
from itertools import groupby
from typing import Any

from clubrating.ground.fonts import FACES, path_of

Size = tuple[float, float]
A4: Size = (595.28, 841.89)
A5: Size = (419.53, 595.28)
_SMALLEST = 2 / 3  # of the size asked for, before a text is cut
# Fonts of the PDF standard: name in the file, and the encoding that has their letters.
_ASIAN = (
    ("STSong-Light", "gbk"),
    ("MSung-Light", "big5"),
    ("HeiseiMin-W3", "shift_jis"),
    ("HYSMyeongJo-Medium", "euc_kr"),
)
_ASIAN_FROM = 0x2E80


@dataclass(frozen=True, slots=True)
class _Face:
    """A font by the name it is set with, and how to ask whether it has a letter: its own table, or an encoding."""

    name: str
    letters: frozenset[int] | None
    encoding: str = ""

    def has(self, letter: str) -> bool:
        if self.letters is not None:
            return ord(letter) in self.letters
        try:
            letter.encode(self.encoding)
        except UnicodeEncodeError:
            return False
        return self.encoding == "cp1252" or ord(letter) >= _ASIAN_FROM


class Pages:
    """A document in the making; `finish` gives its bytes."""

    def __init__(self, title: str, *, language: str, author: str = "", size: Size = A4) -> None:
        self.width, self.height = size
        self._language = language
        self._file = BytesIO()
        made = _module("reportlab.pdfgen.canvas").Canvas(
            self._file, pagesize=size, pageCompression=1, invariant=1, lang=language
        )
        made.setTitle(title)
        made.setAuthor(author)
        made.setCreator("Club Rating")
        made.setSubject("")
        made.setViewerPreference("DisplayDocTitle", "true")
        self._canvas = made

    def text(
        self, x: float, y: float, text: str, size: float, *, room: float = 0, bold: bool = False, align: str = "left"
    ) -> None:
        """One line whose letters stand on `y`, smaller and then cut where `room` is too little. `x` is its left, its
        middle or its right end."""
        runs = _runs(text, self._language, bold=bold)
        least = size * _SMALLEST
        while room and _width(runs, size) > room and size > least:
            size -= 0.5
        if room and _width(runs, size) > room:
            runs = self._cut(text, size, room, bold=bold)
        width = _width(runs, size)
        x -= {"left": 0, "middle": width / 2, "right": width}[align]
        for font, part in runs:
            self._canvas.setFont(font, size)
            self._canvas.drawString(x, self.height - y, part)
            x += _width([(font, part)], size)

    def _cut(self, text: str, size: float, room: float, *, bold: bool) -> list[tuple[str, str]]:
        """As much of the text as fits, a letter at least, and dots; halved, because a remark may be long."""

        def runs_of(letters: int) -> list[tuple[str, str]]:
            return _runs(f"{text[:letters].rstrip()}…", self._language, bold=bold)

        fitting = bisect_left(range(1, len(text)), True, key=lambda letters: _width(runs_of(letters), size) > room)
        return runs_of(max(1, fitting))

    def paragraph(self, x: float, y: float, text: str, size: float, *, room: float, most: int = 100) -> float:
        """The text in lines no broader than `room`, `most` of them; where the next line would stand."""
        lines = self.lines_of(text, size, room)
        for line in [*lines[: most - 1], " ".join(lines[most - 1 :])]:
            if line:
                self.text(x, y, line, size, room=room)
                y += size * 1.35
        return y

    def lines_of(self, text: str, size: float, room: float) -> list[str]:
        """The text broken into lines."""
        found: list[str] = []
        for paragraph in text.splitlines():
            line = ""
            for piece in _pieces(paragraph):
                if line and _width(_runs((line + piece).rstrip(), self._language), size) > room:
                    found.append(line.rstrip())
                    line = ""
                line += piece
            found.append(line.rstrip())
        return found

    def line(self, x: float, y: float, to_x: float, to_y: float, width: float = 0.5) -> None:
        """A straight line."""
        self._canvas.setLineWidth(width)
        self._canvas.line(x, self.height - y, to_x, self.height - to_y)

    def turn(self) -> None:
        """What follows stands on the next page."""
        self._canvas.showPage()

    def finish(self) -> bytes:
        """The whole document."""
        self._canvas.showPage()
        self._canvas.save()
        return self._file.getvalue()


def unwritable(texts: Iterable[str], language: str) -> list[str]:
    """Those of the texts that have letters no font here can write."""
    return [text for text in texts if any(_face_of(each, language, bold=False) is None for each in text)]


# --- setting a text -------------------------------------------------------------------------------------------------
def _runs(text: str, language: str, *, bold: bool = False) -> list[tuple[str, str]]:
    """The text in pieces of one font each, without what none can write."""
    faces = ((_face_of(letter, language, bold=bold), letter) for letter in text)
    known = [(face, letter) for face, letter in faces if face]
    return [(name, "".join(letter for _name, letter in run)) for name, run in groupby(known, key=lambda each: each[0])]


def _width(runs: Sequence[tuple[str, str]], size: float) -> float:
    measured = _module("reportlab.pdfbase.pdfmetrics")
    return sum(float(measured.stringWidth(part, font, size)) for font, part in runs)


def _pieces(text: str) -> Iterator[str]:
    """Where a line may be broken: behind blanks, and beside every letter that needs none around it."""
    word = ""
    for letter in text:
        word += letter
        if letter == " " or ord(letter) >= _ASIAN_FROM:
            yield word
            word = ""
    yield word


# --- fonts ----------------------------------------------------------------------------------------------------------
@cache
def _module(name: str) -> Any:
    return import_module(name)


@cache
def _face_of(letter: str, language: str, *, bold: bool) -> str | None:
    """The font that letter is set in; None where none has it."""
    if unicodedata.bidirectional(letter) in ("R", "AL"):
        return None
    return next((face.name for face in _faces(language, bold=bold) if face.has(letter)), None)


@cache
def _faces(language: str, *, bold: bool) -> tuple[_Face, ...]:
    own = [_own_face(both[0 if bold else 1]) for both in FACES]
    latin = _Face("Helvetica-Bold" if bold else "Helvetica", None, "cp1252")
    first = {"zh-hant": 1, "ja": 2, "ko": 3}.get(language.lower(), 0)
    asian = [_asian_face(*_ASIAN[first]), *(_asian_face(*each) for each in _ASIAN if each != _ASIAN[first])]
    return (*(face for face in own if face), latin, *asian)


@cache
def _own_face(file: str) -> _Face | None:
    """A font of the machine; None where it has none of that name, or one whose outlines ReportLab cannot embed."""
    path = path_of(file)
    if path is None:
        return None
    fonts = _module("reportlab.pdfbase.ttfonts")
    try:
        font = fonts.TTFont(file, path)
    except fonts.TTFError:
        return None
    _module("reportlab.pdfbase.pdfmetrics").registerFont(font)
    return _Face(file, frozenset(font.face.charToGlyph))


@cache
def _asian_face(name: str, encoding: str) -> _Face:
    font = _module("reportlab.pdfbase.cidfonts").UnicodeCIDFont(name)
    _module("reportlab.pdfbase.pdfmetrics").registerFont(font)
    return _Face(name, None, encoding)
