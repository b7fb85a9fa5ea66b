"""A club of known strengths and its evenings, in the lab's eleven worlds (pure): the same chance whoever is paired how.

One group of the lab's study is the club: 35 people, seven strengths, five habits of coming. Whoever comes so often that
the study always accepts him is there every evening, the others in proportion. The switches of a scenario
(`ratings.lab.scenario_games`) mean what they mean there, with quarters of the club, dealt out in turn, in the place of
groups. Where a scenario says who meets whom, it says here who may meet tonight: two do with its probability. Its clocks
run by evenings, for a club plays fewer games: SHOCK, TURNOVER, SEASON.

Who comes, who may meet, and the number behind each result are drawn for every evening from PCG64 seeded by (seed,
replication, evening), whatever was played before. So ways of pairing are compared in pairs.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy

from ratings.lab.scenario_games import (
    FARMED,
    STRONGEST,
    People,
    Scenario,
    chance_to_meet,
    improve,
    on_elo_scale,
    score_of,
)
from ratings.lab.world import FREQUENCIES, OFTEN, group
from ratings.systems.draws import draw_of
from ratings.systems.elo import expected_score
from tournaments.pairing.evening import Pair, in_order

SIZE = len(group())
QUARTERS = 4
SHOCK, TURNOVER, SEASON = 20, 40, 20  # evenings: when the shock comes; from one turnover, cut of leagues to the next
USUAL = sum(FREQUENCIES) / len(FREQUENCIES)  # how often all come where all come as often


@dataclass(frozen=True, slots=True)
class Night:
    """An evening: its number, who is here (places), the pairs that may not meet, and a number from 0 to 1 for each two,
    which decides their game. `lots` are more of them, for drawing boards."""

    number: int
    guests: tuple[int, ...]
    apart: frozenset[Pair]
    results: Any
    lots: Any


class Club:
    """One replication of a scenario while it is played. `present`: the places of the members."""

    def __init__(self, scenario: Scenario, seed: int, replication: int) -> None:
        self.scenario, self._seed = scenario, [seed, replication]
        self.people = People([], [], [], [], [], [], [])
        self.present: list[int] = []
        self._quarters: list[int] = []
        self._join(range(SIZE), self._chance(0))

    @property
    def strengths(self) -> list[float]:
        """Of those present, Elo points."""
        return [self.people.strength[place] for place in self.present]

    def night(self, number: int, ratings: Sequence[float]) -> Night:
        """Evening `number`, from 1. `ratings`: of all places, where the world asks for them; newcomers of tonight have
        none yet."""
        chance = self._chance(number)
        self._turn_over(number, chance)
        self._shock(number)
        size = len(self.people.strength)
        ratings = [*ratings, *[0.0] * (size - len(ratings))]
        self._cut(number, ratings)
        coming = chance.random(size).tolist()
        meeting, results, lots = chance.random((3, size, size))
        guests = tuple(place for place in self.present if coming[place] * OFTEN < self.people.frequency[place])
        return Night(number, guests, self._apart(guests, ratings, meeting), results, lots)

    def play(self, night: Night, white: int, black: int) -> float:
        """White's score."""
        strength = self.people.strength
        expected = expected_score(strength[white] + self.scenario.advantage, strength[black])
        draw = draw_of(expected, self.scenario.draw_rate)
        score = score_of(float(night.results[min(white, black), max(white, black)]), expected, draw)
        improve(self.people, white)
        improve(self.people, black)
        return score

    # --- what changes -------------------------------------------------------------------------------------------------
    def _chance(self, number: int) -> numpy.random.Generator:
        return numpy.random.Generator(numpy.random.PCG64([*self._seed, number]))

    def _join(self, joining: Iterable[int], chance: numpy.random.Generator) -> None:
        """People of the group, by their numbers in it, in an order drawn by lot: it says nothing of their strength."""
        rules, lots = self.scenario, chance.random(SIZE)
        for at in sorted(joining, key=lambda at: float(lots[at])):
            person = group()[at]
            place, strength = len(self.people.strength), on_elo_scale(person.strength)
            improves = rules.pace > 0.0 and at % QUARTERS == 0
            facts = (
                USUAL if rules.equal_activity else person.frequency,
                strength,
                rules.pace if improves else 0.0,
                strength + rules.most,
                max(0, rules.tiers - 1),
                int(at >= SIZE - rules.farmers),
                int(strength <= on_elo_scale(STRONGEST) - FARMED),
            )
            for column, fact in zip(self.people, facts, strict=True):
                column.append(fact)
            self.present.append(place)
            self._quarters.append(at % QUARTERS)

    def _turn_over(self, number: int, chance: numpy.random.Generator) -> None:
        """The quarter that has been there longest leaves; newcomers of its strengths and habits join."""
        if not self.scenario.turnover or number == 1 or (number - 1) % TURNOVER:
            return
        quarter = ((number - 1) // TURNOVER - 1) % QUARTERS
        self.present = [place for place in self.present if self._quarters[place] != quarter]
        self._join(range(quarter, SIZE, QUARTERS), chance)

    def _shock(self, number: int) -> None:
        if self.scenario.shock and number == SHOCK + 1:
            for place in self.present:
                sign = {0: 1.0, 1: -1.0}.get(self._quarters[place], 0.0)
                self.people.strength[place] += sign * self.scenario.shock

    def _cut(self, number: int, ratings: Sequence[float]) -> None:
        if self.scenario.tiers and (number - 1) % SEASON == 0:
            order = sorted(self.present, key=lambda place: -ratings[place])
            for at, place in enumerate(order):
                self.people.tier[place] = at * self.scenario.tiers // len(order)

    def _apart(self, guests: Sequence[int], ratings: Sequence[float], meeting: Any) -> frozenset[Pair]:
        rules = self.scenario
        if not (rules.window or rules.tiers or rules.farmers):
            return frozenset()
        return frozenset(
            in_order(one, two)
            for one, two in combinations(guests, 2)
            if meeting[one, two] >= chance_to_meet(self.people, ratings, rules.window, one, two)
        )
