"""Speed of forecasts: events played out many times, against the barest loops of the same model.

The model: strengths from one of a thousand rows, a game by Elo's expected score and Davidson's draws, points, places by
points and then by lots. The loops do that and nothing else: lists, `random.random`, no tie-breaks, no crosstable, no
colours; of a row the odds are worked out once where all games are known. The loop of the Swiss pairs everybody with the
next in order whom he has not met, which is less than any Swiss does. Ours is what a forecast calls: with places shared,
which takes no tie-breaks either, and with those of a club's event.
"""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

import numpy

from benchmarks.c_study import compiler, library
from benchmarks.measure import Measured, compare, missing
from ratings.systems.draws import odds_of
from ratings.systems.elo import expected_score
from tournaments.forecast.outcomes import Running
from tournaments.forecast.outlook import Outlook, Strengths
from tournaments.forecast.round_robin_playouts import play_round_robin
from tournaments.forecast.swiss_playouts import play_swiss
from tournaments.forecast.swiss_rounds import SwissToCome
from tournaments.pairing.base import CLASSIC, Field
from tournaments.pairing.dutch.system import Dutch
from tournaments.pairing.round_robin import berger_table
from tournaments.standings.crosstable import Meeting
from tournaments.standings.points import Result
from tournaments.standings.tiebreaks import tiebreaks_of

ROUND_ROBIN, SWISS = 10_000, 2_000  # playouts
PLAYERS, FIELD, ROUNDS = 8, 32, 5
ROWS, RATE, SEED, TIMES = 1000, 0.857, 1, 3
CLUB, CLUB_SWISS = "DE, SB, WIN", "BH/C1, BH, DE"
LOOP, C_LOOP = "the barest Python loop of the same model, places by lots", "the same loop in C"
Places = list[list[int]]

SOURCE = r"""
#include <math.h>
long playouts(long samples, long rows, int players, const double *strength, double rate, const double *uniforms,
              long *places) {
    double win[64][64], upto[64][64], square = rate * rate;
    long at = 0, row = -1;
    for (long sample = 0; sample < samples; sample++) {
        if (sample * rows / samples != row) {
            row = sample * rows / samples;
            const double *own = strength + row * players;
            for (int i = 0; i < players; i++)
                for (int j = i + 1; j < players; j++) {
                    double e = 1.0 / (1.0 + pow(10.0, (own[j] - own[i]) / 400.0)), even = e * (1.0 - e);
                    double root = sqrt(square * square * fmax(0.25 - even, 0.0) + 4.0 * square * even);
                    double draw = 2.0 * square * even / (square / 2.0 + root);
                    win[i][j] = e - draw / 2.0;
                    upto[i][j] = e - draw / 2.0 + draw;
                }
        }
        double key[64] = {0.0};
        for (int i = 0; i < players; i++)
            for (int j = i + 1; j < players; j++) {
                double chance = uniforms[at++];
                int halves = chance < win[i][j] ? 2 : chance < upto[i][j] ? 1 : 0;
                key[i] += halves;
                key[j] += 2 - halves;
            }
        for (int i = 0; i < players; i++) key[i] += uniforms[at++];
        for (int i = 0; i < players; i++) {
            int before = 0;
            for (int j = 0; j < players; j++) before += key[j] > key[i];
            places[i * players + before]++;
        }
    }
    return at;
}
"""


def measure_playouts() -> Iterator[Measured]:
    """Forecasts of a round robin and of a Swiss in which everything is still to come."""
    strengths, loop = rows_of(PLAYERS), bare_round_robin
    what = f"{ROUND_ROBIN} playouts of a round robin of {PLAYERS}"
    rows, rng = strengths.draws.tolist(), Random(SEED)

    def bare() -> Places:
        return loop(rows, ROUND_ROBIN, rng.random)

    shared = round_robin(strengths, "")
    yield compare(f"{what}, places shared", shared, LOOP, bare, rounds=TIMES)
    c = c_round_robin(strengths, ROUND_ROBIN)
    if c is None:
        yield missing(f"{what}, places shared", C_LOOP, "no C compiler")
    else:
        yield compare(f"{what}, places shared", shared, C_LOOP, c, rounds=TIMES)
    yield compare(f"{what}, tie-breaks {CLUB}", round_robin(strengths, CLUB), LOOP, bare, rounds=TIMES)
    field = rows_of(FIELD)
    many = field.draws.tolist()

    def bare_rounds() -> Places:
        return bare_swiss(many, SWISS, ROUNDS, rng.random)

    what = f"{SWISS} playouts of a Swiss of {FIELD}, {ROUNDS} rounds"
    yield compare(f"{what}, places shared", swiss(field, ""), LOOP, bare_rounds, rounds=TIMES)
    yield compare(f"{what}, tie-breaks {CLUB_SWISS}", swiss(field, CLUB_SWISS), LOOP, bare_rounds, rounds=TIMES)


def rows_of(players: int) -> Strengths:
    """A field of a club, none of its strengths quite known."""
    rng = numpy.random.Generator(numpy.random.PCG64(SEED))
    means = numpy.linspace(1900.0, 1300.0, players)
    return Strengths(tuple(range(1, players + 1)), means + rng.normal(0.0, 60.0, (ROWS, players)), RATE)


# --- ours -----------------------------------------------------------------------------------------------------------
def round_robin(strengths: Strengths, codes: str) -> Callable[[], Outlook]:
    table = berger_table(len(strengths.players))
    games = [Meeting(at, *pair, Result.OPEN) for at, pairs in enumerate(table, start=1) for pair in pairs]
    running = Running(strengths.players, tuple(games), CLASSIC, tiebreaks_of(codes))
    return lambda: play_round_robin(running, strengths, ROUND_ROBIN, _rng(), _quiet)


def swiss(strengths: Strengths, codes: str) -> Callable[[], Outlook]:
    running = Running(strengths.players, (), CLASSIC, tiebreaks_of(codes))
    field = Field(strengths.players, frozenset(strengths.players), (), (), frozenset(), 1)
    to_come = SwissToCome(Dutch(), {"rounds": ROUNDS}, field, ROUNDS)
    return lambda: play_swiss(running, to_come, strengths, SWISS, _rng(), _quiet)


def _rng() -> numpy.random.Generator:
    return numpy.random.Generator(numpy.random.PCG64(SEED))


def _quiet(_done: int, _of: int) -> None:
    """Nobody waits."""


# --- the loops ------------------------------------------------------------------------------------------------------
def bare_round_robin(rows: Sequence[Sequence[float]], samples: int, chance: Callable[[], float]) -> Places:
    """How often each player came to each place."""
    players, last, odds = len(rows[0]), -1, []
    places = [[0] * players for _player in range(players)]
    for sample in range(samples):
        row = sample * len(rows) // samples
        if row != last:
            last, odds = row, [(one, other, *_odds(rows[row], one, other)) for one, other in _pairs(players)]
        key = [0.0] * players
        for one, other, win, upto in odds:
            found = chance()
            if found < win:
                key[one] += 2.0
            elif found < upto:
                key[one] += 1.0
                key[other] += 1.0
            else:
                key[other] += 2.0
        _count(key, chance, places)
    return places


def bare_swiss(rows: Sequence[Sequence[float]], samples: int, rounds: int, chance: Callable[[], float]) -> Places:
    """The same of a Swiss, each paired with the next he has not met (with the last who is left, where he met all)."""
    players = len(rows[0])
    places = [[0] * players for _player in range(players)]
    for sample in range(samples):
        row = rows[sample * len(rows) // samples]
        key = [0.0] * players
        met: list[set[int]] = [set() for _player in range(players)]
        for _round in range(rounds):
            left = sorted(range(players), key=lambda player: -key[player])
            while left:
                one = left.pop(0)
                other = next((each for each in left if each not in met[one]), left[-1])
                left.remove(other)
                met[one].add(other)
                met[other].add(one)
                win, upto = _odds(row, one, other)
                found = chance()
                halves = 2.0 if found < win else 1.0 if found < upto else 0.0
                key[one] += halves
                key[other] += 2.0 - halves
        _count(key, chance, places)
    return places


def _pairs(players: int) -> list[tuple[int, int]]:
    return list(combinations(range(players), 2))


def _odds(row: Sequence[float], one: int, other: int) -> tuple[float, float]:
    """Below the first the one wins, below the second it is a draw."""
    odds = odds_of(expected_score(row[one], row[other]), RATE)
    return odds.win, odds.win + odds.draw


def _count(key: list[float], chance: Callable[[], float], places: Places) -> None:
    """Points, then lots: a number below one."""
    lots = [own + chance() for own in key]
    for place, player in enumerate(sorted(range(len(lots)), key=lots.__getitem__, reverse=True)):
        places[player][place] += 1


def c_round_robin(strengths: Strengths, samples: int, rng: Any = None) -> Callable[[], Places] | None:
    """The loop of the round robin in C, handed its random numbers; None where no compiler is."""
    found = compiler()
    if found is None:
        return None
    run = library(found, SOURCE).playouts
    run.restype = ctypes.c_long
    players = len(strengths.players)
    rolls = _rng().random(samples * (len(_pairs(players)) + players)) if rng is None else rng
    rows = numpy.ascontiguousarray(strengths.draws)

    def playouts() -> Places:
        places = numpy.zeros((players, players), ctypes.c_long)
        sizes = ctypes.c_long(samples), ctypes.c_long(len(rows)), ctypes.c_int(players)
        given, out = (ctypes.c_void_p(each.ctypes.data) for each in (rolls, places))
        run(*sizes, ctypes.c_void_p(rows.ctypes.data), ctypes.c_double(strengths.rate), given, out)
        kept: Places = places.tolist()
        return kept

    return playouts
