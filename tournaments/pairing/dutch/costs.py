"""Costs of the ways in which a bracket can be paired, and the cheapest pairs (pure).

`Costs`: criteria of falling weight become the digits of one whole number. Every criterion has one digit for each size
of failure that occurs, the largest size first, and every digit has room for a failure of everybody. So of two
candidates the one at the smaller cost is the one that the first different criterion prefers.

`cheapest_pairs`: everybody either has a partner at the pair's cost or stays single at his own. It is a matching of
greatest weight, a pair weighing what the two save by not staying single. All costs are whole numbers of any size.
"""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass

from tournaments.pairing.dutch.competitor import Bracket, Competitor
from tournaments.pairing.dutch.criteria import Criterion, Failures
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
    """What fails by one criterion on each way."""
    floats = {one.number: criterion.floater(bracket, one) for one in ways.alone}
    found: dict[Way, Failures] = {(one.number, other.number): criterion.pair(one, other) for one, other in ways.here}
    if bracket.following:
        further = {one.number: criterion.next_floater(bracket, one) for one in (*ways.alone, *ways.next_alone)}
    else:
        further = {one.number: () for one in ways.alone}
    found |= {number: failures + further[number] for number, failures in floats.items()}
    found |= {one.number: further[one.number] for one in ways.next_alone}
    for one, other in ways.down:
        found[one.number, other.number] = floats[one.number] + criterion.next_pair(one, other)
    for one, other in ways.next_here:
        found[one.number, other.number] = criterion.next_pair(one, other)
    return found


class Costs:
    """Costs of all ways, made digit by digit, the weightiest first."""

    def __init__(self, ways: Ways) -> None:
        two = (*ways.here, *ways.down, *ways.next_here)
        self.of: dict[Way, int] = {(one.number, other.number): 0 for one, other in two}
        self.of |= {one.number: 0 for one in (*ways.alone, *ways.next_alone)}
        # At most two failures a player and one more than that: no digit overflows.
        self.room = 2 * (len(ways.alone) + len(ways.next_alone)) + 1

    def copy(self) -> "Costs":
        """A copy, to which other digits can be added."""
        made = copy(self)
        made.of = dict(self.of)
        return made

    def keep(self, ways: Ways) -> None:
        """Drop the ways that are not among these."""
        kept = Costs(ways).of
        self.of = {way: cost for way, cost in self.of.items() if way in kept}

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
        self.of = {way: cost * limit + costs.get(way, 0) for way, cost in self.of.items()}

    @property
    def pairs(self) -> dict[Pair, int]:
        """Costs of pairs."""
        return {way: cost for way, cost in self.of.items() if not isinstance(way, int)}

    @property
    def singles(self) -> dict[int, int]:
        """Costs of staying for the brackets below."""
        return {way: cost for way, cost in self.of.items() if isinstance(way, int)}


# --- the cheapest pairs -------------------------------------------------------------------------------------------
def cheapest_pairs(pairs: Mapping[Pair, int], singles: Mapping[int, int]) -> dict[int, int]:
    """Partners, both ways; who is missing stays single. `singles`: the cost of each, all who are to be matched."""
    saved = {(one, other): singles[one] + singles[other] - cost for (one, other), cost in pairs.items()}
    return heaviest_pairs({pair: weight for pair, weight in saved.items() if weight > 0})
