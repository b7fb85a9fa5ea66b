"""The standing of an evening of tables, whatever their sizes and sides.

A table gives each player the share of the other sides that was left behind, one of the same place as a half: 1 to
whoever is first alone, 0 to whoever is last alone. Equal sums are parted by the number of first places, alone or
shared.
"""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

EveningSides = Sequence[tuple[int, Sequence[int]]]  # a table: each side's place and its players


class EveningRow(NamedTuple):
    """`points`: the sum of the shares, of `tables` at most."""

    place: int
    player: int
    points: Fraction
    tables: int
    firsts: int


def evening_standings(tables: Sequence[EveningSides]) -> list[EveningRow]:
    """Everybody who sat at a table once, best first; equals share a place, by number. Two sides a table at least."""
    shares: defaultdict[int, list[Fraction]] = defaultdict(list)
    firsts: defaultdict[int, int] = defaultdict(int)
    for sides in tables:
        for place, players in sides:
            behind = sum(other > place for other, _ in sides)
            level = sum(other == place for other, _ in sides) - 1
            for player in players:
                shares[player].append(Fraction(2 * behind + level, 2 * (len(sides) - 1)))
                firsts[player] += place == 1
    worth = {player: (sum(own, Fraction(0)), firsts[player]) for player, own in shares.items()}
    ordered = sorted(worth, key=lambda player: (-worth[player][0], -worth[player][1], player))
    places = {
        value: place for place, value in reversed(list(enumerate((worth[player] for player in ordered), start=1)))
    }
    return [EveningRow(places[worth[who]], who, worth[who][0], len(shares[who]), firsts[who]) for who in ordered]
