"""What a change of rating is made of: strength, luck, opponents, how the rating follows, and the rule (pure).

An identity over the ledger's games, for given strengths; docs/algorithms/luck.md derives it. Strengths come in draws,
rows of what is likely, and so do the parts. Source of the split of one game between the two ratings: L. Shapley, "A
value for n-person games" (1953), the mean over both orders. Points are Elo's (400 points: ten to one).

Not done: White's advantage, contests with sides (the rule's part has what they move).
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import floor, log
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy

from clubrating.ground.figures import round_half_away

Draws = Any  # an array with a number for each draw
SLOPE = log(10.0) / 400.0
NEAR = 1e-6  # points: nearer than this a rating counts as right, and the chord of the curve is its tangent
BOUND = NormalDist().inv_cdf(0.975)
FEWEST_GAMES = 10  # of a season: with fewer luck cannot be told from strength


class Move(NamedTuple):
    """A game of the player, as his ledger row has it: both ratings it was computed from, `expected` score, K, score and
    change. What is no game has a change alone (`k` None)."""

    change: float
    k: float | None = None
    score: float = 0.0
    before: float = 0.0
    opponent: float = 0.0


class Believed(NamedTuple):
    """Strengths of a player's season, a row a draw: his own at its start, then his and the opponent's in each of the
    moves that are games."""

    start: Draws
    own: Any
    opponents: Any


@dataclass(frozen=True, slots=True)
class Parts:
    """Of each draw, in points; together the change of the rating. `above`: how far the rating then stands above the
    strength. `due`: points the strengths let expect of the games."""

    strength: Draws
    luck: Draws
    opponents: Draws
    following: Draws
    rule: Draws
    above: Draws
    due: Draws

    def some(self, draws: slice) -> "Parts":
        """Those of some of the draws."""
        return Parts(*(getattr(self, each.name)[draws] for each in fields(self)))


PARTS = ("strength", "luck", "opponents", "following", "rule")


def curve(gap: Draws) -> Draws:
    """Expected score of whoever stands that many points above his opponent."""
    return 1.0 / (1.0 + numpy.exp(-SLOPE * gap))


def owed(own: Draws, opponent: Draws, rating: float, other: float) -> tuple[Draws, Draws, Draws]:
    """What strengths expect of a game beyond what the ratings do, as (owed to the player's own rating being off, owed
    to the opponent's); and what they expect."""
    by_strengths, by_ratings = curve(own - opponent), curve(rating - other)
    mine = (by_strengths - curve(rating - opponent) + curve(own - other) - by_ratings) / 2.0
    return mine, by_strengths - by_ratings - mine, by_strengths


INHERITED, BEHIND, LUCK, OPPONENTS, RULE = range(5)  # rows of what is left of each; together rating less strength


def split(moves: Sequence[Move], start: float, end: float, believed: Believed) -> Parts:
    """The parts of a change from rating `start` to `end`. `moves` are in order; the strengths of each draw may be
    anything, the parts add up to the change all the same."""
    first = strength = numpy.asarray(believed.start, float)
    left = numpy.zeros((5, len(first)))
    left[INHERITED] = start - first
    due = numpy.zeros_like(first)
    games = iter(zip(numpy.transpose(believed.own), numpy.transpose(believed.opponents), strict=True))
    for move in moves:
        if move.k is None:
            left[RULE] += move.change
            continue
        own, opponent = next(games)
        left[BEHIND] -= own - strength
        due += _play(left, move, move.k, own, opponent)
        strength = own
    left[RULE] += end - start - sum(move.change for move in moves)  # what the ledger has no row for
    following = left[BEHIND] + left[INHERITED] - (start - first)
    return Parts(strength - first, left[LUCK], left[OPPONENTS], following, left[RULE], end - strength, due)


def _play(left: Any, move: Move, k: float, own: Draws, opponent: Draws) -> Draws:
    """Let a game change what is left of each part; the expected score by strengths."""
    mine, theirs, even = owed(own, opponent, move.before, move.opponent)
    off = move.before - own
    is_near = numpy.abs(off) < NEAR
    slope = numpy.where(is_near, SLOPE * even * (1.0 - even), -mine / numpy.where(is_near, 1.0, off))
    given_back = k * slope
    # A game that is rated with its period was computed from the rating at the period's start.
    elsewhere = k * mine + given_back * left.sum(axis=0)
    left *= 1.0 - given_back
    left[BEHIND] += elsewhere
    left[LUCK] += k * (move.score - even)
    left[OPPONENTS] += k * theirs
    left[RULE] += move.change - k * (move.score - curve(move.before - move.opponent))
    return even


# --- what is shown ---------------------------------------------------------------------------------------------------
class Estimate(NamedTuple):
    """Mean and standard deviation over the draws."""

    mean: float
    deviation: float

    @property
    def interval(self) -> tuple[float, float]:
        """Where it lies in 95 of 100 cases."""
        return self.mean - BOUND * self.deviation, self.mean + BOUND * self.deviation

    @property
    def is_clear(self) -> bool:
        """Whether zero lies outside the interval."""
        return abs(self.mean) > BOUND * self.deviation

    def holds(self, value: float) -> bool:
        return abs(value - self.mean) <= BOUND * self.deviation + NEAR


def estimate(draws: Draws) -> Estimate:
    """Raises ValueError for fewer than two draws."""
    if len(draws) < 2:
        raise ValueError("A deviation needs two draws.")
    return Estimate(float(numpy.mean(draws)), float(numpy.std(draws, ddof=1)))


def estimates(parts: Parts) -> dict[str, Estimate]:
    """Of every figure of the parts, by its name."""
    return {name: estimate(getattr(parts, name)) for name in (*PARTS, "above", "due")}


def chance_of_gain(strength: Estimate) -> float:
    """Probability that the strength gained is above zero; ½ where nothing is known."""
    if strength.deviation <= 0.0:
        return 0.5 if strength.mean == 0.0 else float(strength.mean > 0.0)
    return NormalDist().cdf(strength.mean / strength.deviation)


def in_whole(parts: Sequence[float], change: int) -> list[int]:
    """The parts as whole points that add up to the change shown; what rounding leaves over goes to those it wronged
    most, the first of equal ones. Each stands less than two points off, as long as their sum is within one of it."""
    whole = [floor(part) for part in parts]
    left = change - sum(whole)
    order = sorted(range(len(parts)), key=lambda at: (whole[at] - parts[at], at))
    for turn in range(abs(left)):
        at = order[turn % len(order)] if left > 0 else order[-1 - turn % len(order)]
        whole[at] += 1 if left > 0 else -1
    return whole


def shown_change(start: float, end: float) -> int:
    """The change as a reader of both ratings finds it: of what is shown of them."""
    return round_half_away(end) - round_half_away(start)
