"""Places: points first, then the tie-breaks in the tournament's order; whoever is still equal shares the place. Who
left before half of his games stands last."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tournaments.standings.crosstable import Crosstable
from tournaments.standings.points import PointSystem
from tournaments.standings.tiebreaks import Tiebreak


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings. `points` in the smallest unit; `tiebreaks` in the order asked for; `counts` is false
    for somebody whose games count for nobody."""

    place: int
    player: int
    points: int
    played: int
    tiebreaks: tuple[Fraction, ...]
    counts: bool = True


def rank(table: Crosstable, tiebreaks: Sequence[Tiebreak], points: PointSystem) -> list[Standing]:
    """Standings, best first. Equal in everything: equal place, and the lower pairing number stands first."""
    values = {player: tuple(rule.value(player, table, points) for rule in tiebreaks) for player in table}

    def order(player: int) -> tuple[Any, ...]:
        line = table[player]
        return (not line.counts, -line.points, *(-value for value in values[player]))

    standings: list[Standing] = []
    ordered = sorted(table, key=lambda player: (order(player), player))
    for position, player in enumerate(ordered, start=1):
        line = table[player]
        shares = position > 1 and order(ordered[position - 2]) == order(player)
        place = standings[-1].place if shares else position
        standings.append(Standing(place, player, line.points, line.played, values[player], line.counts))
    return standings
