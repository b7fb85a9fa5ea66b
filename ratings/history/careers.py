"""Invented careers whose true strengths are known: do the intervals of a comparison across eras hold what they promise?

A club of some dozens meets on evenings through many years. People come and go; a newcomer's strength is drawn from the
prior, and then drifts. In the world `drift` all is as the model assumes. The others break an assumption each: strengths
jump seldom and far, newcomers rise fast and then stand still, the mean of newcomers moves from year to year, and
everybody plays his equals only. Random numbers: NumPy's generator, from a seed and the number of the world.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

import numpy

from ratings.history.tuning import tuned
from ratings.history.whole_history import UNIT, YEAR, HistoryGame, Model, When, whole_history

DRIFT, JUMPS, LEARNERS, INFLOW, EQUALS = "drift", "jumps", "learners", "inflow", "equals"
WORLDS = (DRIFT, JUMPS, LEARNERS, INFLOW, EQUALS)
TRUE = Model(prior=220.0, drift=60.0, draw_rate=0.7)
Z95 = 1.959963984540054
JUMPS_A_YEAR = 0.5
RISE, LEARNING = 300.0, 2.0  # Elo points in all, and the years in which most of them come
INFLOW_A_YEAR = 15.0  # Elo points by which newcomers are stronger from year to year


@dataclass(frozen=True, slots=True)
class Club:
    """`members` at a time for so many `years`, `evenings` a year; of the members this `share` comes to an evening, and
    a member stays for `stay` years in the mean."""

    years: int = 8
    members: int = 30
    evenings: int = 24
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
            games.append(HistoryGame(one.key, other.key, day, _result(one.strength - other.strength, rng)))
            truth |= {When(each.key, day): each.strength for each in (one, other)}
    return Careers(games, truth)


def _boards(
    members: list[_Member], world: str, share: float, rng: numpy.random.Generator
) -> Iterator[tuple[_Member, _Member]]:
    """Who meets on an evening: by lots, or neighbours in strength."""
    here = [member for member in members if rng.random() < share]
    if world == EQUALS:
        here.sort(key=lambda member: member.strength + TRUE.prior / 4.0 * float(rng.standard_normal()))
    else:
        here = [here[place] for place in rng.permutation(len(here))]
    return ((one, other) for one, other in list(pairwise(here))[::2])


def _result(gap: float, rng: numpy.random.Generator) -> float:
    """Drawn by Davidson's odds at that gap."""
    x = gap / UNIT
    odds = numpy.exp([x / 2.0, 0.0, -x / 2.0]) * [1.0, TRUE.draw_rate, 1.0]
    return float(rng.choice([1.0, 0.5, 0.0], p=odds / odds.sum()))


# --- the proof ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Question:
    """Two people on two days: what the history says of their difference, and the truth."""

    mean: float
    deviation: float
    truth: float

    @property
    def is_held(self) -> bool:
        """Whether the truth lies within the 95 % interval."""
        return abs(self.mean - self.truth) <= Z95 * self.deviation


def questions(world: str, seed: int, number: int, *, count: int, is_tuned: bool, club: Club = Club()) -> list[Question]:
    """So many random pairs of people of one world, their days at least half its years apart. `is_tuned`: by a model
    found from the games, in place of the true one."""
    known = careers(world, seed, number, club)
    model = tuned(known.games).model if is_tuned else TRUE
    history = whole_history(known.games, model)
    rng = numpy.random.default_rng([seed, WORLDS.index(world), number, 1])
    everybody = sorted(known.truth)
    pairs: list[tuple[When, When]] = []
    while len(pairs) < count:
        one, other = (everybody[place] for place in rng.integers(0, len(everybody), 2))
        if abs(one.day - other.day) >= club.years * YEAR / 2.0:
            pairs.append((one, other))
    found = history.differences(pairs)
    return [
        Question(each.mean, each.deviation, known.truth[one] - known.truth[other])
        for each, (one, other) in zip(found, pairs, strict=True)
    ]
