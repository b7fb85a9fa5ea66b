"""A Swiss paired fast, for simulations of thousands of rounds (pure): an approximation, not the rules of C.04.3.

Kept of the rules: nobody meets twice; with an odd number the last who has had no bye has it, and it is worth a win;
within a score group the upper half meets the lower half, first against first; who finds nobody there meets the next
below. Left out: colours, floats, and the exact choice among transpositions and exchanges. The first round is that of
the Dutch system.

From the top, everybody takes the nearest to his counterpart in the lower half whom he has not met. If somebody stays
over like that, the same wishes go to a matching that pairs all (`pairing.matching`); in long events of few players,
where even that cannot be, pairs meet again.
"""

from bisect import bisect_right
from collections.abc import Sequence

from tournaments.pairing.matching import dearest_pairs

Pairs = list[tuple[int, int]]
Met = Sequence[set[int]]


def pair_fast(points: Sequence[int], met: Met, had_bye: Sequence[bool]) -> tuple[Pairs, int | None]:
    """The pairs of a round, and who has the bye. Players are places in a field ordered by rating, from 0; `points` in
    any unit; `met`: whom each has met."""
    order = sorted(range(len(points)), key=lambda player: (-points[player], player))
    bye = _bye(order, had_bye) if len(order) % 2 else None
    order = [player for player in order if player != bye]
    return _paired(order, points, met), bye


def _bye(order: Sequence[int], had_bye: Sequence[bool]) -> int:
    return next((player for player in reversed(order) if not had_bye[player]), order[-1])


def _paired(order: list[int], points: Sequence[int], met: Met) -> Pairs:
    pairs: Pairs = []
    left = list(order)
    while left:
        player = left.pop(0)
        other = _nearest(player, left, points, met)
        if other is None:
            return _all_paired(order, points, met)
        left.remove(other)
        pairs.append((player, other))
    return pairs


def _nearest(player: int, left: Sequence[int], points: Sequence[int], met: Met) -> int | None:
    """His opponent among those `left`, all of them behind him in the order; None where he has met them all."""
    return next((other for other in _wishes(player, left, points) if other not in met[player]), None)


def _wishes(player: int, behind: Sequence[int], points: Sequence[int]) -> list[int]:
    """Those behind a player, most points first, as he would like them: of his own score his counterpart first, then
    down from there, then up; then the others in order."""
    own = bisect_right(behind, -points[player], key=lambda other: -points[other])
    half = own // 2
    return [*behind[half:own], *reversed(behind[:half]), *behind[own:]]


def _all_paired(order: Sequence[int], points: Sequence[int], met: Met) -> Pairs:
    """Everybody paired with the dearest who leaves the rest pairable; pairs meet again only where they must."""
    wishes = {
        player: [*_wishes(player, order[at + 1 :], points), *reversed(order[:at])] for at, player in enumerate(order)
    }
    fresh = {player: [other for other in wanted if other not in met[player]] for player, wanted in wishes.items()}
    pairs = dearest_pairs(fresh)
    return pairs if pairs is not None else dearest_pairs(wishes) or []
