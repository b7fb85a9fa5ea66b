"""When a newcomer's rating is on probation no longer: after so many rated games, or by what they told (pure).

By count: `of` games. By evidence: somebody has `done` as many games as, against equals and under the K rule that
counts, would leave his deviation (`ratings.systems.evidence`); games that tell little are worth less than one, and a
larger K lets one game tell more. Nobody stays longer than `LONGEST` times the count. Whoever has no deviation yet is
counted. Docs: docs/algorithms/probation.md. Not here: the probation after a long absence, which the state counts.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from operator import neg
from typing import NamedTuple, Protocol

LONGEST = 3
MOST_BY_EVIDENCE = 150  # games after which another one changes nothing in a deviation


class Known(Protocol):
    """What the probation asks of somebody's state, of half a game, of a row: rated games, games still to play after a
    return, the deviation (None where there is none)."""

    @property
    def games(self) -> int: ...
    @property
    def reentry(self) -> int: ...
    @property
    def deviation(self) -> float | None: ...


class Record(NamedTuple):
    """The same as plain values."""

    games: int
    reentry: int = 0
    deviation: float | None = None


@dataclass(frozen=True, slots=True)
class Probation:
    """A list's probation: `games`, and by evidence the deviations after 1, 2, … of them against equals (points,
    falling; none: by count)."""

    games: int
    deviations: Sequence[float] = ()

    @property
    def of(self) -> int:
        """How many games, or as many as are told by other games."""
        return len(self.deviations) or self.games

    @property
    def latest(self) -> int:
        """The rated games after which it is over in any case."""
        return LONGEST * self.of if self.deviations else self.games

    @property
    def deviation(self) -> float | None:
        """The deviation at which it ends, in points; None where it ends by count."""
        return self.deviations[-1] if self.deviations else None

    def done(self, who: Known) -> int:
        """How much of it lies behind a newcomer, in games: `of` where it is over."""
        if not self.deviations or who.deviation is None:
            return min(who.games, self.of)
        if who.games >= self.latest:
            return self.of
        return bisect_right(self.deviations, -who.deviation, key=neg)

    def holds(self, who: Known) -> bool:
        """Whether somebody is on probation, as a newcomer or after a return."""
        return who.reentry > 0 or self.done(who) < self.of
