"""Headers of lists of people, as people write them."""

from contextlib import nullcontext
from datetime import date

import pytest

from players.models import Player
from tournaments.interchange.entries_csv import read_entries
from tournaments.interchange.players_csv import PlayerRow, columns_left, read_members
from tournaments.interchange.tables_csv import UnreadableFileError

TODAY = date(2026, 1, 31)
ADA = PlayerRow(2, "Ada", 1800.0, 50, birth_year=1990)


@pytest.mark.parametrize(
    "header",
    [
        "player,rating,games,birth_year",
        "Name;ELO;Rated games;Year of birth",
        "Full name,Rtg.,Games,Born",
        "ФИО;Рейтинг;Партий;Год рождения",
        "Игрок;Эло;Число партий;Г.р.",
        "姓名,等级分,对局数,出生年份",
        "姓名,等級分,對局數,出生年",
    ],
)
def test_a_members_list_is_read_whatever_its_columns_are_called(header: str) -> None:
    row = ";".join(("Ada", "1800", "50", "1990")) if ";" in header else "Ada,1800,50,1990"
    assert read_members(f"{header}\n{row}\n".encode(), today=TODAY).rows == (ADA,)


@pytest.mark.parametrize("header", ["name,reading", "ФИО,Имя латиницей", "姓名,拼音"])
def test_a_reading_is_one_under_whatever_head(header: str) -> None:
    (row,) = read_members(f"{header}\n佐藤はるか,Satō Haruka\n".encode(), today=TODAY).rows
    assert (row.name, row.reading) == ("佐藤はるか", "Satō Haruka")


@pytest.mark.parametrize("day", ["1990-05-04", "04.05.1990", "4/5/1990", "1990年5月4日", "1990-05-04 00:00:00"])
def test_of_a_day_of_birth_only_the_year_is_kept(day: str) -> None:
    assert read_members(f"name,date of birth\nAda,{day}\n".encode(), today=TODAY).rows[0].birth_year == 1990
    assert not read_members(b"name,born\nAda,May 1990\n", today=TODAY).rows


@pytest.mark.parametrize(
    ("header", "values", "name"),
    [
        ("Surname,First name", "Alvarez,Ada", "Alvarez, Ada"),
        ("Имя,Отчество,Фамилия", "Анна,Петровна,Соколова", "Соколова, Анна Петровна"),
        ("姓,名", "王,小明", "王小明"),
        ("First name,Surname", ",Ada", "Ada"),
    ],
)
def test_a_name_in_several_columns_becomes_one(header: str, values: str, name: str) -> None:
    data = f"{header}\n{values}\n".encode()
    assert [row.name for row in read_members(data, today=TODAY).rows] == [name]
    assert columns_left(data) == ()


@pytest.mark.parametrize("header", ["Name;Born;Town", "Town;Name;Born", ";Name;Born", "Surname;First name;Born"])
def test_what_a_program_writes_below_and_blank_lines_are_left_out_and_good_rows_stay(header: str) -> None:
    """Footers as chess-results.com writes them, in full lines and in short ones. A name alone is somebody."""
    columns = header.split(";")
    name = next(at for at, column in enumerate(columns) if column in ("Name", "Surname"))
    texts = (
        "Program created by Swiss-Manager",
        "You find all details on https://chess-results.com/tnr1.aspx",
        "24.11.2025 17:20:01",
        "Annotation:",
    )
    people = [";".join(who if at == name else "" for at in range(3)) for who in ("Ada", "Bo")]
    data = "\n".join(
        [header, people[0], "", ";;", people[1], "", *texts, *(f"{text};;" for text in texts), ""]
    ).encode()
    for found in (read_members(data, today=TODAY), read_entries(data, today=TODAY, titles=())):
        assert ([row.line for row in found.rows], found.bad) == ([2, 5], ())
        assert [row.line for row in found.left] == list(range(7, 15))
    assert str(found.left[1]) == "line 8: “You find all details on https://chess-r…” is no player’s row and is left out"
    bad = read_members(b"rating;town;name\n1800;;\n;;Ada, Cork;;x\n;7;\n;Cork;\n", today=TODAY)
    assert ([row.line for row in bad.bad], [row.line for row in bad.left]) == ([2, 3, 4], [5])


def test_a_family_name_alone_in_a_short_line_is_told_and_not_left_out() -> None:
    found = read_members(b"Surname,First name,Born\nAlvarez,Ada,1990\nBrandt\n", today=TODAY)
    assert ([row.line for row in found.bad], found.left) == ([3], ())


def test_so_many_lines_that_are_nobodys_are_no_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.interchange.headers.MOST_BAD", 2)
    for lines in (2, 3):
        data = "\n".join(["name,town", "Ada,Cork", *["Annotation:"] * lines]).encode()
        with pytest.raises(UnreadableFileError, match="More than 2 lines") if lines > 2 else nullcontext():
            assert len(read_members(data, today=TODAY).rows) == 1


def test_entries_are_read_alike_and_a_bare_number_is_nobodys() -> None:
    data = "№;Имя;Пол;Рейтинг;Номер ФИДЕ;Посев;Клуб\n9;Анна;ж;1800;4100000;1;Юность\n".encode()
    found = read_entries(data, today=TODAY, titles=Player.Title.values)
    (row,) = found.rows
    assert (row.name, row.sex, row.fide_id, row.seed, row.number) == ("Анна", "f", "4100000", 1, None)
    assert found.ignored == ("№", "rating", "клуб")
    for text, bad in (
        ("name,fide_id\nAda,11111\nAda,22222\n", 0),
        ("name,number\nAda,17\nBo,#17\n", 1),
        ("name,sex\nAda,W\nBo,М\n", 0),
    ):
        assert len(read_entries(text.encode(), today=TODAY, titles=()).bad) == bad, text


def test_two_columns_that_say_the_same_are_refused_unless_one_is_ours_or_empty() -> None:
    with pytest.raises(UnreadableFileError, match="The columns “elo”, “rtg” say the same: rename or remove all but"):
        read_members(b"name,elo,rtg\nAda,1,2\n", today=TODAY)
    assert read_members(b"name,elo,rtg\nAda,,2\n", today=TODAY).rows[0].rating == 2
    assert read_members(b"name,rating,elo\nAda,1,2\n", today=TODAY).rows[0].rating == 1
    assert columns_left(b"name,rating,elo,town\nAda,1,2,Cork\n") == ("elo", "town")
    assert columns_left(b"id,town\nAda,Cork\n") == ("town",)


def test_grades_of_go_are_read_where_they_are_asked_for() -> None:
    data = b"name,grade\nAda,3k\n"
    assert [read_members(data, today=TODAY, grades=asked).rows[0].rating for asked in (False, True)] == [None, 1800]
