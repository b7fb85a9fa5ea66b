"""The compiled twin gives the plain run's numbers to the last bit, and both those of the replay."""

from random import Random

import numpy
import pytest

from benchmarks.compiled import NumbaMissingError, compiled_elo_run, plain_elo_run
from ratings.systems.base import PlayedGame, PlayerState, order_key
from ratings.systems.elo import Elo
from ratings.systems.k_factors import K_RULES
from ratings.systems.replay import DatedRule, DatedRules, replay
from tests.factory import MONDAY

PLAYERS = 40


def games(count: int) -> list[tuple[int, int, float]]:
    rng = Random(7)
    return [(*rng.sample(range(PLAYERS), 2), rng.choice((1.0, 0.5, 0.0))) for _ in range(count)]  # type: ignore[misc]


def columns() -> tuple[list[float], list[int], list[float]]:
    starts = [2100.0 + 9 * place for place in range(PLAYERS)]
    return list(starts), [25] * PLAYERS, list(starts)


@pytest.mark.parametrize(
    "rule", ["fide", *(pytest.param(key, marks=pytest.mark.slow) for key in K_RULES if key != "fide")]
)
def test_compiled_and_plain_agree_to_the_last_bit(rule: str) -> None:
    stream = games(3000)
    white, black, scores = ([row[index] for row in stream] for index in range(3))
    ks = [step.k for step in K_RULES[rule].steps]
    plain = columns()
    plain_elo_run(rule)(white, black, scores, *plain, ks, 400.0)
    quick = [numpy.array(column) for column in columns()]
    arrays = (numpy.array(white), numpy.array(black), numpy.array(scores))
    compiled_elo_run(rule)(*arrays, *quick, numpy.array(ks, dtype=float), 400.0)
    assert [column.tolist() for column in quick] == list(plain)


def test_the_plain_run_is_the_replay() -> None:
    stream = games(1000)
    ratings, counts, peaks = columns()
    states = {place: PlayerState(ratings[place], 25, ratings[place]) for place in range(PLAYERS)}
    played = [PlayedGame(n, *row, order_key(MONDAY, n), 1) for n, row in enumerate(stream, start=1)]
    rules = DatedRules([DatedRule(MONDAY, Elo(), Elo().read_settings({}))])
    list(replay(played, [], states=states, birth_years={}, rules=rules))
    white, black, scores = ([row[index] for row in stream] for index in range(3))
    ks = [step.k for step in K_RULES["fide"].steps]
    plain_elo_run("fide")(white, black, scores, ratings, counts, peaks, ks, 400.0)
    assert [(state.rating, state.games, state.peak) for state in states.values()] == list(
        zip(ratings, counts, peaks, strict=True)
    )


def test_without_numba_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "numba", None)
    compiled_elo_run.cache_clear()
    with pytest.raises(NumbaMissingError, match="requirements-lab"):
        compiled_elo_run("fide")
