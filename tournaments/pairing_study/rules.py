"""The ways of pairing an evening that the study compares, each from nothing but what an arbiter knows (pure).

    learn    boards that tell most of the order (`tournaments.forecast.learning`), within the bounds of `evening`
    near     about the same strength: what the arbiter's usual rule does
    random   drawn by lot, as many boards as there can be
    swiss    neighbours by the points of a season of NIGHTS evenings, nobody twice in a season where it can be helped
    keizer   the club's Keizer system with its usual settings, in seasons of LONG evenings; absence is excused

The Dutch system itself cannot be asked: it pairs a field that stays together, and never the same two twice. Keizer
leaves nobody over but one; where not all can be paired, he is asked for as many as can.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from itertools import combinations

import numpy

from ratings.lab.engine import PLAIN
from ratings.lab.scenario_games import REFERENCE
from ratings.lab.vectorised import ColumnRater, column_rater
from tournaments.forecast.learning import Aim, Belief, Games, belief_of, telling
from tournaments.forecast.posterior import Prior
from tournaments.pairing.base import Field
from tournaments.pairing.evening import YEAR, Guest, Pair, Partners, in_order, pair_guests
from tournaments.pairing.keizer import Keizer
from tournaments.pairing.matching import maximum_matching
from tournaments.pairing.weighted_matching import heaviest_pairs
from tournaments.pairing_study.club import Night
from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.points import Result

WEEK = 7  # days from one evening to the next
NIGHTS, LONG = 10, 8  # evenings of a season: of points, of Keizer
START, SPREAD = 1000.0, 350.0  # what is known of a newcomer
RESULTS = {1.0: Result.WHITE_WINS, 0.5: Result.DRAW, 0.0: Result.BLACK_WINS}


class Record:
    """What has been played: the list (the club's own Elo), and the games as the belief takes them."""

    def __init__(self) -> None:
        rater = column_rater(REFERENCE, PLAIN)
        assert rater is not None
        self._rater: ColumnRater = rater
        self.ratings: list[float] = []
        self._second: list[float] = []
        self._third: list[float] = []
        self.games: list[int] = []
        self.count = self.points = numpy.zeros((0, 0))
        self.last: dict[Pair, int] = {}
        self.whites = Counter[int]()
        self.meetings: list[Meeting] = []
        self.byes: list[Bye] = []

    def join(self, size: int) -> None:
        """So many places there are from now on."""
        more = size - len(self.ratings)
        for column, start in zip((self.ratings, self._second, self._third), self._rater.start, strict=True):
            column.extend([start] * more)
        self.games.extend([0] * more)
        self.count, self.points = (numpy.pad(each, (0, more)) for each in (self.count, self.points))

    def add(self, number: int, white: int, black: int, score: float) -> None:
        self._rater.rate(self.ratings, self._second, self._third, self.games, white, black, score)
        for one, other, own in ((white, black, score), (black, white, 1.0 - score)):
            self.games[one] += 1
            self.count[one, other] += 1.0
            self.points[one, other] += own
        self.last[in_order(white, black)] = number
        self.whites.update({white: 1, black: -1})
        self.meetings.append(Meeting(number, white, black, RESULTS[score]))

    def rest(self, night: Night, absent: Collection[int], left: Collection[int]) -> None:
        """Who did not come, and who was left over."""
        self.byes += [Bye(night.number, player, 0, "half") for player in absent]
        self.byes += [Bye(night.number, player, 0, "pab") for player in left]

    def belief(self, places: Collection[int]) -> Belief:
        """What all games say of those; players are places of the club."""
        own = numpy.ix_([*places], [*places])
        games = Games(self.count[own], self.points[own], numpy.zeros((3, 0)))
        listed = {one: self.ratings[one] for one in places}
        return belief_of(dict.fromkeys(places, Prior(START, SPREAD)), games, listed)

    def guests(self, places: Collection[int]) -> list[Guest]:
        """The strongest by the list first."""
        return [Guest(one, 0, self.whites[one]) for one in sorted(places, key=lambda one: (-self.ratings[one], one))]

    def met(self, number: int) -> dict[Pair, int]:
        """Days since two met."""
        return {pair: min(YEAR, WEEK * (number - last)) for pair, last in self.last.items()}

    def season(self, number: int, length: int) -> tuple[list[Meeting], list[Bye]]:
        """The meetings and byes of the running season, its rounds from 1."""
        first = (number - 1) // length * length
        meetings = [replace(row, round=row.round - first) for row in self.meetings if row.round > first]
        return meetings, [replace(row, round=row.round - first) for row in self.byes if row.round > first]


# A way of pairing: the boards, White first, from the record, the members (places), what is believed of them, the night.
Pairer = Callable[[Record, Belief, Night], list[Pair]]


def learn(record: Record, belief: Belief, night: Night) -> list[Pair]:
    guests = record.guests(night.guests)
    told = telling(belief.among(night.guests), Aim.ORDER)
    return pair_guests(guests, record.met(night.number), night.apart, Partners.LIST, told)


def near(record: Record, belief: Belief, night: Night) -> list[Pair]:
    return pair_guests(record.guests(night.guests), record.met(night.number), night.apart, Partners.NEAR)


def random(record: Record, belief: Belief, night: Night) -> list[Pair]:
    lots = {in_order(one, two): 10**6 + int(night.lots[one, two] * 10**4) for one, two in combinations(night.guests, 2)}
    mates = heaviest_pairs({pair: lot for pair, lot in lots.items() if pair not in night.apart})
    return [_seated(record, one, two) for one, two in mates.items() if one < two]


def swiss(record: Record, belief: Belief, night: Night) -> list[Pair]:
    season, _byes = record.season(night.number, NIGHTS)
    points = Counter[int]()
    for row in season:
        points[row.white] += {Result.WHITE_WINS: 2, Result.DRAW: 1}.get(row.result, 0)
        points[row.black] += {Result.BLACK_WINS: 2, Result.DRAW: 1}.get(row.result, 0)
    guests = sorted(record.guests(night.guests), key=lambda guest: -points[guest.key])
    met = {in_order(row.white, row.black): 0 for row in season}
    return pair_guests(guests, met, night.apart, Partners.NEAR)


def keizer(record: Record, belief: Belief, night: Night) -> list[Pair]:
    meetings, byes = record.season(night.number, LONG)
    number = (night.number - 1) % LONG + 1
    players = tuple(sorted(belief.players, key=lambda one: (-record.ratings[one], one)))
    known = set(players)
    meetings = [row for row in meetings if {row.white, row.black} <= known]
    byes = [row for row in byes if row.player in known]
    here = frozenset(_pairable(night))
    if not here:
        return []
    apart = frozenset(map(frozenset, night.apart))
    boards = Keizer().pair_round(Field(players, here, tuple(meetings), tuple(byes), apart, number), {})
    return [(board.white, board.black) for board in boards if board.black is not None]


def _pairable(night: Night) -> Iterator[int]:
    """All guests where no two are kept apart, else as many as can be paired."""
    if not night.apart:
        yield from night.guests
        return
    graph = {
        one: [two for two in night.guests if one != two and in_order(one, two) not in night.apart]
        for one in night.guests
    }
    yield from maximum_matching(graph)


def _seated(record: Record, one: int, two: int) -> Pair:
    return (one, two) if record.whites[one] < record.whites[two] else (two, one)


PAIRERS: Mapping[str, Pairer] = {"random": random, "near": near, "swiss": swiss, "keizer": keizer, "learn": learn}
