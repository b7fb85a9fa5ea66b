"""Contests with sides as values: what was played, in its one form, and what a rating system has to say of it.

A contest has two sides or more, a side one player or more and a place (1 is first, equal places are a tie). Its one
form: places 1-2-2-4, sides in order of place and, within a tie, of their lowest player number; members by number. So
the order in which sides and members were entered changes no figure, not even its last bit. Within ties of three and
more it is this order that TrueSkill compares.

Not done here: a place from scores (whether much is good is a matter of the event).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from heapq import merge
from itertools import pairwise
from math import erfc, exp, pi, prod, sqrt
from typing import NamedTuple

from clubrating.ground.marks import sentence
from ratings.systems.base import SEQUENCE_BITS, PlayedGame, PlayerState

MAX_SIDES, MAX_MEMBERS = 64, 32  # what looks at every pair of sides stays small
MIN_WEIGHT = 0.001  # the square of a share divides


class PlayedSide(NamedTuple):
    """One side: its place, its members' numbers, each one's share of the contest (MIN_WEIGHT ≤ w ≤ 1), its score where
    the game has one, and its `number` as it was entered. The number decides no figure but one: of two players alone,
    the lower one stands for White."""

    place: int
    players: tuple[int, ...]
    weights: tuple[float, ...]
    score: float | None = None
    number: int = 0


class PlayedContest(NamedTuple):
    """A rated contest as a replay needs it; the other fields as in `PlayedGame`."""

    contest: int | str
    sides: tuple[PlayedSide, ...]
    order: int
    rules_day: int
    event: int | str | None = None
    closed: bool = True
    importance: float = 1.0

    @property
    def day(self) -> int:
        """Day of the contest, as an ordinal."""
        return self.order >> SEQUENCE_BITS

    @property
    def played_on(self) -> date:
        return date.fromordinal(self.day)

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(player for side in self.sides for player in side.players)

    def outcome(self, place: int) -> float:
        """What a place counts for in a player's record: alone in first place a win (1), first place shared a draw (½),
        anything else a loss (0)."""
        if place > 1:
            return 0.0
        return 0.5 if self.sides[1].place == 1 else 1.0  # in its one form sides stand in order of place


def in_one_form(sides: Sequence[PlayedSide]) -> tuple[PlayedSide, ...]:
    """The sides as every rater wants them. Places written 1-2-2-3 become 1-2-2-4.

    Raises ValueError with a sentence for fewer than two sides, more than MAX_SIDES, a side without or with more than
    MAX_MEMBERS players, a player twice, a share outside 0.001 ≤ w ≤ 1, and places no tie explains."""
    if not 2 <= len(sides) <= MAX_SIDES:
        raise ValueError(
            sentence("a contest has 2 to %(most)s sides, this one has %(count)s", most=MAX_SIDES, count=len(sides))
        )
    seen: set[int] = set()
    for side in sides:
        _check_members(side, seen)
    places = read_places([side.place for side in sides])
    ordered = [_with_members_in_order(side)._replace(place=place) for side, place in zip(sides, places, strict=True)]
    return tuple(sorted(ordered, key=lambda side: (side.place, side.players[0])))


def _check_members(side: PlayedSide, seen: set[int]) -> None:
    """`seen`: whoever plays on the sides before, and then on this one too."""
    if not 1 <= len(side.players) <= MAX_MEMBERS or len(side.weights) != len(side.players):
        raise ValueError(sentence("a side has 1 to %(most)s players, each with a share", most=MAX_MEMBERS))
    if not all(MIN_WEIGHT <= weight <= 1.0 for weight in side.weights):
        raise ValueError(
            sentence("a player’s weight is at least 0.001 and at most 1: whoever did not play is left out")
        )
    for player in side.players:
        if player in seen:
            raise ValueError(sentence("a player stands in the contest twice: keep one of the two"))
        seen.add(player)


def read_places(given: Sequence[int]) -> list[int]:
    """The places as 1-2-2-4, from that form or from 1-2-2-3. Raises ValueError."""
    ordered = sorted(given)
    by_number = {place: number for number, place in reversed(list(enumerate(ordered, start=1)))}
    in_turn = {place: number for number, place in enumerate(sorted(set(given)), start=1)}
    if all(place == number for place, number in by_number.items()) or all(
        place == number for place, number in in_turn.items()
    ):
        return [by_number[place] for place in given]
    raise ValueError(
        sentence(
            "the places %(given)s do not follow from each other: write %(right)s",
            given=", ".join(map(str, ordered)),
            right=", ".join(str(by_number[place]) for place in ordered),
        )
    )


def _with_members_in_order(side: PlayedSide) -> PlayedSide:
    members = sorted(zip(side.players, side.weights, strict=True))
    return side._replace(players=tuple(player for player, _ in members), weights=tuple(weight for _, weight in members))


class GamesAndContests:
    """Rated games and contests of one pool, each in order of replay: what a replay is handed where there are both.
    Iterates over both in one order of replay. A stream of games alone stays a plain iterable, so it costs nothing."""

    def __init__(self, games: Iterable[PlayedGame], contests: Sequence[PlayedContest]) -> None:
        self.games, self.contests = games, contests

    def __iter__(self) -> Iterator[PlayedGame | PlayedContest]:
        return merge(self.games, self.contests, key=lambda played: played.order)


Played = Iterable[PlayedGame] | GamesAndContests


def players_in(played: Played) -> set[int]:
    """Whoever took part."""
    if not isinstance(played, GamesAndContests):
        return {player for game in played for player in (game.white, game.black)}
    return players_in(played.games) | {player for contest in played.contests for player in contest.players}


# --- what a system says of it ----------------------------------------------------------------------------------------
class MemberFigures(NamedTuple):
    """What a system has to say of a member besides the new rating."""

    expected: float | None = None
    k: float | None = None


States = Sequence[Sequence[PlayerState]]
# Moves the members' states (rating and deviation, nothing else), in the order of the contest's sides, and returns each
# one's figures in the same shape.
ContestRater = Callable[[PlayedContest, States], Sequence[Sequence[MemberFigures]]]


class RatedMember(NamedTuple):
    """One member of a rated contest: a row of the ledger, flat as it is written. `side` counts from 1 in the contest's
    one form; `outcome` is what the record counts: alone in first place 1, first place shared ½, anything else 0. The
    other values are those of a `Side`: the whole state before the contest, what was expected, and what came of it."""

    contest: PlayedContest
    side: int
    player: int
    outcome: float
    before: float
    games: int
    peak: float
    deviation: float | None
    volatility: float | None
    coefficient: float | None
    reached: int
    last_day: int | None
    reentry: int
    expected: float | None
    k: float | None
    change: float
    after: float
    deviation_after: float | None

    @property
    def place(self) -> int:
        return self.contest.sides[self.side - 1].place

    @property
    def is_rated(self) -> bool:
        """Whether this row stands for its contest: one of them does, so that contests can be counted."""
        return self.side == 1 and self.player == self.contest.sides[0].players[0]


# --- the chance of first place ---------------------------------------------------------------------------------------
# Two laws, both with strengths that are independent of each other. Gumbel: what a side shows is its strength and a
# Gumbel noise; then it is first with the chance e^s / Σ e^s, and of any two sides the pair's law is the logistic curve
# (R. D. Luce, "Individual Choice Behavior", 1959; R. L. Plackett, Applied Statistics 24, 1975). Normal: what it shows
# is t ~ N(m, v); then it is first with the chance ∫ φ((t − m)/√v)/√v ∏ Φ((t − m_j)/√v_j) dt, the product over the other
# sides. The integral is a sum by Gauss–Legendre over pieces in which every factor is smooth: no randomness, the same
# figures always.
ROOT_2, ROOT_2_PI = sqrt(2.0), sqrt(2.0 * pi)
# Nodes and weights of Gauss–Legendre with eight points (Abramowitz and Stegun, table 25.4), the positive half.
NODES = (
    (0.1834346424956498, 0.3626837833783620),
    (0.5255324099163290, 0.3137066458778873),
    (0.7966664774136267, 0.2223810344533745),
    (0.9602898564975363, 0.1012285362903763),
)
REACH = 9.0  # deviations up and down in which a normal distribution is looked at; 10⁻¹⁹ lies beyond
PIECE = 0.75  # deviations a piece of the integral has at most
PIECES = round(REACH / PIECE)


class Chances(NamedTuple):
    """`first`: each side's chance of being placed first, in the order given. `tied`: the chance that the
    place is shared, where the system knows it; else a tie counts a part for each who shares it. Together they are 1."""

    first: tuple[float, ...]
    tied: float = 0.0

    @property
    def expected(self) -> float:
        """Of two sides: the score expected of the first one, 0 … 1."""
        return self.first[0] + self.tied / 2.0


class Shown(NamedTuple):
    """What a side is expected to show: t ~ N(mean, variance)."""

    mean: float
    variance: float


def first_of_gumbels(strengths: Sequence[float]) -> tuple[float, ...]:
    """Each side's chance of being first, from strengths in units of the noise: one e^strength to the other's."""
    top = max(strengths)
    shares = [exp(strength - top) for strength in strengths]
    whole = sum(shares)
    return tuple(share / whole for share in shares)


def first_of_normals(sides: Sequence[Shown]) -> tuple[float, ...]:
    """Each side's chance of being first. Two sides have the closed form Φ(Δ/√(v₁ + v₂))."""
    if len(sides) == 2:
        one, other = sides
        gap = (one.mean - other.mean) / sqrt(one.variance + other.variance)
        return below(gap), below(-gap)
    return alone_in_front(sides, [0] * len(sides), lambda _own, _other: 0.0)


def alone_in_front(
    sides: Sequence[Shown], kinds: Sequence[int], margin: Callable[[int, int], float]
) -> tuple[float, ...]:
    """Each side's chance of showing more than every other one by the `margin` that two sides of their `kinds` have to
    be apart: under the integral Φ is moved by it. Less than 1 together; the rest is a first place that is shared."""
    spreads = [(side.mean, sqrt(side.variance)) for side in sides]
    moved = {
        own: [(mean + margin(own, other), spread) for (mean, spread), other in zip(spreads, kinds, strict=True)]
        for own in sorted(set(kinds))
    }
    first = [0.0] * len(sides)
    for low, high in pairwise(_cuts(spreads, [each for some in moved.values() for each in some])):
        middle, half = (low + high) / 2.0, (high - low) / 2.0
        for node, weight in NODES:
            for at in (middle - half * node, middle + half * node):
                _add(first, spreads, kinds, moved, at, half * weight)
    return tuple(first)


def below(x: float) -> float:
    """Φ(x), exact in the lower tail down to −37."""
    return 0.5 * erfc(-x / ROOT_2)


Spreads = Sequence[tuple[float, float]]  # mean and deviation of each side


def _cuts(spreads: Spreads, moved: Spreads) -> list[float]:
    """Where the pieces meet, from the least to the most the best side can show: no piece is longer than PIECE
    deviations of a side that moves in it."""
    lowest = max(mean - REACH * spread for mean, spread in spreads)
    highest = max(mean + REACH * spread for mean, spread in spreads)
    moving = {*spreads, *moved}
    cuts = {mean + PIECE * step * spread for mean, spread in moving for step in range(-PIECES, PIECES + 1)}
    return sorted({lowest, highest, *(cut for cut in cuts if lowest < cut < highest)})


def _add(
    first: list[float],
    spreads: Spreads,
    kinds: Sequence[int],
    moved: dict[int, list[tuple[float, float]]],
    at: float,
    weight: float,
) -> None:
    """The share of one node: the density of the side times the chance that all others show less, by the margin. Φ is
    nowhere 0, as `at` is not below the reach of any side."""
    for own, others in moved.items():
        under = [below((at - mean) / spread) for mean, spread in others]
        all_under = weight * prod(under)
        for side, ((mean, spread), kind) in enumerate(zip(spreads, kinds, strict=True)):
            if kind == own:
                x = (at - mean) / spread
                first[side] += all_under * exp(-0.5 * x * x) / (ROOT_2_PI * under[side] * spread)
