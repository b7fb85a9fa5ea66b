"""Scheveningen: everybody of one team meets everybody of the other, and nobody has a colour too often."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.pairing import PairingError, pairing_system
from tournaments.pairing.base import PairedRound, ScheduleSystem
from tournaments.pairing.scheveningen import Scheveningen

SIZES = range(2, 21)
each_size = pytest.mark.parametrize("size", SIZES)


def rounds_of(size: int, cycles: int = 1) -> tuple[PairedRound, ...]:
    return Scheveningen().schedule(2 * size, {"cycles": cycles})


def games_of(rounds: tuple[PairedRound, ...]) -> list[tuple[int, int]]:
    return [(board.white, board.black or 0) for boards in rounds for board in boards]


def whites_of_the_first_team(size: int) -> list[int]:
    """How many Whites it has in each round."""
    return [sum(board.white <= size for board in boards) for boards in rounds_of(size)]


@each_size
def test_everybody_meets_everybody_of_the_other_team_once(size: int) -> None:
    met = sorted(tuple(sorted(game)) for game in games_of(rounds_of(size)))
    assert met == sorted(product(range(1, size + 1), range(size + 1, 2 * size + 1)))


@each_size
def test_everybody_sits_once_in_every_round(size: int) -> None:
    for boards in rounds_of(size):
        seated = [number for board in boards for number in (board.white, board.black)]
        assert sorted(seated, key=lambda number: number or 0) == list(range(1, 2 * size + 1))
    assert len(rounds_of(size)) == size


@each_size
def test_boards_stand_in_the_order_of_the_first_team(size: int) -> None:
    for boards in rounds_of(size):
        assert [min(board.white, board.black or 0) for board in boards] == list(range(1, size + 1))


@each_size
def test_everybody_has_as_many_whites_as_blacks(size: int) -> None:
    white = Counter(game[0] for game in games_of(rounds_of(size)))
    differences = {abs(2 * white[player] - size) for player in range(1, 2 * size + 1)}
    assert differences == {size % 2}


@pytest.mark.parametrize("size", [size for size in SIZES if size > 2])
def test_each_team_has_half_of_the_whites_in_every_round(size: int) -> None:
    assert {abs(2 * whites - size) for whites in whites_of_the_first_team(size)} == {size % 2}


def test_of_two_boards_one_team_has_both_whites_as_printed() -> None:
    assert whites_of_the_first_team(2) == [2, 0]


@pytest.mark.parametrize("size", range(3, 21, 2))
def test_over_the_whole_match_the_first_team_has_one_white_more(size: int) -> None:
    assert 2 * sum(whites_of_the_first_team(size)) - size * size == 1


@each_size
def test_twice_repeats_the_rounds_with_colours_reversed(size: int) -> None:
    once, twice = games_of(rounds_of(size)), games_of(rounds_of(size, cycles=2))
    assert twice[: len(once)] == once
    assert twice[len(once) :] == [(black, white) for white, black in once]
    assert len(set(twice)) == 2 * size * size


def test_the_first_round_of_four_boards() -> None:
    assert games_of(rounds_of(4)[:1]) == [(1, 5), (6, 2), (7, 3), (4, 8)]


@given(players=st.integers(1, 45).filter(lambda players: players % 2 or not 4 <= players <= 40))
def test_teams_of_different_sizes_or_too_many_are_refused(players: int) -> None:
    with pytest.raises(PairingError, match="two teams"):
        Scheveningen().schedule(players, {})


def test_a_setting_that_is_none_is_refused() -> None:
    with pytest.raises(PairingError, match="cycles"):
        Scheveningen().schedule(8, {"cycles": 3})


def test_it_is_registered_as_a_schedule() -> None:
    assert isinstance(pairing_system("scheveningen"), ScheduleSystem)
