"""Through or out whatever the pairings: sound against every way the rest of a small Swiss can go."""

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.forecast.needs import Verdict, by_margin

SURE, LOST, OPEN = Verdict.SURE, Verdict.LOST, Verdict.OPEN


def test_a_lead_of_more_than_two_half_points_a_round_is_enough() -> None:
    # One round to come, two half-points to be had.
    to_come = dict.fromkeys((1, 2, 3), 2)
    assert by_margin({1: 9, 2: 6, 3: 4}, to_come) == {1: SURE, 2: LOST, 3: LOST}
    assert by_margin({1: 9, 2: 7, 3: 4}, to_come) == {1: OPEN, 2: OPEN, 3: LOST}, "level: the tie-breaks decide"
    assert by_margin({1: 6, 2: 5}, {1: 0, 2: 0}) == {1: SURE, 2: LOST}
    to_come = dict.fromkeys((1, 2, 3, 4), 2)
    assert by_margin({1: 8, 2: 7, 3: 6, 4: 3}, to_come, 3) == {1: SURE, 2: SURE, 3: SURE, 4: LOST}
    assert by_margin({1: 8, 2: 7, 3: 5, 4: 3}, to_come, 3)[3] is OPEN
    with pytest.raises(ValueError, match="first 0"):
        by_margin({1: 0}, {1: 0}, 0)


@given(points=st.lists(st.integers(0, 6), min_size=4, max_size=4), rounds=st.integers(0, 2), top=st.integers(1, 3))
def test_what_is_said_holds_in_every_ending_of_every_pairing(points: list[int], rounds: int, top: int) -> None:
    said = by_margin(dict(enumerate(points)), dict.fromkeys(range(4), 2 * rounds), top)
    pairings = {frozenset((frozenset(p[:2]), frozenset(p[2:]))) for p in permutations(range(4))}
    ways = [(pairs, halves) for pairs in pairings for halves in product((0, 1, 2), repeat=2)]
    for way in product(ways, repeat=rounds):
        made = list(points)
        for pairs, halves in way:
            for (one, other), mine in zip(map(sorted, pairs), halves, strict=True):
                made[one], made[other] = made[one] + mine, made[other] + 2 - mine
        for player, verdict in said.items():
            others = [made[other] for other in range(4) if other != player]
            if verdict is SURE:
                assert sum(theirs >= made[player] for theirs in others) < top
            if verdict is LOST:
                assert sum(theirs > made[player] for theirs in others) >= top
