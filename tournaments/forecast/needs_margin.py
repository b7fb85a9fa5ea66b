"""Who is through and who is out where nobody knows who will meet whom (pure): on points alone, whatever the pairings.

Sound, not complete: who is said to be through is through, and who is said to be out is out; of the others nothing is
said. In a Swiss two rivals may meet and take points from each other, which is not reckoned with. Points never fall.
"""

from collections.abc import Mapping

from tournaments.forecast.needs import Verdict


def by_margin(points: Mapping[int, int], to_come: Mapping[int, int], top: int = 1) -> dict[int, Verdict]:
    """Of everybody: sure where, with no further point, fewer than `top` others can still draw level; lost where, with
    all points there are to come, `top` others are ahead already; else open. `to_come`: the most each can still make, in
    the same unit. Raises ValueError for a `top` below 1, KeyError where somebody is missing."""
    if top < 1:
        raise ValueError(f"The first {top} is nobody.")
    return {player: _verdict(player, points, to_come, top) for player in points}


def _verdict(player: int, points: Mapping[int, int], to_come: Mapping[int, int], top: int) -> Verdict:
    others = [other for other in points if other != player]
    if sum(points[other] + to_come[other] >= points[player] for other in others) < top:
        return Verdict.SURE
    if sum(points[other] > points[player] + to_come[player] for other in others) >= top:
        return Verdict.LOST
    return Verdict.OPEN
