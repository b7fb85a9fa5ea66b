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


def rounds_of(size: int, cycles: int = 1) -> tuple[PairedRound, ...]:
    return Scheveningen().schedule(2 * size, {"cycles": cycles})


def games_of(rounds: tuple[PairedRound, ...]) -> list[tuple[int, int]]:
    return [(board.white, board.black or 0) for boards in rounds for board in boards]


def whites_of_the_first_team(size: int) -> list[int]:
    """How many Whites it has in each round."""
    return [sum(board.white <= size for board in boards) for boards in rounds_of(size)]


@pytest.mark.parametrize("size", SIZES)
def test_everybody_meets_everybody_of_the_other_team_once_with_each_colour_as_often(size: int) -> None:
    rounds, numbers = rounds_of(size), range(1, 2 * size + 1)
    once, twice = games_of(rounds), games_of(rounds_of(size, cycles=2))
    assert sorted(tuple(sorted(game)) for game in once) == list(product(numbers[:size], numbers[size:]))
    assert len(rounds) == size
    for boards in rounds:
        seated = [number for board in boards for number in (board.white, board.black or 0)]
        assert sorted(seated) == list(numbers), "everybody sits once"
        assert [min(board.white, board.black or 0) for board in boards] == list(numbers[:size]), "by the first team"
    white = Counter(game[0] for game in once)
    assert {abs(2 * white[player] - size) for player in numbers} == {size % 2}
    assert twice == [*once, *((black, white) for white, black in once)], "twice is with colours reversed"


def test_each_team_has_half_of_the_whites_in_every_round_and_the_first_one_more_of_an_odd_match() -> None:
    assert whites_of_the_first_team(2) == [2, 0], "of two boards one team has both, as printed"
    for size in SIZES[1:]:
        whites = whites_of_the_first_team(size)
        assert {abs(2 * each - size) for each in whites} == {size % 2}
        assert size % 2 == 0 or 2 * sum(whites) - size * size == 1
    assert games_of(rounds_of(4)[:1]) == [(1, 5), (6, 2), (7, 3), (4, 8)]


@given(players=st.integers(1, 45).filter(lambda players: players % 2 or not 4 <= players <= 40))
def test_teams_of_different_sizes_or_too_many_are_refused(players: int) -> None:
    with pytest.raises(PairingError, match=r"two teams of (2 to 20|the same size)"):
        Scheveningen().schedule(players, {})


def test_a_setting_that_is_none_is_refused() -> None:
    with pytest.raises(PairingError, match="cycles"):
        Scheveningen().schedule(8, {"cycles": 3})
    assert isinstance(pairing_system("scheveningen"), ScheduleSystem)
