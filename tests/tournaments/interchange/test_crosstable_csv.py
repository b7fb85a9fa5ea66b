"""Crosstables of other programs: every game stands in two cells, and both must say the same."""

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import ROOT
from tournaments.interchange.crosstable_csv import (
    CrossPlayer,
    CrosstableFile,
    as_game_rows,
    is_crosstable,
    read_crosstable,
)
from tournaments.interchange.crosstable_games import Free, Met, read_cell, read_points
from tournaments.interchange.tables_csv import UnreadableFileError
from tournaments.pairing.round_robin import RoundRobin
from tournaments.standings.crosstable import Meeting, build_crosstable
from tournaments.standings.points import Result, point_system

DATA = ROOT / "tests" / "data"
HALF = Fraction(1, 2)


def read(*lines: str) -> CrosstableFile:
    return read_crosstable("\n".join(lines).encode())


def told(*lines: str) -> list[str]:
    return [str(row) for row in read(*lines).bad]


def points(table: CrosstableFile) -> list[Fraction]:
    """Everybody's total out of the games, by the club's own rules."""
    system = point_system(table.point_system)
    meetings = [Meeting(game.round, game.white, game.black, game.result, game.armageddon) for game in table.games]
    lines = build_crosstable([player.place for player in table.players], meetings, [], system)
    return [Fraction(lines[player.place].points, system.unit) for player in table.players]


# --- the two published tables -------------------------------------------------------------------------------------
SINQUEFIELD, ALTIBOX = "chess_results_sinquefield_2014", "altibox_norway_2019_armageddon_scoring"


def published(name: str) -> CrosstableFile:
    return read_crosstable((DATA / f"{name}.csv").read_bytes())


def test_the_sinquefield_cup_is_read_as_published() -> None:
    """Everybody met everybody with both colours; the first cell is Caruana's win against Topalov with Black."""
    table = published(SINQUEFIELD)
    assert (table.bad, table.notes, len(table.games)) == ((), (), 30)
    assert (table.titles[0], table.point_system) == ("2nd Sinquefield Cup 2014", "classic")
    assert table.rounds == tuple(range(1, 11))
    first = table.players[0]
    assert (first.name, first.federation, first.rating, first.line) == ("Caruana, Fabiano", "ITA", 2801, 4)
    assert points(table) == [player.points for player in table.players]
    assert points(table) == [Fraction(17, 2), Fraction(11, 2), 5, 4, 4, 3]
    pairs = {(game.white, game.black) for game in table.games}
    assert pairs == {(white, black) for white in range(1, 7) for black in range(1, 7) if white != black}
    assert Meeting(1, 3, 1, Result.BLACK_WINS) in table.games


def test_what_a_program_writes_below_and_blank_lines_are_left_out_and_named() -> None:
    """Footers as chess-results.com writes them; a row with a place and no name is still a row gone wrong."""
    data = (DATA / f"{SINQUEFIELD}.csv").read_text(encoding="utf-8").replace("\n4;Vachier", "\n;;;;\n\n4;Vachier")
    footers = (
        "",
        ";Program created by Swiss-Manager",
        "Annotation:",
        "Tie Break1: Direct Encounter;;;",
        "https://chess",
    )
    table = read_crosstable("\n".join([data.rstrip("\n"), *footers, ""]).encode())
    assert (table.bad, table.players[3:], table.games) == ((), *_moved(published(SINQUEFIELD)))
    lines = [note.split()[1].strip(":") for note in table.notes]
    assert lines == ["7", "8", "12", "13", "14", "15", "16"]
    assert table.notes[3] == "line 13: “Program created by Swiss-Manager” is no player’s row and is left out"
    assert told("Pos;Name;1", "1;Ada;2w1", "2;Bo;1b0", "3;;") == ["line 4: the player’s name is missing"]


def _moved(table: CrosstableFile) -> tuple[tuple[CrossPlayer, ...], tuple[Meeting, ...]]:
    """The last three players two lines further down, and the games."""
    return tuple(replace(player, line=player.line + 2) for player in table.players[3:]), table.games


def test_norway_chess_is_recognised_by_its_points_and_draws_told_from_their_armageddon_games() -> None:
    """13½ for Carlsen, 10½ for Aronian and Yu: as published."""
    table = published(ALTIBOX)
    assert (table.bad, table.point_system, table.players[0].points) == ((), "armageddon", None)
    assert (len(table.players), len(table.games)) == (10, 45)
    assert Meeting(1, 1, 7, Result.DRAW, Result.WHITE_WINS) in table.games
    assert Meeting(3, 1, 10, Result.WHITE_WINS) in table.games
    totals = points(table)
    assert totals[:3] == [Fraction(27, 2), Fraction(21, 2), Fraction(21, 2)]
    assert totals == sorted(totals, reverse=True)
    assert sum(totals) == 45 * 2


@pytest.mark.parametrize("name", [SINQUEFIELD, ALTIBOX])
def test_the_copies_are_the_delivered_files(real_data: Path, name: str) -> None:
    assert (DATA / f"{name}.csv").read_bytes() == (real_data / "formats" / f"{name}.csv").read_bytes()


# --- cells --------------------------------------------------------------------------------------------------------
NOTHING, ONE = Fraction(0), Fraction(1)
CELLS = {
    "12w1": Met(12, True, ONE), " 12 w 1 ": Met(12, True, ONE), "2z½": Met(2, False, HALF),
    "5s0": Met(5, False, NOTHING), "7b1½": Met(7, False, Fraction(3, 2)), "7B1,5": Met(7, False, Fraction(3, 2)),
    "4W0.5": Met(4, True, HALF), "3w=": Met(3, True, HALF), "=5b": Met(5, False, HALF), "5w": Met(5, True),
    "5w*": Met(5, True), "+5b": Met(5, False, sign="+"), "−5b": Met(5, False, sign="-"),
    "5w+": Met(5, True, sign="+", forfeited=True), "5w-": Met(5, True, sign="-", forfeited=True),
    "H": Free(HALF), "-½": Free(HALF), "-1": Free(ONE), "F": Free(ONE), "- 0": Free(NOTHING), "Z": Free(NOTHING),
    "bye": Free(None), "spielfrei": Free(None), "": None, "*": None,
}  # fmt: skip


def test_a_cell_is_read() -> None:
    assert {text: read_cell(text) for text in CELLS} == CELLS


def test_a_cell_that_says_nothing_is_refused() -> None:
    for text, reason in {
        "12": "is not known: write opponent, colour and points",
        "w1": "is not known",
        "+5w1": "says its result twice",
        "5wx": "points “x” are not known",
        "5w11/2": "two ways",
    }.items():
        with pytest.raises(ValueError, match=reason):
            read_cell(text)


@given(st.integers(0, 9), st.sampled_from(["", "½", ".5", ",5", " 1/2"]))
def test_points_are_read_in_every_spelling(whole: int, half: str) -> None:
    assert read_points(f"{whole}{half}") == whole + (HALF if half else 0)


@given(st.text(max_size=12))
def test_any_text_is_a_cell_or_refused_in_words(text: str) -> None:
    with suppress(ValueError):
        assert isinstance(read_cell(text), Met | Free | None)


# --- the table ----------------------------------------------------------------------------------------------------
HEAD = "Pos;Name;Pts;1;2;3"


def test_both_sides_agree_on_opponent_colour_and_result() -> None:
    table = read(HEAD, "1;Ada;2;2w1;3b1;bye", "2;Bo;½;1b0;+;3w½", "3;Cleo;½;H;1w0;2b½")
    assert table.bad == ()
    assert [(game.white, game.black, game.result) for game in table.games] == [
        (1, 2, Result.WHITE_WINS),
        (3, 1, Result.BLACK_WINS),
        (2, 3, Result.DRAW),
    ]
    assert [(bye.round, bye.player, bye.points) for bye in table.byes] == [
        (3, 1, None),
        (2, 2, Fraction(1)),
        (1, 3, HALF),
    ]


@pytest.mark.parametrize(
    ("ada", "bo", "message"),
    [
        ("2w1", "1b½", "line 2: round 1: “1b0.5” in line of player 2 does not fit “2w1”: correct one of the two"),
        ("2w1", "1w0", "line 2: round 1: both sides have White: correct one of the two"),
        ("2w1", "", "line 2: round 1: meets 2, whose own cell says nothing: correct one of the two"),
        ("2w1", "H", "line 2: round 1: meets 2, whose own cell says a bye: correct one of the two"),
        ("9w1", "", "line 2: round 1: opponent 9 is not in the table: correct the number"),
        ("1w1", "", "line 2: round 1: meets himself: correct the opponent’s number"),
        ("2w+", "1b0", "line 2: round 1: “1b0” in line of player 2 does not fit “2w+”: correct one of the two"),
        ("2w+", "1b+", "line 2: round 1: “1b+” in line of player 2 does not fit “2w+”: correct one of the two"),
        ("2w1", "1b", "line 2: round 1: “1b” in line of player 2 does not fit “2w1”: correct one of the two"),
        ("2x1", "", "line 2: round 1: “2x1” is not known"),
    ],
)
def test_a_contradiction_is_told_with_row_and_column(ada: str, bo: str, message: str) -> None:
    found = told("Pos;Name;1", f"1;Ada;{ada}", f"2;Bo;{bo}")
    assert any(line.startswith(message) for line in found)


SIGNS = {
    ("2w+", "1b-"): Result.BLACK_FORFEITS, ("2b+", "1w-"): Result.WHITE_FORFEITS, ("2w-", "1b-"): Result.BOTH_FORFEIT,
    ("+2w", "-1b"): Result.WHITE_WINS, ("=2w", "1b½"): Result.DRAW, ("2w0", "1b0"): Result.NO_POINTS,
    ("2w½", "1b0"): Result.WHITE_DRAWS_BLACK_PENALISED, ("2w0", "1b½"): Result.BLACK_DRAWS_WHITE_PENALISED,
    ("2w", "1b"): Result.OPEN, ("2w3", "1b0"): Result.WHITE_WINS,
}  # fmt: skip


def test_signs_and_points_say_what_came_of_a_game() -> None:
    for (ada, bo), result in SIGNS.items():
        table = read("Pl,Name,Rd1", f"1,Ada,{ada}", f"2,Bo,{bo}")
        assert (table.bad, [game.result for game in table.games]) == ((), [result]), (ada, bo)


def test_three_points_for_a_win_are_football_and_a_slip_of_the_pen_is_not() -> None:
    table = read("Pos;Name;Pts;1;2", "1;Ada;4;2w3;2b1", "2;Bo;1;1b0;1w1")
    assert table.bad == ()
    assert (table.point_system, table.games[1].result) == ("football", Result.DRAW)
    # 1–1 would be a draw in football, but nobody here has three points.
    table = read("Pos;Name;1", "1;Ada;2w1", "2;Bo;1b1")
    assert table.point_system == "classic"
    assert len(table.bad) == 1
    assert read("Pos;Name;1;2", "1;Ada;2w2;2b1", "2;Bo;1b0;1w0").bad


def test_opponents_are_told_by_number_or_place_and_titles_stand_above_the_header() -> None:
    table = read("Rk;SNo;Name;1.Rd;2.Rd", "1;7;Ada;9w1;8b1", "2;9;Bo;7b0;", "3;8;Cleo;;7w0")
    assert table.bad == ()
    assert [(game.white, game.black) for game in table.games] == [(1, 2), (3, 1)]
    table = read("No;Name;1", "1;Ada;2w1", "2;Bo;1b0")
    assert table.players[0].number is None
    assert len(table.games) == 1
    table = read("Club Championship;;", "", ";2026;", "Pl;Name;1", "1;Ada;2w1", "", "2;Bo;1b0")
    assert table.titles == ("Club Championship", "2026")
    assert [player.line for player in table.players] == [5, 7]


def test_totals_that_do_not_add_up_are_noted_but_a_bye_may_have_brought_a_point() -> None:
    table = read("Pos;Name;Pts.;1", "1;Ada;1½;2w1", "2;Bo;0;1b0")
    assert table.bad == ()
    assert table.notes == ("line 2: the rounds of “Ada” add up to 1, the table says 1.5",)
    others = ("2;Bo;1;3w1", "3;Cleo;0;2b0")
    assert not read("Pos;Name;Pts;1", "1;Ada;1;bye", *others).notes
    assert not read("Pos;Name;Pts;1", "1;Ada;0;spielfrei", *others).notes
    assert read("Pos;Name;Pts;1", "1;Ada;2;bye", *others).notes


def test_scores_that_a_total_contradicts_are_refused_and_others_stand() -> None:
    below = "line 2: round 1: “Ada” and “Bo” share less than a point (lines 2 and 3)"
    above = "line 3: round 1: “Bo” and “Ada” share less than a point (lines 3 and 2)"
    for ada, bo, found in (
        ("1;2w0", "0;1b0", [below]),
        ("0;2w0", "1;1b0", [above]),
        ("½;2w½", "½;1b0", [above]),
        ("½;2w0", "½;1b0", [below, above]),
    ):
        table = read("Pos;Name;Pts;1", f"1;Ada;{ada}", f"2;Bo;{bo}")
        assert [str(row).partition(", and the rounds add up")[0] for row in table.bad] == found, (ada, bo)
        assert all("correct the cells, or the total" in str(row) for row in table.bad)
        assert table.notes == (), "what is refused is not noted too"
    table = read("Pos;Name;Pts;1", "1;Ada;0;2w0", "2;Bo;0;1b0")
    assert (table.bad, table.notes) == ((), ())
    assert table.games[0].result == Result.NO_POINTS
    assert not read("Pos;Name;1", "1;Ada;2w0", "2;Bo;1b0").bad, "a table without totals contradicts nothing"
    assert not read("Pos;Name;Pts;1;2", "1;Ada;1;2w0;bye", "2;Bo;0;1b0;-").bad, "the bye may have brought the point"


def test_a_square_table_a_round_twice_in_the_header_or_none_is_refused() -> None:
    with pytest.raises(UnreadableFileError, match="No cell names an opponent"):
        read("Pos;Name;1;2;3", "1;Ada;*;1;½", "2;Bo;0;*;1", "3;Cleo;½;0;*")
    with pytest.raises(UnreadableFileError, match=r"The header \(line 2\) names a round twice, and its games are not"):
        read("Club Cup", "Pos;Name;1;1", "1;Ada;2w1;3w1", "2;Bo;1b0;-", "3;Cleo;-;1b0")
    for data in (b"", b"Name;Points\nAda;1\n", b"no table at all", b"\xff\xfe\x00"):
        with pytest.raises(UnreadableFileError):
            read_crosstable(data)


def test_a_match_of_two_games_names_its_round_twice() -> None:
    table = read("Pos;Name;1;1;2;2", "1;Ada;2w1;2b½;-;-", "2;Bo;1b0;1w½;3w1;3b1", "3;Cleo;-;-;2b0;2w0")
    assert (table.bad, table.rounds) == ((), (1, 2))
    games = [(game.round, game.white, game.black, game.result) for game in table.games]
    first = [(1, 1, 2, Result.WHITE_WINS), (1, 2, 1, Result.DRAW)]
    assert games == [*first, (2, 2, 3, Result.WHITE_WINS), (2, 3, 2, Result.BLACK_WINS)]
    assert [row.label for row in as_game_rows(table)] == ["1", "1", "2", "2"]
    (complaint, *_others) = told("Pos;Name;1;3;3", "1;Ada;-;2w1;2b1", "2;Bo;-;1b0;1w1")
    assert complaint.startswith("line 2: round 3: ")


def test_a_bad_row_keeps_its_place_and_those_behind_it_are_good() -> None:
    lines = ["Pos;Name;Rtg;1;2", "1;Ada;strong;2w1;3b0", "2;Bo;1500;1b0;-", "3;Cleo;1400;-;1w1"]
    assert told(*lines) == ["line 2: rating “strong” is not known: write a number from 0 to 4000"]


@given(st.binary(max_size=300))
def test_whatever_is_brought_is_read_or_refused_in_words(data: bytes) -> None:
    with suppress(UnreadableFileError):
        table = read_crosstable(b"Pos;Name;1;2\n" + data)
        assert len(table.games) <= 2 * len(table.players)


@given(st.integers(3, 12), st.data())
def test_a_table_printed_from_games_gives_the_same_games(players: int, data: st.DataObject) -> None:
    """Any round robin with any results: printed as other programs do, it is read back game for game."""
    results = st.sampled_from([Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.BLACK_FORFEITS])
    marks = {"1-0": ("1", "0"), "1/2": ("½", "½"), "0-1": ("0", "1"), "+-": ("+", "-")}
    cells: dict[tuple[int, int], str] = {}
    games = []
    for number, boards in enumerate(RoundRobin().schedule(players, {}), start=1):
        for board in boards:
            if board.black is None:
                cells[board.white, number] = "bye"
                continue
            result = data.draw(results)
            white, black = marks[result]
            cells[board.white, number] = f"{board.black}w{white}"
            cells[board.black, number] = f"{board.white}b{black}"
            games.append(Meeting(number, board.white, board.black, result))
    rounds = range(1, max(number for _player, number in cells) + 1)
    rows = [f"{one};P{one};" + ";".join(cells[one, number] for number in rounds) for one in range(1, players + 1)]
    table = read("Pos;Name;" + ";".join(map(str, rounds)), *rows)
    assert table.bad == ()
    assert set(table.games) == set(games)


# --- into the club ------------------------------------------------------------------------------------------------
def test_the_games_go_where_a_stream_of_games_goes_which_is_told_from_a_crosstable() -> None:
    rows = as_game_rows(published(SINQUEFIELD))
    assert len(rows) == 30
    first = rows[0]
    assert (first.white, first.black, first.result) == ("Topalov, Veselin", "Caruana, Fabiano", Result.BLACK_WINS)
    assert (first.event, first.label, first.played_on) == ("", "1", None)
    table = read("Pos;Name;1", "1;Ada;2w", "2;Bo;1b")
    assert len(table.games) == 1
    assert as_game_rows(table) == ()
    assert is_crosstable((DATA / f"{SINQUEFIELD}.csv").read_bytes())
    assert not is_crosstable(b"date,white,black,result\n2026-01-05,Ada,Bo,1\n")
    assert not is_crosstable(b"\xff\xfe")
    assert not is_crosstable(b"")


def test_a_table_of_more_cells_than_any_crosstable_has_is_refused_before_they_are_read() -> None:
    """Each contradiction of a table within the bounds of lines and columns used to be told: 75,000 sentences."""
    rows = "".join(f"{number},P{number}{',3w1' * 15}\n" for number in range(1, 4000))
    with pytest.raises(UnreadableFileError, match="more than 60000 cells"):
        read_crosstable(f"Rk,Name,{','.join(map(str, range(1, 16)))}\n{rows}".encode())


def test_a_cell_longer_than_any_is_told_with_its_line() -> None:
    with pytest.raises(UnreadableFileError, match="Line 2 cannot be read"):
        read_crosstable(b"Rk,Name,1\n1," + b"x" * 140_000 + b",3w1\n")
