"""Pairs at the least cost: every way to pair a handful is tried, and none costs less."""

from collections.abc import Iterator, Mapping

from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tournaments.pairing.dutch.costs import Pair, cheapest_pairs

PEOPLE = range(5)
COSTS = st.integers(0, 6)
SINGLES = st.fixed_dictionaries(dict.fromkeys(PEOPLE, COSTS))
PAIRS = st.dictionaries(st.sampled_from([(one, other) for one in PEOPLE for other in range(one + 1, 5)]), COSTS)


def all_ways(pairs: Mapping[Pair, int], singles: Mapping[int, int], left: tuple[int, ...]) -> Iterator[int]:
    """What each way costs to pair those who are left, or to leave them single."""
    if not left:
        yield 0
        return
    first, *others = left
    for rest in all_ways(pairs, singles, tuple(others)):
        yield singles[first] + rest
    for other in others:
        if (first, other) in pairs:
            for rest in all_ways(pairs, singles, tuple(one for one in others if one != other)):
                yield pairs[first, other] + rest


@examples(200)
@given(PAIRS, SINGLES)
def test_no_way_costs_less(pairs: dict[Pair, int], singles: dict[int, int]) -> None:
    mates = cheapest_pairs(pairs, singles)
    assert all(mates[other] == one for one, other in mates.items())
    paid = sum(pairs[min(pair), max(pair)] for pair in mates.items()) // 2
    alone = sum(cost for player, cost in singles.items() if player not in mates)
    assert paid + alone == min(all_ways(pairs, singles, tuple(PEOPLE)))


def test_a_pair_is_made_that_saves_the_least_there_is_and_none_that_saves_nothing() -> None:
    assert cheapest_pairs({(1, 2): 1}, {1: 1, 2: 1}) == {1: 2, 2: 1}
    assert cheapest_pairs({(1, 2): 2}, {1: 1, 2: 1}) == {}
