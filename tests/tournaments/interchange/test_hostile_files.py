"""Every reader of files against files that no club would send: a sentence, a list of bad rows, or the file read; never
another error, and no more work than a file of that size is worth."""

import io
import random
import re
import tracemalloc
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import pytest
from openpyxl import Workbook

from clubrating.ops.backups.archive import verify
from players.models import Player
from players.refusals import Refused
from ratings.calculators.forms import read_games as read_paste
from tournaments.interchange.contests_csv import make_contest_stream, read_contests, read_exported_contests
from tournaments.interchange.crosstable_csv import is_crosstable, read_crosstable
from tournaments.interchange.entries_csv import read_entries
from tournaments.interchange.fide_list import read_fide_list
from tournaments.interchange.games_csv import read_exported_games, read_games
from tournaments.interchange.list_csv import read_list
from tournaments.interchange.players_csv import RUN_COLUMNS, read_given_ratings, read_members, read_players
from tournaments.interchange.sheets import as_csv_bytes
from tournaments.interchange.stream import read_study_players
from tournaments.interchange.tables_csv import BadRow, UnreadableFileError
from tournaments.interchange.trf import read_report

TODAY = date(2026, 1, 5)
SIZE, FEW = 40_000, 100  # bytes of a file; bad lines behind which a reader stops
LONGEST = 700  # letters of a sentence
MOST_MEMORY = 20  # times the size of the file: as 100 MB are to one of 5 MB
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Reader:
    """How it reads, a small file it reads well, the memory it takes up to a bound of its own, and the bytes of the
    others: so many that they reach its bounds."""

    read: Callable[[bytes], Any]
    good: bytes
    fixed: int = 0
    size: int = SIZE


def contest_stream(data: bytes) -> Any:
    found = read_contests(data, today=TODAY)
    make_contest_stream(found.rows, today=TODAY)
    return found


def crosstable(data: bytes) -> Any:
    is_crosstable(data)
    return read_crosstable(data)


def paste(data: bytes) -> Any:
    return read_paste(data.decode(errors="replace"))


def backup(data: bytes) -> Any:
    """Sealed as our own are, so that what is read is the content."""
    with NamedTemporaryFile() as file:
        file.write(data + sha256(data).hexdigest().encode())
        file.flush()
        return verify(Path(file.name))


def as_workbook(table: bytes) -> bytes:
    book = Workbook()
    for line in table.decode().splitlines():
        book.active.append(line.split(","))
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


PLAYERS = b"player,rating,games,deviation,peak,birth_year\nAda,1500,10,80,1600,1990\n"
GAMES = (
    b"date,white,black,result,round,board,pool,importance,white_points,black_points,white_rating,black_rating\n"
    b"2026-01-05,Ada,Bo,1-0,1,1,standard,1,10,5,1500,1600\n"
)
CONTESTS = (
    b"contest,side,place,player,date,score,weight,importance\na,1,1,Ada,2026-01-05,3,1,1\na,2,2,Bo,2026-01-05,2,1,1\n"
)
EXPORTED = (
    b"date,white,black,result,sequence,white_born,black_born,event_start\n2026-01-05,#1,#2,1-0,7,1990,1991,2026-01-05\n"
)
TRF = (
    "012 Cup\n042 2026/01/05\n062 2\nXXR 1\n"
    f"001    1 m    {'Ada':<33} 1500                 1990/01/01  1.0    1     2 w 1\n"
    f"001    2 m    {'Bo':<33} 1600                 1990/01/01  0.0    2     1 b 0\n"
).encode()
TERMS = (
    b'{"list": "Standard", "pool": "standard", "on": "2026-01-05", "provisional_games": 30, "reentry": null, '
    b'"rules": [{"valid_from": "2020-01-01", "system": "elo", "settings": {"preset": "club"}}], '
    b'"starting_ratings": [], "running_events": []}'
)
LIST = b"# digest: 0\n# settings: " + TERMS + b"\nplace,number,player,rating,games,provisional\n1,1,Ada,1500.0,9,0\n"
READERS: dict[str, Reader] = {
    "players": Reader(lambda data: read_players(data, today=TODAY, also=RUN_COLUMNS), PLAYERS),
    "members": Reader(lambda data: read_members(as_csv_bytes(data), today=TODAY), PLAYERS),
    "members as a workbook": Reader(lambda data: read_members(as_csv_bytes(data), today=TODAY), as_workbook(PLAYERS)),
    "entries": Reader(
        lambda data: read_entries(as_csv_bytes(data), today=TODAY, titles=Player.Title.values),
        b"name,number,fide_id,birth_year,sex,title,seed\nAda,,1503014,1990,f,GM,1\n",
    ),
    "games": Reader(lambda data: read_games(data, today=TODAY), GAMES),
    "given ratings": Reader(read_given_ratings, GAMES),
    "go": Reader(lambda data: read_games(data, today=TODAY), b"white,black,result,handicap,komi\nAda,Bo,1-0,3,6.5\n"),
    "exported games": Reader(lambda data: read_exported_games(data, today=TODAY, default_pool="standard"), EXPORTED),
    "contests": Reader(contest_stream, CONTESTS),
    "exported contests": Reader(
        lambda data: read_exported_contests(data, today=TODAY, default_pool="standard"),
        CONTESTS.replace(b"Ada", b"#1").replace(b"Bo", b"#2"),
    ),
    "a study’s players": Reader(read_study_players, b"player,strength,frequency\nAda,3,1\n"),
    "crosstable": Reader(
        crosstable, b"Rk,No,Name,Rtg,1,2,Pts\n1,1,Ada,1500,2w1,2b1,2\n2,2,Bo,1400,1b0,1w0,0\n", size=120_000
    ),
    "published list": Reader(read_list, LIST),
    "report": Reader(read_report, TRF, 30_000_000),
    "FIDE’s list as XML": Reader(
        lambda data: list(read_fide_list(io.BytesIO(data), "list.xml", most=64 * 1024 * 1024)),
        b"<playerslist><player><fideid>1503014</fideid><name>Ada</name><rating>1500</rating></player></playerslist>",
    ),
    "FIDE’s list as text": Reader(
        lambda data: list(read_fide_list(io.BytesIO(data), "list.txt", most=64 * 1024 * 1024)),
        b"ID Number      Name           Fed Sex Tit  SRtng\n1503014        Ada            NOR F   GM   1500",
    ),
    "pasted games": Reader(paste, b"Ada 1500 1\n"),
    "backup": Reader(backup, b""),
}


def lines_of(good: bytes) -> tuple[bytes, bytes]:
    """Everything before the last line, and that line."""
    head, end, last = good.rstrip(b"\n").rpartition(b"\n")
    return head + end, last


def every_cell(good: bytes, value: str) -> bytes:
    """The file with that value in place of each cell of the last row, one line for each."""
    head, last = lines_of(good)
    if b"<player>" in good:
        values = (b">1503014<", b">Ada<", b">1500<")
        return b"".join(good.replace(each, f">{value}<".encode()).partition(b"<playerslist>")[2] for each in values)
    sign = b"," if b"," in last else b" "
    cells = last.split(sign)
    rows = (sign.join([*cells[:at], value.encode(), *cells[at + 1 :]]) for at in range(len(cells)) if cells[at])
    return head + b"\n".join(rows) + b"\n"


def filled(start: bytes, piece: bytes, size: int) -> bytes:
    return start + piece * ((size - len(start)) // len(piece))


def wide(good: bytes, count: int) -> bytes:
    head, last = lines_of(good)
    sign = b"," if b"," in last else b" "
    more = b"".join(sign + f"c{number}".encode() for number in range(count))
    return head.rstrip(b"\n") + more + b"\n" + last + sign.join([b"", *[b"1"] * count]) + b"\n"


def zipped(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr(name, content)
    return out.getvalue()


@cache
def twenty_megabytes() -> bytes:
    return zipped("list.xml", b"<playerslist>" + b" " * 20_000_000)


def nested(depth: int) -> bytes:
    inner = b"<playerslist/>"
    for _level in range(depth):
        inner = zipped("list.xml", inner)
    return inner


# The file made of a good one, up to so many bytes.
HOSTILE: Mapping[str, Callable[[bytes, int], bytes]] = {
    "empty": lambda good, size: b"",
    "a byte order mark alone": lambda good, size: b"\xef\xbb\xbf",
    "blank lines": lambda good, size: b"\n" * (size // 4),
    "bad rows": lambda good, size: filled(lines_of(good)[0], b"?,?\n", size),
    "rows of the right width": lambda good, size: filled(
        lines_of(good)[0], b",".join([b"?"] * (lines_of(good)[1].count(b",") + 1)) + b"\n", size
    ),
    "the same good row": lambda good, size: filled(lines_of(good)[0], lines_of(good)[1] + b"\n", size),
    "one line": lambda good, size: b"x" * size,
    "one line below the header": lambda good, size: filled(lines_of(good)[0], b"x", size),
    "one line of separators": lambda good, size: filled(lines_of(good)[0], b",", size),
    "a header of separators": lambda good, size: b"," * size,
    "many columns": lambda good, size: wide(good, size // 12),
    "NUL bytes": lambda good, size: good.replace(b"a", b"a\0"),
    "a quotation mark never closed": lambda good, size: filled(lines_of(good)[0] + b'"', b"x,1\n", size),
    "a quotation mark in each line": lambda good, size: filled(lines_of(good)[0], b'"x"y,1\n', size),
    "UTF-16": lambda good, size: good.decode().encode("utf-16") if good[:2] != b"PK" else good,
    "cp1251": lambda good, size: good.replace(b"Ada", "Анна".encode("cp1251")),
    "thousands of figures": lambda good, size: every_cell(good, "9" * 5_000),
    "thousands of figures for each 1": lambda good, size: re.sub(rb"\b1\b", b"9" * 5_000, good),
    "rounds of thousands of figures": lambda good, size: good.replace(b"XXR 1", b"XXR " + b"9" * 5_000),
    "a name that is a figure": lambda good, size: good.replace(b"Ada", "²".encode()),
    "an exponent": lambda good, size: every_cell(good, "1e999999999"),
    "figures of other scripts": lambda good, size: every_cell(good, "²") + every_cell(good, "٣"),
    "no number": lambda good, size: every_cell(good, "nan"),
    "a day that is none": lambda good, size: every_cell(good, "9999-99-99"),
    "the last day of all": lambda good, size: every_cell(good, "9999-12-31"),
    "right to left, and control characters": lambda good, size: every_cell(good, "\u202e\x1b[2J\x07\u200f"),
    "noise": lambda good, size: random.Random(1).randbytes(size),
    "half the file": lambda good, size: good[: len(good) // 2],
    "its header twice": lambda good, size: good.splitlines()[0] + b"\n" + good if good else b"",
    "its columns twice": lambda good, size: b",".join([good.split(b"\n")[0]] * 2) + b"\n",
    "brackets": lambda good, size: b"[" * size,
    "elements within elements": lambda good, size: filled(b"<playerslist>", b"<a>", size),
    "an element of one text": lambda good, size: filled(b"<playerslist><player><name>", b"x", size),
    "elements of one player": lambda good, size: (
        b"<playerslist><player>" + b"".join(b"<a%d/>" % number for number in range(size // 12))
    ),
    "a zip of twenty megabytes": lambda good, size: twenty_megabytes(),
    "a zip within a zip": lambda good, size: nested(50),
    "many files in a zip": lambda good, size: many_members(size),
}


def many_members(size: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as parts:
        for number in range(size // 200):
            parts.writestr(f"{number}.xml", b"")
    return out.getvalue()


def is_plain(text: str) -> bool:
    """One that a terminal and a page may show: some short lines, and no sign that moves others."""
    lines = text.split("\n")
    return len(lines) < 25 and all(len(line) <= LONGEST and not CONTROL.search(line) for line in lines)


def read_or_refuse(reader: Reader, data: bytes) -> None:
    """A sentence, or what was read with few bad rows, each with its line and a sentence."""
    said = ""
    try:
        found = reader.read(data)
    except (UnreadableFileError, Refused) as refusal:
        found, said = None, str(refusal)
    assert is_plain(said), said[:1000]
    bad = [row for row in (found if isinstance(found, list) else getattr(found, "bad", ())) if isinstance(row, BadRow)]
    assert all(row.line > 0 and is_plain(row.reason) for row in bad), [row for row in bad if not is_plain(row.reason)]
    if hasattr(found, "bad"):
        assert len({row.line for row in bad}) <= 2 * FEW + 1, "reading stopped"


@pytest.mark.extended
@pytest.mark.parametrize("kind", HOSTILE)
def test_no_file_breaks_a_reader_or_is_read_on_when_nothing_in_it_is_good(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{TABLES}.MOST_BAD", FEW)
    monkeypatch.setattr("tournaments.interchange.contests_csv.MOST_BAD", FEW)
    monkeypatch.setattr("tournaments.interchange.fide_list.MOST_BAD", FEW)
    monkeypatch.setattr("tournaments.interchange.trf.reader.MOST_BAD", FEW)
    problems = {}
    for name, reader in READERS.items():
        data = HOSTILE[kind](reader.good, reader.size)
        tracemalloc.start()
        try:
            read_or_refuse(reader, data)
        except Exception as error:
            problems[name] = repr(error)[:300]
        if (taken := tracemalloc.get_traced_memory()[1]) > MOST_MEMORY * reader.size + reader.fixed:
            problems[name] = f"{taken:,} bytes of memory"
        tracemalloc.stop()
    assert problems == {}


CSV, TABLES, FIDE = (f"tournaments.interchange.{name}" for name in ("csv_text", "tables_csv", "fide_list"))
HEADER, CROSSTABLE = b"ID Number Name\n", b"No,Name,1\n1,A,2w1\n2,B,1b0\n3,C,"
ALONE = CONTESTS.partition(b"a,1,")[0] + b"a,1,1,Ada,2026-01-05,3,1,1\n"
# What a limit is called, one small enough, a file as long as it allows, what makes it too long, and what is then said.
LIMITS = (
    (f"{CSV}.MOST_LINES", 3, "players", b"player\nA\nB\n", b"\n", "more than 3 lines"),
    (f"{CSV}.MOST_COLUMNS", 200, "players", b"player\nA" + b"," * 10_000, b",", "more than 200 columns"),
    (f"{TABLES}.MOST_BAD", 1, "players", b"player\nA,B\n", b"A,B\n", "not read from here"),
    (f"{TABLES}.MOST_BAD", 1, "players", b"player\n?\n", b"?\n", "not read from here"),
    (f"{TABLES}._MOST_NAMED", 2, "players", b"a,b", b",c\n", "are “a”, “b”, …"),
    ("tournaments.interchange.contests_csv.MOST_BAD", 1, "contests", ALONE, b"b,1,1,A,,3,1,1\n", "not read"),
    ("tournaments.interchange.crosstable_csv._MOST_CELLS", 8, "crosstable", CROSSTABLE, b",", "than 8"),
    (f"{FIDE}.MOST_BAD", 1, "FIDE’s list as text", HEADER + b"x         A\n", b"y         B\n", "More than 1 rows"),
    (f"{FIDE}._LONGEST_LINE", 60, "FIDE’s list as text", HEADER + b"1         A".ljust(60), b" ", "longer than"),
)  # fmt: skip


@pytest.mark.parametrize(("limit", "most", "reader", "whole", "more", "said"), LIMITS)
def test_a_file_as_long_as_it_may_be_is_read_and_one_longer_is_not(
    monkeypatch: pytest.MonkeyPatch, limit: str, most: int, reader: str, whole: bytes, more: bytes, said: str
) -> None:
    monkeypatch.setattr(limit, most)

    def told(data: bytes) -> str:
        try:
            found = READERS[reader].read(data)
        except UnreadableFileError as refusal:
            return str(refusal)
        return " ".join(map(str, getattr(found, "bad", ())))

    assert said not in told(whole)
    assert said in told(whole + more)


def test_the_small_files_are_good() -> None:
    for name, reader in READERS.items():
        if reader.good:
            found = reader.read(reader.good)
            assert not getattr(found, "bad", ()), name
