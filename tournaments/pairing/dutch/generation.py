"""The order in which candidates are generated, as costs (pure): of equal candidates the earliest is taken.

Homogeneous brackets and remainders: the first half, S1, meets the second, S2, in order. First S2 is transposed, in the
order of the opponents of the first of S1, then of the second …; only then players are exchanged between the halves: as
few as possible, numbers as close as possible, the lowest ranked of S1 down, the highest ranked of S2 up.

In a pair the higher ranked always stands in S1. So a pair of two from the upper half means that its lower one was
exchanged, a pair of two from the lower half that its higher one was, and a floater of the upper half was exchanged too:
the whole order can be read off the pairs and the floaters, and becomes digits of the cost.

Those moved down: the set with the smaller first different number is taken, then the opponents in the order of numbers.

Source: FIDE C.04.3 art. 4 (edition 2025: D.1 to D.3).
"""

from collections.abc import Sequence

from tournaments.pairing.dutch.competitor import Competitor
from tournaments.pairing.dutch.costs import Costs, Way, Ways


def add_halves(costs: Costs, ways: Ways, players: Sequence[Competitor], pairs: int) -> None:
    """Exchanges, then transpositions, for players of whom so many `pairs` are made; the first so many are S1."""
    at = {player.number: index for index, player in enumerate(players)}
    count = len(players)
    halves: list[tuple[Way, int, int]] = [
        ((one.number, other.number), at[one.number], at[other.number]) for one, other in ways.here if one.number in at
    ]
    down = {way: index for way, index in _leaving(ways, at) if index < pairs}
    down |= {way: lower for way, _upper, lower in halves if lower < pairs}
    up = {way: upper for way, upper, _lower in halves if upper >= pairs}
    costs.add_order(dict.fromkeys(down, 1), count + 1)
    # Who is moved up less who is moved down differs by the sum of S1 alone.
    costs.add_order({way: upper for way, upper, _lower in halves}, count * count + 1)
    costs.add_order({way: _larger_first(index, pairs) for way, index in down.items()}, (count + 1) << (pairs + 1))
    costs.add_order({way: _smaller_first(index, count) for way, index in up.items()}, (count + 1) << (count + 1))
    base = count + 1
    opponents = {way: (lower + 1) * base ** (count - 1 - upper) for way, upper, lower in halves}
    costs.add_order(opponents, base ** (count + 1))


def add_moved_down(costs: Costs, ways: Ways, moved_down: Sequence[Competitor], residents: Sequence[Competitor]) -> None:
    """Which of those moved down are paired, then with whom."""
    first = {player.number: index for index, player in enumerate(moved_down)}
    second = {player.number: index for index, player in enumerate(residents)}
    most, base = len(moved_down), len(residents) + 2
    floating = {way: 1 << (most - 1 - index) for way, index in _leaving(ways, first)}
    costs.add_order(floating, 1 << most)
    opponents: dict[Way, int] = {
        (one.number, other.number): (second[other.number] + 1) * base ** (most - 1 - first[one.number])
        for one, other in ways.here
        if one.number in first
    }
    costs.add_order(opponents, base**most)


def _leaving(ways: Ways, at: dict[int, int]) -> list[tuple[Way, int]]:
    """All ways on which one of `at` floats, with his place."""
    alone: list[tuple[Way, int]] = [(one.number, at[one.number]) for one in ways.alone if one.number in at]
    return alone + [((one.number, other.number), at[one.number]) for one, other in ways.down if one.number in at]


def _larger_first(index: int, limit: int) -> int:
    """Of as many indexes below `limit` those with the larger first different one are the cheaper."""
    return (1 << limit) - (1 << index)


def _smaller_first(index: int, limit: int) -> int:
    return (1 << limit) - (1 << (limit - 1 - index))
