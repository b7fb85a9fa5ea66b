"""Point systems: classic, football, armageddon after a draw, and what a bye is worth; against two real tables."""

import re
from typing import NamedTuple

import pytest

from tests.tournaments.crosstables import contest_with, values
from tests.tournaments.real_events import DATA
from tournaments.standings.crosstable import Crosstable, Meeting, build_crosstable
from tournaments.standings.points import POINT_SYSTEMS, PointSystem, Result, point_system, with_allocated_bye
from tournaments.standings.rank import rank

CLASSIC, FOOTBALL, ARMAGEDDON = (point_system(key) for key in ("classic", "football", "armageddon"))
CELL = re.compile(r"(?P<opponent>\d+)(?P<colour>[wbz])(?P<points>1½|2|1|½|0)")
HALVES = {"2": 4, "1½": 3, "1": 2, "½": 1, "0": 0}


class PrintedCell(NamedTuple):
    """A cell of a printed table; `halves` are the points in half-points."""

    round: int
    opponent: int
    is_white: bool
    halves: int


def printed(file: str, first_line: int, first_column: int) -> dict[int, list[PrintedCell]]:
    """The cells of every player in order of rounds."""
    rows = {}
    for line in (DATA / file).read_text(encoding="utf-8-sig").splitlines()[first_line:]:
        columns = line.split(";")
        cells = [CELL.fullmatch(cell.strip()) for cell in columns[first_column:]]
        rows[int(columns[0])] = [
            PrintedCell(number, int(cell["opponent"]), cell["colour"] == "w", HALVES[cell["points"]])
            for number, cell in enumerate(cells, start=1)
            if cell
        ]
    return rows


def table_of(rows: dict[int, list[PrintedCell]], points: PointSystem) -> Crosstable:
    """The table we make of White's cells: under armageddon 1½ and ½ are a draw and who won what followed."""
    meetings = []
    for player, cells in rows.items():
        for cell in cells:
            if cell.is_white:
                meetings.append(Meeting(cell.round, player, cell.opponent, *codes(cell.halves, points)))
    return build_crosstable(sorted(rows), meetings, [], points)


def codes(halves: int, points: PointSystem) -> tuple[Result, Result]:
    if points is ARMAGEDDON:
        armageddon = {3: Result.WHITE_WINS, 1: Result.BLACK_WINS}.get(halves, Result.OPEN)
        plain = {4: Result.WHITE_WINS, 0: Result.BLACK_WINS}.get(halves, Result.DRAW)
        return plain, armageddon
    return {2: Result.WHITE_WINS, 1: Result.DRAW, 0: Result.BLACK_WINS}[halves], Result.OPEN


def one_game(points: PointSystem, result: Result, armageddon: Result = Result.OPEN) -> tuple[int, int]:
    table = build_crosstable([1, 2], [Meeting(1, 1, 2, result, armageddon)], [], points)
    return table[1].points, table[2].points


# --- football -------------------------------------------------------------------------------------------------
def test_football_gives_three_for_a_win_and_puts_one_win_before_two_draws() -> None:
    codes = (Result.WHITE_WINS, Result.DRAW, Result.WHITE_FORFEITS, Result.BOTH_FORFEIT)
    assert [one_game(FOOTBALL, code) for code in codes] == [(3, 0), (1, 1), (0, 3), (0, 0)]
    meetings = [Meeting(1, 1, 2, Result.WHITE_WINS), Meeting(2, 3, 1, Result.WHITE_WINS)]
    meetings += [Meeting(3, 2, 3, Result.DRAW), Meeting(4, 2, 3, Result.DRAW)]
    by_football = rank(contest_with(build_crosstable([1, 2, 3], meetings, [], FOOTBALL), FOOTBALL), [])
    by_halves = rank(contest_with(build_crosstable([1, 2, 3], meetings, [], CLASSIC)), [])
    assert [(row.player, row.points) for row in by_football] == [(3, 5), (1, 3), (2, 2)]
    assert [(row.player, row.place) for row in by_halves] == [(3, 1), (1, 2), (2, 2)]


def test_tiebreaks_of_football_count_its_points() -> None:
    meetings = [Meeting(1, 1, 2, Result.WHITE_WINS), Meeting(2, 2, 3, Result.DRAW)]
    contest = contest_with(build_crosstable([1, 2, 3], meetings, [], FOOTBALL), FOOTBALL)
    assert values(contest, "SB") == {1: 3 * 1, 2: 1 * 1, 3: 1 * 1}
    assert values(contest, "WIN") == {1: 1, 2: 0, 3: 0}
    assert values(contest, "STD") == {1: 1, 2: 0.5, 3: 0.5}


# --- armageddon -----------------------------------------------------------------------------------------------
def test_a_draw_is_followed_by_armageddon() -> None:
    for result, armageddon, halves in (
        (Result.WHITE_WINS, Result.OPEN, (4, 0)),
        (Result.BLACK_WINS, Result.OPEN, (0, 4)),
        (Result.DRAW, Result.WHITE_WINS, (3, 1)),
        (Result.DRAW, Result.BLACK_WINS, (1, 3)),
        (Result.DRAW, Result.DRAW, (1, 3)),  # a draw is enough for Black
        (Result.DRAW, Result.BLACK_FORFEITS, (3, 1)),
        (Result.DRAW, Result.BOTH_FORFEIT, (1, 1)),
        (Result.DRAW, Result.OPEN, (1, 1)),  # the half-point that is safe
        (Result.WHITE_WINS, Result.BLACK_WINS, (4, 0)),  # a win needs no armageddon
        (Result.WHITE_DRAWS_BLACK_PENALISED, Result.BLACK_WINS, (1, 0)),
    ):
        assert one_game(ARMAGEDDON, result, armageddon) == halves, (result, armageddon)
    assert one_game(CLASSIC, Result.DRAW, Result.WHITE_WINS) == (1, 1), "where none is played it changes nothing"


def test_cells_show_the_points_where_half_and_one_and_a_half_differ() -> None:
    meetings = [Meeting(1, 1, 2, Result.DRAW, Result.WHITE_WINS), Meeting(2, 2, 1, Result.WHITE_WINS)]
    meetings.append(Meeting(3, 1, 2, Result.BLACK_FORFEITS))
    table = build_crosstable([1, 2], meetings, [], ARMAGEDDON)
    assert [cell.shown for cell in table[1].cells] == ["1½", "0", "+"]
    assert [cell.shown for cell in table[2].cells] == ["½", "2", "−"]


def test_norway_2019_scores_as_printed() -> None:
    rows = printed("altibox_norway_2019_armageddon_scoring.csv", 3, 2)
    table = table_of(rows, ARMAGEDDON)
    assert all(len(cells) == 9 for cells in rows.values())
    for player, cells in rows.items():
        ours = [(cell.round, cell.opponent, cell.is_white, cell.points) for cell in table[player].cells]
        assert ours == cells
    placed = [table[player].points for player in sorted(table)]
    assert placed == sorted(placed, reverse=True), "the file lists the players by place"
    assert placed[0] == 27, "Carlsen won with 13½"


# --- classic, printed by chess-results ------------------------------------------------------------------------
def test_the_sinquefield_cup_2014_adds_up_as_printed() -> None:
    rows = printed("chess_results_sinquefield_2014.csv", 3, 5)
    lines = (DATA / "chess_results_sinquefield_2014.csv").read_text(encoding="utf-8-sig").splitlines()[3:]
    published = {int(line.split(";")[0]): int(2 * float(line.split(";")[4])) for line in lines}
    table = table_of(rows, CLASSIC)
    assert {player: line.points for player, line in table.items()} == published
    assert published[1] == 17, "Caruana won with 8½ of 10"


# --- what a bye is worth --------------------------------------------------------------------------------------
def test_an_allocated_bye_is_worth_what_the_event_says_and_points_are_written_in_halves() -> None:
    for points in POINT_SYSTEMS:
        assert with_allocated_bye(points, "") == points
        worths = {word: with_allocated_bye(points, word).allocated_bye for word in ("win", "draw", "loss")}
        assert worths == {"win": points.win, "draw": points.draw, "loss": points.loss}
        assert with_allocated_bye(points, "loss").win == points.win
        assert points.unit in (1, 2)
        assert (points.text(0), points.text(points.unit)) == ("0", "1")
    with pytest.raises(KeyError):
        with_allocated_bye(CLASSIC, "much")
    assert [CLASSIC.bye(kind) for kind in ("pab", "full", "half", "zero")] == [2, 2, 1, 0]
    assert [CLASSIC.share(each) for each in ("win", "draw", "loss", None)] == [2, 1, 0, 0], "nothing while it is open"
    assert [CLASSIC.text(halves) for halves in range(4)] == ["0", "½", "1", "1½"]
