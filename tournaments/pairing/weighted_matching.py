"""The pairs that weigh most in any graph (pure): a matching of greatest weight, in whole numbers of any size.

Every player has a price, and no pair weighs more than the prices of its two: what is missing is its slack. Pairs are
made of edges without slack only, and whoever stays single has the price nought; then no other pairs weigh more (the
proof is linear programming's). Players are taken in turn. From each a tree of alternating paths is grown along edges
without slack (outer, inner, outer …). Where it cannot grow, the prices of its outer players fall and those of its inner
ones rise, until an edge loses its slack, or an outer player's price is nought and he stays single in place of the root.
An odd circle is shrunk to one point, which has a price of its own and is opened when that is used up.

Prices move by one clock for the whole tree: a player's price is what is written down, and `side` times what the clock
shows; what happens next is the top of a heap. Prices and slacks count double, so they stay whole.

Source: J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices, Journal of Research of the National Bureau of
Standards 69B (1965); one tree at a time with a heap: Z. Galil, Efficient algorithms for finding maximum matching in
graphs, ACM Computing Surveys 18 (1986).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

NOBODY = -1
OUTER, INNER = -1, 1  # what the clock does to the price
_EDGE, _OPEN, _SINGLE = 0, 1, 2  # what can happen: an edge without slack, a circle's price used up, a player's


def heaviest_pairs(weights: Mapping[tuple[int, int], int]) -> dict[int, int]:
    """Mates, both ways, of all who are not better single. `weights`: of the pairs that may be, each above nought."""
    players = sorted({player for pair in weights for player in pair})
    at = {player: index for index, player in enumerate(players)}
    mates = _Matching(len(players), {(at[one], at[other]): weight for (one, other), weight in weights.items()}).mate
    return {players[one]: players[other] for one, other in enumerate(mates) if other != NOBODY}


@dataclass(frozen=True, slots=True)
class Priced:
    """Mates as above, and the prices that prove that no pairs weigh more, both counted double. Of circles only those
    with a price: their players, and the price."""

    mates: dict[int, int]
    prices: dict[int, int]
    circles: tuple[tuple[tuple[int, ...], int], ...]


def heaviest_with_prices(weights: Mapping[tuple[int, int], int]) -> Priced:
    """The pairs and their proof; who is in no pair of `weights` has no price."""
    players = sorted({player for pair in weights for player in pair})
    at = {player: index for index, player in enumerate(players)}
    found = _Matching(len(players), {(at[one], at[other]): weight for (one, other), weight in weights.items()})
    return Priced(
        {players[one]: players[other] for one, other in enumerate(found.mate) if other != NOBODY},
        {player: found.price[index] for player, index in at.items()},
        tuple(
            (tuple(players[index] for index in found.players[circle]), found.price[circle])
            for circle in found.circle
            if found.price[circle]
        ),
    )


class _Matching:
    """The pairs of players 0 to `count` - 1, made by its constructor."""

    def __init__(self, count: int, weights: Mapping[tuple[int, int], int]) -> None:
        self.count = count
        self.edges: list[dict[int, int]] = [{} for _ in range(count)]
        for (one, other), weight in weights.items():
            self.edges[one][other] = self.edges[other][one] = 2 * weight
        self.mate = [NOBODY] * count
        # Players and circles alike, a circle by a number of its own.
        self.top = list(range(count))  # of players: the outermost circle
        self.within = [NOBODY] * count
        self.base = list(range(count))
        self.price = [0] * count
        self.side = [0] * count
        self.circle: dict[int, list[int]] = {}
        self.links: dict[int, list[tuple[int, int]]] = {}  # from each of a circle to the next
        self.players: dict[int, list[int]] = {}  # of circles
        self._first_prices()
        for root in range(count):
            if self.mate[root] == NOBODY and self.price[root] > 0:
                self._grow(root)

    def _first_prices(self) -> None:
        """Prices just high enough, one after the other, and pairs of who has no slack."""
        for player, edges in enumerate(self.edges):
            self.price[player] = max(edges.values(), default=0) // 2
        for player, edges in enumerate(self.edges):
            self.price[player] = max(0, *(weight - self.price[other] for other, weight in edges.items()), 0)
            for other, weight in edges.items():
                free = self.mate[player] == NOBODY == self.mate[other]
                if free and self.price[player] + self.price[other] == weight:
                    self.mate[player], self.mate[other] = other, player

    # --- a tree -------------------------------------------------------------------------------------------------------
    def _grow(self, root: int) -> None:
        """Grow a tree until its root has a mate, or he or another has the price nought and stays single."""
        self.clock = 0
        self.soonest: dict[int, int] = {}
        self.entry: dict[int, tuple[int, int]] = {}  # of inner ones: the edge the tree came by
        self.heap: list[tuple[int, int, int, int]] = []
        self.last = self.price[root]  # when the first outer price is nought
        self._scan(self._turn(self.top[root], OUTER))
        while not self._happens(*heappop(self.heap)):
            pass
        for node, side in enumerate(self.side):
            if side:
                self._set_side(node, 0)

    def _happens(self, clock: int, what: int, one: int, other: int) -> bool:
        """Whether the tree is done."""
        self.clock = clock
        if what == _SINGLE:
            self._flip(one, NOBODY)
            return True
        if what == _OPEN:
            if one in self.entry and self.within[one] == NOBODY and one in self.circle:
                self._open(one)
            return False
        side, here, there = self.side[other], self.top[one], self.top[other]
        if here == there or side == INNER:
            return False
        missing = self.price[one] + self.price[other] - self.edges[one][other]
        if missing > (2 if side == OUTER else 1) * clock:
            return False  # noted before the other's price rose
        if side == OUTER:
            self._shrink(one, other)
            return False
        return self._reach(one, other, there)

    def _reach(self, one: int, other: int, node: int) -> bool:
        """The tree gets to somebody new."""
        following = self.mate[self.base[node]]
        if following == NOBODY:
            self._flip(one, other)
            self._rebase(node, other)
            self.mate[other] = one
            return True
        self.entry[node] = (one, other)
        self._turn(node, INNER)
        self._scan(self._turn(self.top[following], OUTER))
        return False

    def _turn(self, node: int, side: int) -> list[int]:
        """The outermost circle or player takes a side; its players."""
        players = self._players(node)
        clock = self.clock
        for player in players:
            self.price[player] += (self.side[player] - side) * clock
            self.side[player] = side
        if node >= self.count:
            # A circle's price moves the other way, by two.
            self._set_side(node, -2 * side)
            if side == INNER:
                heappush(self.heap, (self.price[node] // 2, _OPEN, node, 0))
        return players

    def _set_side(self, node: int, side: int) -> None:
        self.price[node] += (self.side[node] - side) * self.clock
        self.side[node] = side

    def _scan(self, players: list[int]) -> None:
        """Note when the edges of outer players lose their slack, where that is before the tree is done."""
        price, side, top, heap, clock, soonest = self.price, self.side, self.top, self.heap, self.clock, self.soonest
        for player in players:
            if price[player] <= self.last:
                self.last = price[player]
                heappush(heap, (self.last, _SINGLE, player, 0))
        last = self.last
        for player in players:
            own, node = price[player], top[player]
            for other, weight in self.edges[player].items():
                where = side[other]
                if not where:
                    when = own + price[other] - weight
                    if when <= last and when < soonest.get(other, when + 1):
                        soonest[other] = when
                        heappush(heap, (when, _EDGE, player, other))
                elif where == OUTER and top[other] != node:
                    when = (own + price[other] - weight) // 2
                    if when <= last:
                        heappush(heap, (max(when, clock), _EDGE, player, other))

    # --- circles ------------------------------------------------------------------------------------------------------
    def _players(self, node: int) -> list[int]:
        return [node] if node < self.count else self.players[node]

    def _way_up(self, node: int) -> Iterator[tuple[int, tuple[int, int]]]:
        """From an outer one to the root: each with the edge that leads on, the root with none."""
        while (following := self.mate[self.base[node]]) != NOBODY:
            yield node, (self.base[node], following)
            inner = self.top[following]
            above, own = self.entry[inner]
            yield inner, (own, above)
            node = self.top[above]
        yield node, (NOBODY, NOBODY)

    def _shrink(self, one: int, other: int) -> None:
        """An edge between two outer ones closes an odd circle."""
        left, right = list(self._way_up(self.top[one])), list(self._way_up(self.top[other]))
        while len(left) > 1 and len(right) > 1 and left[-2][0] == right[-2][0]:
            left.pop()
            right.pop()
        nodes = [node for node, _ in reversed(left)] + [node for node, _ in right[:-1]]
        links = [(above, below) for _, (below, above) in reversed(left[:-1])]
        links += [(one, other), *(link for _, link in right[:-1])]
        made = len(self.within)
        self.within.append(NOBODY)
        self.base.append(self.base[nodes[0]])
        self.price.append(0)
        self.side.append(0)
        self._set_side(made, -2 * OUTER)
        self.circle[made], self.links[made] = nodes, links
        turned, everybody = [], []
        for node in nodes:
            inner = node in self.entry
            players = self._turn(node, OUTER) if inner else self._players(node)
            everybody += players
            if inner:
                del self.entry[node]
                turned += players
            if node >= self.count:
                self._set_side(node, 0)
            self.within[node] = made
            for player in players:
                self.top[player] = made
        self.players[made] = everybody
        self._scan(turned)

    def _open(self, node: int) -> None:
        """An inner circle's price is used up: its parts between entry and base stay in the tree, the others leave."""
        parts, links = self.circle.pop(node), self.links.pop(node)
        entry = self.entry.pop(node)
        self._set_side(node, 0)
        for part in parts:
            self.within[part] = NOBODY
            for player in self._players(part):
                self.top[player] = part
        start, size = parts.index(self.top[entry[1]]), len(parts)
        forward = start % 2 == 1
        path = [*range(start, size), 0] if forward else list(range(start, -1, -1))
        scanned: list[int] = []
        for step, at in enumerate(path):
            if step % 2:
                scanned += self._turn(parts[at], OUTER)
                one, other = links[at] if forward else reversed(links[at - 1])
                entry = (one, other)
            else:
                self.entry[parts[at]] = entry
                self._turn(parts[at], INNER)
        left = [player for at in set(range(size)) - set(path) for player in self._turn(parts[at], 0)]
        for player in left:
            self.soonest.pop(player, None)
        self._scan(scanned)
        self._scan_back(left)

    def _scan_back(self, players: list[int]) -> None:
        """Note when edges from the tree's outer players to these lose their slack."""
        for player in players:
            for other, weight in self.edges[player].items():
                if self.side[other] == OUTER:
                    when = self.price[player] + self.price[other] - weight
                    if when <= self.last:
                        heappush(self.heap, (when, _EDGE, other, player))

    # --- pairs --------------------------------------------------------------------------------------------------------
    def _flip(self, one: int, other: int) -> None:
        """Pair an outer player with `other` (or nobody), and turn the pairs over from there to the root."""
        while True:
            node = self.top[one]
            following = self.mate[self.base[node]]
            self._rebase(node, one)
            self.mate[one] = other
            if following == NOBODY:
                return
            inner = self.top[following]
            above, own = self.entry[inner]
            self._rebase(inner, own)
            self.mate[own] = above
            one, other = above, own

    def _rebase(self, node: int, player: int) -> None:
        """Turn the pairs within a circle so that this player is its base: he has a mate outside, or none."""
        if node < self.count or self.base[node] == player:
            return
        part = player
        while self.within[part] != node:
            part = self.within[part]
        self._rebase(part, player)
        parts, links = self.circle[node], self.links[node]
        start, size = parts.index(part), len(parts)
        for at in range(start + 1, size, 2) if start % 2 else range(0, start, 2):
            one, other = links[at]
            self._rebase(parts[at], one)
            self._rebase(parts[(at + 1) % size], other)
            self.mate[one], self.mate[other] = other, one
        self.circle[node], self.links[node] = parts[start:] + parts[:start], links[start:] + links[:start]
        self.base[node] = player
