"""Pairs at the least cost (pure): everybody either has a partner at the pair's cost or stays single at his own.

A matching of greatest weight, a pair weighing what the two save by not staying single. All costs are whole numbers of
any size, so that criteria of falling weight stand side by side as the digits of one number.

Source: J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices, Journal of Research of the National Bureau of
Standards 69B (1965); the algorithm is networkx's, which computes whole numbers exactly.
"""

from collections.abc import Mapping

import networkx

Pair = tuple[int, int]


def cheapest_pairs(pairs: Mapping[Pair, int], singles: Mapping[int, int]) -> dict[int, int]:
    """Partners, both ways; who is missing stays single. `singles`: the cost of each, all who are to be matched."""
    graph = networkx.Graph()
    for (one, other), cost in pairs.items():
        saved = singles[one] + singles[other] - cost
        if saved > 0:
            graph.add_edge(one, other, weight=saved)
    mates: dict[int, int] = {}
    for one, other in networkx.max_weight_matching(graph):
        mates[one], mates[other] = other, one
    return mates
