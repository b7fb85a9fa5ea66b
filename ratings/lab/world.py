"""The study's world: a population of known strengths that meets at random, and wins as its strengths say.

Source: the Russian study of six rating systems. Seven strengths × five frequencies make a group of 35; four groups
play, and in the variant a group of newcomers joins after every 22,000 games. A player is drawn evenly and accepted
with probability frequency / 160, the second one likewise until he is another one; the first wins with probability
s₁ / (s₁ + s₂). There are no draws. Strengths double from step to step: 400 log₁₀ 2 = 120.41 Elo points.

Random numbers are doubles from PCG64, seeded by (seed, replication) and drawn outside the compiled code, so plain and
compiled runs see the same ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from ratings.lab.engine import Engine
from ratings.lab.vectorised import Floats, Ints

STRENGTHS = (10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 640.0)
FREQUENCIES = (10.0, 20.0, 40.0, 80.0, 160.0)
OFTEN = 160.0  # the frequency at which everybody drawn is accepted
GROUPS = 4
NEWCOMERS_EVERY = 22_000
BLOCK = 1 << 15  # doubles drawn at a time


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the population, called `strength-frequency` as in the study."""

    strength: float
    frequency: float

    @property
    def name(self) -> str:
        return f"{self.strength:g}-{self.frequency:g}"


def group(strengths: Sequence[float] = STRENGTHS) -> tuple[Person, ...]:
    """A group of 35, in the order in which it is made: strength ascending, in it frequency ascending."""
    return tuple(Person(strength, frequency) for strength in strengths for frequency in FREQUENCIES)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Games played by one and the same population. `joining` have come just before; `white` and `black` are places in
    the population so far, `scores` White's."""

    joining: tuple[Person, ...]
    white: Any
    black: Any
    scores: Any


def meet(
    uniforms: Sequence[float], frequencies: Sequence[float], strengths: Sequence[float],
    white: Ints, black: Ints, scores: Floats, first: int,
) -> tuple[int, int]:  # fmt: skip
    """Play games from number `first` on while games are wanted and the uniform numbers suffice.

    Answers the number of games made so far and how many numbers they used; a game they did not suffice for is not
    begun.
    """
    players = len(frequencies)
    used = at = 0
    game = first
    while game < len(white):
        one = two = -1
        while one < 0 or two < 0:
            if at + 2 > len(uniforms):
                return game, used
            place = int(uniforms[at] * players)
            if uniforms[at + 1] * OFTEN < frequencies[place]:
                if one < 0:
                    one = place
                elif place != one:
                    two = place
            at += 2
        if at + 1 > len(uniforms):
            return game, used
        white[game], black[game] = one, two
        scores[game] = 1.0 if uniforms[at] * (strengths[one] + strengths[two]) < strengths[one] else 0.0
        at += 1
        used = at
        game += 1
    return game, used


class UniformNumbers:
    """The doubles of one replication, in blocks; what a block has left goes before the next."""

    def __init__(self, seed: int, replication: int) -> None:
        self._generator = numpy.random.Generator(numpy.random.PCG64([seed, replication]))
        self.left: Any = numpy.empty(0)

    def more(self) -> Any:
        """All unused doubles, with a new block behind them."""
        self.left = numpy.concatenate([self.left, self._generator.random(BLOCK)])
        return self.left

    def use(self, count: int) -> None:
        self.left = self.left[count:]


def stretches(
    games: int,
    seed: int,
    replication: int,
    engine: Engine,
    *,
    newcomers: bool = False,
    strengths: Sequence[float] = STRENGTHS,
    every: int = NEWCOMERS_EVERY,
) -> Iterator[Stretch]:
    """The games of one replication, cut where newcomers join. Same seed and replication, same games, whatever the
    engine. `strengths`: those of a group, `every`: games until newcomers join, for worlds other than the study's."""
    rng = UniformNumbers(seed, replication)
    people: tuple[Person, ...] = ()
    done = 0
    while done < games:
        joining = group(strengths) * (1 if people else GROUPS)
        people += joining
        count = min(every, games - done) if newcomers else games
        yield _stretch(joining, people, count, rng, engine)
        done += count


def _stretch(
    joining: tuple[Person, ...], people: Sequence[Person], count: int, rng: UniformNumbers, engine: Engine
) -> Stretch:
    white, black = engine.column([0] * count, int), engine.column([0] * count, int)
    scores = engine.column([0.0] * count, float)
    frequencies = engine.column([person.frequency for person in people], float)
    strengths = engine.column([person.strength for person in people], float)
    play = engine.compile(meet)
    made = 0
    while made < count:
        uniforms = rng.more() if engine.is_compiled else rng.more().tolist()
        made, used = play(uniforms, frequencies, strengths, white, black, scores, made)
        rng.use(used)
    return Stretch(joining, white, black, scores)
