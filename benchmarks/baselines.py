"""What we measure against: the barest loops that do the arithmetic and nothing else, in Python and in C, and the
rating libraries of the Python world, each on the system it is made for."""

import ctypes
import subprocess
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from shutil import which
from typing import Any

from benchmarks.databases import PLAYERS, Stream

K = 20.0

C_LOOP = """
#include <math.h>
void rate(long games, const int *white, const int *black, const double *score, double *rating, double k) {
    for (long i = 0; i < games; i++) {
        double own = rating[white[i]], other = rating[black[i]];
        double change = k * (score[i] - 1.0 / (1.0 + pow(10.0, (other - own) / 400.0)));
        rating[white[i]] = own + change;
        rating[black[i]] = other - change;
    }
}
"""


def bare_elo(triples: list[tuple[int, int, float]]) -> list[float]:
    """Elo with one K over lists; nothing is kept but the ratings."""
    ratings = [1500.0] * PLAYERS
    for white, black, score in triples:
        own, other = ratings[white], ratings[black]
        change = K * (score - 1.0 / (1.0 + 10.0 ** ((other - own) / 400.0)))
        ratings[white] = own + change
        ratings[black] = other - change
    return ratings


def c_loop(stream: Stream) -> Callable[[], Any] | None:
    """The bare loop in C, or None where no compiler is."""
    compiler = which("cc") or which("gcc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "elo.c", Path(folder) / "elo.so"
        source.write_text(C_LOOP, encoding="utf-8")
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", source, "-o", library, "-lm"], check=True)
        rate = ctypes.CDLL(str(library)).rate
    games = len(stream.white)
    white, black = (ctypes.c_int * games)(*stream.white), (ctypes.c_int * games)(*stream.black)
    scores = (ctypes.c_double * games)(*stream.scores)

    def run() -> None:
        ratings = (ctypes.c_double * PLAYERS)(*[1500.0] * PLAYERS)
        rate(ctypes.c_long(games), white, black, scores, ratings, ctypes.c_double(K))

    return run


# --- libraries: each returns what to run, on its own kind of rating ------------------------------------------------
def elote_elo(stream: Stream) -> Callable[[], Any]:
    elote = import_module("elote")
    return lambda: _elote(elote.EloCompetitor, stream)


def elote_glicko(stream: Stream) -> Callable[[], Any]:
    elote = import_module("elote")
    return lambda: _elote(elote.GlickoCompetitor, stream)


def elote_glicko2(stream: Stream) -> Callable[[], Any]:
    elote = import_module("elote")
    return lambda: _elote(elote.Glicko2Competitor, stream)


def _elote(kind: Any, stream: Stream) -> None:
    people = [kind(initial_rating=1500) for _ in range(PLAYERS)]
    for white, black, score in stream.triples:
        if score == 1.0:
            people[white].beat(people[black])
        elif score == 0.0:
            people[white].lost_to(people[black])
        else:
            people[white].tied(people[black])


def openskill(stream: Stream) -> Callable[[], Any]:
    model = import_module("openskill.models").BradleyTerryFull()

    def run() -> None:
        people = [model.rating() for _ in range(PLAYERS)]
        for white, black, score in stream.triples:
            rated = model.rate([[people[white]], [people[black]]], scores=[score, 1.0 - score])
            people[white], people[black] = rated[0][0], rated[1][0]

    return run


def skelo(stream: Stream) -> Callable[[], Any]:
    model_of = import_module("skelo.model.elo").EloModel

    def run() -> None:
        model = model_of().build(range(PLAYERS))
        for index, (white, black, score) in enumerate(stream.triples):
            winner, loser = (white, black) if score >= 0.5 else (black, white)
            model.update(winner, loser, index)

    return run


def elommr(stream: Stream) -> Callable[[], Any]:
    library = import_module("elommr")

    def run() -> None:
        system = library.EloMMR()
        people = [library.Player() for _ in range(PLAYERS)]
        for index, (white, black, score) in enumerate(stream.triples):
            first, second = (white, black) if score >= 0.5 else (black, white)
            places = ((0, 1), (0, 1)) if score == 0.5 else ((0, 0), (1, 1))
            standings = [(people[first], *places[0]), (people[second], *places[1])]
            system.round_update(standings, contest_time=index)

    return run


def trueskill(stream: Stream) -> Callable[[], Any]:
    library = import_module("trueskill")

    def run() -> None:
        people = [library.Rating() for _ in range(PLAYERS)]
        for white, black, score in stream.triples:
            first, second = (white, black) if score >= 0.5 else (black, white)
            people[first], people[second] = library.rate_1vs1(people[first], people[second], drawn=score == 0.5)

    return run


def evalica(stream: Stream, solver: str) -> Callable[[], Any]:
    library = import_module("evalica")
    names = {1.0: library.Winner.X, 0.0: library.Winner.Y, 0.5: library.Winner.Draw}
    winners = [names[score] for score in stream.scores]
    return lambda: library.elo(stream.white, stream.black, winners, initial=1500.0, k=K, solver=solver)
