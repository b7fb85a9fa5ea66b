"""Worlds of contests with sides: players of known strength who sit down at tables, in pairs or in teams.

An evening brings everybody who takes part once: the players are drawn into a row and the row is cut into contests, so
k evenings are k contests of one's own. Strengths are normal. In a contest each member shows its strength plus noise,
normal with deviation β or Gumbel's; a side shows the sum, the mean, the best or the worst of its members; sides are
placed by what they show, and tied where neighbours in that order are no further apart than the world's margin. With
Gumbel's noise and everybody alone, places are drawn one after another by Plackett and Luce's law, and pairs follow
Elo's curve exactly.

Points: 200 are one β, and of two players β apart the stronger wins 76 of 100, as on Elo's scale. Only differences of
strength mean something, except where sides of unequal size are summed: there an average member adds LEVEL.

In a world with drift every strength takes a normal step between one evening and the next, so strengths of evening k
have the variance SPREAD² + (k − 1) drift². In a world with part-time players every second one (every second group of
partners) comes to that share of the evenings only, by chance; the others always come.

Random numbers are the study's (`ratings.lab.world`): doubles of PCG64 by (seed, replication), drawn outside the rated
text and turned into players, noise and seats here, so every contender sees the same contests. Strengths are drawn
first: all worlds of a replication have the same people on the first evening. What a world has not is not drawn.

Not done: members who play a part of a contest, choosing opponents by rating.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from math import fsum, log, sqrt
from statistics import NormalDist, fmean
from typing import Literal

from ratings.lab.world import UniformNumbers
from ratings.systems.base import order_key
from ratings.systems.sides import PlayedContest, PlayedSide, in_one_form

Combine = Literal["sum", "mean", "best", "worst"]
Noise = Literal["normal", "gumbel"]
Shape = tuple[int, ...]  # how many members each side has
Side = tuple[int, ...]  # the members, as places in the population

PLAYERS = 48  # every shape here but the uneven ones seats them all
SPREAD = 300.0  # standard deviation of strengths
BETA = 200.0
GUMBEL = 400.0 / log(10.0)  # scale of the noise with which pairs follow Elo's curve
LEVEL = 300.0
FIRST_DAY = date(2024, 1, 1)
_SMALLEST = 2.0**-54  # in place of a drawn 0, of which there is no logarithm

_normal = NormalDist()


@dataclass(frozen=True, slots=True)
class SidesWorld:
    """`shapes`: drawn evenly, contest by contest. `fixed`: the chance that an evening is one of fixed partners, 0 … 1;
    members of a side are then neighbours by number. `draws`: how often two equal players tie. `drift`: deviation of the
    step a strength takes between two evenings, in points. `attendance`: the share of evenings part-time players come
    to, 0 … 1; at 1 there are none."""

    key: str
    shapes: tuple[Shape, ...]
    combine: Combine = "mean"
    noise: Noise = "normal"
    fixed: float = 0.0
    draws: float = 0.0
    drift: float = 0.0
    attendance: float = 1.0

    @property
    def partners(self) -> int:
        """How many make a group of fixed partners."""
        return max(map(max, self.shapes))

    def is_part_time(self, player: int) -> bool:
        return self.attendance < 1.0 and player // self.partners % 2 == 1

    @property
    def margin(self) -> float:
        """Performances no further apart than this are a tie; the formula is TrueSkill's draw margin."""
        return _normal.inv_cdf((self.draws + 1.0) / 2.0) * sqrt(2.0) * BETA


def alone(sides: int) -> Shape:
    """Everybody for himself."""
    return (1,) * sides


UNEVEN = ((1, 2), (2, 2), (1, 3), (2, 3))
WORLDS: tuple[SidesWorld, ...] = (
    *(SidesWorld(f"alone-{sides}", (alone(sides),)) for sides in (2, 3, 4, 6, 8)),
    SidesWorld("luce-4", (alone(4),), noise="gumbel"),
    SidesWorld("ties-4", (alone(4),), draws=0.2),
    SidesWorld("mixed", (alone(2), alone(4), (2, 2), alone(8))),
    SidesWorld("pairs", ((2, 2),)),
    SidesWorld("pairs-half", ((2, 2),), fixed=0.5),
    SidesWorld("pairs-fixed", ((2, 2),), fixed=1.0),
    SidesWorld("trios", ((3, 3),)),
    SidesWorld("best-of-pair", ((2, 2),), combine="best"),
    SidesWorld("worst-of-pair", ((2, 2),), combine="worst"),
    SidesWorld("uneven-mean", UNEVEN),
    SidesWorld("uneven-sum", UNEVEN, combine="sum"),
    SidesWorld("drift-4", (alone(4),), drift=25.0),
    SidesWorld("part-time-4", (alone(4),), attendance=0.25),
)


class Numbers:
    """Random numbers of one replication, one at a time."""

    def __init__(self, seed: int, replication: int) -> None:
        self._source = UniformNumbers(seed, replication)
        self._block: Iterator[float] = iter(())

    def uniform(self) -> float:
        """0 ≤ u < 1."""
        for value in self._block:
            return value
        found = self._source.more().tolist()
        self._source.use(len(found))
        self._block = iter(found)
        return self.uniform()

    def normal(self) -> float:
        return _normal.inv_cdf(self.uniform() or _SMALLEST)

    def gumbel(self) -> float:
        return -log(-log(self.uniform() or _SMALLEST))

    def row(self, count: int) -> list[int]:
        """0 … count − 1 in a random order (R. Durstenfeld's shuffle)."""
        found = list(range(count))
        for at in range(count - 1, 0, -1):
            other = int(self.uniform() * (at + 1))
            found[at], found[other] = found[other], found[at]
        return found


def strengths(numbers: Numbers, players: int = PLAYERS) -> list[float]:
    """In points; 0 is the mean of those who might have come."""
    return [SPREAD * numbers.normal() for _ in range(players)]


def nights(world: SidesWorld, evenings: int, numbers: Numbers) -> Iterator[tuple[list[float], list[PlayedContest]]]:
    """The strengths of each evening, and its contests."""
    people = strengths(numbers)
    for number in range(1, evenings + 1):
        if number > 1:
            people = drifted(world, people, numbers)
        yield people, evening(world, people, number, numbers)


def drifted(world: SidesWorld, people: Sequence[float], numbers: Numbers) -> list[float]:
    """The strengths one evening later."""
    return [strength + world.drift * numbers.normal() for strength in people] if world.drift else list(people)


def evening(world: SidesWorld, people: Sequence[float], number: int, numbers: Numbers) -> list[PlayedContest]:
    """The contests of evening `number`, from 1; `people`: strengths by place. Who finds no seat rests."""
    return contests_of(world, list(seats(world, len(people), numbers)), people, number, numbers)


def contests_of(
    world: SidesWorld, tables: Sequence[Sequence[Side]], people: Sequence[float], number: int, numbers: Numbers
) -> list[PlayedContest]:
    """The same of tables that are seated."""
    found: list[PlayedContest] = []
    for sides in tables:
        shown = [performance(world, [people[player] for player in side], numbers) for side in sides]
        order = order_key(date.fromordinal(FIRST_DAY.toordinal() + number), len(found) + 1)
        found.append(played(sides, shown, world.margin, order))
    return found


def seats(world: SidesWorld, players: int, numbers: Numbers) -> Iterator[list[Side]]:
    """The sides of each table of one evening."""
    row = present(world, players, numbers)
    while True:
        shape = world.shapes[int(numbers.uniform() * len(world.shapes))]
        if sum(shape) > len(row):
            return
        sides = []
        for members in shape:
            sides.append(tuple(row[:members]))
            row = row[members:]
        yield sides


def present(world: SidesWorld, players: int, numbers: Numbers) -> list[int]:
    """Who has come, in the order in which they sit down; fixed partners come and sit down together."""
    keep = numbers.uniform() < world.fixed
    unit = world.partners if keep else 1
    groups = [
        group
        for group in numbers.row(players // unit)
        if not world.is_part_time(unit * group) or numbers.uniform() < world.attendance
    ]
    return [unit * group + seat for group in groups for seat in range(unit)]


def performance(world: SidesWorld, members: Sequence[float], numbers: Numbers) -> float:
    """What a side of those strengths shows in one contest, in points."""
    level = LEVEL if world.combine == "sum" else 0.0
    shown = [
        level + strength + (BETA * numbers.normal() if world.noise == "normal" else GUMBEL * numbers.gumbel())
        for strength in members
    ]
    if world.combine == "mean":
        return fmean(shown)
    if world.combine == "sum":
        return fsum(shown)
    return max(shown) if world.combine == "best" else min(shown)


def played(sides: Sequence[Side], shown: Sequence[float], margin: float, order: int) -> PlayedContest:
    """The contest in which the sides showed that: places by it, scores are it."""
    ranked = sorted(range(len(sides)), key=lambda at: -shown[at])
    places = [0] * len(sides)
    for number, at in enumerate(ranked, start=1):
        above = ranked[number - 2]
        tied = number > 1 and shown[above] - shown[at] <= margin
        places[at] = places[above] if tied else number
    found = [
        PlayedSide(place, side, (1.0,) * len(side), score, number)
        for number, (place, side, score) in enumerate(zip(places, sides, shown, strict=True), start=1)
    ]
    return PlayedContest(order, in_one_form(found), order, FIRST_DAY.toordinal())
