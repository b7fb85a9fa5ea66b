"""Metropolis–Hastings over whole events, the method the xiangqi paper names.

A state is everything that happens in an event: who is drawn to which line, and every match's outcome. Its target f is
the probability of just that: every draw is as likely as any other, times the probability of each outcome between the
two who meet. From a state u a candidate v is proposed and accepted with probability min(1, R),
R = f(v) g(u|v) / (f(u) g(v|u)). A fair coin chooses between two kinds of proposals, each with its own g; both keep f,
hence their mixture does:

- one station is drawn and played anew, its results by the ratings alone (`proposal`): g is the probability of the new
  station under the ratings;
- one match of one station gets another outcome, each other one that the rule knows as likely: g is the same both ways
  and cancels. Who meets in the matches behind it may change, so f may change there too.

Every station of positive f can be proposed from any other one, for ratings leave nobody without a chance (irreducible),
and a refused candidate leaves the state where it is (aperiodic). What f and g are is lost with the paper's last pages:
these are ours.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy

from tournaments.forecast.masters_station import DRAWN_ON, LOST, STATIONS, Events, Floats, matches_of

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
    """`target` and `proposal`: tables of outcomes (`outcome_table`) that know the same outcomes.
    `accepted` of `tried` moves so far. Raises ValueError where nothing can happen under the target."""

    def __init__(self, target: Floats, proposal: Floats, random: numpy.random.Generator) -> None:
        self._players = len(target)
        self._matches = matches_of(self._players)
        self._target: Table = target.tolist()
        self._proposal: Table = proposal.tolist()
        self._limits: Table = proposal.cumsum(axis=2).tolist()
        self._known = [outcome for outcome in range(4) if (target[:, :, outcome] > 0).any()]
        self._moves = self._numbers(random)
        self.accepted = self.tried = 0
        self.stations = [self._likely()] * STATIONS

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

    def _likely(self) -> Station:
        """Where the chain starts: everybody on the line of his place, the likeliest outcome in every match."""
        lines = list(range(self._players))
        at, outcomes = list(lines), []
        for above, below in self._matches:
            upper, lower = at[above], at[below]
            chances = self._target[upper][lower]
            outcomes.append(chances.index(max(chances)))
            at.append(upper if outcomes[-1] <= DRAWN_ON else lower)
        start = self._station(lines, outcomes)
        if start.target <= 0.0:
            raise ValueError("The chain must start where the target is positive.")
        return start

    def _numbers(self, random: numpy.random.Generator) -> Iterator[Move]:
        """Random numbers without end, drawn in blocks: an array costs little more than a number."""
        field = numpy.broadcast_to(numpy.arange(self._players), (BLOCK, self._players))
        matches = len(self._matches)
        while True:
            anew = random.random(BLOCK) < 0.5
            stations, turned = random.integers(STATIONS, size=BLOCK), random.integers(matches, size=BLOCK)
            turns = random.integers(6, size=BLOCK)  # a multiple of the one or three other outcomes there are
            accept, lots = random.random(BLOCK), random.permuted(field, axis=1)
            luck = random.random((BLOCK, matches))
            columns = (each.tolist() for each in (anew, stations, turned, turns, accept, lots, luck))
            yield from map(Move._make, zip(*columns, strict=True))
