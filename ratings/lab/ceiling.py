"""The ceiling of prediction: Bradley–Terry fitted to all games so far at once, as if strengths did not change.

`ratings.systems.bradley_terry` (the club's own fit) is fitted to everything played so far at some points of the stream;
from one fit to the next it predicts game by game, as a rating system would. Systems that update two ratings a game see
the same games once each, in order: this is what they can come near to. It is no exact bound (Glicko with c = 0 ends up
beside it), and none at all where strengths change, since old games keep their full weight.

In a scenario it is fitted after half of the games and after three quarters, and predicts the games that follow each
fit; its order is that of a fit at the end, of those present then. Where newcomers join in the second half it predicts
nothing, since they would be unknown to it until the next fit. Not done: a first-move term.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy

from ratings.lab.measures import Figures, kendall_tau_b, log_loss, ordered_pairs
from ratings.lab.recording import Outcome, PreparedBlock, judged, order_figures
from ratings.lab.table import disorder, sort_table
from ratings.systems.bradley_terry import Pairs, expected_score, fit

# --- the ceiling of a stream -----------------------------------------------------------------------------------------
MOST_FITS = 10  # points a stream


@dataclass(frozen=True, slots=True)
class CeilingPoint:
    """A fit after so many games: the disorder index of its table, tau and the share of ordered pairs against the true
    strengths, and the mean loss of its predictions up to the next point (None where no game follows)."""

    games: int
    index: int
    tau: float
    ordered: float
    log_loss: float | None


class Games:
    """A stream of games, and what has been won in every pair up to a point of it."""

    def __init__(self, white: Sequence[int], black: Sequence[int], scores: Figures, players: int) -> None:
        self.white, self.black = numpy.asarray(white, dtype=int), numpy.asarray(black, dtype=int)
        self.scores = numpy.asarray(scores, dtype=float)
        self.players = players
        upright = self.white < self.black
        self._pair = numpy.where(upright, self.white * players + self.black, self.black * players + self.white)
        self._points = numpy.where(upright, self.scores, 1.0 - self.scores)

    def fit(self, games: int) -> tuple[list[float], float]:
        """Bradley–Terry on the first `games` games: (ln strengths by place, ν). Whoever has not played yet stands at
        the mean, 0, where his virtual game puts him."""
        met, of = numpy.unique(self._pair[:games], return_inverse=True)
        played, won = numpy.bincount(of).astype(float), numpy.bincount(of, weights=self._points[:games])
        firsts, seconds = met // self.players, met % self.players
        draws = float((self.scores[:games] == 0.5).sum())
        pairs = Pairs(firsts.tolist(), seconds.tolist(), played.tolist(), won.tolist(), draws)
        return fit(self.players, pairs)

    def expected(self, theta: Sequence[float], nu: float, start: int, end: int) -> list[float]:
        """White's expected score in the games from `start` up to but not `end`."""
        pairs = zip(self.white[start:end].tolist(), self.black[start:end].tolist(), strict=True)
        return [expected_score(theta[white] - theta[black], nu) for white, black in pairs]


def sample_points(games: int, fits: int = MOST_FITS) -> tuple[int, ...]:
    """Where to fit in a stream of so many games: `fits` points evenly, the last at its end, 100 games or more each."""
    fits = max(1, min(fits, games // 100))
    return tuple(games * each // fits for each in range(1, fits + 1))


def ceiling(
    white: Sequence[int], black: Sequence[int], scores: Figures, strengths: Sequence[float], points: Sequence[int]
) -> tuple[CeilingPoint, ...]:
    """Fit after each number of games in `points` (ascending, at most MOST_FITS) and measure the fits. `strengths` are
    the true ones, by place, constant. In the table equals keep the order they had. Raises ValueError for points that
    are none of the stream's or too many."""
    ends = [*points, len(white)]
    if not points or len(points) > MOST_FITS or points[0] < 1 or any(b < a for a, b in pairwise(ends)):
        raise ValueError(f"Fit at one to {MOST_FITS} points of the stream, in ascending order.")
    games = Games(white, black, scores, len(strengths))
    order = list(range(len(strengths)))
    found = []
    for end, following in pairwise(ends):
        theta, nu = games.fit(end)
        expected = games.expected(theta, nu, end, following)
        loss = log_loss(expected, games.scores[end:following]) if expected else None
        sort_table(order, theta)
        tau, ordered = kendall_tau_b(theta, strengths), ordered_pairs(theta, strengths)
        found.append(CeilingPoint(end, disorder(order, strengths), tau, ordered, loss))
    return tuple(found)


# --- the ceiling of a scenario ---------------------------------------------------------------------------------------
CEILING = "bradley-terry"


class Whole:
    """All games of one replication."""

    def __init__(self) -> None:
        self.scores: list[float] = []
        self.truth: list[float] = []
        self._white: list[int] = []
        self._black: list[int] = []
        self._joined: list[int] = []  # after how many games, by place
        self._last: PreparedBlock | None = None

    def add(self, prepared: PreparedBlock) -> None:
        block = prepared.block
        self._joined += [len(self._white)] * len(block.joining)
        self._white += map(int, block.white)
        self._black += map(int, block.black)
        self.scores += map(float, block.scores)
        self.truth += map(float, block.truth)
        self._last = prepared

    def outcome(self) -> Outcome:
        """What the fits predict of the second half, and the order at the end. Raises ValueError for fewer than two
        games."""
        assert self._last is not None, "Nothing was played."
        played, players = len(self._white), len(self._joined)
        games = Games(self._white, self._black, self.scores, players)
        order = order_figures(self._last, games.fit(played)[0])
        half = played // 2
        if self._joined[-1] >= half:
            return Outcome(order, {}, ())
        ends = [half, played * 3 // 4, played]
        lines: list[float] = []
        for end, following in pairwise(ends):
            theta, rate = games.fit(end)
            lines += games.expected(theta, rate, end, following)
        figures, bins = judged(lines, self.scores[half:], self.truth[half:])
        return Outcome(order | figures, {}, bins)
