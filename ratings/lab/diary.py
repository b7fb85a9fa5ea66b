"""The diary's simulation: a club of known strengths plays a thousand knockouts, and Elo rates it.

Source: the Elo diary of 2009. Its last version: 64 players of strength 0 … 100, rated 1600, of whom 32 drawn by lot
play a knockout of five rounds, paired anew each round; the stronger wins (of equals the first of the pair), one game
in twenty is recorded as a draw after which the stronger goes on all the same; ratings move once a tournament.
In its earlier versions the rating decides who wins, so that a rise in rating raises the chance of the next win. Of the
second one only its size, its rounds and its K are known; the rest is read as in the first, whose round is read as
twenty games of all forty.

Not copied are faults of its programs: one player and one tournament too many, 6 draws in 101 games, ratings
overwritten instead of moved, games counted only where a rating changed. The fault it reports itself is a switch, `bug`
(`ratings.lab.diary_games.recorded`).

Random numbers are doubles from PCG64, seeded by (seed, replication); whatever the switches, the same seed draws the
same strengths and lots, so worlds can be compared tournament by tournament.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import fsum
from typing import NamedTuple

import numpy

from ratings.lab.diary_games import Event, Log, People, Switches, play_tournaments
from ratings.lab.engine import PLAIN, Engine
from ratings.lab.summary import spearman
from ratings.lab.table import as_list
from ratings.systems.k_factors import K_RULES, KRule, constant

STRONGEST = 100
TOURNAMENTS = 1000
EVERY = 10  # tournaments from one point of the course to the next


class Decides(StrEnum):
    """Who wins a game. `strength`: the stronger, always. `chance`: chances in proportion to the strengths, as in the
    study of six systems. `rating`: chances in proportion to the ratings, the fault of the diary's first attempts."""

    STRENGTH = "strength"
    CHANCE = "chance"
    RATING = "rating"


@dataclass(frozen=True, slots=True)
class DiaryRules:
    """A world of the diary; as it stands, its last version.

    `start`: lowest and highest whole rating of a newcomer. `draws`: share of games recorded as drawn. `k`: one K for
    everybody instead of the diary's rule. `leagues`: the table, sorted by rating, is cut into so many equal parts,
    whose tournaments take turns. `bug`: a loser's points are written down wrongly.
    """

    players: int = 64
    entrants: int = 32
    rounds: int = 5
    start: tuple[int, int] = (1600, 1600)
    decides: Decides = Decides.STRENGTH
    draws: float = 0.05
    k: float | None = None
    leagues: int = 1
    bug: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError for a world that cannot be played."""
        if self.players % self.leagues or self.entrants > self.players // self.leagues:
            raise ValueError("A league needs a player for every place of its tournament.")
        if self.entrants % (1 << self.rounds):
            raise ValueError("The field must halve evenly, round after round.")
        if not 0.0 <= self.draws <= 1.0:
            raise ValueError("The share of draws lies between 0 and 1.")

    @property
    def games(self) -> int:
        """Games of one tournament."""
        return self.entrants - (self.entrants >> self.rounds)

    @property
    def uniforms(self) -> int:
        """Random numbers of one tournament."""
        return 2 * self.games + sum(self.entrants >> turn for turn in range(self.rounds))

    @property
    def k_rule(self) -> KRule:
        return K_RULES["diary"] if self.k is None else _one_k(self.k)


_one_k = cache(constant)  # kept, so that each is compiled once
LAST = DiaryRules()
FIRST_ATTEMPT = DiaryRules(40, 40, 1, (2200, 2220), Decides.RATING, draws=0.0, k=32)
SECOND_ATTEMPT = DiaryRules(70, 32, 5, (2200, 2220), Decides.RATING, draws=0.0, k=32)


class DiaryPlayer(NamedTuple):
    """A line of the last table: how strong he is, and what Elo made of it."""

    strength: int
    rating: int
    games: int
    wins: int
    draws: int
    losses: int
    peak: int


class DiaryGame(NamedTuple):
    """A game as recorded, players by their place; the scores add up to 1 unless the diary's fault is on."""

    first: int
    second: int
    first_score: float
    second_score: float


class DiaryFigures(NamedTuple):
    """What a replication comes to. `spearman`: rating against strength. `deficit`: points recorded − points expected,
    summed over players and tournaments."""

    spearman: float
    top_rating: float
    second_rating: float
    deficit: float


@dataclass(frozen=True, slots=True)
class DiaryRun:
    """All tournaments of one replication. The columns of games stand in the order of play; `top` and `runner_up`: the
    two highest ratings after each tournament; `surplus`: points recorded − points expected in each."""

    rules: DiaryRules
    players: tuple[DiaryPlayer, ...]
    first: tuple[int, ...]
    second: tuple[int, ...]
    first_scores: tuple[float, ...]
    second_scores: tuple[float, ...]
    top: tuple[float, ...]
    runner_up: tuple[float, ...]
    surplus: tuple[float, ...]

    @property
    def table(self) -> list[DiaryPlayer]:
        """The players, highest rating first."""
        return sorted(self.players, key=lambda player: -player.rating)

    @property
    def strengths(self) -> list[int]:
        return [player.strength for player in self.players]

    @property
    def ratings(self) -> list[int]:
        return [player.rating for player in self.players]

    @property
    def deficit(self) -> float:
        """Points recorded − points expected, over all tournaments; to a millionth, as less is arithmetic's dust."""
        return round(fsum(self.surplus), 6) + 0.0

    def course(self, every: int = EVERY) -> list[tuple[int, float, float]]:
        """After every so many tournaments: their number, the highest rating, the second highest."""
        numbers = range(every, len(self.top) + 1, every)
        return [(number, self.top[number - 1], self.runner_up[number - 1]) for number in numbers]

    def tournament(self, number: int) -> tuple[DiaryGame, ...]:
        """The games of one tournament, the first being number 1."""
        part = slice((number - 1) * self.rules.games, number * self.rules.games)
        columns = (self.first[part], self.second[part], self.first_scores[part], self.second_scores[part])
        return tuple(map(DiaryGame._make, zip(*columns, strict=True)))

    @property
    def figures(self) -> DiaryFigures:
        """Raises ValueError where no tournament was played."""
        if not self.top:
            raise ValueError("No tournament was played.")
        return DiaryFigures(spearman(self.ratings, self.strengths), self.top[-1], self.runner_up[-1], self.deficit)


def run_diary(rules: DiaryRules, tournaments: int, seed: int, replication: int, *, engine: Engine = PLAIN) -> DiaryRun:
    """Play so many tournaments in a world. The same seed and replication begin with the same tournaments, however
    many follow; plain and compiled runs are equal to the last bit."""
    rng = numpy.random.Generator(numpy.random.PCG64([seed, replication]))
    strengths = [int(uniform * (STRONGEST + 1)) for uniform in rng.random(rules.players)]
    low, high = rules.start
    ratings = [float(low + int(uniform * (high - low + 1))) for uniform in rng.random(rules.players)]
    people = _people(rules, strengths, ratings, engine)
    players, games = rules.players, tournaments * rules.games
    log = Log(
        *(engine.column([0] * games, int) for _ in range(2)),
        *(engine.column([0.0] * games, float) for _ in range(2)),
        *(engine.column([0.0] * tournaments, float) for _ in range(3)),
    )
    points, expected, changes = (engine.column([0.0] * players, float) for _ in range(3))
    certain = rules.decides == Decides.STRENGTH
    engine.compile(play_tournaments)(
        engine.compile(rules.k_rule.choose),
        engine.column((step.k for step in rules.k_rule.steps), float),
        Switches(rules.entrants, rules.rounds, rules.leagues, certain, float(rules.draws), rules.bug),
        people,
        Event(points, expected, changes, engine.column([0] * players, int)),
        log,
        engine.column(rng.random(tournaments * rules.uniforms), float),
        engine.column([0] * players, int),
    )
    return _run(rules, strengths, people, log)


def diary_replication(
    tournaments: int, seed: int, replication: int, *, bug: bool = False, engine: Engine = PLAIN
) -> DiaryFigures:
    """The diary's last version once, with or without its fault, as four figures."""
    return run_diary(DiaryRules(bug=bug), tournaments, seed, replication, engine=engine).figures


def _people(rules: DiaryRules, strengths: Sequence[int], starts: Sequence[float], engine: Engine) -> People:
    ratings = engine.column(starts, float)
    powers = ratings if rules.decides == Decides.RATING else engine.column(strengths, float)
    wins, draws, losses, games = (engine.column([0] * rules.players, int) for _ in range(4))
    order = engine.column(range(rules.players), int)
    return People(powers, ratings, engine.column(starts, float), games, wins, draws, losses, order)


def _run(rules: DiaryRules, strengths: Sequence[int], people: People, log: Log) -> DiaryRun:
    columns = (people.ratings, people.games, people.wins, people.draws, people.losses, people.peaks)
    lines = zip(strengths, *columns, strict=True)
    players = tuple(DiaryPlayer(*(int(figure) for figure in line)) for line in lines)
    return DiaryRun(rules, players, *(tuple(as_list(column)) for column in log))
