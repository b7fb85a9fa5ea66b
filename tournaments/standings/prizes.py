"""Who wins which prize: prizes of places and of categories, shared among equal points, one to a person where that is
the rule.

Every list (the places; each category) is given out by itself, in the order of the standings among those it is open to.
Three ways among equal points:

full   the prizes a tied group has reached are added and divided equally (FIDE Tournament Rules; US Chess 32B2)
Hort   half of a prize goes to its place, the other halves of the tied group are divided equally: the system of
       V. Hort, so that a tie-break moves half of the money only
none   the place decides

With one prize a person everybody keeps the greatest of his shares and leaves the other lists, in which those below him
move up (US Chess 32B1: the greatest prize); this is settled from the top of the standings on. Of equal shares the one
of the earlier list is kept, and money goes before a thing. A thing is not divided: it goes to its place.

Amounts are whole numbers of the smallest coin and shares exact fractions, rounded *down* to `step`, so the sum never
exceeds the fund. Not done: pools across lists (US Chess 32B3, where a tied
player brings the prize of a category into the pot).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import groupby

PLACES = ""  # the list of the places; every other is a category


class Sharing(StrEnum):
    """What becomes of prizes among equal points."""

    FULL = "full"
    HORT = "hort"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Finisher:
    """Somebody in the final order. `points`: whoever has the same is tied with him, whatever unit they are in."""

    key: int
    points: object
    categories: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Offer:
    """A prize: its list, its rank there (1 is the first), an amount in the smallest coin, and whether it is also a
    thing."""

    key: int
    category: str
    rank: int
    amount: int
    is_thing: bool = False


@dataclass(frozen=True, slots=True)
class Award:
    """What somebody gets of a list: the money, rounded, with what it was exactly; `offers` are the prizes it comes
    from, his own place's first; `thing` the prize whose thing is his."""

    finisher: int
    category: str
    amount: int
    exact: Fraction
    offers: tuple[int, ...]
    thing: int | None = None


@dataclass(frozen=True, slots=True)
class Handout:
    """All awards in order of the offers' lists; `rest` is what rounding left over, `unclaimed` the prizes nobody has
    reached."""

    awards: tuple[Award, ...]
    rest: int
    unclaimed: tuple[int, ...]


def hand_out(
    finishers: Sequence[Finisher], offers: Sequence[Offer], *, sharing: Sharing, step: int = 1, one_each: bool = True
) -> Handout:
    """Give the prizes out to those who finished, best first. `step`: the coin to which shares are rounded down. Raises
    ValueError for a step below 1, and for two prizes of the same rank in a list."""
    if step < 1:
        raise ValueError("a share is rounded to one coin at least")
    lists = _lists(offers)
    open_to = {name: [row for row in finishers if name in (PLACES, *row.categories)] for name in lists}
    if one_each:
        _settle(finishers, lists, open_to, sharing)
    awards, unclaimed = list[Award](), list[int]()
    for name, prizes in lists.items():
        own = _shared(open_to[name], prizes, sharing)
        awards += [replace(award, amount=int(award.exact // step) * step) for award in own.values()]
        unclaimed += [prize.key for prize in prizes if prize.rank > len(open_to[name])]
    given = {key for award in awards for key in award.offers}
    total = sum(prize.amount for prize in offers if prize.key in given)
    return Handout(tuple(awards), total - sum(award.amount for award in awards), tuple(unclaimed))


def _lists(offers: Iterable[Offer]) -> dict[str, list[Offer]]:
    """The prizes of every list, the first rank first; the places stand before the categories."""
    lists: dict[str, list[Offer]] = {}
    for offer in sorted(offers, key=lambda offer: (offer.category != PLACES, offer.rank)):
        lists.setdefault(offer.category, []).append(offer)
    for prizes in lists.values():
        if len({prize.rank for prize in prizes}) < len(prizes):
            raise ValueError("two prizes of the same rank in one list")
    return lists


def _settle(
    finishers: Sequence[Finisher],
    lists: Mapping[str, Sequence[Offer]],
    open_to: dict[str, list[Finisher]],
    sharing: Sharing,
) -> None:
    """Let everybody stay in one list only, from the top of the standings on: each time the first who would get
    something from several keeps the greatest."""
    while True:
        shares = {name: _shared(open_to[name], prizes, sharing) for name, prizes in lists.items()}
        several = ((row, [name for name in lists if row.key in shares[name]]) for row in finishers)
        row, names = next(((row, names) for row, names in several if len(names) > 1), (None, []))
        if row is None:
            return
        best = max(names, key=lambda name: (shares[name][row.key].exact, -names.index(name)))
        for name in names:
            if name != best:
                open_to[name].remove(row)


def _shared(people: Sequence[Finisher], prizes: Sequence[Offer], sharing: Sharing) -> dict[int, Award]:
    """What everybody of a list gets, exactly, by key; nothing for whoever has a rank without a prize."""
    of_rank = {prize.rank: prize for prize in prizes}
    awards: dict[int, Award] = {}
    start = 1
    for _points, tied in groupby(people, key=lambda row: row.points):
        group = list(tied)
        own = [of_rank.get(rank) for rank in range(start, start + len(group))]
        start += len(group)
        awards |= {award.finisher: award for award in _in_group(group, own, sharing)}
    return awards


def _in_group(group: Sequence[Finisher], prizes: Sequence[Offer | None], sharing: Sharing) -> Iterable[Award]:
    """The prizes of the ranks of a group of equal points (None: there is no such prize), given out within it."""
    reached = [prize for prize in prizes if prize]
    even = Fraction(sum(prize.amount for prize in reached), len(group))
    for row, own in zip(group, prizes, strict=True):
        kept = Fraction(own.amount if own else 0)
        exact = {Sharing.NONE: kept, Sharing.HORT: (kept + even) / 2, Sharing.FULL: even}[sharing]
        thing = own.key if own and own.is_thing else None
        if exact or thing is not None:
            yield Award(row.key, reached[0].category, 0, exact, _sources(own, reached, sharing), thing)


def _sources(own: Offer | None, reached: Sequence[Offer], sharing: Sharing) -> tuple[int, ...]:
    """The prizes a share comes from: those with money, and the own one in front."""
    first = [own.key] if own else []
    if sharing is Sharing.NONE:
        return tuple(first)
    return tuple(first + [prize.key for prize in reached if prize.amount and prize is not own])
