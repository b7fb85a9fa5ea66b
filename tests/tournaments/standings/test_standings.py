"""Standings: points, tie-breaks, shared places, and those of real events as they were published."""

from fractions import Fraction
from pathlib import Path

import pytest

from tests.tournaments.crosstables import contest_with, value
from tests.tournaments.real_events import CLASSIC, candidates_2024, crosstable_of, read_rows
from tournaments.standings.crosstable import Bye, Crosstable, Meeting, build_crosstable, matrix
from tournaments.standings.points import OUTCOMES, Result, seen_from_black
from tournaments.standings.rank import Standing, find_lead, rank
from tournaments.standings.tiebreaks import tiebreak

SB_THEN_WINS = (tiebreak("SB"), tiebreak("WIN"))
CAST = "ABCDEFGH"


def draw_crosstable(drawing: str) -> Crosstable:
    """A crosstable as it is drawn on paper: one row a player, `x` on the diagonal, `.` for a game to come. The upper
    half counts, the lower half must agree with it; the row's player has White."""
    rows = [line.split()[1:] for line in drawing.strip().splitlines()]
    marks = {"1": Result.WHITE_WINS, "=": Result.DRAW, "0": Result.BLACK_WINS, "+": Result.BLACK_FORFEITS}
    marks |= {"-": Result.WHITE_FORFEITS}
    meetings = []
    for white, row in enumerate(rows):
        for black in range(white + 1, len(rows)):
            if row[black] == ".":
                continue
            result = marks[row[black]]
            assert marks[rows[black][white]] == seen_from_black(result), f"row {CAST[black]} contradicts {CAST[white]}"
            meetings.append(Meeting(1, white + 1, black + 1, result))
    return build_crosstable(range(1, len(rows) + 1), meetings, [], CLASSIC)


def numbers(row: Standing) -> tuple[Fraction | None, ...]:
    return tuple(worth and worth.number for worth in row.tiebreaks)


def places(standings: list[Standing]) -> str:
    return " ".join(f"{row.place}{CAST[row.player - 1]}" for row in standings)


def test_points_come_first() -> None:
    table = draw_crosstable("""
        A x 0 =
        B 1 x 1
        C = 0 x
    """)
    assert places(rank(contest_with(table), SB_THEN_WINS))[:2] == "1B"
    none = rank(contest_with(build_crosstable([1, 2, 3], [], [], CLASSIC)), SB_THEN_WINS)
    assert places(none) == "1A 1B 1C", "before the first result everybody is first"
    assert find_lead(none) is None


def test_sonneborn_berger_counts_the_points_of_the_beaten_and_half_of_the_drawn() -> None:
    table = draw_crosstable("""
        A x 1 = 0
        B 0 x 1 1
        C = 0 x =
        D 1 0 = x
    """)
    # A beat B (2) and drew with C (1): 2 + ½.
    assert value(contest_with(table), "SB", 1) == 2.5
    assert value(contest_with(table), "WIN", 2) == 2


def test_who_is_equal_in_everything_shares_the_place() -> None:
    table = draw_crosstable("""
        A x = 1
        B = x 1
        C 0 0 x
    """)
    assert places(rank(contest_with(table), SB_THEN_WINS)) == "1A 1B 3C"


def test_a_forfeit_counts_like_a_game_in_a_round_robin() -> None:
    table = draw_crosstable("""
        A x + 0
        B - x 1
        C 1 0 x
    """)
    assert [table[player].points for player in (1, 2, 3)] == [2, 2, 2]
    assert value(contest_with(table), "WIN", 1) == 1
    assert value(contest_with(table), "SB", 1) == 1


def test_an_open_board_brings_nothing_and_bye_points_are_added_but_neither_is_a_game() -> None:
    for result in (Result.OPEN, Result.ADJOURNED):
        table = build_crosstable([1, 2], [Meeting(1, 1, 2, result)], [], CLASSIC)
        assert (table[1].points, table[1].played) == (0, 0)
        assert find_lead(rank(contest_with(table), SB_THEN_WINS)) is None, "nobody leads"
    table = build_crosstable([1, 2], [], [Bye(2, 1, 0), Bye(1, 1, 1)], CLASSIC)
    assert (table[1].points, table[1].played, [bye.round for bye in table[1].byes]) == (1, 0, [1, 2])


@pytest.mark.parametrize("code", Result)
def test_seen_from_black_is_the_mirror_of_every_result(code: Result) -> None:
    mirrored = OUTCOMES[seen_from_black(code)]
    assert (mirrored.white, mirrored.black) == (OUTCOMES[code].black, OUTCOMES[code].white)
    assert mirrored.shown == OUTCOMES[code].shown[::-1]


def test_the_matrix_shows_both_games_of_a_pair_in_order_of_rounds() -> None:
    meetings = [Meeting(4, 2, 1, Result.DRAW), Meeting(1, 1, 2, Result.WHITE_WINS), Meeting(2, 1, 3, Result.OPEN)]
    square = matrix(build_crosstable([1, 2, 3], meetings, [], CLASSIC), [2, 1, 3])
    assert square[0][0] is None
    assert [(cell.round, cell.is_white, cell.shown) for cell in square[1][0] or ()] == [(1, True, "1"), (4, False, "½")]
    assert square[1][2] == ()


def test_the_lead_says_by_how_much_and_over_whom_or_who_shares_it() -> None:
    lead = find_lead(rank(contest_with(crosstable_of(candidates_2024())), SB_THEN_WINS))
    assert lead is not None
    assert (lead.leaders, lead.points, lead.played, lead.ahead_by) == ((4,), 18, 14, 1)
    assert set(lead.chasers) == {8, 7, 1}
    table = build_crosstable([1, 2], [Meeting(1, 1, 2, Result.DRAW)], [], CLASSIC)
    lead = find_lead(rank(contest_with(table), SB_THEN_WINS))
    assert lead is not None
    assert (lead.leaders, lead.chasers) == ((1, 2), ())


# Candidates 2024 as published: place, draw number, points, Sonneborn-Berger, wins.
PUBLISHED_CANDIDATES = [
    (1, 4, 9, 57, 5), (2, 8, 8.5, 56, 5), (3, 7, 8.5, 56, 3), (4, 1, 8.5, 54, 4),
    (5, 6, 7, 42.5, 3), (6, 5, 6, 40.25, 3), (7, 3, 5, 32.75, 2), (8, 2, 3.5, 25.5, 0),
]  # fmt: skip


def test_standings_of_the_candidates_2024_are_the_published_ones() -> None:
    standings = rank(contest_with(crosstable_of(candidates_2024())), SB_THEN_WINS)
    assert [(row.place, row.player, row.points / 2, *numbers(row)) for row in standings] == PUBLISHED_CANDIDATES


@pytest.mark.real_data
def test_the_published_candidates_are_those_of_the_delivered_file(real_data: Path) -> None:
    rows = read_rows(real_data / "rr" / "candidates2024.standings.csv")
    columns = ("place", "draw_no", "points", "sonneborn_berger", "wins")
    assert [tuple(float(row[name]) for name in columns) for row in rows] == PUBLISHED_CANDIDATES
