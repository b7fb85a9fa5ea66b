"""The proof of comparisons across eras, as a document: how often 95 % intervals hold the truth in invented careers.

Each world is asked by a history with the model found from its games alone, as a club's is. Where the model's
assumptions hold it is also asked by the true model, and with draws taken for half a win and half a loss. Questions of
one world hang together, so intervals of the shares are from the spread between worlds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import numpy

from ratings.history.careers import DRIFT, TRUE, WORLDS, Careers, Club, careers
from ratings.history.tuning import tuned
from ratings.history.whole_history import Z95, Model, When, whole_history

USUAL = Club()
EVENINGS = USUAL.years * USUAL.evenings
REPLICATIONS = 40
QUESTIONS = 20  # of each world
FOUND, GIVEN, HALVES = "found", "given", "halves"  # whence the model is; halves: draws are half a win, half a loss


@dataclass(frozen=True, slots=True)
class Answered:
    """Two people on two days: what the history says of their difference, and the truth. Elo points."""

    mean: float
    deviation: float
    truth: float

    @property
    def is_held(self) -> bool:
        """Whether the truth lies within the 95 % interval."""
        return abs(self.mean - self.truth) <= Z95 * self.deviation


def answered(known: Careers, model: Model, rng: numpy.random.Generator, count: int = QUESTIONS) -> list[Answered]:
    """So many random pairs, the two days at least half the world's years apart."""
    everybody = sorted(known.truth)
    apart = (max(when.day for when in everybody) - min(when.day for when in everybody)) / 2.0
    pairs: list[tuple[When, When]] = []
    while len(pairs) < count:
        one, other = (everybody[place] for place in rng.integers(0, len(everybody), 2))
        if abs(one.day - other.day) >= apart:
            pairs.append((one, other))
    found = whole_history(known.games, model).differences(pairs)
    truths = [known.truth[one] - known.truth[other] for one, other in pairs]
    return [Answered(each.mean, each.deviation, truth) for each, truth in zip(found, truths, strict=True)]


def eras_report(
    *, evenings: int = EVENINGS, replications: int = REPLICATIONS, seed: int = 1, tell: Callable[[int], object]
) -> dict[str, Any]:
    """Every world so many times, with so many evenings in its years; `tell` is called with the worlds done. Raises
    ValueError for fewer evenings than years, or a single replication."""
    if evenings < USUAL.years or replications < 2:
        raise ValueError(f"The proof needs at least {USUAL.years} evenings and two replications.")
    club = replace(USUAL, evenings=evenings // USUAL.years)
    lines, models, done = [], [], 0
    for world in WORLDS:
        tries: dict[str, list[list[Answered]]] = {}
        for number in range(replications):
            known = careers(world, seed, number, club)
            found = tuned(known.games).model
            for by, model in _models(world, found).items():
                rng = numpy.random.default_rng([seed, WORLDS.index(world), number, 1])
                tries.setdefault(by, []).append(answered(known, model, rng))
            if world == DRIFT:
                models.append(found)
            tell(done := done + 1)
        lines += [{"world": world, "model": by, **_held(some)} for by, some in tries.items()]
    return {
        "study": "eras",
        "replications": replications,
        "seed": seed,
        "questions": QUESTIONS,
        "club": {"years": club.years, "members": club.members, "evenings": club.evenings},
        "true": {"prior": TRUE.prior, "drift": TRUE.drift, "draw_rate": TRUE.draw_rate},
        "found": {name: _spread([getattr(each, name) for each in models]) for name in ("prior", "drift", "draw_rate")},
        "lines": lines,
    }


def _models(world: str, found: Model) -> dict[str, Model]:
    given = {GIVEN: TRUE, HALVES: replace(TRUE, draw_rate=0.0)} if world == DRIFT else {}
    return {FOUND: found, **given}


def _held(tries: Sequence[Sequence[Answered]]) -> dict[str, float]:
    """Over the worlds of one kind: the share of intervals that held, its own 95 % interval, the mean deviation and the
    root of the mean squared error."""
    shares = [fmean(each.is_held for each in some) for some in tries]
    away = Z95 * stdev(shares) / sqrt(len(shares))
    every = [each for some in tries for each in some]
    error = sqrt(fmean((each.mean - each.truth) ** 2 for each in every))
    return {
        "asked": len(every),
        "held": round(fmean(shares), 4),
        "low": round(fmean(shares) - away, 4),
        "high": round(fmean(shares) + away, 4),
        "deviation": round(fmean(each.deviation for each in every), 1),
        "error": round(error, 1),
        "bias": round(fmean(each.mean - each.truth for each in every), 1),
    }


def _spread(values: Sequence[float]) -> dict[str, float]:
    return {"mean": round(fmean(values), 3), "deviation": round(stdev(values), 3)}
