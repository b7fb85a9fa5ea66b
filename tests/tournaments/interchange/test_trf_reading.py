"""Tournament reports are read as they are found: every quirk of real files, and clear words for what is wrong."""

from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from tests.tournaments.interchange.trf_files import real, report, row, text
from tournaments.interchange.trf import Cell, Report, ReportError, ReportPlayer, read_report
from tournaments.interchange.trf.cells import read_day, year_of
from tournaments.interchange.trf.games import games_of, points_of, worths
from tournaments.interchange.trf.terms import points_text
from tournaments.standings.points import Result

GAME = (row(1, "2 w 1"), row(2, "1 b 0"))


# --- columns --------------------------------------------------------------------------------------------------------
def test_every_column_of_a_player_is_read() -> None:
    line = "001   12 wWIM Hou, Anna                         2345 CHN     8602980 1994/02/27 11.5    3"
    rows = [row(number) for number in range(1, 12)]
    assert report(*rows, line).players[11] == ReportPlayer(
        12, "Hou, Anna", "w", "WIM", 2345, "CHN", "8602980", "1994/02/27", "11.5", 3
    )


def test_every_line_of_the_head_is_read() -> None:
    head = ["012 Winter Cup", "022 Antwerp", "032 BEL", "042 2026/01/05", "052 2026/01/26", "062 2",
            "092 Individual: Round-Robin", "102 Jan Jansen", "112 An Peeters", "112 Bo Maes", "122 90+30",
            "XXR 3", "XXC white1 rank"]  # fmt: skip
    read = report(*head, f"{'132':<91}26/01/05            26/01/26", *GAME)
    assert (read.name, read.city, read.federation) == ("Winter Cup", "Antwerp", "BEL")
    assert read.kind == "Individual: Round-Robin"
    assert (read.starts_on, read.ends_on) == (date(2026, 1, 5), date(2026, 1, 26))
    assert (read.chief_arbiter, read.deputies, read.time_control) == ("Jan Jansen", ("An Peeters", "Bo Maes"), "90+30")
    assert read.round_days == (date(2026, 1, 5), None, date(2026, 1, 26))
    assert (read.rounds, read.first_colour, read.by_rank) == (3, "w", True)
    assert not read.notes


@pytest.mark.parametrize(("players", "rounds"), [(0, 1), (2, 1), (3, 3), (4, 3), (5, 5)])
def test_a_single_round_robin_has_a_round_less_than_it_has_players_or_with_an_odd_one_as_many(
    players: int, rounds: int
) -> None:
    people = tuple(ReportPlayer(number=number, name="A") for number in range(1, players + 1))
    assert Report(players=people).rounds_once == rounds


def test_trf26_says_rounds_and_colours_its_own_way() -> None:
    read = real("trf26_team_small.trf")
    assert (read.rounds, read.first_colour, read.coded_kind) == (3, "w", "FIDE_TEAM_BAKU")
    assert read.round_days == (date(2026, 3, 1), date(2026, 3, 2), date(2026, 3, 3))
    assert read.comments == ("Column guide for 001 lines", "SSSS sTTT NNNNN RRRR FFF")


def test_records_nobody_knows_are_kept_as_they_came_and_the_second_of_a_tag_that_stands_once() -> None:
    read = real("trf26_team_small.trf")
    tags = [record.tag for record in read.records]
    assert " ".join(tags) == (
        "162 172 192 202 222 352 362 IND IND 013 013 310 310 240 240 250 260 260 300 300 330 330 320 801 801 802 802"
    )
    assert read.records[-4].line == "801  1 Alpha   4    6.5   2 b 110= 1234  ZZZZ        "
    read = report("012 Cup", "012 Another", *GAME)
    assert (read.name, [record.line for record in read.records]) == ("Cup", ["012 Another"])


# --- quirks (chess rules 5.4) -------------------------------------------------------------------------------------
def test_bytes_lines_and_letters_are_read_in_any_manner() -> None:
    data = text("012 Cup", *GAME, "XXR 1")
    for end in (b"\r", b"\n", b"\r\n"):
        assert read_report(data.replace(b"\n", end)) == read_report(data), end
    assert read_report(b"\xef\xbb\xbf" + data).name == "Cup", "a byte order mark is no letter"
    separated = report("012 Cup\u2028of\x85all", *GAME).name
    assert separated == "Cup\u2028of\x85all", "a line separator of Unicode ends no line"
    read = read_report("\n".join(["012 Kür", *GAME]).encode("latin-1"))
    assert (read.name, [note.line for note in read.notes]) == ("Kür", [1])
    assert "Latin-1" in str(read.notes[0])


def test_days_are_read_in_every_spelling_seen_and_of_birth_only_the_year() -> None:
    days = {
        "28. 07. 2005": date(2005, 7, 28), "25.02.2011": date(2011, 2, 25), "24/09/2010": date(2010, 9, 24),
        "May 29, 2020": date(2020, 5, 29), "29 May 2020": date(2020, 5, 29), "08/06/07": date(2008, 6, 7),
        "99/12/31": date(1999, 12, 31), "2026/03/01": date(2026, 3, 1), "2008-06-07": date(2008, 6, 7),
        "25.02.11": date(2011, 2, 25), "12/31/2010": date(2010, 12, 31),
        "70/01/02": date(1970, 1, 2), "69/12/31": date(2069, 12, 31), "99.12.31": date(1999, 12, 31),
        "31/12/99": date(1999, 12, 31),
    }  # fmt: skip
    assert {written: read_day(written) for written in days} == days
    assert [read_day(none) for none in ("2026/02/30", "tomorrow", "Brumaire 3, 2020", "")] == [None] * 4
    read = report("042 some day", *GAME)
    assert (read.starts_on, str(read.notes[0])[:36]) == (None, "line 1, column 5: “some day” is no d")
    years = {"1994/02/27": 1994, "1994": 1994, "27.02.1994": 1994, "94/02/27": 1994, "?": None}
    assert {birth: year_of(birth) for birth in years} == years


def test_titles_are_read_in_any_size_and_place_and_an_unknown_one_is_kept_and_said() -> None:
    line = row(1)
    titles = {"  m": "IM", "m  ": "IM", " wf": "WFM", "wim": "WIM", "Gm ": "GM", "CM ": "CM", "   ": ""}
    assert {columns: report(line[:10] + columns + line[13:]).players[0].title for columns in titles} == titles
    read = report(row(1, title="NM"))
    assert (read.players[0].title, read.notes[0].column) == ("NM", 11)


def test_cells_are_read_as_any_program_writes_them() -> None:
    short = report(row(1, "2 w 1|- - H"), row(2, "1 b 0"))
    assert short.players[1].cells == (Cell(1, "b", "0"), Cell(0, "", "Z")), "absent to the end"
    blank = report(row(1, "2 w 1|"), row(2, "1 b 0|- - U"), row(3, "|- - H"))
    assert [player.cells for player in blank.players] == [
        (Cell(2, "w", "1"), Cell(0, "", "Z")),
        (Cell(1, "b", "0"), Cell(0, "", "U")),
        (Cell(0, "", "Z"), Cell(0, "", "H")),
    ]
    for old, code in {"=": "H", "+": "F", "1": "F", "-": "Z", "0": "Z", "h": "H"}.items():
        assert report(row(1, f"- - {old}")).players[0].cells == (Cell(0, "", code),), f"{old} against nobody"
    small = report(row(1, "0002 W w|2 w D"), row(2, "0001 B l|1 b d"))
    assert [cell.code for cell in small.players[0].cells] == ["W", "D"]
    still_open = report(row(1, "2 w"), row(2, "1 b *"))
    assert [game.result for game in games_of(still_open)] == [Result.OPEN]
    assert [player.number for player in report(*reversed(GAME)).players] == [1, 2], "rows in any order"


def test_points_are_counted_again_and_what_is_odd_is_said() -> None:
    read = real("py4swiss_bad_incorrect_points.trf")
    counted = "line 2, column 81: 4.0 points, and the rounds of 2 give 3.0: these count"
    assert [str(note) for note in read.notes] == [counted]
    assert report(row(1, "- - U", points="")).notes == ()
    assert report(row(1, "- - U", points="1,0")).notes == ()
    assert "left out" in str(report(row(1, points="one")).notes[0])
    player = report(row(1, rating="0", rank="0")).players[0]
    assert (player.rating, player.rank) == (None, None)
    read = report(row(1, name="Abcdefghijklmnop, Qrstuvwxyzabcdef"[:33]))
    assert "may have been cut" in str(read.notes[0]), "a name that fills its columns"


def test_what_is_left_out_of_a_line_is_told_with_its_column() -> None:
    bad = {"sex": "x", "title": "NM", "rating": "many", "birth": "soon", "points": "one", "rank": "last"}
    read = report(row(1, name="Abcdefghijklmnop, Qrstuvwxyzabcdef"[:33], **bad))
    assert sorted(note.column for note in read.notes) == [10, 11, 15, 49, 70, 81, 86]


def test_rulers_and_comments_are_no_records_and_a_line_that_is_nothing_is_said() -> None:
    rulers = ("DDD SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR FFF IIIIIIIIIII BBBB/BB/BB PPPP RRRR",
              "0000000001111111111222222222233333333334")  # fmt: skip
    read = report(*rulers, "# a comment", "### another", "", *GAME)
    assert (len(read.comments), read.records, read.notes) == (4, (), ())
    read = report("Winter Cup of the club", *GAME)
    assert (read.comments, read.notes[0].line) == (("Winter Cup of the club",), 1)


def test_rounds_beside_their_columns_are_found_and_a_line_laid_out_in_bytes() -> None:
    for shift in (-2, -1, 1, 2, 3):
        read = report(*[line[:89] + " " * (2 + shift) + line[91:] for line in GAME])
        assert read == report(*GAME), shift
        assert "columns too far to the" in str(read.notes[0]), shift
    name = "Örßböck, Äöü"
    by_bytes = row(1, "2 w 1", name=name, rating="1500").replace(" " * 21, " " * 15, 1)
    read = report(by_bytes, row(2, "1 b 0"))
    assert read.players[0] == ReportPlayer(1, name, rating=1500, cells=(Cell(2, "w", "1"),))


def test_the_number_of_players_may_be_missing_or_wrong() -> None:
    assert report(*GAME).notes == ()
    assert str(report("062 3", *GAME).notes[0]) == "line 1, column 5: 3 players, and the report has 2"


# --- points ---------------------------------------------------------------------------------------------------------
def test_the_point_system_is_the_reports_own_and_every_code_has_its_points() -> None:
    records = {
        "XXS W=3 D=1 L=0 PAB=3": (3, 1, 0, 3),
        "162  W 3.0    D 1.0    L 0.0    P 1.0": (3, 1, 0, 1),
        "BBW  2.0": (2, 1, 0, 2),
        "012 plain": (1, Fraction(1, 2), 0, 1),
    }
    for record, worth in records.items():
        found = worths(report(record, *GAME))
        assert (found.win, found.draw, found.loss, found.allocated) == worth, record
    cells = ("2 w 1|2 b =|2 w +|2 b W|2 w D|- - H|- - F|- - U|- - Z", "1 b 0|1 w =|1 b -|1 w L|1 b D")
    read = report(row(1, cells[0]), row(2, cells[1]))
    assert [points_text(points_of(player, worths(read))) for player in read.players] == ["6.5", "1.0"]


@pytest.mark.real_data
def test_every_report_at_hand_is_read(real_data: Path) -> None:
    paths = [*real_data.rglob("*.trf"), *real_data.rglob("*.tab")]
    wrong = {"missing_result", "too_many_results", "missing_starting_number"}
    wrong |= {"incompatible_color", "incompatible_result", "invalid_code"}
    refused_files = set()
    for path in paths:
        try:
            assert read_report(path.read_bytes()).players
        except ReportError:
            refused_files.add(path.stem.removeprefix("py4swiss_bad_"))
    assert (len(paths) >= 38, refused_files) == (True, wrong)
