"""Who plays whom on an evening without rounds (pure): as many boards as there can be among those who are here.

First who has played least tonight is given a board; then nobody meets a second time on the same day; then the
arbiter's rule (`Partners`) decides, and what it leaves open the other one does. All of it at once, as the pairs of the
greatest weight (`weighted_matching`). Pairs that must not meet never do.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum

from tournaments.pairing.weighted_matching import heaviest_pairs

YEAR = 365  # days after which two are as good as strangers
Pair = tuple[int, int]


class Partners(StrEnum):
    """The arbiter's rule."""

    NEAR = "near"  # about the same strength
    NEW = "new"  # those who have not met for longest


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who is here: key, games played tonight, and Whites less Blacks so far."""

    key: int
    played: int = 0
    whites: int = 0


def pair_guests(
    guests: Sequence[Guest], met: Mapping[Pair, int], apart: AbstractSet[Pair], rule: Partners
) -> list[Pair]:
    """The boards, White first, those of the strongest first. `guests`: the strongest first; `met`: days since two met
    last, 0 for today; pairs as keys, the smaller first. Who is in no pair is left over."""
    places = {guest.key: place for place, guest in enumerate(guests)}
    weights = _weights(guests, met, apart, rule)
    mates = heaviest_pairs(weights)
    boards = [(guests[places[one]], guests[places[mates[one]]]) for one in places if one in mates]
    return [_seated(one, other) for one, other in boards if places[one.key] < places[other.key]]


def in_order(one: int, other: int) -> Pair:
    """The pair as it is looked up."""
    return (one, other) if one < other else (other, one)


def _weights(
    guests: Sequence[Guest], met: Mapping[Pair, int], apart: AbstractSet[Pair], rule: Partners
) -> dict[Pair, int]:
    """Criteria as the digits of one number: no sum over all boards reaches the next digit."""
    count, most = len(guests), max((guest.played for guest in guests), default=0)
    digit = (count + 1) * max(count * count, YEAR + 2, 2 * most + 2)
    weights = {}
    for place, one in enumerate(guests):
        for below, other in enumerate(guests[place + 1 :], start=place + 1):
            pair = in_order(one.key, other.key)
            if pair in apart:
                continue
            near, new = count * count - (below - place) ** 2, min(met.get(pair, YEAR), YEAR)
            owed, again = 2 * most - one.played - other.played, met.get(pair) == 0
            chosen, rest = (near, new) if rule is Partners.NEAR else (new, near)
            value = 1
            for part in (owed, int(not again), chosen, rest):
                value = value * digit + part
            weights[pair] = value
    return weights


def _seated(upper: Guest, lower: Guest) -> Pair:
    """White is whoever had it less often, else the weaker."""
    return (upper.key, lower.key) if upper.whites < lower.whites else (lower.key, upper.key)
