"""The barest Elo replay of our own, over columns, plainly or compiled by Numba: one text, two speeds.

The arithmetic is `ratings.systems.elo.expected_score` and a function of `ratings.systems.k_factors`, handed in, so
that compiled and plain runs cannot drift apart; without fast-math their results are equal to the last bit, and a test
says so. Numba is an extra: without it `compiled_elo_run` raises `NumbaMissingError`. No club runs this.
"""

from collections.abc import Callable, Sequence
from functools import cache

from ratings.lab.engine import NumbaMissingError, compiled_engine
from ratings.systems.base import AGE_UNKNOWN
from ratings.systems.elo import expected_score
from ratings.systems.k_factors import K_RULES, StepChooser

# white, black (places), White's scores, then the columns of ratings, games and peaks (changed in place), the K of each
# step, the scale
__all__ = ["EloRun", "NumbaMissingError", "compiled_elo_run", "plain_elo_run"]

EloRun = Callable[
    [Sequence[int], Sequence[int], Sequence[float], list[float], list[int], list[float], Sequence[float], float], None
]


def elo_run(expected_of: Callable[[float, float, float, float], float], choose: StepChooser) -> EloRun:
    """A loop over columns of games with that expectation and that K rule; ages are not known in it."""

    def run(
        white: Sequence[int],
        black: Sequence[int],
        scores: Sequence[float],
        ratings: list[float],
        games: list[int],
        peaks: list[float],
        ks: Sequence[float],
        scale: float,
    ) -> None:
        for index in range(len(white)):
            own_place, other_place = white[index], black[index]
            own, other = ratings[own_place], ratings[other_place]
            own_games, other_games = games[own_place], games[other_place]
            surplus = scores[index] - expected_of(own, other, scale, 10.0)
            own_k = ks[choose(own, own_games, peaks[own_place], AGE_UNKNOWN)]
            other_k = ks[choose(other, other_games, peaks[other_place], AGE_UNKNOWN)]
            after, other_after = own + own_k * surplus, other - other_k * surplus
            ratings[own_place], ratings[other_place] = after, other_after
            games[own_place], games[other_place] = own_games + 1, other_games + 1
            peaks[own_place] = max(peaks[own_place], after)
            peaks[other_place] = max(peaks[other_place], other_after)

    return run


def plain_elo_run(k_rule: str) -> EloRun:
    """The loop in plain Python, for a key of K_RULES."""
    return elo_run(expected_score, K_RULES[k_rule].choose)


@cache
def compiled_elo_run(k_rule: str) -> EloRun:
    """The same loop compiled; takes NumPy arrays. Raises NumbaMissingError."""
    engine = compiled_engine()
    return engine.compile(elo_run(engine.compile(expected_score), engine.compile(K_RULES[k_rule].choose)))
