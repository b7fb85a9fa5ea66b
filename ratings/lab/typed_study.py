"""What the lab says of a typed system: the study of six systems run with it alone, and its predictions.

Every typed system sees the same games: replications 0 to 19 of the study with seed 1, of 100,000 games each, and those
of the scenario "constant" as the lab's documents have them. So its figures stand beside those of the six as if they had
been made together, and one of the six typed anew has exactly the shipped figures; `typed_document` counts that.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from ratings.lab.contenders import STUDY, Contender
from ratings.lab.engine import Engine
from ratings.lab.experiment import FIGURE_DIGITS, counting_from, rounded, run_experiment
from ratings.lab.pictures import (
    COLUMNS,
    Scale,
    draw_table,
    drawn,
    png,
    points_of,
    rating_picture,
    ruled_grid,
    scale_for,
    table_order,
)
from ratings.lab.scenario_games import scenario
from ratings.lab.study import Accumulated, Replication, Study, with_thin_curves
from ratings.lab.study_files import FINE, pieces
from ratings.lab.table import EVERY, Table
from ratings.lab.typed import EXAMPLES, TYPED, TypedRules, typed_contender
from ratings.lab.world import STRENGTHS, Stretch, stretches

GAMES, REPLICATIONS, SEED = 100_000, 20, 1
PREDICTED_GAMES, PREDICTED = 20_000, 16  # of the document "scenarios"
WORLD = "constant"
COURSE_EVERY = 2000  # games from one value of the mean ratings to the next
Tell = Callable[[int, int], None]  # done, of


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
        run = _run(contender, games, number, engine)
        found.add(Replication(number, {TYPED.key: run.looks}))
        table = run.table
        first = first or {"course": run.course, "table": table_rows(run), "normalised": table.normalised}
        tell(number + 1, work)
    system = with_thin_curves(study.report(found))["systems"][TYPED.key]
    told = counting_from(replications, lambda done: tell(done, work))
    tried = run_experiment(
        scenario(WORLD), (contender,), games=predicted_games, seed=SEED, replications=predicted, engine=engine,
        tell=told, ceiling=False,
    )  # fmt: skip
    kept = {"measures": tried["systems"][TYPED.key], "calibration": tried["calibration"][TYPED.key]}
    return {"system": system, **rounded(kept | first, FIGURE_DIGITS)}


class Run(NamedTuple):
    """A contender in one replication of the study: the disorder at every look, the mean rating of each strength after
    every COURSE_EVERY games, the table at the end, and the games."""

    looks: list[int]
    course: list[list[float]]
    table: Table
    stretch: Stretch


def _run(contender: Contender, games: int, number: int, engine: Engine) -> Run:
    (stretch,) = stretches(games, SEED, number, engine)
    run = Run([], [], Table(contender, engine, [person.strength for person in stretch.joining]), stretch)
    for start in range(0, games, COURSE_EVERY):
        span = slice(start, start + COURSE_EVERY)
        run.looks.extend(run.table.play(stretch.white[span], stretch.black[span], stretch.scores[span]))
        run.course.append(strength_means(run.table))
    return run


def strength_means(table: Table) -> list[float]:
    """The mean rating of all players of each strength, weakest first."""
    ratings, strengths = numpy.array(table.ratings), numpy.array(table.strengths)
    return [float(ratings[strengths == strength].mean()) for strength in STRENGTHS]


def dot_charts(rules: TypedRules, *, engine: Engine, games: int = GAMES) -> dict[str, bytes]:
    """The two pictures the study draws of each system (`ratings.lab.pictures`), of the first replication, as PNG files:
    `first`, the table after every 10th game up to 10,000, and `all`, after every 100th. Raises FormulaError."""
    (stretch,) = stretches(games, SEED, 0, engine)
    table = Table(typed_contender(rules), engine, [person.strength for person in stretch.joining])
    looks: list[tuple[int, list[float], list[float]]] = []
    for piece in pieces(stretch, 0):
        # The study sorts its table at every 100th game only; one beyond the piece leaves it alone.
        every = piece.games if piece.done % EVERY == 0 else piece.games + 1
        table.play(piece.white, piece.black, piece.scores, every)
        order = table_order(table.order, table.ratings)
        looks.append((piece.done, [table.ratings[at] for at in order], [table.strengths[at] for at in order]))
    scale = scale_for(min(ratings[-1] for _, ratings, _ in looks), max(ratings[0] for _, ratings, _ in looks))
    return {name: _dots(looks, scale, every) for name, every in (("first", FINE), ("all", EVERY))}


def _dots(looks: Sequence[tuple[int, list[float], list[float]]], scale: Scale, every: int) -> bytes:
    grid = ruled_grid(scale)
    for done, ratings, strengths in looks:
        if done % every == 0 and done <= every * COLUMNS:
            draw_table(grid, done // every - 1, ratings, strengths, scale)
    return png(drawn(rating_picture(grid, scale, every)))


def table_rows(run: Run) -> list[list[float]]:
    """The sorted table: of each player strength, frequency, rating, games, wins, and what he costs the index."""
    table, stretch = run.table, run.stretch
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
    """The study's six on the games of every typed system, with `course` of the first replication, and beside them their
    rules typed: in `typed`, how many looks at the tables and how many last ratings there were, and how many of them are
    the shipped ones to the last bit.
    Raises ValueError for another seed than the one all typed systems are tried with."""
    if seed != SEED:
        raise ValueError(f"Typed systems are tried with seed {SEED}.")
    study, found = Study("imitator", games, seed, STUDY), Accumulated()
    equal = {key: dict.fromkeys(("looks", "equal_looks", "ratings", "equal_ratings"), 0) for key in EXAMPLES}
    course: dict[str, list[list[float]]] = {}
    for number in range(replications):
        shipped = {each.key: _run(each, games, number, engine) for each in STUDY}
        found.add(Replication(number, {key: run.looks for key, run in shipped.items()}))
        course = course or {key: run.course for key, run in shipped.items()}
        for key, rules in EXAMPLES.items():
            _count(equal[key], _run(typed_contender(rules), games, number, engine), shipped[key])
        tell(number + 1)
    return with_thin_curves(study.report(found)) | {"course": rounded(course, FIGURE_DIGITS), "typed": equal}


def _count(into: dict[str, int], typed: Run, shipped: Run) -> None:
    columns: dict[str, tuple[Sequence[float], Sequence[float]]] = {
        "looks": (typed.looks, shipped.looks),
        "ratings": (typed.table.ratings, shipped.table.ratings),
    }
    for name, (own, other) in columns.items():
        into[name] += len(own)
        into[f"equal_{name}"] += sum(one == two for one, two in zip(own, other, strict=True))
