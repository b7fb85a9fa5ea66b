"""What can be had from a system by choosing one's games: farming the weak, and two who agree on their results.

Nothing is random here: the farmer wins every game and the colluders' results are agreed, so the figures are the most
that can be had. Points of different systems do not compare; each gain is therefore also given in spreads, the standard
deviation of the ratings in the table before the trial, and a farmer's in places. Trials go on from a table as it stands
and use it up.
Not done: the risk of an upset, and opponents who see through it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import pstdev

from ratings.lab.table import Table

TRIAL = 100  # games


def weakest(strengths: Sequence[float], count: int) -> tuple[int, ...]:
    """The places of the `count` weakest, weakest first; of equals the earliest."""
    return tuple(sorted(range(len(strengths)), key=lambda place: strengths[place])[:count])


@dataclass(frozen=True, slots=True)
class Gain:
    """Points won in a trial of that many games, and the spread of the table's ratings before it."""

    points: float
    games: int
    spread: float

    @property
    def per_hundred(self) -> float:
        """Points a hundred games."""
        return 100.0 * self.points / self.games

    @property
    def spreads(self) -> float | None:
        """The gain in spreads of the table; None where all ratings were equal."""
        return self.points / self.spread if self.spread else None


@dataclass(frozen=True, slots=True)
class Farming:
    """What the farmer gained, and how many stood above him before and after."""

    gain: Gain
    above_before: int
    above_after: int


def farm(table: Table, farmer: int, victims: Sequence[int], games: int = TRIAL) -> Farming:
    """The player at place `farmer` meets the `victims` in turn, who meet nobody else, and wins every game; he has White
    in every other one. Raises ValueError without games or victims, or where he is one of them."""
    if games < 1 or not victims or farmer in victims:
        raise ValueError("A farmer needs games, and others to win them from.")
    before = table.ratings
    opponents = [victims[game % len(victims)] for game in range(games)]
    _win(table, [farmer] * games, opponents)
    after = table.ratings
    gain = Gain(after[farmer] - before[farmer], games, pstdev(before))
    return Farming(gain, _above(farmer, before), _above(farmer, after))


def pump(table: Table, winner: int, loser: int, games: int = TRIAL) -> Gain:
    """What the winner gains where the loser gives him every game. Raises ValueError without games, or where they are
    one."""
    _two(winner, loser, games)
    before = table.ratings
    _win(table, [winner] * games, [loser] * games)
    return Gain(table.ratings[winner] - before[winner], games, pstdev(before))


def swap(table: Table, one: int, two: int, games: int = TRIAL) -> Gain:
    """What two gain together who beat each other in turn, `one` first: points out of nothing, 0 where what one wins
    the other loses. Raises ValueError without games, or where they are one."""
    _two(one, two, games)
    before = table.ratings
    winners = [(one, two)[game % 2] for game in range(games)]
    _win(table, winners, [one + two - winner for winner in winners])
    after = table.ratings
    return Gain(after[one] + after[two] - before[one] - before[two], games, pstdev(before))


def _win(table: Table, winners: Sequence[int], losers: Sequence[int]) -> None:
    """Rate games in which the winners have White in every other one."""
    pairs = [(w, b) if game % 2 == 0 else (b, w) for game, (w, b) in enumerate(zip(winners, losers, strict=True))]
    scores = [1.0 if game % 2 == 0 else 0.0 for game in range(len(pairs))]
    table.trace([white for white, _ in pairs], [black for _, black in pairs], scores)


def _above(place: int, ratings: Sequence[float]) -> int:
    return sum(rating > ratings[place] for rating in ratings)


def _two(one: int, two: int, games: int) -> None:
    if games < 1 or one == two:
        raise ValueError("It takes two to agree on games, and games.")
