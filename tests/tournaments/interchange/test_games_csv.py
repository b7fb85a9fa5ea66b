"""GAMES.csv: what is read, what is refused, and in which words."""

import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.people.names import clean_name
from players.people.services import MAX_NAME
from ratings.systems.base import Handicap
from tests import ROOT
from tournaments.interchange import games_csv
from tournaments.interchange import tables_csv as values_csv
from tournaments.interchange.games_csv import GameRow, read_exported_games, read_games, read_result
from tournaments.interchange.tables_csv import MOST_BAD, UnreadableFileError, read_table
from tournaments.models import Game, Pairing, Tournament
from tournaments.results.services.results import EARLIEST_DAY
from tournaments.standings.points import Result

TODAY = date(2026, 1, 31)


def rows_of(text: str) -> tuple[GameRow, ...]:
    file = read_games(text.encode(), today=TODAY)
    assert file.bad == ()
    return file.rows


def told(text: str) -> list[str]:
    """The bad rows, as an officer reads them; no row of the file may pass."""
    file = read_games(text.encode(), today=TODAY)
    assert file.rows == ()
    return [str(row) for row in file.bad]


# --- what is read -----------------------------------------------------------------------------------------------
def test_a_game_with_everything_undated_or_with_winner_and_loser() -> None:
    text = (
        "date,event,round,board,white,black,result,white_points,black_points,importance,pool,weather\n"
        '2025-12-31,Autumn Cup,3,1,"Korchnoi, Viktor",Ada,1/2-1/2,2,2,1.5,rapid,rain\n'
    )
    who = (2, "Korchnoi, Viktor", "Ada", Result.DRAW, date(2025, 12, 31))
    assert rows_of(text) == (
        GameRow(*who, "Autumn Cup", "3.1", "rapid", white_points=2, black_points=2, importance=1.5),
    )
    undated = (GameRow(2, "A", "B", Result.WHITE_WINS), GameRow(3, "B", "C", Result.BLACK_WINS))
    assert rows_of("white,black,result\nA,B,1\nB,C,0\n") == undated
    won = (GameRow(2, "A", "B", Result.WHITE_WINS, date(2025, 5, 1)),)
    assert rows_of("winner,loser,date\nA,B,2025-05-01\n") == won
    earliest = rows_of(f"white,black,result,date,board\nA,B,1,1850-01-01,{'x' * 20}\n")[0]
    assert (earliest.played_on, earliest.label) == (EARLIEST_DAY, "x" * 20)
    assert rows_of("winner,loser,handicap\nA,B,\n")[0].handicap is None
    for komi in ("", "0.5"):
        (row,) = rows_of(f"white,black,result,handicap,komi\nA,B,1,1,{komi}\n")
        assert row.handicap == Handicap(0, 0.0), "one stone is Black without komi"


def test_a_result_has_many_spellings() -> None:
    for spellings, result in {
        "1 1.0 1-0 1–0 1—0 1−0": Result.WHITE_WINS,
        "0 0.0 0-1 0–1": Result.BLACK_WINS,
        "0.5 0,5 .5 ½ 1/2 1/2-1/2 ½-½ ½–½ ½−½ 1⁄2-1⁄2": Result.DRAW,
        "+/- +/− +-": Result.BLACK_FORFEITS,
        "-/+ –/+": Result.WHITE_FORFEITS,
        "-/- −/−": Result.BOTH_FORFEIT,
    }.items():
        assert {read_result(spelling) for spelling in spellings.split()} == {result}


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_line_ends_byte_order_mark_and_separator_do_not_matter(newline: str, mark: bytes, separator: str) -> None:
    lines = [separator.join(row) for row in (("White", "BLACK ", "result"), ("Zoë", "陈思远", "½-½"), ("A", "B", "1"))]
    file = read_games(mark + newline.join(lines).encode(), today=TODAY)
    assert [(row.line, row.white, row.black) for row in file.rows] == [(2, "Zoë", "陈思远"), (3, "A", "B")]


def test_blank_lines_are_skipped_and_counted_and_names_cleaned_and_never_cut() -> None:
    file = read_games(b"white,black,result\n\nA,B,1\n,,\n\nA,C,2-0\n", today=TODAY)
    assert ([row.line for row in file.rows], [row.line for row in file.bad]) == ([3], [6])
    (row,) = rows_of("white,black,result\n  Ada \u200b  Alvarez ,E\u0301va,1\n")
    assert (row.white, row.black) == ("Ada Alvarez", "Éva")
    assert rows_of("\ufeff\n\nwhite;black;result\nA;B;1\n")[0].white == "A", "blank lines before the header"
    assert rows_of("white,black,result\n") == (), "a header without games is no mistake"
    assert read_table(b"White Points,b,\n1,2,\n").columns == ("white_points", "b", ""), "in order"


# --- what is not ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("2025-01-01,A,B,2-0", "result “2-0” is not known: write 1, 0, 0.5, 1-0, 0-1, 1/2-1/2, +/-, -/+ or -/-"),
        ("2025-01-01,A,B,", "the result is missing: write 1, 0, 0.5, 1-0, 0-1, 1/2-1/2, +/-, -/+ or -/-"),
        ("2025-01-01,A,A,1", "“A” plays both White and Black: correct one of the two names"),
        ("2025-01-01,,B,1", "White’s name is missing"),
        ("2025-01-01,A,…,1", "Black’s name “…” has neither letter nor digit: correct it"),
        ("31.12.2024,A,B,1", "date “31.12.2024” is not known: write YYYY-MM-DD, for example 2024-12-31"),
        ("20250101,A,B,1", "date “20250101” is not known: write YYYY-MM-DD, for example 2024-12-31"),
        ("2025-02-29,A,B,1", "date “2025-02-29” is no day of the calendar: correct it"),
        ("2026-02-01,A,B,1", "date 2026-02-01 lies in the future (today is 2026-01-31): correct it"),
        ("1849-12-31,A,B,1", "date 1849-12-31 lies before 1850: check the year"),
        (",A,B,1", "the date is missing: write it, or leave the column “date” out for the whole file"),
    ],
)
def test_a_bad_row_is_told_with_its_line_and_the_remedy(row: str, reason: str) -> None:
    assert told(f"date,white,black,result\n{row}\n") == [f"line 2: {reason}"]


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("white_points", "-1", "white_points “-1” is not known: write a whole number from 0 to 1000000"),
        ("white_points", "1.5", "white_points “1.5” is not known: write a whole number from 0 to 1000000"),
        ("black_points", "-1", "black_points “-1” is not known: write a whole number from 0 to 1000000"),
        ("white_points", "3", "only one of white_points and black_points is given: give both or neither"),
        ("importance", "0", "importance “0” is not known: write a number from 0.01 to 100"),
        ("importance", "nan", "importance “nan” is not known: write a number from 0.01 to 100"),
        ("pool", "very fast!", "pool “very fast!” is no pool: write small letters and digits, such as standard"),
        ("board", "3\ue000", "round or board holds a sign that cannot be shown: write a number"),
        ("board", "x" * 21, f"round and board “{'x' * 21}” are too long: write numbers"),
    ],
)
def test_a_bad_optional_value_makes_a_bad_row(column: str, value: str, reason: str) -> None:
    assert told(f"white,black,result,{column}\nA,B,1,{value}\n") == [f"line 2: {reason}"]


def test_all_mistakes_are_told_at_once_also_of_ragged_rows_and_of_quotation_marks_out_of_order() -> None:
    (line,) = told(f"white,black,result\n{'x' * 101},B,1\n")
    assert line == f"line 2: White’s name “{'x' * 39}…” is longer than 100 characters: shorten it"
    assert not read_games(f"white,black,result\n{'x' * 100},B,1\n".encode(), today=TODAY).bad
    file = read_games(b"white,black,result\nA,A,1\nA,B,1\n,B,7\n", today=TODAY)
    assert ([row.line for row in file.rows], [row.line for row in file.bad]) == ([3], [2, 4, 4])
    file = read_games(b"white,black,result\nA,B\nKorchnoi, Viktor,B,1\nA,B,1,,\n", today=TODAY)
    reasons = [(row.line, row.reason.split(":")[0]) for row in file.bad]
    assert reasons == [(2, "has 2 values and the header 3"), (3, "has 4 values and the header 3")]
    assert [row.line for row in file.rows] == [4], "trailing empty values do no harm"
    file = read_games(b'white,black,result\n"A"x,B,1\nA,B,1\n"A,B,1\nA,B,0\n', today=TODAY)
    assert ([row.line for row in file.rows], [row.line for row in file.bad]) == ([3], [2, 4])
    assert "never closed" in file.bad[1].reason
    (bad,) = read_games(b'white,black,result\n"A' + b"x" * 140_000, today=TODAY).bad
    assert "never closed" in bad.reason, "however long what follows is"
    (line,) = told(f"white,black,result\n{'x' * 10_001},B,1\n")
    assert "longer than 100 characters" in line, "a long name makes no wide table"


@pytest.mark.extended
@pytest.mark.parametrize("line", [b"A\n", b"A,A,7\n"])
def test_a_file_of_bad_rows_is_not_read_to_its_end(line: bytes) -> None:
    file = read_games(b"white,black,result\n" + line * (MOST_BAD + 2), today=TODAY)
    assert len({row.line for row in file.bad}) == MOST_BAD + 1
    assert str(file.bad[-1]).startswith("line 10002: 10000 lines above cannot be used")
    whole = read_games(b"white,black,result\nA,B,1\n" + line * MOST_BAD, today=TODAY)
    assert (len(whole.rows), len({row.line for row in whole.bad})) == (1, MOST_BAD)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "The file is empty: its first line must name the columns."),
        (b"\n\r\n", "The file is empty: its first line must name the columns."),
        ("white,black,result\nJosé,B,1".encode("latin-1"), "not UTF-8 text (line 2): save it as “CSV UTF-8”"),
        ("white,black,result\r\nJosé,B,1".encode("latin-1"), "not UTF-8 text (line 2)"),
        ("white,black,result\nA,B,1".encode("utf-16"), "not UTF-8 text (line 1): save it as “CSV UTF-8”"),
        (b"PK\x03\x04\x00\x00", "The file is no text"),
        (b"white,result,date\n", "The header lacks “black”: its columns are “white”, “result”, “date”."),
        (b"P1,P2,1\n", "The header lacks “white”, “black”, “result”"),
        (b"white,black,result,White\n", "The header names “white” more than once"),
        (b"winner,loser,result\nA,B,0.5\n", "keep either winner and loser, or white, black and result"),
        (b'"white,black', "The header (line 1) cannot be read"),
    ],
)
def test_an_unusable_file_is_refused_with_the_remedy(data: bytes, sentence: str) -> None:
    with pytest.raises(UnreadableFileError, match=re.escape(sentence)):
        read_games(data, today=TODAY)


def test_the_readers_limits_are_those_of_the_tables() -> None:
    assert values_csv.MAX_NAME == MAX_NAME == Tournament._meta.get_field("name").max_length
    assert values_csv.EARLIEST_DAY == EARLIEST_DAY
    assert Pairing._meta.get_field("label").max_length == 20
    assert Game._meta.get_field("pool").max_length == 30


# --- properties ---------------------------------------------------------------------------------------------------
@pytest.mark.extended
@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_make_the_reader_fall_over(data: bytes) -> None:
    for content in (data, b"white,black,result,date,round,importance\n" + data):
        try:
            file = read_games(content, today=TODAY)
        except UnreadableFileError:
            continue
        assert all(row.line >= 2 and row.reason for row in file.bad)
        assert all(row.white != row.black and row.white and row.black for row in file.rows)


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40).filter(
    lambda text: any(char.isalnum() for char in clean_name(text))
)
WRITTEN = {Result.WHITE_WINS: "1-0", Result.DRAW: "½-½", Result.BLACK_WINS: "0-1", Result.WHITE_FORFEITS: "-/+"}


@given(NAMES, NAMES, st.sampled_from(sorted(WRITTEN)), st.dates(date(1850, 1, 1), TODAY))
def test_a_good_row_round_trips(white: str, black: str, result: Result, day: date) -> None:
    if clean_name(white) == clean_name(black) or "\0" in white + black:
        return
    quoted = [f'"{name.replace(chr(34), chr(34) * 2)}"' for name in (white, black)]
    text = f"date,white,black,result\n{day},{quoted[0]},{quoted[1]},{WRITTEN[result]}\n"
    (row,) = rows_of(text)
    assert (row.played_on, row.white, row.black, row.result) == (day, clean_name(white), clean_name(black), result)


# --- real files ---------------------------------------------------------------------------------------------------
def test_real_club_games_are_read() -> None:
    data = (ROOT / "tests" / "data" / "club_games_2024_head.csv").read_bytes()
    file = read_games(data, today=TODAY)
    assert (len(file.rows), file.bad) == (60, ())
    assert file.rows[0] == GameRow(2, "P0196", "P0518", Result.BLACK_WINS, date(2024, 3, 19), "E08", "1")


@pytest.mark.extended
@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "games"),
    [
        ("streams/club_games_2024.csv", 2144),
        ("streams/football_internationals_2000_2013.csv", 13499),
        ("streams/lichess_sample_5000.csv", 5000),
        ("rr/candidates2024.games.csv", 56),
    ],
)
def test_every_row_of_the_real_files_is_read(real_data: Path, name: str, games: int) -> None:
    file = read_games((real_data / name).read_bytes(), today=TODAY)
    assert (len(file.rows), file.bad) == (games, ())


def test_a_list_of_games_without_days_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_csv, "MOST_BAD", 3)
    file = read_exported_games(b"white,black,result\n" + b"#1,#2,1\n" * 6, today=TODAY, default_pool="standard")
    assert [row.line for row in file.bad] == [2, 3, 4, 4]
    assert "not read from here on" in file.bad[-1].reason
