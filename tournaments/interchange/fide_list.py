"""FIDE's rating lists as they are downloaded: XML or TXT, combined or of one rate of play, plain or in a zip (pure).

Rows are handed out one by one as the file is read, so a list of over a million players takes no more memory than one
of ten. XML: `<playerslist><player>` with fideid, name, country, sex, title, w_title, rating, rapid_rating,
blitz_rating, games, k, birthday, flag; files of one rate of play have only rating, games and k, and which rate it is
stands in the file's name. TXT: fixed width, where the columns stand is read off the header line, since it drifts from
month to month. A rating that is empty or 0 means unrated; the flag holds w for women and i for the inactive.

A row that cannot be used comes as a `BadRow` with its line. `write_fide_text` writes a list of one rate of play in the
fixed width of FIDE's TXT, which other programs read players from. Not done: other federations' lists, downloading.
"""

import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import IO, BinaryIO
from xml.sax import SAXException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from clubrating.ground.marks import marked, sentence
from players.people.names import MAX_NAME, clean_name
from tournaments.interchange.tables_csv import MOST_BAD, MOST_COLUMNS, BadRow, UnreadableFileError, shortened

RATES = ("standard", "rapid", "blitz")
TITLES = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")
# FIDE's own download unpacks to well under 1 GB, at about a twentieth packed.
LARGEST_UNPACKED = 2 * 1024**3
_MOST_DEPTH = 10  # elements within elements; a list has three
MOST_PACKED = 200  # bytes for one in the zip
_ZIP = b"PK\x03\x04"
_CHUNK = 1 << 16
_LONGEST_LINE = 1000
_SHORT_TITLES = {"g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM", "wc": "WCM"}
_YEAR = re.compile(r"(1[89][0-9]{2}|20[0-9]{2})")


@dataclass(frozen=True, slots=True)
class FideRow:
    """One player of the list, and the line his row begins with. `ratings` by rate of play, without those he is unrated
    in; `sex` is "f", "m" or "" and `title` one of `TITLES` or ""."""

    line: int
    fide_id: str
    name: str
    country: str = ""
    sex: str = ""
    title: str = ""
    birth_year: int | None = None
    ratings: Mapping[str, int] = field(default_factory=dict)
    is_active: bool = True


def read_fide_list(stream: BinaryIO, name: str, *, most: int = LARGEST_UNPACKED) -> Iterator[FideRow | BadRow]:
    """The rows of a list, one by one; `name` is the file's. Raises UnreadableFileError, possibly in the middle of the
    list, for a damaged or harmful file and for one that unpacks to more than `most` bytes."""
    try:
        if zipfile.is_zipfile(stream):
            stream.seek(0)
            with zipfile.ZipFile(stream) as packed, packed.open(member := _only_member(packed, most)) as file:
                yield from _until_too_bad(_rows(_pieces(file, most), member.filename or name))
        else:
            stream.seek(0)
            yield from _until_too_bad(_rows(_pieces(stream, most), name))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        raise UnreadableFileError(
            sentence("The zip file is damaged or locked (%(reason)s): download it again.", reason=error)
        ) from None


def _until_too_bad(rows: Iterator[FideRow | BadRow]) -> Iterator[FideRow | BadRow]:
    """Raises UnreadableFileError behind so many rows of no use that this is no list."""
    bad = 0
    for row in rows:
        bad += isinstance(row, BadRow)
        if bad > MOST_BAD:
            raise UnreadableFileError(
                sentence("More than %(most)s rows of the file cannot be used: this is no rating list.", most=MOST_BAD)
            )
        yield row


def _only_member(packed: zipfile.ZipFile, most: int) -> zipfile.ZipInfo:
    # What a Mac packs beside a file is none.
    members = [member for member in packed.infolist() if not member.is_dir() and "__MACOSX" not in member.filename]
    if len(members) != 1:
        raise UnreadableFileError(
            sentence("The zip file holds %(files)s files: pack the list alone.", files=len(members))
        )
    member = members[0]
    too_thin = member.file_size > MOST_PACKED * max(member.compress_size, 1) and member.file_size > _CHUNK
    if member.file_size > most or too_thin:
        raise UnreadableFileError(marked("The zip file unpacks to far more than a rating list: it is refused."))
    return member


def _pieces(file: IO[bytes], most: int) -> Iterator[bytes]:
    """The file in pieces, no more than `most` bytes of it in all, whatever its own headers say."""
    while piece := file.read(_CHUNK):
        most -= len(piece)
        if most < 0:
            raise UnreadableFileError(marked("The file is larger than any rating list: it is refused."))
        yield piece


def _rows(pieces: Iterator[bytes], name: str) -> Iterator[FideRow | BadRow]:
    first = next(pieces, b"")
    if not first.strip():
        raise UnreadableFileError(marked("The file is empty: download it again."))
    if first.startswith(_ZIP):
        raise UnreadableFileError(marked("The zip file is damaged, its end is missing: download it again."))
    rate = next((rate for rate in RATES if rate in name.lower()), "standard")
    begun = chain([first], pieces)
    if first.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        return _xml_rows(begun, rate)
    return _text_rows(begun, rate)


# --- XML ------------------------------------------------------------------------------------------------------------
class _Players(ContentHandler):
    """Collects the elements of one `<player>` after another; `take` empties what is ready."""

    def __init__(self, line: Callable[[], int]) -> None:
        super().__init__()
        self._line = line
        self._at = self._depth = 0
        self._row: dict[str, str] | None = None
        self._text: list[str] = []
        self.ready: list[tuple[int, dict[str, str]]] = []
        self.is_list = False

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 — the interface's name
        self._depth += 1
        if self._depth > _MOST_DEPTH or (self._row and len(self._row) > MOST_COLUMNS):
            raise UnreadableFileError(marked("The file’s XML is built like no rating list’s: it is refused."))
        if name == "player":
            self._row, self._at = {}, self._line()
        elif name == "playerslist":
            self.is_list = True
        self._text = []

    def characters(self, content: str) -> None:
        if self._row is not None:
            self._text.append(content)

    def endElement(self, name: str) -> None:  # noqa: N802 — the interface's name
        self._depth -= 1
        if self._row is None:
            return
        if name == "player":
            self.ready.append((self._at, self._row))
            self._row = None
        else:
            self._row[name] = "".join(self._text)[:_LONGEST_LINE].strip()
        self._text = []

    def take(self) -> list[tuple[int, dict[str, str]]]:
        ready, self.ready = self.ready, []
        return ready


def _xml_rows(pieces: Iterator[bytes], rate: str) -> Iterator[FideRow | BadRow]:
    parser = DefusedExpatParser(forbid_dtd=True)
    players = _Players(parser.getLineNumber)
    parser.setContentHandler(players)
    try:
        for piece in pieces:
            parser.feed(piece)
            for line, values in players.take():
                yield _row(line, values, rate)
        parser.close()
    except DefusedXmlException:
        raise UnreadableFileError(
            marked("The file defines entities of its own, as no rating list does: refused.")
        ) from None
    except (SAXException, ValueError) as error:
        raise UnreadableFileError(
            sentence("The file is no whole XML: %(reason)s. Download it again.", reason=error)
        ) from None
    if not players.is_list:
        raise UnreadableFileError(marked("This is no rating list: there is no <playerslist> in it."))


# --- fixed width ----------------------------------------------------------------------------------------------------
# Column of the header → element of the XML.
_COLUMNS = {
    "id number": "fideid", "idnumber": "fideid", "id": "fideid", "name": "name", "fed": "country", "sex": "sex",
    "tit": "title", "titl": "title", "wtit": "w_title", "otit": "o_title", "foa": "foa_title",
    "srtg": "rating", "rrtg": "rapid_rating", "brtg": "blitz_rating",
    "srtng": "rating", "rrtng": "rapid_rating", "brtng": "blitz_rating", "b-day": "birthday", "born": "birthday",
    "flag": "flag",
}  # fmt: skip
_LABEL = re.compile(
    r"id ?number|name|fed|sex|wtit|otit|titl?(?=fed| |$)|foa|[srb]rtn?g|[srb]gm|[srb]k"
    r"|b-day|born|flag|gms|games|k|[a-z]{3} ?[0-9]{2}\b",
    re.IGNORECASE,
)


def _text_rows(pieces: Iterator[bytes], rate: str) -> Iterator[FideRow | BadRow]:
    lines = ((number, text) for number, text in _lines(pieces) if text.strip())
    _number, header = next(lines, (1, ""))
    columns = _columns_of(header)
    if not {"fideid", "name"} <= columns.keys():
        raise UnreadableFileError(
            marked("This is no rating list: its first line names no columns “ID Number” and “Name”.")
        )
    for number, text in lines:
        yield _row(number, {name: text[place].strip() for name, place in columns.items()}, rate)


def _lines(pieces: Iterator[bytes]) -> Iterator[tuple[int, str]]:
    """Lines with their numbers; one without end is cut into lines too long to be rows."""
    number, rest = 1, b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield number, _decoded(line)
            number += 1
        if len(rest) > _LONGEST_LINE:
            raise UnreadableFileError(
                sentence("Line %(number)s is longer than any row of a rating list: this is none.", number=number)
            )
    if rest or number == 1:
        yield number, _decoded(rest)


def _decoded(line: bytes) -> str:
    """UTF-8, and where it is none what FIDE used before."""
    try:
        return line.rstrip(b"\r").decode("utf-8-sig")
    except UnicodeDecodeError:
        return line.rstrip(b"\r").decode("latin-1")


def _columns_of(header: str) -> dict[str, slice]:
    """Where each column stands: from its label to the next. The month's own column ("JAN26") holds the rating."""
    labels = [(found.start(), found[0].lower()) for found in _LABEL.finditer(header)]
    ends = [*(start for start, _label in labels[1:]), None][: len(labels)]
    columns: dict[str, slice] = {}
    for (start, label), end in zip(labels, ends, strict=True):
        name = _COLUMNS.get(label) or ("rating" if label[-1].isdigit() else "")
        if name:
            columns.setdefault(name, slice(start, end))
    return columns


# --- a row ----------------------------------------------------------------------------------------------------------
def _row(line: int, values: Mapping[str, str], rate: str) -> FideRow | BadRow:
    fide_id = values.get("fideid", "").lstrip("0")
    if not (fide_id.isascii() and fide_id.isdigit() and len(fide_id) <= 10):
        return BadRow(line, sentence("“%(value)s” is no FIDE number", value=shortened(values.get("fideid", ""), 20)))
    name = clean_name(values.get("name", ""))
    if not any(char.isalnum() for char in name) or len(name) > MAX_NAME:
        return BadRow(line, sentence("the player %(fide_id)s has no name that can be used", fide_id=fide_id))
    try:
        ratings = _ratings(values, rate)
    except ValueError:
        return BadRow(line, sentence("a rating of the player %(fide_id)s is no number up to 4000", fide_id=fide_id))
    flag, sex = values.get("flag", "").lower(), values.get("sex", "").lower()
    born = _YEAR.match(values.get("birthday", ""))
    return FideRow(
        line=line,
        fide_id=fide_id,
        name=name,
        country=values.get("country", "")[:3].upper(),
        sex="f" if sex in ("f", "w") or (not sex and "w" in flag) else "m" if sex == "m" else "",
        title=_title(values),
        birth_year=int(born[1]) if born and int(born[1]) >= 1850 else None,
        ratings=ratings,
        is_active="i" not in flag,
    )


def _ratings(values: Mapping[str, str], rate: str) -> dict[str, int]:
    """Ratings by rate of play. In a combined list "rating" is the standard one, whatever the file is called. Raises
    ValueError."""
    combined = "rapid_rating" in values or "blitz_rating" in values
    columns = {"standard": "rating", "rapid": "rapid_rating", "blitz": "blitz_rating"} if combined else {rate: "rating"}
    found = {kind: int(values.get(column, "") or 0) for kind, column in columns.items()}
    if any(not 0 <= rating <= 4000 for rating in found.values()):
        raise ValueError
    return {kind: rating for kind, rating in found.items() if rating}


def _title(values: Mapping[str, str]) -> str:
    for column in ("title", "w_title"):
        said = values.get(column, "")
        title = _SHORT_TITLES.get(said.lower(), said.upper())
        if title in TITLES:
            return title
    return ""


# --- writing --------------------------------------------------------------------------------------------------------
_HEADER = (
    ("ID Number", 15), ("Name", 61), ("Fed", 4), ("Sex", 4), ("Tit", 5), ("WTit", 5), ("SRtng", 6), ("SGm", 4),
    ("SK", 3), ("B-day", 6), ("Flag", 4),
)  # fmt: skip
_SEXES = {"f": "F", "m": "M"}
_LEAST_FIGURES = 4  # some programs take no shorter number


def write_fide_text(rows: Iterable[FideRow]) -> str:
    """The rows in fixed width, their standard ratings, a header first; lines end in CR LF."""
    lines = ["".join(label.ljust(width) for label, width in _HEADER), *map(_written, rows)]
    return "".join(f"{line.rstrip()}\r\n" for line in lines)


def _written(row: FideRow) -> str:
    rating = row.ratings.get("standard", "")
    woman = row.title if row.title.startswith("W") else ""
    values = (
        row.fide_id.zfill(_LEAST_FIGURES), row.name, row.country, _SEXES.get(row.sex, ""), row.title, woman, rating, 0,
        "", row.birth_year or "", "w" if row.sex == "f" else "",
    )  # fmt: skip
    columns = zip(values, _HEADER, strict=True)
    return "".join(str(value)[: width - 1].ljust(width) for value, (_label, width) in columns)
