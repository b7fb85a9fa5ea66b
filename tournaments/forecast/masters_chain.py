"""Whole masters' events as arrays of numbers, and a Metropolis–Hastings chain over them.

An event is three stations. A station is a knockout drawn fully by lots; the winner of match 1 meets the winner of
match 4, 2 meets 3 (the xiangqi paper). Another `Plan` has other stations, or lines that are fixed. Many events are
played side by side, an event a row, with one row of outcomes for every station. Ratings move after each game by K and
the xiangqi table; as K is a whole ten and expected scores are hundredths, a rating is a whole number of tenths of a
point, and equal ratings are exactly equal.

`exact_titles`: the chance of each player to win a station, without samples.

`Chain` is Metropolis–Hastings, the method the xiangqi paper names. A state is everything that happens in an event: who
is drawn to which line, and every match's outcome. Its target f is the probability of just that: every draw is as
likely as any other, times the probability of each outcome between the two who meet. From a state u a candidate v is
proposed and accepted with probability min(1, R), R = f(v) g(u|v) / (f(u) g(v|u)). A fair coin chooses between two kinds
of proposals, each with its own g; both keep f, hence their mixture does:

- one station is drawn and played anew, its results by the ratings alone (`proposal`): g is the probability of the new
  station under the ratings;
- one match of one station gets another outcome, each other one that the rule knows as likely: g is the same both ways
  and cancels. Who meets in the matches behind it may change, so f may change there too.

Every station of positive f can be proposed from any other one, for ratings leave nobody without a chance (irreducible),
and a refused candidate leaves the state where it is (aperiodic). The paper's own f and g are lost with its last pages:
these are ours.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from random import Random
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from ratings.systems.fide_tables import xiangqi_expected
from tournaments.forecast.masters import Chances, MastersField
from tournaments.pairing.base import Source
from tournaments.pairing.knockout import CROSSED, GIVEN, Knockout

# --- matches and outcomes -----------------------------------------------------------------------------------------
STATIONS, MOST_STATIONS = 3, 9
# Outcomes of a match, from the upper line's side: won, drawn and on by the coin, drawn and out by the coin, lost.
WON, DRAWN_ON, DRAWN_OUT, LOST = range(4)
_HUNDREDTHS = numpy.array([100, 50, 50, 0])  # the upper line's score
_REACH = 8000  # tenths of a point; from 7350 on the expected score is certain

Ints = NDArray[numpy.int64]
Floats = NDArray[numpy.float64]
Matches = tuple[tuple[int, int], ...]


class Plan(NamedTuple):
    """How many stations an event has, and who stands on which line of each; None: every station is drawn by lots."""

    stations: int = STATIONS
    lines: tuple[int, ...] | None = None

    def drawn(self, players: int, draws: int, random: numpy.random.Generator) -> Ints:
        """Who is on which line, in so many draws (draws × players)."""
        field = numpy.arange(players) if self.lines is None else numpy.array(self.lines)
        field = numpy.broadcast_to(field, (draws, players))
        return random.permuted(field, axis=1) if self.lines is None else field


USUAL = Plan()


@cache
def matches_of(players: int) -> Matches:
    """The matches in the order they are played, each as two numbers: a line of the draw from 0, or `players` + m for
    the winner of the m-th match from 0."""
    bracket = Knockout().bracket(players, {"seeding": GIVEN, "pairs": CROSSED}, Random(0))  # nothing is drawn
    at = {(match.round, match.board): number for number, match in enumerate(bracket)}

    def side(source: Source) -> int:
        if source.seed is not None:
            return source.seed - 1
        assert source.match is not None
        return players + at[source.match]

    return tuple((side(match.upper), side(match.lower)) for match in bracket)


def outcome_table(field: MastersField, of: Callable[[int, int], Chances]) -> Floats:
    """For every pair (upper, lower) the probabilities of the four outcomes; nobody meets himself."""
    players = len(field.names)
    table = numpy.zeros((players, players, 4))
    for upper in range(players):
        for lower in range(players):
            if upper != lower:
                each = of(upper, lower)
                table[upper, lower] = (each.won, each.drawn / 2, each.drawn / 2, each.lost)
    return table


# --- many events at once ------------------------------------------------------------------------------------------
class Events(NamedTuple):
    """`lines` (events, stations, players): who was drawn to which line. `outcomes` (events, stations, matches)."""

    lines: Ints
    outcomes: Ints


class Ends(NamedTuple):
    """`titles` (events, stations): who won each station. `order` (events, players): the final order by rating, equals
    by the rating before the event. `tenths` (events, players): ratings after the event, in tenths of a point."""

    titles: Ints
    order: Ints
    tenths: Ints


def deal(table: Floats, events: int, random: numpy.random.Generator, plan: Plan = USUAL) -> Events:
    """So many events, drawn and played by the probabilities of `outcome_table`."""
    players, stations = len(table), plan.stations
    lines = plan.drawn(players, events * stations, random).reshape(events, stations, players)
    uniform = random.random((events, stations, players - 1))
    limits = table.cumsum(axis=2)[:, :, :LOST]
    outcomes = numpy.empty(uniform.shape, dtype=numpy.int64)
    for station in range(stations):
        luck, met = uniform[:, station], outcomes[:, station]

        def toss(number: int, upper: Ints, lower: Ints, luck: Floats = luck, met: Ints = met) -> Ints:
            met[:, number] = (luck[:, number, None] >= limits[upper, lower]).sum(axis=1)
            return met[:, number]

        _walk(lines[:, station], toss)
    return Events(lines, outcomes)


def play(field: MastersField, events: Events) -> Ends:
    """What became of the events."""
    count, stations, _ = events.lines.shape
    tenths = numpy.tile(10 * numpy.array(field.ratings, dtype=numpy.int64), (count, 1))
    titles = numpy.empty((count, stations), dtype=numpy.int64)
    step = round(field.k)

    for station in range(stations):

        def rate(number: int, upper: Ints, lower: Ints, station: int = station) -> Ints:
            outcome = events.outcomes[:, station, number]
            _rate(tenths, upper, lower, outcome, step)
            return outcome

        titles[:, station] = _walk(events.lines[:, station], rate)
    return Ends(titles, numpy.argsort(-tenths, axis=1, kind="stable"), tenths)


def _walk(lines: Ints, decide: Callable[[int, Ints, Ints], Ints]) -> Ints:
    """Play one station of every event, match by match; who wins it. `decide(number, upper, lower)` gives
    the outcomes."""
    at: list[Ints] = list(lines.T)
    for number, (above, below) in enumerate(matches_of(lines.shape[1])):
        upper, lower = at[above], at[below]
        at.append(numpy.where(decide(number, upper, lower) <= DRAWN_ON, upper, lower))
    return at[-1]


def _rate(tenths: Ints, upper: Ints, lower: Ints, outcome: Ints, k: int) -> None:
    """R' = R + K (S − We) for both. Hundredths of a score times K 10 are tenths of a point."""
    rows = numpy.arange(len(tenths))
    gap = numpy.clip(tenths[rows, upper] - tenths[rows, lower], -_REACH, _REACH)
    change = (_HUNDREDTHS[outcome] - _expected_hundredths()[gap + _REACH]) * k // 10
    tenths[rows, upper] += change
    tenths[rows, lower] -= change


@cache
def _expected_hundredths() -> Ints:
    """The xiangqi table by the gap in tenths of a point, from −`_REACH` on."""
    return numpy.array([round(100 * xiangqi_expected(gap / 10, 0.0)) for gap in range(-_REACH, _REACH + 1)])


# --- titles, exactly ------------------------------------------------------------------------------------------------
def exact_titles(table: Floats, plan: Plan = USUAL) -> list[float]:
    """P(station title) of every player over all draws and results, by `outcome_table`.

    On fixed lines the chance of everybody to come into a match follows from the two lines before it. Drawn fully by
    lots, every way to part the field into two halves is as likely as any other, and so on within the
    halves; so each set of players needs to be worked out once."""
    players = len(table)
    if plan.lines is not None:
        return _titles_on(plan.lines, table[:, :, WON] + table[:, :, DRAWN_ON])
    going_on = (table[:, :, WON] + table[:, :, DRAWN_ON]).tolist()

    @cache
    def titles(field: frozenset[int]) -> dict[int, float]:
        if len(field) == 1:
            return dict.fromkeys(field, 1.0)
        won = dict.fromkeys(sorted(field), 0.0)
        halves = list(_halves(field))
        for one, other in halves:
            for upper, here in titles(one).items():
                for lower, there in titles(other).items():
                    met = here * there / len(halves)
                    won[upper] += met * going_on[upper][lower]
                    won[lower] += met * going_on[lower][upper]
        return won

    found = titles(frozenset(range(players)))
    return [found[player] for player in range(players)]


def _titles_on(lines: tuple[int, ...], going_on: Floats) -> list[float]:
    at = list(numpy.eye(len(lines))[list(lines)])
    for above, below in matches_of(len(lines)):
        upper, lower = at[above], at[below]
        at.append(upper * (going_on @ lower) + lower * (going_on @ upper))
    found: list[float] = at[-1].tolist()
    return found


def _halves(field: frozenset[int]) -> Iterator[tuple[frozenset[int], frozenset[int]]]:
    """Every way to part a field in two equal halves, once."""
    first, *others = sorted(field)
    for mates in combinations(others, len(field) // 2 - 1):
        one = frozenset((first, *mates))
        yield one, field - one


# --- the chain ----------------------------------------------------------------------------------------------------
MOVES = 6  # proposals from one sample to the next: of each kind one a station, on average
BURN_IN = 500  # samples thrown away at the start
BLOCK = 2_000  # moves whose random numbers are drawn together

Table = list[list[list[float]]]


class Station(NamedTuple):
    """One station of the present event: `lines`, `outcomes`, the probability of these outcomes under the target, and
    under the ratings."""

    lines: list[int]
    outcomes: list[int]
    target: float
    proposal: float


class Move(NamedTuple):
    """A move's random numbers: which kind, which station and match, another outcome, whether to accept, new lots and
    results."""

    anew: bool
    station: int
    match: int
    turn: int
    accept: float
    lots: list[int]
    luck: list[float]


class Chain:
    """`target` and `proposal`: tables of outcomes (`outcome_table`) that know the same outcomes. `far`: begin with the
    unlikeliest results there can be, not with the likeliest: chains that agree in the end have forgotten their starts.
    `accepted` of `tried` moves so far. Raises ValueError where nothing can happen under the target."""

    def __init__(
        self,
        target: Floats,
        proposal: Floats,
        random: numpy.random.Generator,
        plan: Plan = USUAL,
        *,
        far: bool = False,
    ) -> None:
        self._players, self._plan = len(target), plan
        self._matches = matches_of(self._players)
        self._target: Table = target.tolist()
        self._proposal: Table = proposal.tolist()
        self._limits: Table = proposal.cumsum(axis=2).tolist()
        self._known = [outcome for outcome in range(4) if (target[:, :, outcome] > 0).any()]
        self._moves = self._numbers(random)
        self.accepted = self.tried = 0
        self.stations = [self._start(far=far)] * plan.stations

    def run(self, samples: int) -> Events:
        """The next samples of the chain, MOVES apart."""
        kept = []
        for _ in range(samples):
            for _ in range(MOVES):
                self.move(next(self._moves))
            kept.append(tuple(self.stations))
        lines = numpy.array([[each.lines for each in event] for event in kept])
        return Events(lines, numpy.array([[each.outcomes for each in event] for event in kept]))

    def move(self, move: Move) -> None:
        """Propose one candidate, and take it or not."""
        now = self.stations[move.station]
        if move.anew:
            new = self._station(move.lots, self._by_ratings(move))
            ratio = new.target * now.proposal / (now.target * new.proposal)
        else:
            new = self._station(now.lines, self._turned(now.outcomes, move))
            ratio = new.target / now.target
        self.tried += 1
        if move.accept < ratio:
            self.accepted += 1
            self.stations[move.station] = new

    # --- candidates -----------------------------------------------------------------------------------------------
    def _by_ratings(self, move: Move) -> list[int]:
        """Results of a station drawn anew."""
        at, outcomes = list(move.lots), []
        for (above, below), luck in zip(self._matches, move.luck, strict=True):
            upper, lower = at[above], at[below]
            limits = self._limits[upper][lower]
            outcome = next((each for each in range(LOST) if luck < limits[each]), LOST)
            outcomes.append(outcome)
            at.append(upper if outcome <= DRAWN_ON else lower)
        return outcomes

    def _turned(self, outcomes: list[int], move: Move) -> list[int]:
        """The same with another outcome of one match."""
        others = [each for each in self._known if each != outcomes[move.match]]
        return [*outcomes[: move.match], others[move.turn % len(others)], *outcomes[move.match + 1 :]]

    def _station(self, lines: list[int], outcomes: list[int]) -> Station:
        """With its probabilities, the draw's left out: it is the same for every one."""
        at, target, proposal = list(lines), 1.0, 1.0
        for (above, below), outcome in zip(self._matches, outcomes, strict=True):
            upper, lower = at[above], at[below]
            target *= self._target[upper][lower][outcome]
            proposal *= self._proposal[upper][lower][outcome]
            at.append(upper if outcome <= DRAWN_ON else lower)
        return Station(lines, outcomes, target, proposal)

    def _start(self, *, far: bool) -> Station:
        """Where the chain starts: everybody on the line of his place, the likeliest outcome in every match, or the
        unlikeliest one that can come."""
        lines = list(range(self._players) if self._plan.lines is None else self._plan.lines)
        at, outcomes = list(lines), []
        for above, below in self._matches:
            upper, lower = at[above], at[below]
            chances = self._target[upper][lower]
            outcomes.append(chances.index(min(filter(None, chances)) if far else max(chances)))
            at.append(upper if outcomes[-1] <= DRAWN_ON else lower)
        start = self._station(lines, outcomes)
        if start.target <= 0.0:
            raise ValueError("The chain must start where the target is positive.")
        return start

    def _numbers(self, random: numpy.random.Generator) -> Iterator[Move]:
        """Random numbers without end, drawn in blocks: an array costs little more than a number."""
        matches, stations_of = len(self._matches), self._plan.stations
        while True:
            anew = random.random(BLOCK) < 0.5
            stations, turned = random.integers(stations_of, size=BLOCK), random.integers(matches, size=BLOCK)
            turns = random.integers(6, size=BLOCK)  # a multiple of the one or three other outcomes there are
            accept, lots = random.random(BLOCK), self._plan.drawn(self._players, BLOCK, random)
            luck = random.random((BLOCK, matches))
            columns = (each.tolist() for each in (anew, stations, turned, turns, accept, lots, luck))
            yield from map(Move._make, zip(*columns, strict=True))
