"""The ceiling of a scenario: Bradley–Terry, fitted to all the games so far at once (`ratings.lab.ceiling`).

It is fitted after half of the games and after three quarters, and tells the games that follow each; its order is that
of a fit at the end, of those present then. Where strengths change it is no ceiling: it forgets nothing. Where newcomers
join in the second half it tells nothing: it would not know them until the next fit.
"""

from collections.abc import Sequence
from itertools import pairwise

from ratings.lab.ceiling import Games
from ratings.lab.measures import kendall_tau_b, ordered_pairs
from ratings.lab.watching import Frame, Outcome, judged

CEILING = "bradley-terry"


class Whole:
    """All games of one replication."""

    def __init__(self) -> None:
        self.scores: list[float] = []
        self.truth: list[float] = []
        self._white: list[int] = []
        self._black: list[int] = []
        self._joined: list[int] = []  # after how many games, by place
        self._last: Frame | None = None

    def add(self, frame: Frame) -> None:
        block = frame.block
        self._joined += [len(self._white)] * len(block.joining)
        self._white += map(int, block.white)
        self._black += map(int, block.black)
        self.scores += map(float, block.scores)
        self.truth += map(float, block.truth)
        self._last = frame

    def outcome(self) -> Outcome:
        """What the fits tell of the second half, and the order at the end. Raises ValueError for fewer than two
        games."""
        assert self._last is not None, "Nothing was played."
        played, players = len(self._white), len(self._joined)
        games = Games(self._white, self._black, self.scores, players)
        order = self._order(self._last, games.fit(played, players)[0])
        half = played // 2
        if self._joined[-1] >= half:
            return Outcome(order, {}, ())
        ends = [half, played * 3 // 4, played]
        told: list[float] = []
        for end, following in pairwise(ends):
            theta, rate = games.fit(end, players)
            told += games.expected(theta, rate, end, following)
        figures, bins = judged(told, self.scores[half:], self.truth[half:])
        return Outcome(order | figures, {}, bins)

    def _order(self, frame: Frame, theta: Sequence[float]) -> dict[str, float]:
        present = frame.block.present
        ends = [theta[place] for place in present], [frame.ratios[place] for place in present]
        return {"tau": kendall_tau_b(*ends), "ordered": ordered_pairs(*ends)}
