"""Invented careers whose true strengths are known: do the intervals of a comparison across eras hold what they promise?

A club of some dozens meets on evenings through many years. People come and go; a newcomer's strength is drawn from the
prior, and then drifts. In the world `drift` all is as the model assumes. In the others strengths jump seldom and far;
newcomers rise fast and then stand still; the mean of newcomers moves from year to year; or, in `equals`, neighbours of
a running Elo list play each other, as in a Swiss. Random numbers: NumPy's, from a seed and the world's number.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

import numpy

from ratings.history.whole_history import UNIT, YEAR, HistoryGame, Model, When
from ratings.systems.elo import expected_score

DRIFT, JUMPS, LEARNERS, INFLOW, EQUALS = "drift", "jumps", "learners", "inflow", "equals"
WORLDS = (DRIFT, JUMPS, LEARNERS, INFLOW, EQUALS)
TRUE = Model(prior=220.0, drift=60.0, draw_rate=0.7)
JUMPS_A_YEAR = 0.5
RISE, LEARNING = 300.0, 2.0  # Elo points in all, and the years in which most of them come
K = 32.0
INFLOW_A_YEAR = 15.0  # Elo points by which newcomers are stronger from year to year


@dataclass(frozen=True, slots=True)
class Club:
    """`members` at a time for so many `years`, `evenings` a year; of the members this `share` comes to an evening, and
    a member stays for `stay` years in the mean."""

    years: int = 8
    members: int = 30
    evenings: int = 16
    share: float = 0.5
    stay: float = 3.5


@dataclass(frozen=True, slots=True)
class Careers:
    """The games of a world, and the true strengths (Elo points above the mean) of everybody on the evenings he
    played."""

    games: list[HistoryGame]
    truth: dict[When, float]


class _Member:
    """Somebody with a strength that moves as his world has it."""

    def __init__(self, key: int, day: int, world: str, rng: numpy.random.Generator) -> None:
        self.key, self.since, self._day, self._world, self._rng = key, day, day, world, rng
        mean = INFLOW_A_YEAR * day / YEAR if world == INFLOW else 0.0
        self.strength = mean + TRUE.prior * float(rng.standard_normal())
        self.rating = 0.0  # of the list that pairs in `equals`

    def move_to(self, day: int) -> None:
        years = (day - self._day) / YEAR
        if self._world == LEARNERS:
            begun = (self._day - self.since) / YEAR
            self.strength += RISE * (numpy.exp(-begun / LEARNING) - numpy.exp(-(begun + years) / LEARNING))
        elif self._world == JUMPS:
            if self._rng.random() < JUMPS_A_YEAR * years:
                self.strength += TRUE.drift / sqrt(JUMPS_A_YEAR) * float(self._rng.standard_normal())
        else:
            self.strength += TRUE.drift * sqrt(years) * float(self._rng.standard_normal())
        self._day = day


def careers(world: str, seed: int, number: int, club: Club = Club()) -> Careers:
    """World number `number` of that kind, from the seed. Raises ValueError for a kind there is not."""
    if world not in WORLDS:
        raise ValueError(f"Worlds are: {', '.join(WORLDS)}.")
    rng = numpy.random.default_rng([seed, WORLDS.index(world), number])
    members = [_Member(key, 0, world, rng) for key in range(club.members)]
    games: list[HistoryGame] = []
    truth: dict[When, float] = {}
    days = numpy.arange(club.years * club.evenings) * YEAR / club.evenings
    coming = club.members
    for day in days.astype(int).tolist():
        for place, member in enumerate(members):
            if rng.random() < 1.0 / (club.stay * club.evenings):
                members[place], coming = _Member(coming, day, world, rng), coming + 1
            else:
                member.move_to(day)
        for one, other in _boards(members, world, club.share, rng):
            score = _result(one.strength - other.strength, rng)
            games.append(HistoryGame(one.key, other.key, day, score))
            change = K * (score - expected_score(one.rating, other.rating))
            one.rating, other.rating = one.rating + change, other.rating - change
            truth |= {When(each.key, day): each.strength for each in (one, other)}
    return Careers(games, truth)


def _boards(
    members: list[_Member], world: str, share: float, rng: numpy.random.Generator
) -> Iterator[tuple[_Member, _Member]]:
    """Who meets on an evening: by lots, or neighbours in rating."""
    here = [member for member in members if rng.random() < share]
    here = [here[place] for place in rng.permutation(len(here))]
    if world == EQUALS:
        here.sort(key=lambda member: member.rating)
    return ((one, other) for one, other in list(pairwise(here))[::2])


def _result(gap: float, rng: numpy.random.Generator) -> float:
    """Drawn by Davidson's odds at that gap."""
    x = gap / UNIT
    odds = numpy.exp([x / 2.0, 0.0, -x / 2.0]) * [1.0, TRUE.draw_rate, 1.0]
    return float(rng.choice([1.0, 0.5, 0.0], p=odds / odds.sum()))
