"""Speed of the laboratory: the study of six systems against a C loop that does the same work, and its memory.

One replication is what `run_study imitator` does once, by the very function it calls: the games are drawn, all six
systems rate them, and after every 100th game each table is sorted and its disorder counted. C is handed the doubles;
ours draws them as well.
"""

from collections.abc import Iterator
from itertools import chain
from multiprocessing import get_context
from multiprocessing.pool import Pool
from time import perf_counter
from typing import NamedTuple

import numpy

from benchmarks.c_study import CStudy, Outcome, c_study
from benchmarks.measure import Measured, compare, missing, resident
from ratings.lab.contenders import STUDY
from ratings.lab.engine import PLAIN, Engine, NumbaMissingError, best_engine, compiled_engine
from ratings.lab.study import Study
from ratings.lab.table import Table
from ratings.lab.world import GROUPS, Stretch, group, stretches
from ratings.systems.glicko import Q

SEED = 1
DOUBLES_A_GAME = 16  # 11.4 are used on average
FEW, MANY = 10, 1000  # replications after which the memory is looked at
PLAIN_GAMES = 20_000
GOAL_C, GOAL_MEMORY = 3, 1.05
C_LOOP = "a C loop that does the same work"
COMPILED = "the study compiled, in the steady state"


def measure_lab(games: int, many: int = MANY) -> Iterator[Measured]:
    """The study against C, plain against compiled, what a process pays once, the memory of `many` replications."""
    what = f"the study of six systems, {games} games"
    try:
        compiled_engine()
    except NumbaMissingError as error:
        yield missing(what, C_LOOP, str(error), GOAL_C)
        yield missing("the study run plainly", COMPILED, str(error))
        return
    engine = best_engine()
    yield from _against_c(what, games, engine)
    short = min(games, PLAIN_GAMES)
    measured = compare(
        f"the study run plainly, {short} games",
        lambda: study(short).replication(0, PLAIN),
        COMPILED,
        lambda: study(short).replication(0, engine),
        rounds=3,
    )
    yield measured
    yield from _in_a_process_of_its_own(games, many)


def study(games: int) -> Study:
    """What `run_study imitator` runs."""
    return Study("imitator", games, SEED, STUDY)


def outcome(games: int, number: int, engine: Engine) -> Outcome:
    """The same replication with everybody's last ratings, which a study does not keep."""
    strengths = [person.strength for person in group() * GROUPS]
    tables = [Table(contender, engine, strengths) for contender in STUDY]
    index: list[list[int]] = [[] for _ in STUDY]
    for stretch in stretches(games, SEED, number, engine):
        for table, found in zip(tables, index, strict=True):
            found += _played(table, stretch)
    return Outcome([table.ratings for table in tables], index)


def _played(table: Table, stretch: Stretch) -> list[int]:
    return table.play(stretch.white, stretch.black, stretch.scores)


def the_same_in_c(games: int, number: int) -> CStudy | None:
    """The same replication in C, or None where no compiler is."""
    rng = numpy.random.Generator(numpy.random.PCG64([SEED, number])).random(DOUBLES_A_GAME * games + 1000)
    people = group() * GROUPS
    strengths, frequencies = [each.strength for each in people], [each.frequency for each in people]
    return c_study(games, rng, strengths, frequencies, Q)


def _against_c(what: str, games: int, engine: Engine) -> Iterator[Measured]:
    c = the_same_in_c(games, 0)
    if c is None:
        yield missing(what, C_LOOP, "no C compiler", GOAL_C)
        return
    ours = outcome(games, 0, engine)  # compiled before the first measurement
    yield compare(what, lambda: study(games).replication(0, engine), C_LOOP, c.run, goal=GOAL_C, rounds=9)
    theirs, kept = c.read(), study(games).replication(0, engine).index.values()
    wrong = sum(one != two for one, two in zip(_figures(ours), _figures(theirs), strict=True))
    wrong += sum(list(one) != two for one, two in zip(kept, theirs.disorder, strict=True))
    yield Measured("figures that differ from the C loop's, ratings and indices", "none", float(wrong), goal=0)


def _figures(of: Outcome) -> list[float]:
    return [*chain(*of.ratings), *chain(*of.disorder)]


class Process(NamedTuple):
    """What a process of its own found: seconds to load and compile everything, then of one replication; its resident
    size after few and after many replications, in pages (0 where the system does not tell)."""

    start_up: float
    replication: float
    few: int
    many: int


def _in_a_process_of_its_own(games: int, many: int) -> Iterator[Measured]:
    with get_context("spawn").Pool(1) as pool:
        found = _asked(pool, games, many)
    once = "start-up, once a process: loading Numba and compiling the six systems"
    yield Measured(
        once, "one replication after it", found.start_up / found.replication, found.start_up, found.replication
    )
    what, against = f"resident size after {many} replications", f"after {FEW}"
    if found.few:
        yield Measured(what, against, found.many / found.few, goal=GOAL_MEMORY)
    else:
        yield missing(what, against, "this system does not tell a process's size", GOAL_MEMORY)


def _asked(pool: Pool, games: int, many: int) -> Process:
    found: Process = pool.apply(look, (games, many))
    return found


def look(games: int, many: int) -> Process:
    """Run in a fresh process: start up, then `many` replications."""
    begun = perf_counter()
    engine = best_engine()
    study(100).replication(0, engine)
    started = perf_counter()
    whole = study(games)
    whole.replication(0, engine)
    once = perf_counter() - started
    found, sizes = whole.begin(), {}
    for number in range(1, many + 1):
        found.add(whole.replication(number, engine))
        sizes[number] = resident() if number in (FEW, many) else 0
    return Process(started - begun, once, sizes.get(FEW, 0), sizes[many])
