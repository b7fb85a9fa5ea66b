"""What carries a comparison: the share of it that runs through each person, and the share that is an assumption.

The precision of a history is that of a network of conductors: a game joins two players on a day, time joins a player's
days, and the prior joins each first day to the ground, "a newcomer like any other". The variance of a difference
between two strengths is then the resistance between their places, and a unit current sent from one to the other divides
itself over the games as the information does: it makes the sum of resistance × current² as small as can be, and that
sum is the variance (Thomson's principle: P. Doyle and J. Snell, "Random Walks and Electric Networks", 1984, 3.5). What
flows through the ground is carried by no game.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

import numpy

from ratings.history.chains import Floats
from ratings.history.whole_history import UNIT, History, When


class Carrier(NamedTuple):
    """Somebody through whom this share of the comparison runs (0 … 1), other than the two compared."""

    player: int
    share: float


class Link(NamedTuple):
    """Two who met in so many games, through which this share runs from `one` to `other`."""

    one: int
    other: int
    games: int
    share: float


@dataclass(frozen=True, slots=True)
class Bridges:
    """`are_joined`: whether any chain of games leads from one to the other. `assumed`: the share that runs through the
    ground. `carriers`: whom the comparison runs through, the largest share first; people in a row carry the same, so
    shares do not add up. `chain`: the broadest single way, person by person (empty without one)."""

    are_joined: bool
    assumed: float
    carriers: tuple[Carrier, ...]
    chain: tuple[Link, ...]


class Currents(NamedTuple):
    """A unit current from one strength to another: through each game (from its first side), and from each player's
    first day into the ground."""

    games: Floats
    grounds: Floats


def currents(history: History, one: When, other: When) -> Currents:
    """Raises KeyError or ValueError as `Field.place`."""
    potentials = history.potentials(one, other)
    first, second = history.field.places
    firsts = history.field.begins[:-1]
    prior = (history.model.prior / UNIT) ** -2
    return Currents(history.curvatures * (potentials[first] - potentials[second]), prior * potentials[firsts])


def bridges(history: History, one: When, other: When) -> Bridges:
    """What carries `history.difference(one, other)`. Raises KeyError or ValueError as `Field.place`."""
    flowing = currents(history, one, other)
    links = list(_links(history, flowing.games))
    through: dict[int, float] = defaultdict(float)
    for link in links:
        through[link.other] += link.share
    for player, flow in zip(history.field.players, flowing.grounds.tolist(), strict=True):
        through[player] += max(-flow, 0.0)
    ends = {one.player, other.player}
    found = (Carrier(player, share) for player, share in through.items() if player not in ends)
    way = _broadest(links, one.player, other.player)
    return Bridges(
        are_joined=one.player == other.player or bool(way) or _are_joined(links, one.player, other.player),
        assumed=float(numpy.maximum(flowing.grounds, 0.0).sum()),
        carriers=tuple(sorted(found, key=lambda each: (-each.share, each.player))),
        chain=way,
    )


def _links(history: History, flows: Floats) -> Iterator[Link]:
    """Everybody who met, with what flows between them on balance, from giver to taker."""
    owners: Floats = numpy.searchsorted(history.field.begins, history.field.places, side="right") - 1
    codes = owners.min(axis=0) * len(history.field.players) + owners.max(axis=0)
    pairs, which, counts = numpy.unique(codes, return_inverse=True, return_counts=True)
    sums = numpy.bincount(which, numpy.where(owners[0] < owners[1], flows, -flows))
    players = history.field.players
    for code, count, flow in zip(pairs.tolist(), counts.tolist(), sums.tolist(), strict=True):
        giver, taker = (players[number] for number in divmod(code, len(players)))
        yield Link(giver, taker, count, flow) if flow > 0.0 else Link(taker, giver, count, -flow)


def _are_joined(links: list[Link], one: int, other: int) -> bool:
    """Whether a chain of games leads from one to the other, whatever flows through it."""
    both = (way for each in links for way in ((each.one, each.other), (each.other, each.one)))
    return bool(_broadest([Link(*way, games=1, share=1.0) for way in both], one, other))


def _broadest(links: list[Link], one: int, other: int) -> tuple[Link, ...]:
    """The way whose narrowest link carries most; Dijkstra's algorithm with the narrowest in place of the sum."""
    onward: Mapping[int, list[Link]] = defaultdict(list)
    for link in links:
        if link.share > 0.0:
            onward[link.one].append(link)
    came_by: dict[int, Link] = {}
    waiting: list[tuple[float, int, Link | None]] = [(-1.0, one, None)]
    done = set()
    while waiting:
        width, here, by = heappop(waiting)
        if here in done:
            continue
        done.add(here)
        if by is not None:
            came_by[here] = by
        if here == other:
            break
        for link in onward[here]:
            if link.other not in done:
                heappush(waiting, (max(width, -link.share), link.other, link))
    return tuple(_back(came_by, one, other))


def _back(came_by: Mapping[int, Link], one: int, other: int) -> list[Link]:
    way: list[Link] = []
    while other != one and other in came_by:
        way.insert(0, came_by[other])
        other = came_by[other].one
    return way if other == one else []
