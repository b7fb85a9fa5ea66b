"""Doubles: everybody once a round, sit-outs even from arrival on, and a whist tournament for every 4k and 4k+1."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.pairing.doubles import DoublesQuality, Round, doubles_quality, next_round, whist


@pytest.mark.parametrize("players", [number for number in range(4, 41) if number % 4 < 2])
def test_everybody_partners_everybody_once_and_opposes_everybody_twice(players: int) -> None:
    rounds = whist(players)
    quality = doubles_quality(range(players), rounds)
    assert len(rounds) == players - (players % 4 == 0)
    assert quality.is_whist
    assert quality.sit_out_spread == 0


@pytest.mark.parametrize("players", [6, 7, 10, 11, 14])
def test_other_numbers_sit_out_in_turn_and_rarely_partner_twice(players: int) -> None:
    quality = doubles_quality(range(players), whist(players))
    assert quality.sit_out_spread == 0
    assert not quality.is_whist
    assert not DoublesQuality((0, 6), (1, 0, 5), 0).is_whist, "the partners are not all"
    assert sum(quality.partners[2:]) <= 1
    assert len(quality.partners) <= 3


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(4, 14), min_size=1, max_size=5), st.integers(0, 99))
def test_each_round_has_those_present_once(sizes: list[int], seed: int) -> None:
    played: list[Round] = []
    for size in sizes:
        drawn = next_round(range(size), played, seed=seed)
        seated = [player for four in drawn for player in four]
        assert len(set(seated)) == len(seated) == size - size % 4
        assert set(seated) <= set(range(size))
        played.append(drawn)
    assert drawn == next_round(range(size), played[:-1], seed=seed)


def test_whoever_sat_out_plays_next() -> None:
    played: list[Round] = []
    for _ in range(7):
        played.append(next_round(range(7), played, seed=1))
        seen = [sum(player in four for drawn in played for four in drawn) for player in range(7)]
        assert max(seen) - min(seen) <= 1
    assert any(set(one[0]) != set(other[0]) for one, other in pairwise(played))


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_who_comes_late_sits_out_as_often_as_the_others_from_then_on(seed: int) -> None:
    played: list[Round] = []
    for number in range(20):
        here = range(6 if number < 6 else 7)
        # As they are entered: every table by itself.
        played += [(four,) for four in next_round(here, played, seed=seed + number)]
    since = [sum(player not in four for (four,) in played[6:]) for player in range(7)]
    assert max(since) - min(since) <= 2
    assert since[6] >= 5, "14 rounds, 3 of 7 sit out each: 6 each"


@pytest.mark.parametrize("players", [3, 41])
def test_other_numbers_are_refused(players: int) -> None:
    with pytest.raises(ValueError, match="4 to 40"):
        whist(players)


def test_a_player_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        next_round([1, 1, 2, 3], [], seed=1)
