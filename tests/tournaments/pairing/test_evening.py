"""Who plays whom on an evening: as many boards as can be, fairness first, then the arbiter's rule."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tournaments.pairing.evening import COLOURS, RECENT, YEAR, Guest, Partners, Telling, in_order, pair_guests, uneven

NEAR, NEW = Partners.NEAR, Partners.NEW
FOUR = [Guest(1), Guest(2), Guest(3), Guest(4)]


def sets(boards: list[tuple[int, int]]) -> set[tuple[int, int]]:
    return {in_order(*board) for board in boards}


@pytest.mark.parametrize(
    ("rule", "met", "apart", "expected"),
    [
        (NEAR, {}, set(), {(1, 2), (3, 4)}),
        (NEAR, {(1, 2): 7}, set(), {(1, 2), (3, 4)}),
        (NEAR, {(1, 2): 0}, set(), {(1, 3), (2, 4)}),
        (NEAR, {}, {(3, 4)}, {(1, 3), (2, 4)}),
        (NEW, {(1, 2): 7, (3, 4): 7}, set(), {(1, 3), (2, 4)}),
        (NEW, {(1, 2): 7, (3, 4): 7, (1, 3): 8, (2, 4): 5}, set(), {(1, 4), (2, 3)}),
        (NEW, {(1, 3): 2 * YEAR, (2, 4): 2 * YEAR}, set(), {(1, 2), (3, 4)}),  # longer than a year is as good as never
    ],
)
def test_the_rule_decides_after_who_met_today_and_who_must_not_meet(
    rule: Partners, met: dict[tuple[int, int], int], apart: set[tuple[int, int]], expected: set[tuple[int, int]]
) -> None:
    assert sets(pair_guests(FOUR, met, apart, rule)) == expected


def test_near_is_by_squares_and_of_boards_as_near_those_who_met_longer_ago_meet() -> None:
    wide = {(1, 6), (2, 3), (4, 5), (1, 4), (2, 6), (3, 5)}
    apart = set(combinations(range(1, 7), 2)) - wide
    assert sets(pair_guests([Guest(key) for key in range(1, 7)], {}, apart, NEAR)) == {(1, 6), (2, 3), (4, 5)}
    for met, other in (((1, 2), (2, 3)), ((2, 3), (1, 2))):
        assert sets(pair_guests(FOUR[:3], {met: 7}, set(), NEAR)) == {other}


TELLS = {(1, 2): 9, (3, 4): 9, (1, 3): 8, (2, 4): 8, (1, 4): 1, (2, 3): 1}


@pytest.mark.parametrize(
    ("met", "far", "whites", "expected"),
    [
        ({}, set(), {}, {(1, 2), (3, 4)}),  # what tells most
        ({(1, 2): RECENT}, set(), {}, {(1, 2), (3, 4)}),
        ({(1, 2): RECENT - 1}, set(), {}, {(1, 3), (2, 4)}),
        ({}, {(3, 4)}, {}, {(1, 3), (2, 4)}),
        ({}, set(), {1: 2, 2: 2}, {(1, 3), (2, 4)}),
        ({}, set(), {1: 2, 2: 1}, {(1, 2), (3, 4)}),
        ({(1, 2): 7}, {(1, 3), (2, 4)}, {1: -2, 4: -2}, {(1, 3), (2, 4)}),  # the dates first, then colours
    ],
)
@pytest.mark.parametrize("rule", [rule for rule in Partners if rule.asks])
def test_what_boards_tell_decides_within_the_bounds(
    rule: Partners,
    met: dict[tuple[int, int], int],
    far: set[tuple[int, int]],
    whites: dict[int, int],
    expected: set[tuple[int, int]],
) -> None:
    guests = [Guest(key, whites=whites.get(key, 0)) for key in range(1, 5)]
    assert sets(pair_guests(guests, met, set(), rule, Telling(TELLS, far))) == expected


def test_who_has_played_most_tonight_is_left_over() -> None:
    guests = [Guest(1, played=1), Guest(2, played=2), Guest(3, played=1)]
    assert sets(pair_guests(guests, {(1, 3): 0}, set(), NEAR)) == {(1, 3)}


def test_white_is_who_had_it_less_often_else_the_weaker() -> None:
    assert pair_guests([Guest(1), Guest(2)], {}, set(), NEAR) == [(2, 1)]
    assert pair_guests([Guest(1, whites=-1), Guest(2)], {}, set(), NEAR) == [(1, 2)]


@examples(100)
@given(st.lists(st.integers(0, 4), max_size=6), st.sets(st.integers(0, 14)), st.sampled_from(Partners))
def test_no_other_boards_are_more_or_give_less_to_who_has_played(
    played: list[int], apart_at: set[int], rule: Partners
) -> None:
    """Against every way to pair so few."""
    guests = [Guest(key, played=count) for key, count in enumerate(played)]
    every = list(combinations(range(len(guests)), 2))
    apart = {pair for at, pair in enumerate(every) if at in apart_at}
    boards = sets(pair_guests(guests, {}, apart, rule))
    assert not boards & apart
    assert len({key for board in boards for key in board}) == 2 * len(boards)
    allowed = [pair for pair in every if pair not in apart]

    def worth(pairs: tuple[tuple[int, int], ...]) -> tuple[int, int]:
        return len(pairs), -sum(played[key] for pair in pairs for key in pair)

    some = (pairs for size in range(4) for pairs in combinations(allowed, size))
    apart_from_each_other = (each for each in some if len({key for pair in each for key in pair}) == 2 * len(each))
    assert worth(tuple(boards)) == max(map(worth, apart_from_each_other))


def test_a_game_is_uneven_where_both_have_had_one_colour_too_often() -> None:
    for one, other, expected in (
        (COLOURS, COLOURS, True),
        (COLOURS, COLOURS - 1, False),
        (-COLOURS, -COLOURS, True),
        (1 - COLOURS, -COLOURS, False),
        (COLOURS + 1, -COLOURS, False),
    ):
        assert uneven(Guest(1, whites=one), Guest(2, whites=other)) is expected, (one, other)
