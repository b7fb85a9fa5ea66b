"""Speed of the replay without a database: against the barest loops and against the libraries of the field."""

from collections import deque
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from importlib import import_module
from typing import Any

from benchmarks import baselines
from benchmarks.compiled import NumbaMissingError, compiled_elo_run
from benchmarks.databases import PLAYERS, Stream, make_stream
from benchmarks.measure import Measured, compare, missing
from ratings.systems import rating_system
from ratings.systems.base import AGE_UNKNOWN, PlayedGame, PlayerState
from ratings.systems.elo_stream import rate_pairs
from ratings.systems.k_factors import K_RULES
from ratings.systems.replay import DatedRule, DatedRules, replay

CHUNK = 5000  # ledger rows kept at a time, as in a rebuild
LIBRARY_GAMES = 20_000  # the libraries are slow
# our system and preset, the library, how it is run
LIBRARIES: tuple[tuple[str, str, str, Callable[[Stream], Callable[[], Any]]], ...] = (
    ("elo", "constant", "elote, Elo", baselines.elote_elo),
    ("elo", "constant", "skelo, Elo", baselines.skelo),
    ("elo", "constant", "evalica, its Python solver, Elo", partial(baselines.evalica, solver="naive")),
    ("glicko", "", "elote, Glicko-1", baselines.elote_glicko),
    ("glicko2", "", "elote, Glicko-2", baselines.elote_glicko2),
    ("glicko2", "", "openskill, Bradley–Terry", baselines.openskill),
    ("glicko2", "", "elommr, Elo-MMR", baselines.elommr),
    ("glicko2", "", "trueskill, TrueSkill", baselines.trueskill),
)


def measure_replays(games: int) -> Iterator[Measured]:
    """Our replays against the barest loops, in Python and compiled."""
    stream = make_stream(games)
    yield from _pure(stream)
    yield from _compiled(stream)


def _pure(stream: Stream) -> Iterator[Measured]:
    triples, played = stream.triples, stream.played()
    pairs = [(*triple, 1.0) for triple in triples]
    bare = "the barest Python Elo loop: lists, one K, nothing kept"

    def run_bare() -> None:
        baselines.bare_elo(triples)

    yield compare(
        "Elo over columns: FIDE's K, provisional count, ledger rows",
        lambda: _over_columns(pairs),
        bare,
        run_bare,
        goal=4,
    )
    yield compare("Elo, rows as the database takes them", lambda: _replay("elo", {}, played), bare, run_bare)
    for key, raw in (("elo", {"preset": "xiangqi"}), ("glicko", {}), ("glicko2", {}), ("league", {}), ("r2", {})):
        name = " ".join([rating_system(key).name, *raw.values()])
        yield compare(f"{name}, general replay", partial(_replay, key, raw, played), bare, run_bare, rounds=3)


def _over_columns(pairs: list[tuple[int, int, float, float]]) -> None:
    rule = K_RULES["fide"]
    ratings, games, peaks = [1500.0] * PLAYERS, [0] * PLAYERS, [1500.0] * PLAYERS
    ks: list[float | None] = [None] * PLAYERS

    def find_k(place: int) -> float:
        k = rule.step(ratings[place], games[place], peaks[place], AGE_UNKNOWN).k
        if games[place] >= rule.newcomer_games:
            ks[place] = k
        return k

    deque(rate_pairs(pairs, ratings, games, peaks, ks, find_k), maxlen=CHUNK)


def _replay(key: str, raw: dict[str, str], played: list[PlayedGame]) -> None:
    system = rating_system(key)
    rules = DatedRules([DatedRule(date.min, system, system.read_settings(raw))])
    states: dict[int, PlayerState] = {}
    deque(replay(played, [], states=states, birth_years={}, rules=rules), maxlen=CHUNK)


def _compiled(stream: Stream) -> Iterator[Measured]:
    what = "compiled replay: FIDE's K, provisional count"
    try:
        run = _compiled_run(stream)
    except (NumbaMissingError, ImportError) as error:
        yield missing(what, "a C loop with one K", str(error), 2)
        return
    c_loop = baselines.c_loop(stream)
    if c_loop is None:
        yield missing(what, "a C loop with one K", "no C compiler", 2)
    else:
        yield compare(what, run, "a C loop with one K", c_loop, goal=2)
    try:
        yield compare(what, run, "evalica's Rust core", baselines.evalica(stream, "pyo3"), goal=1)
    except ImportError:
        yield missing(what, "evalica's Rust core", "evalica is not installed", 1)


def _compiled_run(stream: Stream) -> Callable[[], None]:
    loop = compiled_elo_run("fide")
    numpy = import_module("numpy")
    white, black = (numpy.array(column) for column in (stream.white, stream.black))
    scores = numpy.array(stream.scores)
    ks = numpy.array([float(step.k) for step in K_RULES["fide"].steps])

    def run() -> None:
        ratings = numpy.full(PLAYERS, 1500.0)
        loop(white, black, scores, ratings, numpy.zeros(PLAYERS, dtype=int), ratings.copy(), ks, 400.0)

    run()  # compile before the first measurement
    return run


def measure_libraries() -> Iterator[Measured]:
    """Our replays, ledger and all, against the libraries of the field; those not installed are named."""
    stream = make_stream(LIBRARY_GAMES)
    played = stream.played()
    for key, preset, name, make in LIBRARIES:
        what = f"{rating_system(key).name}, ledger and all"
        raw = {"preset": preset} if preset else {}
        try:
            yield compare(what, partial(_replay, key, raw, played), name, make(stream), goal=1, rounds=3)
        except ImportError as error:
            yield missing(what, name, f"{error.name} is not installed", 1)
