"""Costs of the ways in which a bracket can be paired, and the cheapest pairs (pure).

`Costs`: criteria of falling weight become the digits of one whole number. Every criterion has one digit for each size
of failure that occurs, the largest size first, and every digit has room for a failure of everybody. So of two
candidates the one at the smaller cost is the one that the first different criterion prefers.

`cheapest_pairs`: everybody either has a partner at the pair's cost or stays single at his own. It is a matching of
greatest weight, a pair weighing what the two save by not staying single. All costs are whole numbers of any size.
"""

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass

from tournaments.pairing.dutch.competitor import Bracket, Competitor
from tournaments.pairing.dutch.criteria import Criterion, Failures, OfPair, no_pair
from tournaments.pairing.dutch.legal import Legal
from tournaments.pairing.weighted_matching import heaviest_pairs

# --- ways and their costs -----------------------------------------------------------------------------------------
Pair = tuple[int, int]


# How the round can go on for somebody: a pair of numbers, or a number alone that stays for the brackets below.
Way = Pair | int
Two = tuple[Competitor, Competitor]


@dataclass(frozen=True, slots=True)
class Ways:
    """All ways of a bracket, by what they are for it: pairs `here`; somebody who floats `down` to one of the
    following score group, or further (`alone`); pairs within the following group (`next_here`), and who of it would
    float (`next_alone`)."""

    here: tuple[Two, ...]
    down: tuple[Two, ...]
    alone: tuple[Competitor, ...]
    next_here: tuple[Two, ...]
    next_alone: tuple[Competitor, ...]


def ways_of(bracket: Bracket, legal: Legal, *, ahead: bool) -> Ways:
    """The ways that break no absolute criterion; with the following score group where it is looked `ahead`. Who was
    moved down together does not meet: the bracket above would have paired them."""
    below = bracket.following if ahead else ()
    own, moved = bracket.players, len(bracket.moved_down)
    return Ways(
        here=tuple(
            (one, other)
            for index, one in enumerate(own)
            for other in own[max(index + 1, moved) :]
            if legal.allows(one, other)
        ),
        down=tuple((one, other) for one in own for other in below if legal.allows(one, other)),
        alone=own,
        next_here=tuple(
            (one, other) for index, one in enumerate(below) for other in below[index + 1 :] if legal.allows(one, other)
        ),
        next_alone=below,
    )


def failures_of(criterion: Criterion, bracket: Bracket, ways: Ways) -> dict[Way, Failures]:
    """What fails by one criterion, on each way on which something does."""
    floats = {one.number: criterion.floater(bracket, one) for one in ways.alone}
    found: dict[Way, Failures] = {}
    if criterion.pair is not no_pair:
        found |= _of_pairs(criterion.pair, ways.here)
    further: dict[int, Failures] = {}
    if bracket.following:
        further = {one.number: criterion.next_floater(bracket, one) for one in (*ways.alone, *ways.next_alone)}
    found |= {number: floats.get(number, ()) + further.get(number, ()) for number in {**floats, **further}}
    if criterion.next_pair is not no_pair:
        found |= _of_pairs(criterion.next_pair, (*ways.down, *ways.next_here))
    for one, other in ways.down:
        if floats[one.number]:
            way = one.number, other.number
            found[way] = floats[one.number] + found.get(way, ())
    return found


def _of_pairs(fails: OfPair, pairs: Iterable[Two]) -> dict[Way, Failures]:
    return {(one.number, other.number): failures for one, other in pairs if (failures := fails(one, other))}


class Costs:
    """Costs of all ways, given digit by digit, the weightiest first."""

    def __init__(self, ways: Ways) -> None:
        self.ways = ways
        # At most two failures a player and one more than that: no digit overflows.
        self.room = 2 * (len(ways.alone) + len(ways.next_alone)) + 1
        self._digits: list[tuple[Mapping[Way, int], int]] = []

    def of(self, ways: Ways) -> "Costs":
        """The same digits, of these ways alone; others can be added."""
        made = copy(self)
        made.ways, made._digits = ways, list(self._digits)
        return made

    def add(self, failures: Mapping[Way, Failures]) -> None:
        """The next criterion."""
        sizes = sorted({size for found in failures.values() for size in found})
        if sizes:
            worth = {size: self.room**index for index, size in enumerate(sizes)}
            costs = {way: sum(worth[size] for size in found) for way, found in failures.items() if found}
            self.add_order(costs, self.room ** len(sizes))

    def add_order(self, costs: Mapping[Way, int], limit: int) -> None:
        """The next preference: a whole number for each way (none: nought), whose sum over a candidate stays below
        `limit`."""
        self._digits.append((costs, limit))

    def total(self) -> tuple[dict[Pair, int], dict[int, int]]:
        """Costs of pairs, and of staying for the brackets below."""
        two = (*self.ways.here, *self.ways.down, *self.ways.next_here)
        pairs = {(one.number, other.number): 0 for one, other in two}
        singles = {one.number: 0 for one in (*self.ways.alone, *self.ways.next_alone)}
        worth = 1
        for costs, limit in reversed(self._digits):
            for way, cost in costs.items():
                if isinstance(way, int):
                    if way in singles:
                        singles[way] += cost * worth
                elif way in pairs:
                    pairs[way] += cost * worth
            worth *= limit
        return pairs, singles


# --- the cheapest pairs -------------------------------------------------------------------------------------------
def cheapest_pairs(pairs: Mapping[Pair, int], singles: Mapping[int, int]) -> dict[int, int]:
    """Partners, both ways; who is missing stays single. `singles`: the cost of each, all who are to be matched."""
    saved = {(one, other): singles[one] + singles[other] - cost for (one, other), cost in pairs.items()}
    return heaviest_pairs({pair: weight for pair, weight in saved.items() if weight > 0})
