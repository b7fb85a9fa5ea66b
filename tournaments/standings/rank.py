"""Places: points first, then the tie-breaks in the tournament's order; whoever is still equal shares the place."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.standings.crosstable import Crosstable
from tournaments.standings.points import PointSystem
from tournaments.standings.tiebreaks import Tiebreak


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings. `points` in the smallest unit; `tiebreaks` in the order asked for."""

    place: int
    player: int
    points: int
    played: int
    tiebreaks: tuple[Fraction, ...]


def rank(table: Crosstable, tiebreaks: Sequence[Tiebreak], points: PointSystem) -> list[Standing]:
    """Standings, best first. Equal in everything: equal place, and the lower pairing number stands first."""
    values = {player: tuple(rule.value(player, table, points) for rule in tiebreaks) for player in table}
    ordered = sorted(table, key=lambda player: (-table[player].points, *(-value for value in values[player]), player))
    standings: list[Standing] = []
    for position, player in enumerate(ordered, start=1):
        line = table[player]
        last = standings[-1] if standings else None
        shares = last is not None and (last.points, last.tiebreaks) == (line.points, values[player])
        place = last.place if last is not None and shares else position
        standings.append(Standing(place, player, line.points, line.played, values[player]))
    return standings
