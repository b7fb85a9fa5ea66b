"""What an adviser's figures come to (pure): which formats fit, which find the best player, which give most games.

Two chances differ where their distance is more than two standard errors of it; nearer, chance alone may have made it.
Where all samples came out the same there is no spread to measure: then the doubt is three over the number of samples,
the bound below which an event that never came lies with 95 % (the "rule of three").
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from tournaments.forecast.adviser import Advice, Estimate

ERRORS = 2.0  # standard errors on either side: about 95 %
RULE_OF_THREE = 3.0


@dataclass(frozen=True, slots=True)
class Choice:
    """Places in the list of advice, from 0. `fitting`: what fits the evenings. Of those, `best`: which gives the best
    player the best chance, the best first, with all that cannot be told from it; `most_games`: whichever gives whoever
    has fewest the most, then the mean. `shortest`: what takes the fewest evenings of all."""

    fitting: tuple[int, ...]
    best: tuple[int, ...]
    most_games: int | None
    shortest: int


def choose(advice: Sequence[Advice]) -> Choice:
    """What the figures come to. Raises ValueError where there are none."""
    shortest = min(range(len(advice)), key=lambda place: advice[place].evenings)
    fitting = tuple(place for place, one in enumerate(advice) if one.fits)
    if not fitting:
        return Choice((), (), None, shortest)
    ranked = sorted(fitting, key=lambda place: -advice[place].best_wins.value)
    first = advice[ranked[0]]
    best = tuple(place for place in ranked if not _differ(first, advice[place]))
    return Choice(fitting, best, max(fitting, key=lambda place: _games(advice[place])), shortest)


def doubt(found: Estimate, samples: int) -> float:
    """How far on either side of a sampled share the true one lies with about 95 %."""
    if found.error == 0.0 and found.value in (0.0, 1.0):
        return RULE_OF_THREE / samples
    return ERRORS * found.error


def _differ(one: Advice, other: Advice) -> bool:
    apart = abs(one.best_wins.value - other.best_wins.value)
    return apart > hypot(doubt(one.best_wins, one.samples), doubt(other.best_wins, other.samples))


def _games(one: Advice) -> tuple[int, float]:
    return one.fewest, one.games_each
