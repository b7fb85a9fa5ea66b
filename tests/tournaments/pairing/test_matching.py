"""Maximum matching: as many pairs as there can be, against trying everything on small fields."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tournaments.pairing.matching import dearest_pairs, maximum_matching, possible_left_over

Graph = dict[int, list[int]]


@st.composite
def graphs(draw: st.DrawFn, largest: int = 9) -> Graph:
    size = draw(st.integers(1, largest))
    graph: Graph = {player: [] for player in range(1, size + 1)}
    for one, other in combinations(graph, 2):
        if draw(st.booleans()):
            graph[one].append(other)
            graph[other].append(one)
    return {player: draw(st.permutations(others)) for player, others in graph.items()}


def by_trying(graph: Graph, left: tuple[int, ...]) -> list[tuple[int, int]] | None:
    """The first complete pairing, each in turn with the dearest that goes."""
    if not left:
        return []
    for other in graph[left[0]]:
        if other in left:
            rest = by_trying(graph, tuple(player for player in left[1:] if player != other))
            if rest is not None:
                return [(left[0], other), *rest]
    return None


def most_pairs(graph: Graph, left: tuple[int, ...]) -> int:
    if not left:
        return 0
    first, rest = left[0], left[1:]
    without = most_pairs(graph, rest)
    return max(
        [without]
        + [1 + most_pairs(graph, tuple(one for one in rest if one != other)) for other in rest if other in graph[first]]
    )


@given(graph=graphs())
@examples(200)
def test_a_matching_has_as_many_pairs_as_there_can_be(graph: Graph) -> None:
    mates = maximum_matching(graph)
    assert all(mates[mates[player]] == player and mates[player] in graph[player] for player in mates)
    assert len(mates) == 2 * most_pairs(graph, tuple(graph))


@given(graph=graphs())
@examples(200)
def test_dearest_pairs_are_those_that_trying_everything_finds(graph: Graph) -> None:
    assert dearest_pairs(graph) == by_trying(graph, tuple(graph))


@given(graph=graphs())
@examples(200)
def test_left_over_can_be_whoever_leaves_the_others_pairable(graph: Graph) -> None:
    expected = {
        free for free in graph if by_trying(graph, tuple(player for player in graph if player != free)) is not None
    }
    assert possible_left_over(graph) == expected


def test_an_odd_circle_is_shrunk() -> None:
    """Five in a circle and a sixth beside the first: 1–2 and 3–4 stand, and only round the circle 5 finds a partner."""
    graph = {1: [2, 5, 6], 2: [1, 3], 3: [4, 2], 4: [3, 5], 5: [1, 4], 6: [1]}
    assert maximum_matching(graph) == {1: 6, 6: 1, 2: 3, 3: 2, 4: 5, 5: 4}


def test_the_first_gives_way_where_the_others_need_his_dearest_and_nobody_is_left_over_of_an_even_number() -> None:
    assert dearest_pairs({1: [2, 3], 2: [1, 4], 3: [1], 4: [2]}) == [(1, 3), (2, 4)]
    assert dearest_pairs({1: [2], 2: [1], 3: [], 4: []}) is None
    assert possible_left_over({1: [2], 2: [1]}) == frozenset()
    assert possible_left_over({1: [2], 2: [1], 3: []}) == {3}
    assert possible_left_over({1: [], 2: [], 3: []}) == frozenset()
