"""Places at the end of an event played out many times (pure, numpy): by points, and where those are level by the
event's own tie-breaks.

Points are compared for many endings at once. Only where somebody who counts is level with somebody is the ending ranked
as the standings are (`Running.order`), each ending once however often it comes.
"""

from collections.abc import Callable, Sequence

import numpy

from tournaments.forecast.outcomes import Running
from tournaments.forecast.outlook import Floats
from tournaments.standings.crosstable import Crosstable

AT_ONCE = 2_000_000  # comparisons of points held in memory
Group = tuple[int, ...]


class Finishes:
    """Sums up where everybody ends. `add` endings, then ask for `places`."""

    def __init__(self, running: Running) -> None:
        self.running, self.size = running, len(running.players)
        self.counts = numpy.array([player not in running.annulled for player in running.players], bool)
        self._at = {player: column for column, player in enumerate(running.players)}
        self._shared: dict[int, Floats] = {}  # by how many share: weight of each player from each place on
        self._points, self._weight = numpy.zeros(self.size), 0.0

    def add(self, points: Floats, weights: Floats, table_of: Callable[[int], Crosstable]) -> None:
        """Endings with everybody's points (endings × players) and their weights; `table_of`: the crosstable of the
        ending in that row."""
        step = max(1, AT_ONCE // self.size**2)
        for begin in range(0, len(points), step):
            self._add(begin, points[begin : begin + step], weights[begin : begin + step], table_of)

    def places(self) -> Floats:
        """The share of each place (players × places); rows and columns add up to one."""
        places = numpy.zeros((self.size, self.size))
        for shared, weight in self._shared.items():
            for further in range(shared):
                places[:, further:] += weight[:, : self.size - further] / shared
        return numpy.clip(places / self._weight, 0.0, 1.0)

    def points(self) -> Floats:
        """Everybody's mean points."""
        return self._points / self._weight

    def _add(self, begin: int, points: Floats, weights: Floats, table_of: Callable[[int], Crosstable]) -> None:
        first, shared = self._by_points(points)
        level = ((shared > 1) & self.counts).any(axis=1)
        if self.running.tiebreaks:
            for row in numpy.flatnonzero(level).tolist():
                self._rank(self.running.order(table_of(begin + row)), first[row], shared[row])
        self._points += weights @ points
        self._weight += float(weights.sum())
        for many in numpy.unique(shared).tolist():
            self._count(first, shared == many, weights, many)

    def _by_points(self, points: Floats) -> tuple[Floats, Floats]:
        """How many stand before each player, and how many with him, himself among them. Who does not count stands
        behind all who do."""
        ranked = numpy.where(self.counts, points, points.min(initial=0) - 1)
        first = (ranked[:, None, :] > ranked[:, :, None]).sum(axis=2)
        return first, (ranked[:, None, :] == ranked[:, :, None]).sum(axis=2)

    def _rank(self, order: Sequence[Group], first: Floats, shared: Floats) -> None:
        before = 0
        for group in order:
            for player in group:
                first[self._at[player]], shared[self._at[player]] = before, len(group)
            before += len(group)

    def _count(self, first: Floats, those: Floats, weights: Floats, many: int) -> None:
        rows, players = numpy.nonzero(those)
        cells = players * self.size + first[rows, players]
        found = numpy.bincount(cells, weights[rows], minlength=self.size**2).reshape(self.size, self.size)
        self._shared[many] = self._shared.get(many, 0.0) + found
