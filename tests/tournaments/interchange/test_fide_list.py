"""FIDE's list as a file: XML and TXT, combined and of one rate, zipped; harmful and damaged ones refused in words."""

import io
import random
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.interchange.fide_list import FideRow, read_fide_list, write_fide_text
from tournaments.interchange.tables_csv import BadRow, UnreadableFileError

CARLSEN = """<player><fideid>1503014</fideid><name>Carlsen, Magnus</name><country>NOR</country><sex>M</sex>
<title>GM</title><w_title></w_title><o_title></o_title><foa_title></foa_title><rating>2839</rating><games>0</games><k>10</k>
<rapid_rating>2824</rapid_rating><rapid_games>0</rapid_games><rapid_k>10</rapid_k><blitz_rating>0</blitz_rating>
<blitz_games></blitz_games><blitz_k>10</blitz_k><birthday>1990</birthday><flag></flag></player>"""
HOU = """<player><fideid>8602980</fideid><name>Hou, Yifan</name><country>CHN</country><sex>F</sex><title>GM</title>
<w_title>WGM</w_title><rating>2633</rating><birthday>1994</birthday><flag>wi</flag></player>"""
HEADER = (
    "ID Number      Name                      Fed Sex Tit  WTit OTit FOA SRtg SGm SK RRtg RGm Rk BRtg BGm BK B-day Flag"
)
LINES = [
    "1503014        Carlsen, Magnus           NOR M   GM                 2839 0   10 2824 0   10             1990",
    "8602980        Hou, Yifan                CHN F   GM   WGM           2633 0   10                         1994  wi",
]


def listed(*players: str) -> bytes:
    return f'<?xml version="1.0" encoding="utf-8"?>\n<playerslist>\n{"".join(players)}\n</playerslist>'.encode()


def text(*lines: str, header: str = HEADER) -> bytes:
    return "\r\n".join([header, *lines, ""]).encode()


def zipped(*members: tuple[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members:
            packed.writestr(name, content)
    return file.getvalue()


def read(content: bytes, name: str = "players_list.xml") -> list[FideRow | BadRow]:
    return list(read_fide_list(io.BytesIO(content), name))


def good(content: bytes, name: str = "players_list.xml") -> list[FideRow]:
    rows = read(content, name)
    assert not [row for row in rows if isinstance(row, BadRow)], rows
    return [row for row in rows if isinstance(row, FideRow)]


# --- what a row says ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("content", [listed(CARLSEN, HOU), text(*LINES)], ids=["xml", "txt"])
def test_both_formats_say_the_same(content: bytes) -> None:
    carlsen, hou = good(content)
    assert (carlsen.fide_id, carlsen.name, carlsen.country) == ("1503014", "Carlsen, Magnus", "NOR")
    assert (carlsen.title, carlsen.sex, carlsen.birth_year, carlsen.is_active) == ("GM", "m", 1990, True)
    assert carlsen.ratings == {"standard": 2839, "rapid": 2824}, "0 and nothing mean unrated"
    assert (hou.sex, hou.title, hou.is_active) == ("f", "GM", False)


def test_a_row_is_written_so_that_it_is_read_again_as_full_as_its_columns_are() -> None:
    row = FideRow(2, "1503014567", "N" * 60, "NOR", "f", "WGM", 1990, {"standard": 2839})
    assert good(write_fide_text([row]).encode(), "players.txt") == [row]
    assert good(write_fide_text([replace(row, name="N" * 61)]).encode(), "players.txt") == [row], "longer names are cut"
    assert [each.name for each in good(listed(f"<player><fideid>1</fideid><name>{'N' * 100}</name></player>"))]
    header, line, man = write_fide_text([replace(row, fide_id="101", name="Ada"), FideRow(3, "7", "Bo")]).splitlines()
    assert line.split() == ["0101", "Ada", "NOR", "F", "WGM", "WGM", "2839", "0", "1990", "w"]
    assert man.split() == ["0007", "Bo", "0"]
    assert [each.rstrip() for each in (header, line, man)] == [header, line, man], "no blanks behind"


def test_columns_are_found_by_the_header_and_one_rate_by_the_files_name() -> None:
    header = "ID Number   Name                  Fed Sex Tit  WTit FOA SRtg SGm SK B-day Flag"
    line = "1503014     Carlsen, Magnus       NOR M   GM            2839 0   10 1990      "
    (row,) = good(text(line, header=header))
    assert (row.name, row.ratings, row.birth_year) == ("Carlsen, Magnus", {"standard": 2839}, 1990)
    header = "ID Number      Name                           Fed Sex Tit  WTit OTit FOA JAN26 Gms K  B-day Flag"
    line = "1503014        Carlsen, Magnus                NOR M   GM                 2839  0   10 1990      "
    single = listed("<player><fideid>1</fideid><name>A</name><rating>1500</rating></player>")
    names = {"standard_rating_list.txt": "standard", "rapid_rating_list.txt": "rapid", "Blitz_list.txt": "blitz"}
    for name, rate in {**names, "x": "standard"}.items():
        (row,) = good(text(line, header=header), name)
        assert (row.ratings, row.birth_year) == ({rate: 2839}, 1990), name
        assert good(zipped((f"{rate}_rating_list.xml", single)), "download.zip")[0].ratings == {rate: 1500}


def test_the_flag_tells_women_and_the_inactive_and_titles_are_old_and_new() -> None:
    for flag, sex, active in (("", "", True), ("i", "", False), ("w", "f", True), ("wi", "f", False)):
        (row,) = good(listed(f"<player><fideid>1</fideid><name>A</name><flag>{flag}</flag></player>"))
        assert (row.sex, row.is_active, row.ratings, row.birth_year) == (sex, active, {}, None), flag
    for told, sex, year, ratings in (
        ("<sex>M</sex><flag>w</flag>", "m", None, {}),
        ("<sex>W</sex><birthday>1849</birthday>", "f", None, {}),
        ("<birthday>1850</birthday><rating>4000</rating>", "", 1850, {"standard": 4000}),
        ("<rating>1500</rating><blitz_rating>1400</blitz_rating>", "", None, {"standard": 1500, "blitz": 1400}),
    ):
        player = f"<player><fideid>1</fideid><name>A</name><country>nor</country>{told}</player>"
        (row,) = good(listed(player), "rapid_list.xml" if "blitz" in told else "list.xml")
        assert (row.sex, row.birth_year, row.ratings, row.country) == (sex, year, ratings, "NOR"), told
    for titles, known in {
        "<title>IM</title><w_title>WGM</w_title>": "IM",
        "<title></title><w_title>WFM</w_title>": "WFM",
        "<title>wm</title>": "WIM",
        "<title>g</title>": "GM",
        "<title>AFM</title>": "",
    }.items():
        (row,) = good(listed(f"<player><fideid>1</fideid><name>A</name>{titles}</player>"))
        assert row.title == known, titles


WIDE = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA "
    "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)
WIDE_LINE = (
    "1503014        Carlsen, Magnus                                              NOR M   GM        FA,NI              "
    "2839  0   10 2824  0   10 2881  0   10 0000      "
)


@pytest.mark.parametrize("before", ["", "\ufeff", "\r\n", "\ufeff\r\n\r\n"], ids=ascii)
def test_the_wide_layout_is_read_with_its_ratings(before: str) -> None:
    """Its ratings stand under “SRtng”: they used to be read as unrated, without a word."""
    content = (before + "\r\n".join([WIDE, WIDE_LINE])).encode()
    (row,) = good(content, "players_list_foa.txt")
    assert row.ratings == {"standard": 2839, "rapid": 2824, "blitz": 2881}
    assert (row.name, row.title, row.birth_year) == ("Carlsen, Magnus", "GM", None)


@pytest.mark.parametrize("keep", [0.3, 0.9])
def test_a_download_that_broke_off_is_called_so(keep: float) -> None:
    whole = zipped(("players_list_foa.txt", text(*LINES)))
    with pytest.raises(UnreadableFileError, match="its end is missing"):
        read(whole[: int(len(whole) * keep)], "players_list.zip")


def test_what_a_mac_packs_beside_the_list_is_no_second_list_and_old_files_are_in_latin_1() -> None:
    content = zipped(("players_list.xml", listed(CARLSEN)), ("__MACOSX/._players_list.xml", b"\0\5\x16\7"))
    assert [row.name for row in good(content, "players_list.zip")] == ["Carlsen, Magnus"]
    line = LINES[0].replace("Magnus", "Mågnus")
    assert good(text() + line.encode("latin-1"))[0].name == "Carlsen, Mågnus"


@pytest.mark.parametrize(
    ("player", "reason"),
    [
        ("<name>A</name>", "is no FIDE number"),
        ("<fideid>12x</fideid><name>A</name>", "“12x” is no FIDE number"),
        ("<fideid>12345678901</fideid><name>A</name>", "“12345678901” is no FIDE number"),
        ("<fideid>²</fideid><name>A</name>", "“²” is no FIDE number"),
        ("<fideid>1</fideid><name> </name>", "has no name"),
        (f"<fideid>1</fideid><name>{'x' * 101}</name>", "has no name"),
        ("<fideid>1</fideid><name>A</name><rating>many</rating>", "is no number up to 4000"),
        ("<fideid>1</fideid><name>A</name><rating>-5</rating>", "is no number up to 4000"),
        ("<fideid>1</fideid><name>A</name><rating>99999</rating>", "is no number up to 4000"),
    ],
)
def test_a_row_of_no_use_is_told_with_its_line_and_the_others_are_read(player: str, reason: str) -> None:
    first, bad, last = read(listed(CARLSEN, f"\n<player>{player}</player>\n", HOU))
    assert isinstance(bad, BadRow)
    assert reason in bad.reason
    assert bad.line == 7, "where the row begins in the file"
    assert {type(first), type(last)} == {FideRow}
    rows = read(text(LINES[0], "no number here                nobody", LINES[1]))
    assert [(row.line, type(row)) for row in rows] == [(2, FideRow), (3, BadRow), (4, FideRow)], "and in a text"


# --- files of no use ------------------------------------------------------------------------------------------------
ENTITY_BOMB = b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<playerslist><player><fideid>1</fideid><name>&b;</name></player></playerslist>"""
OUTSIDE = b"""<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><playerslist><player><name>&f;</name></player></playerslist>"""


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"  \n ", "is empty"),
        (b"hello, world", "no columns"),
        (b"<html><body>Not found</body></html>", "no <playerslist>"),
        (listed(CARLSEN)[:-20], "no whole XML"),
        (b"<playerslist><player></playerslist>", "no whole XML"),
        (ENTITY_BOMB, "entities of its own"),
        (OUTSIDE, "entities of its own"),
        (listed("<a>" * 10 + "</a>" * 10), "built like no rating list"),
        (listed("<player>", *(f"<a{number}/>" for number in range(202)), "</player>"), "built like no rating list"),
        (b"x" * 5000, "longer than any row"),
        (zipped(), "holds 0 files"),
        (zipped(("a.xml", listed(CARLSEN)), ("b.xml", b"")), "holds 2 files"),
        (zipped(("a.xml", listed(CARLSEN)))[:-30], "no columns|damaged|longer than any row"),
        (zipped(("bomb.xml", b"<playerslist>" + b" " * 50_000_000)), "unpacks to far more"),
    ],
)  # fmt: skip
def test_a_file_of_no_use_is_refused_in_words(content: bytes, reason: str) -> None:
    with pytest.raises(UnreadableFileError, match=reason):
        read(content)


def test_an_altered_zip_is_refused_and_no_more_is_unpacked_than_allowed() -> None:
    file = bytearray(zipped(("players_list.xml", listed(*[CARLSEN, HOU] * 400))))
    middle = len(file) // 2
    file[middle : middle + 8] = b"\x00" * 8
    with pytest.raises(UnreadableFileError):
        read(bytes(file))
    locked = bytearray(zipped(("players_list.xml", listed(CARLSEN))))
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(header) + flags] |= 1
    with pytest.raises(UnreadableFileError, match="damaged or locked"):
        read(bytes(locked))
    content = listed(*[CARLSEN] * 2000)
    for sent, name, reason in (
        (content, "a.xml", "larger than any rating list"),
        (zipped(("a.xml", content)), "a.zip", "unpacks to far more"),
    ):
        with pytest.raises(UnreadableFileError, match=reason):
            list(read_fide_list(io.BytesIO(sent), name, most=100_000))


def test_a_zip_may_be_long_or_mostly_blank_but_not_both() -> None:
    names = [f"{random.Random(number).getrandbits(256):x}" for number in range(700)]
    rows = [f"<player><fideid>{number}</fideid><name>{name}</name></player>" for number, name in enumerate(names, 1)]
    long = listed(*rows)
    blank = listed(" " * 65_000, "<player><fideid>1</fideid><name>A</name></player>")
    assert len(long) > 1 << 16 > len(blank)
    assert [row.name for row in good(zipped(("a.xml", long)), "a.zip")] == names
    assert [row.name for row in good(zipped(("a.xml", blank)), "a.zip")] == ["A"]
    for sent in (long, zipped(("a.xml", long))):
        assert len(list(read_fide_list(io.BytesIO(sent), "a", most=len(long)))) == len(names)
        with pytest.raises(UnreadableFileError, match=r"larger than any|far more"):
            list(read_fide_list(io.BytesIO(sent), "a", most=len(long) - 1))
    with pytest.raises(UnreadableFileError, match="unpacks to far more"):
        read(zipped(("a.xml", listed(" " * 200_000, CARLSEN))), "a.zip")


@given(st.binary(max_size=400))
def test_whatever_the_bytes_there_is_a_row_or_a_sentence(content: bytes) -> None:
    with suppress(UnreadableFileError):
        assert all(isinstance(row, (FideRow, BadRow)) for row in read(content))


@given(st.integers(0, 600), st.binary(min_size=1, max_size=4))
def test_a_list_with_a_spoilt_place_gives_rows_or_a_sentence(at: int, bytes_: bytes) -> None:
    content = bytearray(listed(CARLSEN, HOU))
    content[at : at + len(bytes_)] = bytes_
    with suppress(UnreadableFileError):
        assert all(isinstance(row, (FideRow, BadRow)) for row in read(bytes(content)))


class _Endless(io.RawIOBase):
    """A list that is made while it is read."""

    def __init__(self, count: int) -> None:
        self._pieces = self._made(count)
        self._rest = b""

    def _made(self, count: int) -> Iterator[bytes]:
        yield b"<playerslist>"
        for number in range(1, count + 1):
            yield CARLSEN.replace("1503014", str(number)).encode()
        yield b"</playerslist>"

    def read(self, size: int = -1) -> bytes:
        while len(self._rest) < size and (piece := next(self._pieces, b"")):
            self._rest += piece
        piece, self._rest = self._rest[:size], self._rest[size:]
        return piece

    def seek(self, offset: int, whence: int = 0) -> int:
        return 0

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return 0


@pytest.mark.extended
def test_memory_does_not_grow_with_the_list() -> None:
    def peak(count: int) -> int:
        tracemalloc.start()
        rows = sum(1 for _ in read_fide_list(_Endless(count), "players_list.xml"))  # type: ignore[arg-type]
        _now, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert rows == count
        return most

    assert peak(3_000) < peak(500) + 200_000
