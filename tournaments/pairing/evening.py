"""Who plays whom on an evening without rounds (pure): as many boards as there can be among those who are here.

First who has played least tonight is given a board; then nobody meets a second time on the same day; then the
arbiter's rule (`Partners`) decides, and what it leaves open the strengths do. All of it at once, as the pairs of the
greatest weight (`weighted_matching`). Pairs that must not meet never do.

Three of the rules ask which boards tell most (`Telling`, docs/algorithms/pair-to-learn.md). They keep bounds before
they ask: nobody meets again within RECENT days, nobody gets further than COLOURS from as many Whites as Blacks, and
nobody plays somebody much stronger or weaker. Where a bound cannot be kept on all boards, it is broken on as few as can
be.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum

from tournaments.pairing.weighted_matching import heaviest_pairs

YEAR = 365  # days after which two are as good as strangers
RECENT = 30  # days within which a board that is to tell something is not played again
COLOURS = 2  # Whites less Blacks, or the other way round
FINEST = 1000  # what the board of the evening tells that tells most
Pair = tuple[int, int]


class Partners(StrEnum):
    """The arbiter's rule."""

    NEAR = "near"  # about the same strength
    NEW = "new"  # those who have not met for longest
    LIST = "list"  # boards that tell most of who is above whom
    TITLE = "top"  # … of who is the first
    NEWCOMERS = "join"  # … of newcomers

    @property
    def asks(self) -> bool:
        """Whether boards are chosen by what they tell."""
        return self in (Partners.LIST, Partners.TITLE, Partners.NEWCOMERS)


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who is here: key, games played tonight, and Whites less Blacks so far."""

    key: int
    played: int = 0
    whites: int = 0


@dataclass(frozen=True, slots=True)
class Telling:
    """What boards tell, from 0 to FINEST, and the pairs that are too far from each other in strength. Pairs as keys,
    the smaller first; who is not named tells nothing."""

    gain: Mapping[Pair, int] = field(default_factory=dict)
    far: AbstractSet[Pair] = frozenset()


NOTHING = Telling()


def pair_guests(
    guests: Sequence[Guest],
    met: Mapping[Pair, int],
    apart: AbstractSet[Pair],
    rule: Partners,
    telling: Telling = NOTHING,
) -> list[Pair]:
    """The boards, White first, those of the strongest first. `guests`: the strongest first; `met`: days since two met
    last, 0 for today; pairs as keys, the smaller first. Who is in no pair is left over."""
    places = {guest.key: place for place, guest in enumerate(guests)}
    weights = _weights(guests, met, apart, rule, telling)
    mates = heaviest_pairs(weights)
    boards = [(guests[places[one]], guests[places[mates[one]]]) for one in places if one in mates]
    return [_seated(one, other) for one, other in boards if places[one.key] < places[other.key]]


def in_order(one: int, other: int) -> Pair:
    """The pair as it is looked up."""
    return (one, other) if one < other else (other, one)


def uneven(one: Guest, other: Guest) -> bool:
    """Whether a game of those two takes somebody further than COLOURS from as many Whites as Blacks."""
    return max(min(one.whites, other.whites) + 1, 1 - max(one.whites, other.whites)) > COLOURS


def _weights(
    guests: Sequence[Guest], met: Mapping[Pair, int], apart: AbstractSet[Pair], rule: Partners, telling: Telling
) -> dict[Pair, int]:
    """Criteria as the digits of one number: no sum over all boards reaches the next digit."""
    count, most = len(guests), max((guest.played for guest in guests), default=0)
    digit = (count + 1) * max(count * count, YEAR + 2, 2 * most + 2, FINEST + 1)
    weights = {}
    for place, one in enumerate(guests):
        for below, other in enumerate(guests[place + 1 :], start=place + 1):
            pair = in_order(one.key, other.key)
            if pair in apart:
                continue
            near, ago = count * count - (below - place) ** 2, min(met.get(pair, YEAR), YEAR)
            value = 1
            for part in (2 * most - one.played - other.played, int(ago > 0)):
                value = value * digit + part
            for part in _chosen(rule, one, other, near, ago, telling):
                value = value * digit + part
            weights[pair] = value
    return weights


def _chosen(rule: Partners, one: Guest, other: Guest, near: int, ago: int, telling: Telling) -> Iterator[int]:
    """The rule's criteria, the first the first."""
    if rule.asks:
        pair = in_order(one.key, other.key)
        yield from (int(ago >= RECENT), int(not uneven(one, other)), int(pair not in telling.far))
        yield telling.gain.get(pair, 0)
    elif rule is Partners.NEW:
        yield ago
    yield near
    if rule is Partners.NEAR:
        yield ago


def _seated(upper: Guest, lower: Guest) -> Pair:
    """White is whoever had it less often, else the weaker."""
    return (upper.key, lower.key) if upper.whites < lower.whites else (lower.key, upper.key)
