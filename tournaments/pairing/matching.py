"""Who can be paired with whom so that nobody is left over (pure): maximum matching in any graph.

From somebody without a partner a tree of alternating paths is grown (free, paired, free …); where two of its paths meet
in an odd circle, the circle is shrunk to one point. A path that ends at somebody else without a partner is turned
over: one pair more. So nothing is searched twice, and eighty players are paired at once whatever is forbidden.

Source: J. Edmonds, Paths, trees, and flowers, Canadian Journal of Mathematics 17 (1965).
"""

from collections import deque
from collections.abc import Mapping, Sequence

# Everybody, and whom each may meet, the dearest first. Both sides of a pair name each other.
Graph = Mapping[int, Sequence[int]]
Pairs = dict[int, int]  # both ways


def maximum_matching(graph: Graph) -> Pairs:
    """As many pairs as there can be, each listed both ways; who is not listed is left over."""
    mates: Pairs = {}
    for player in graph:
        if player not in mates:
            _Tree(graph, mates, frozenset()).grow(player)
    return mates


def dearest_pairs(graph: Graph) -> list[tuple[int, int]] | None:
    """Everybody paired: the first with the dearest who leaves the rest pairable, then the next who is free, and so on.
    None where somebody is always left over."""
    mates = maximum_matching(graph)
    if len(mates) < len(graph):
        return None
    gone: set[int] = set()
    pairs = []
    for player in graph:
        if player not in gone:
            other = _dearest(graph, mates, gone, player)
            pairs.append((player, other))
            gone |= {player, other}
    return pairs


def possible_left_over(graph: Graph) -> frozenset[int]:
    """Of an odd number: everybody without whom all the others can be paired."""
    mates = maximum_matching(graph)
    alone = [player for player in graph if player not in mates]
    if len(alone) != 1:
        return frozenset()
    tree = _Tree(graph, mates, frozenset())
    tree.grow(alone[0])
    # Whoever is reached on the free side could change places with him.
    return frozenset(tree.reached)


def _dearest(graph: Graph, mates: Pairs, gone: set[int], player: int) -> int:
    """The dearest the player can have; `mates` is turned so that they are a pair of it."""
    for other in graph[player]:
        if other not in gone and _can_be_joined(graph, mates, gone, player, other):
            return other
    raise AssertionError("his mate in the matching was always possible")


def _can_be_joined(graph: Graph, mates: Pairs, gone: set[int], player: int, other: int) -> bool:
    if mates[player] == other:
        return True
    trial = dict(mates)
    left, right = trial.pop(player), trial.pop(other)
    del trial[left], trial[right]
    if not _Tree(graph, trial, frozenset(gone | {player, other})).grow(left):
        return False
    mates.clear()
    mates.update(trial)
    mates[player], mates[other] = other, player
    return True


class _Tree:
    """One search for a path that brings one pair more. `above` leads from a paired player to the free side's player
    he was reached from; `root` names the shrunk circle a player lies in (himself where he lies in none)."""

    def __init__(self, graph: Graph, mates: Pairs, gone: frozenset[int]) -> None:
        self.graph, self.mates, self.gone = graph, mates, gone
        self.above: dict[int, int] = {}
        self.root = {player: player for player in graph}
        self.reached: set[int] = set()
        self.queue: deque[int] = deque()

    def grow(self, start: int) -> bool:
        """Whether `start` found a partner; the pairs are turned over then."""
        self.start = start
        self._reach(start)
        while self.queue:
            player = self.queue.popleft()
            for other in self.graph[player]:
                if other in self.gone or self.root[player] == self.root[other] or self.mates.get(player) == other:
                    continue
                if other == start or self.mates.get(other) in self.above:
                    self._shrink(player, other)
                elif other not in self.above:
                    self.above[other] = player
                    if other not in self.mates:
                        self._turn_over(other)
                        return True
                    self._reach(self.mates[other])
        return False

    def _reach(self, player: int) -> None:
        if player not in self.reached:
            self.reached.add(player)
            self.queue.append(player)

    def _turn_over(self, last: int) -> None:
        player: int | None = last
        while player is not None:
            other = self.above[player]
            following = self.mates.get(other)
            self.mates[player], self.mates[other] = other, player
            player = following

    def _shrink(self, left: int, right: int) -> None:
        top = self._where_paths_meet(left, right)
        circle = self._walk(left, top, right) | self._walk(right, top, left)
        for player in self.root:
            if self.root[player] in circle:
                self.root[player] = top
                self._reach(player)

    def _where_paths_meet(self, left: int, right: int) -> int:
        passed = {left := self.root[left]}
        while left != self.root[self.start]:
            left = self.root[self.above[self.mates[left]]]
            passed.add(left)
        right = self.root[right]
        while right not in passed:
            right = self.root[self.above[self.mates[right]]]
        return right

    def _walk(self, player: int, top: int, child: int) -> set[int]:
        """The circles from `player` up to `top`; the way back down is kept in `above`."""
        seen = set()
        while self.root[player] != top:
            mate = self.mates[player]
            seen |= {self.root[player], self.root[mate]}
            self.above[player] = child
            child, player = mate, self.above[mate]
        return seen
