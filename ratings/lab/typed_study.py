"""What the lab says of a typed system: the study of six systems run with it alone, and its predictions.

Every typed system sees the same games: replications 0 to 19 of the study with seed 1, of 100,000 games each, and those
of the scenario "constant" as the lab's documents have them. So its figures stand beside those of the six as if they had
been made together, and one of the six typed anew has exactly the shipped figures; `typed_document` counts that.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy

from ratings.lab.contenders import STUDY, Contender
from ratings.lab.engine import Engine
from ratings.lab.experiment import FIGURE_DIGITS, counting_from, rounded, run_experiment
from ratings.lab.pictures import points_of
from ratings.lab.scenario_games import scenario
from ratings.lab.study import Accumulated, Replication, Study, with_thin_curves
from ratings.lab.table import Table
from ratings.lab.typed import EXAMPLES, TYPED, TypedRules, typed_contender
from ratings.lab.world import STRENGTHS, Stretch, stretches

GAMES, REPLICATIONS, SEED = 100_000, 20, 1
PREDICTED_GAMES, PREDICTED = 20_000, 16  # of the document "scenarios"
WORLD = "constant"
COURSE_EVERY = 2000  # games from one value of the mean ratings to the next
Tell = Callable[[int, int], None]  # done, of
Run = tuple[Sequence[int], Sequence[float]]  # the disorder at every look, the ratings at the end


def typed_report(
    rules: TypedRules,
    *,
    engine: Engine,
    tell: Tell,
    games: int = GAMES,
    replications: int = REPLICATIONS,
    predicted_games: int = PREDICTED_GAMES,
    predicted: int = PREDICTED,
) -> dict[str, Any]:
    """All figures of a typed system as plain values: `system`, as the study's report has it; `measures` and
    `calibration` of the scenario; `course` and `table` of the first replication. `tell` hears how much is done. Raises
    FormulaError where a formula cannot be worked out on the way."""
    contender, work = typed_contender(rules), replications + predicted
    study, found = Study("imitator", games, SEED, (contender,)), Accumulated()
    first: dict[str, Any] = {}
    for number in range(replications):
        stretch, table = _opened(contender, games, number, engine)
        index = []
        course: list[list[float]] = []
        for white, black, scores in _pieces(stretch):
            index += table.play(white, black, scores)
            course.append(strength_means(table))
        found.add(Replication(number, {TYPED.key: index}))
        first = first or {"course": course, "table": table_rows(table, stretch), "normalised": table.normalised}
        tell(number + 1, work)
    system = with_thin_curves(study.report(found))["systems"][TYPED.key]
    told = counting_from(replications, lambda done: tell(done, work))
    tried = run_experiment(
        scenario(WORLD), (contender,), games=predicted_games, seed=SEED, replications=predicted, engine=engine,
        tell=told, ceiling=False,
    )  # fmt: skip
    kept = {"measures": tried["systems"][TYPED.key], "calibration": tried["calibration"][TYPED.key]}
    return {"system": system, **rounded(kept | first, FIGURE_DIGITS)}


def _opened(contender: Contender, games: int, number: int, engine: Engine) -> tuple[Stretch, Table]:
    """The games of a replication of the study, and the contender's table before them."""
    (stretch,) = stretches(games, SEED, number, engine)
    return stretch, Table(contender, engine, [person.strength for person in stretch.joining])


def _pieces(stretch: Stretch) -> Iterator[tuple[Any, Any, Any]]:
    for start in range(0, len(stretch.white), COURSE_EVERY):
        span = slice(start, start + COURSE_EVERY)
        yield stretch.white[span], stretch.black[span], stretch.scores[span]


def strength_means(table: Table) -> list[float]:
    """The mean rating of all players of each strength, weakest first."""
    ratings, strengths = numpy.array(table.ratings), numpy.array(table.strengths)
    return [float(ratings[strengths == strength].mean()) for strength in STRENGTHS]


def table_rows(table: Table, stretch: Stretch) -> list[list[float]]:
    """The sorted table: of each player strength, frequency, rating, games, wins, and what he costs the index."""
    order, games, count = table.order, table.games, len(stretch.joining)
    won = numpy.where(numpy.asarray(stretch.scores) == 1.0, stretch.white, stretch.black)
    wins = numpy.bincount(won, minlength=count).tolist()
    people = [stretch.joining[place] for place in order]
    costs = points_of([person.strength for person in people]).tolist()
    return [
        [person.strength, person.frequency, table.ratings[place], games[place], wins[place], cost]
        for person, place, cost in zip(people, order, costs, strict=True)
    ]


# --- the document ----------------------------------------------------------------------------------------------------
def typed_document(
    *, games: int, replications: int, seed: int, engine: Engine, tell: Callable[[int], None]
) -> dict[str, Any]:
    """The study's six on the games of every typed system, and beside them their rules typed: in `typed`, how many looks
    at the tables and how many last ratings there were, and how many of them are the shipped ones to the last bit.
    Raises ValueError for another seed than the one all typed systems are tried with."""
    if seed != SEED:
        raise ValueError(f"Typed systems are tried with seed {SEED}.")
    study, found = Study("imitator", games, seed, STUDY), Accumulated()
    equal = {key: dict.fromkeys(("looks", "equal_looks", "ratings", "equal_ratings"), 0) for key in EXAMPLES}
    for number in range(replications):
        shipped = {each.key: _played(each, games, number, engine) for each in STUDY}
        found.add(Replication(number, {key: run[0] for key, run in shipped.items()}))
        for key, rules in EXAMPLES.items():
            typed = _played(typed_contender(rules), games, number, engine)
            _count(equal[key], typed, shipped[key])
        tell(number + 1)
    return with_thin_curves(study.report(found)) | {"typed": equal}


def _played(contender: Contender, games: int, number: int, engine: Engine) -> Run:
    """The disorder at every look, and the ratings at the end."""
    stretch, table = _opened(contender, games, number, engine)
    return table.play(stretch.white, stretch.black, stretch.scores), table.ratings


def _count(into: dict[str, int], typed: Run, shipped: Run) -> None:
    for name, own, other in zip(("looks", "ratings"), typed, shipped, strict=True):
        into[name] += len(own)
        into[f"equal_{name}"] += sum(one == two for one, two in zip(own, other, strict=True))
