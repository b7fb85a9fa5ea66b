"""Baku acceleration: virtual points that let the upper half of the list meet in the first rounds (pure).

The first half of the list, rounded up to an even number, is group A. In the first half of the rounds, rounded up, its
players have virtual points: those of a win in the first half of these rounds, rounded up, then those of a draw. They
count for the pairing alone. Who enters later belongs to the group of the numbers around his.

Source: FIDE C.04.7. Where a draw is not worth half a win the rule says nothing; a draw's points are taken.
"""

from collections.abc import Collection, Mapping, Sequence

from tournaments.standings.points import PointSystem


def baku(
    players: Sequence[int], since_round_one: Collection[int], rounds: int, points: PointSystem
) -> Mapping[int, tuple[int, ...]]:
    """The virtual points of every accelerated player in rounds 1, 2, …; `since_round_one`: who was paired then. Units:
    the smallest of `points`."""
    first = sorted(since_round_one)
    last_of_group = first[min(2 * _half_up(_half_up(len(first))), len(first)) - 1] if first else 0
    accelerated = _half_up(rounds)
    full = _half_up(accelerated)
    virtual = (points.win,) * full + (points.draw,) * (accelerated - full)
    return {player: virtual for player in players if player <= last_of_group}


def _half_up(count: int) -> int:
    return (count + 1) // 2
