"""The charts' grids, pixel by pixel: where a rating stands, what colour it has, which colour stays."""

from itertools import pairwise

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.lab.contenders import CONTENDERS, STUDY
from ratings.lab.pictures import (
    COLUMNS,
    FIRST_CURVE,
    LOOKS,
    NEW_LOOK,
    ROWS,
    Grid,
    Ink,
    Scale,
    axis_numbers,
    draw_table,
    game_numbers,
    index_grid,
    index_inks,
    index_scale,
    lines_of,
    look_of,
    points_of,
    rating_inks,
    rows_of,
    ruled_grid,
    table_order,
)
from ratings.lab.table import disorder, penalty, sort_table

TEN = Scale(700.0, bottom=0.0, step=100.0)  # a row a point: 700 on top, 0 at the bottom
POWERS = st.sampled_from([10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 640.0])


def column(ratings: list[float], strengths: list[float], scale: Scale = TEN) -> dict[int, int]:
    """The dots of one table on blank paper: row -> ink."""
    grid = numpy.zeros((ROWS, COLUMNS), dtype=numpy.uint8)
    draw_table(grid, 3, ratings, strengths, scale)
    assert not grid[:, :3].any()
    assert not grid[:, 4:].any()
    return {int(row): int(grid[row, 3]) for row in numpy.flatnonzero(grid[:, 3])}


# --- where a rating stands -------------------------------------------------------------------------------------------
def test_each_system_of_the_study_has_its_range() -> None:
    for key, top, bottom, points_a_row in (
        ("league", 10_000, -500, 15), ("solo-zerg", 3100, -500, 36 / 7), ("r2", 3100, -500, 36 / 7),
        ("kd", 100, -5, 0.15), ("elo", 1600, -500, 3), ("glicko", 1600, -500, 3),
    ):  # fmt: skip
        scale = LOOKS[key].scale
        assert (scale.top, scale.bottom) == (top, bottom)
        assert (scale.top - scale.bottom) / (ROWS - 1) == pytest.approx(points_a_row)
        assert rows_of([top, bottom], scale).tolist() == [0, ROWS - 1]


@given(st.floats(-500, 1600), st.floats(-500, 1600))
def test_a_rating_stands_in_the_nearest_row_and_who_is_higher_higher(one: float, other: float) -> None:
    first, second = rows_of([max(one, other), min(one, other)], LOOKS["elo"].scale)
    assert 0 <= first <= second <= ROWS - 1
    assert rows_of([700, 699.6, 699.5, 699.4, 0], TEN).tolist() == [0, 0, 1, 1, 700]


# --- lines -----------------------------------------------------------------------------------------------------------
def rows_with(grid: Grid, ink: Ink) -> list[int]:
    return [int(row) for row in numpy.flatnonzero((grid == ink).any(axis=1))]


def test_dotted_lines_stand_every_500_and_a_black_one_at_0_with_their_numbers() -> None:
    assert lines_of(LOOKS["elo"].scale) == [-500, 0, 500, 1000, 1500]
    grid = ruled_grid(LOOKS["elo"].scale)
    assert rows_with(grid, Ink.DOTTED) == [33, 200, 367, 700]  # (1600 − 1500) / 3 = 33.3 and so on
    assert rows_with(grid, Ink.ZERO) == [533]
    assert (grid[533] == Ink.ZERO).all()
    assert grid[33, :9].tolist() == [1, 0, 0, 0, 1, 0, 0, 0, 1]
    assert lines_of(LOOKS["kd"].scale) == list(range(0, 101, 10))
    elo = [(0, "1600"), (33, "1500"), (200, "1000"), (367, "500"), (533, "0"), (700, "-500")]
    assert sorted(axis_numbers(LOOKS["elo"].scale)) == elo
    league = [text for _row, text in axis_numbers(LOOKS["league"].scale)]
    assert league == [str(value) for value in range(-500, 10_001, 500)]
    fine, coarse = game_numbers(10), game_numbers(100)
    assert (fine[:2], fine[-1]) == ([(0, "10"), (99, "1000")], (COLUMNS - 1, "10000"))
    assert coarse[-1] == (COLUMNS - 1, "100000")


# --- colours ---------------------------------------------------------------------------------------------------------
def test_the_colour_compares_with_the_next_below_and_the_last_one_is_green() -> None:
    strengths = [640.0, 640.0, 320.0, 80.0, 160.0, 20.0, 640.0]
    green, dark_green, red, dark_red = Ink.GREEN, Ink.DARK_GREEN, Ink.RED, Ink.DARK_RED
    dots = column([600.0, 500.0, 400.0, 300.0, 200.0, 100.0, 50.0], strengths)
    assert list(dots.values()) == [green, green, dark_green, red, dark_green, dark_red, green]
    assert column([500.0], [10.0]) == {200: Ink.GREEN}
    assert points_of([10.0]).tolist() == [0]


@given(st.lists(POWERS, min_size=1, max_size=40))
def test_colours_are_the_points_of_the_index(strengths: list[float]) -> None:
    points = points_of(strengths).tolist()
    assert points[:-1] == [penalty(*pair) for pair in pairwise(strengths)]
    assert sum(points) == disorder(list(range(len(strengths))), strengths)


def test_where_dots_share_a_pixel_the_worse_colour_stays() -> None:
    # From the top: green, red, dark green, the last; all in one row.
    assert column([100.0, 100.0, 100.0, 100.0], [40.0, 40.0, 80.0, 20.0]) == {600: Ink.RED}
    # Dark red is put down first, three good colours after it.
    assert column([100.4, 100.3, 100.2, 100.1], [10.0, 80.0, 80.0, 20.0]) == {600: Ink.DARK_RED}


@given(st.lists(st.tuples(st.floats(-900, 2000), POWERS), min_size=1, max_size=40))
def test_a_pixel_shows_the_worst_of_the_players_in_it(players: list[tuple[float, float]]) -> None:
    players.sort(key=lambda each: -each[0])
    ratings, strengths = [each[0] for each in players], [each[1] for each in players]
    scale = LOOKS["elo"].scale
    expected: dict[int, int] = {}
    for at, rating in enumerate(ratings):
        if -500 <= rating <= 1600:
            cost = penalty(strengths[at], strengths[at + 1]) if at + 1 < len(players) else 0
            row = int(rows_of([rating], scale)[0])
            expected[row] = max(expected.get(row, 0), Ink.GREEN + cost)
    assert column(ratings, strengths, scale) == expected


def test_dots_outside_give_their_colour_and_those_inside_cover_the_lines() -> None:
    scale = LOOKS["elo"].scale
    assert column([1600.1, 1600.0, -500.0, -500.1], [640.0] * 4, scale) == {0: Ink.GREEN, 700: Ink.GREEN}
    # The dot at the bottom is compared with the player who is out of sight below it.
    assert column([-500.0, -501.0], [10.0, 640.0], scale) == {700: Ink.DARK_RED}
    grid = ruled_grid(TEN)
    draw_table(grid, 0, [100.0, 0.0], [10.0, 10.0], TEN)
    assert (grid[600, 0], grid[700, 0], grid[700, 1]) == (Ink.GREEN, Ink.GREEN, Ink.ZERO)


# --- the table on a copy ---------------------------------------------------------------------------------------------
@given(st.lists(st.integers(0, 4).map(float), min_size=1, max_size=25))
def test_a_copy_is_sorted_as_the_table_is_and_the_table_is_left_alone(ratings: list[float]) -> None:
    order = list(range(len(ratings)))[::-1]
    copied = table_order(order, ratings)
    assert order == list(range(len(ratings)))[::-1]
    sort_table(order, ratings)
    assert copied == order


# --- the chart of the index ------------------------------------------------------------------------------------------
def test_the_index_goes_up_to_the_next_dotted_line() -> None:
    assert index_scale([[3, 41], [39]]) == Scale(60.0, bottom=0.0, step=20.0)
    assert index_scale([[40], []]).top == 40
    assert index_scale([]).top == index_scale([[0, 0]]).top == 20
    assert index_scale([[5] * COLUMNS + [500]]).top == 20  # what is not drawn asks for no room


def test_a_curve_has_no_gaps_and_a_later_one_covers_it() -> None:
    grid = index_grid([[10, 20, 20], [0, 0, 20]], Scale(20.0, bottom=0.0, step=20.0))
    first, second = FIRST_CURVE, FIRST_CURVE + 1
    assert numpy.flatnonzero(grid[:, 0] == first).tolist() == [350]
    assert numpy.flatnonzero(grid[:, 1] == first).tolist() == list(range(351))  # up from 10 to 20
    assert numpy.flatnonzero(grid[:, 0] == second).tolist() == [700]
    assert numpy.flatnonzero(grid[:, 2] == second).tolist() == list(range(701))
    assert not (grid[:, 2] == first).any()
    assert (grid[700, 3:] == Ink.ZERO).all()


# --- looks -----------------------------------------------------------------------------------------------------------
def test_every_contender_has_a_look_of_its_own_in_the_colours_of_the_first_four() -> None:
    assert {each.key for each in CONTENDERS} <= LOOKS.keys()
    colours = [look_of(each).colour for each in CONTENDERS]
    assert len({*colours, NEW_LOOK.colour}) == len(colours) + 1
    inks, index = rating_inks(), index_inks(STUDY)
    names = dict(
        zip(("green", "dark green", "red", "dark red", "black", "grey"), list(index.values())[3:], strict=True)
    )
    assert list(inks.values())[3:] == list(names.values())[:4]
    assert names["green"][1] > names["dark green"][1] > max(names["dark green"][0], names["dark green"][2])
    assert names["red"][0] > names["dark red"][0] > max(names["dark red"][1:])
    assert names["black"] == (0, 0, 0)
    assert len(set(names["grey"])) == 1
