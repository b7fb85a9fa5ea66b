"""The sorted table and its disorder, as the study of six systems defines them, by hand and in a second way."""

from itertools import pairwise
from math import log2, nan

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.lab.contenders import CONTENDERS, STUDY, Contender
from ratings.lab.engine import PLAIN
from ratings.lab.table import EVERY, Columns, Games, Table, disorder, penalty, play, sort_table
from ratings.lab.vectorised import ColumnRater
from ratings.systems.base import Normalisation
from tests.ratings.lab.golden import STRENGTHS, golden_games

LEAGUE = STUDY[0]
POWERS = st.sampled_from([10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 640.0])


def table_of(each: Contender = LEAGUE, strengths: list[float] | None = None) -> Table:
    return Table(each, PLAIN, STRENGTHS if strengths is None else strengths)


@given(
    st.lists(st.integers(0, 5).map(float), max_size=30).flatmap(
        lambda r: st.tuples(st.just(r), st.permutations(range(len(r))))
    )
)
def test_the_table_is_sorted_highest_first_and_equals_keep_their_order(drawn: tuple[list[float], list[int]]) -> None:
    ratings, order = drawn
    expected = sorted(order, key=lambda place: -ratings[place])  # Python's own sort keeps equals too
    sort_table(order, ratings)
    assert order == expected


def test_ties_keep_the_previous_order_of_the_table_not_that_of_the_players() -> None:
    order, ratings = [0, 1, 2], [1.0, 2.0, 3.0]
    sort_table(order, ratings)
    sort_table(order, [5.0, 5.0, 5.0])
    assert order == [2, 1, 0]
    places = numpy.arange(5)  # arrays are sorted as lists are
    sort_table(places, numpy.array([1.0, 3.0, 2.0, 3.0, 9.0]))
    assert places.tolist() == [4, 1, 3, 2, 0]


def test_what_a_pair_of_neighbours_costs() -> None:
    for upper, lower, cost in (
        (80, 80, 0),  # as strong
        (80, 40, 0),  # twice
        (160, 40, 1),  # four times
        (640, 10, 1),
        (40, 80, 2),  # half
        (40, 160, 3),  # a quarter
        (10, 640, 3),
    ):
        assert penalty(upper, lower) == cost


def test_disorder_of_a_table_by_hand() -> None:
    """640 320 10 80 40 160 over each other: 0 + 1 + 3 + 0 + 3; the other way round 1 + 2 + 1 + 3 + 2."""
    strengths = [640.0, 320.0, 10.0, 80.0, 40.0, 160.0]
    assert disorder([0, 1, 2, 3, 4, 5], strengths) == 7
    assert disorder([5, 4, 3, 2, 1, 0], strengths) == 9
    assert disorder([0], [10.0]) == disorder([], []) == 0
    assert disorder(list(range(140)), [10.0] * 139 + [640.0]) == 3


@given(st.lists(POWERS, min_size=1, max_size=40))
def test_disorder_by_the_definition_in_steps_of_strength(strengths: list[float]) -> None:
    """A second way: by how many doublings the upper one is stronger."""
    costs = {0: 0, 1: 0, -1: 2}
    steps = [round(log2(upper / lower)) for upper, lower in pairwise(strengths)]
    expected = sum(costs.get(step, 1 if step > 0 else 3) for step in steps)
    assert disorder(list(range(len(strengths))), strengths) == expected


@given(st.permutations([10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 640.0]))
def test_only_the_order_by_strength_is_without_any_disorder(strengths: list[float]) -> None:
    in_order = all(upper > lower for upper, lower in pairwise(strengths))
    assert (disorder(list(range(7)), strengths) == 0) == in_order


def test_the_index_is_taken_after_every_hundredth_game() -> None:
    games, found = golden_games(), table_of()
    index = found.play(*games)
    assert EVERY == 100
    assert len(index) == len(games.white) // 100
    again = table_of()
    for look in range(3):
        part = [column[look * 100 : look * 100 + 100] for column in games]
        again.play(*part, every=1000)
        assert again.look() == disorder(again.order, STRENGTHS) == index[look]


@pytest.mark.extended
@pytest.mark.parametrize("each", CONTENDERS, ids=[each.key for each in CONTENDERS])
def test_a_stream_handed_over_in_pieces_or_traced_rates_the_same(each: Contender) -> None:
    games, whole, pieces, traced = golden_games(), table_of(each), table_of(each), table_of(each)
    index: list[int] = []
    for begin, end in ((0, 700), (700, 800), (800, 3000)):
        index += pieces.play(*(column[begin:end] for column in games))
    assert index == whole.play(*games)
    assert (pieces.ratings, pieces.order) == (whole.ratings, whole.order)
    _expected, white_after, black_after = traced.trace(*games)
    assert traced.ratings == whole.ratings
    assert (white_after[-1], black_after[-1]) == (traced.ratings[games.white[-1]], traced.ratings[games.black[-1]])


def plus_a_thousand() -> ColumnRater:
    def rate(ratings: list[float], *_columns: object) -> None:
        ratings[0] += 1000.0

    return ColumnRater((1000.0, 0.0, 0.0), rate, lambda *_columns: nan)  # type: ignore[arg-type]


def test_as_soon_as_anybody_is_above_the_line_all_are_brought_down_but_not_below_the_floor() -> None:
    ratings, games = [1500.0, 1200.0, 1500.0], [0, 0, 0]
    index, order = [0, 0, 0], [0, 1, 2]
    play(
        plus_a_thousand().rate, Columns(ratings, [0.0] * 3, [0.0] * 3, games), Games([0, 0], [1, 1], [1.0, 1.0]),
        Normalisation(3000.0, 0.75, 1000.0), order, [10.0, 10.0, 10.0], 1, index,
    )  # fmt: skip
    # 2500 after the first game: nothing; 3500 after the second: × 0.75, and nobody below 1000.
    assert ratings == [2625.0, 1000.0, 1125.0]
    assert games == [2, 2, 0]
    assert order == [0, 2, 1]


def test_exactly_at_the_line_nothing_happens() -> None:
    ratings = [2000.0, 1200.0]
    play(
        plus_a_thousand().rate, Columns(ratings, [0.0] * 2, [0.0] * 2, [0, 0]), Games([0], [1], [1.0]),
        Normalisation(3000.0, 0.75, 1000.0), [0, 1], [10.0, 10.0], 1, [0],
    )  # fmt: skip
    assert ratings == [3000.0, 1200.0]


def test_newcomers_enter_at_the_start_below_whoever_stands_level_with_what_the_system_remembers() -> None:
    table = table_of(strengths=[10.0, 20.0, 40.0])
    table.play([0], [1], [1.0])
    table.join([80.0, 160.0])
    assert (table.ratings, table.games) == ([790.0, 720.0, 750.0, 750.0, 750.0], [1, 1, 0, 0, 0])
    assert table.strengths == [10.0, 20.0, 40.0, 80.0, 160.0]
    table.look()
    assert table.order == [0, 2, 3, 4, 1]
    glicko = STUDY[5]
    late, together = table_of(glicko, [10.0, 20.0]), table_of(glicko, [10.0, 20.0, 40.0])
    late.play([0], [1], [1.0])
    late.join([40.0])
    together.play([0], [1], [1.0])
    for each in (late, together):
        each.play([2], [0], [1.0])
    assert late.ratings == together.ratings


def test_true_strengths_may_change_on_the_way() -> None:
    table = table_of(strengths=[10.0, 640.0])
    assert table.play([0], [1], [1.0], every=1) == [3]
    table.set_strengths([640.0, 10.0])
    assert table.play([0], [1], [1.0], every=1) == [1]
