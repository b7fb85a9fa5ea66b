"""The heaviest pairs weigh what networkx's do, in graphs of every kind, and are pairs of the graph."""

from random import Random

import networkx
import pytest

from tournaments.pairing.weighted_matching import heaviest_pairs

Weights = dict[tuple[int, int], int]
# How large the weights are: many alike make circles in circles, huge ones are the costs of a large bracket.
MOST = (1, 2, 3, 10, 100, 10**40)


def graph(rng: Random, players: int, most: int) -> Weights:
    density = rng.random()
    return {
        (one, other): rng.randint(1, most) for other in range(players) for one in range(other) if rng.random() < density
    }


def heaviest(weights: Weights) -> int:
    known = networkx.Graph()
    known.add_weighted_edges_from((*pair, weight) for pair, weight in weights.items())
    return sum(weights[min(pair), max(pair)] for pair in networkx.max_weight_matching(known))


def check(rng: Random, most: int, players: int) -> None:
    weights = graph(rng, players, most)
    mates = heaviest_pairs(weights)
    assert all(mates[other] == one for one, other in mates.items())
    assert sum(weights[pair] for pair in mates.items() if pair[0] < pair[1]) == heaviest(weights), weights


@pytest.mark.parametrize("most", MOST)
def test_the_pairs_weigh_what_networkx_finds(most: int) -> None:
    rng = Random(most)
    for _ in range(80):
        check(rng, most, rng.randint(2, 16))


@pytest.mark.slow
@pytest.mark.parametrize("most", MOST)
def test_so_they_do_in_hundreds_of_larger_graphs(most: int) -> None:
    rng = Random(-most)
    for _ in range(500):
        check(rng, most, rng.choice((4, 6, 8, 10, 12, 16, 24, 40)))


def test_circles_within_circles_are_opened_again() -> None:
    """A triangle of three pairs' weight 9, each with a tail worth 5: the triangle's price must not keep it whole."""
    tails = {(1, 4): 5, (2, 5): 5, (3, 6): 5}
    assert heaviest_pairs({(1, 2): 9, (1, 3): 9, (2, 3): 9} | tails) == {1: 4, 4: 1, 2: 5, 5: 2, 3: 6, 6: 3}
    assert heaviest_pairs({}) == {}
