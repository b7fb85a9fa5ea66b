"""Speed of contests with sides: our rules against the libraries whose systems they are, from ratings made before."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

from benchmarks.measure import Measured, compare, missing
from ratings.systems import trueskill, weng_lin
from ratings.systems.weng_lin import Model, WengLin

CONTESTS = 2000
SHAPES = {"two against two": (2, 2), "tables of four": (1, 1, 1, 1), "tables of eight": (1,) * 8}
LIBRARY_MODELS = {
    Model.BT_FULL: "BradleyTerryFull",
    Model.BT_PART: "BradleyTerryPart",
    Model.PL: "PlackettLuce",
    Model.TM_FULL: "ThurstoneMostellerFull",
    Model.TM_PART: "ThurstoneMostellerPart",
}
Sides = list[list[tuple[float, float]]]


def measure_contests() -> Iterator[Measured]:
    """TrueSkill and the five models of Weng and Lin, contest by contest; libraries that are not installed are named."""
    for shape, sizes in SHAPES.items():
        contests = make_contests(CONTESTS, sizes)
        places = range(1, len(sizes) + 1)
        ours = partial(trueskill.rate_sides, settings=trueskill.TrueSkill())
        yield _against(f"TrueSkill, {shape}", ours, "trueskill", _trueskill, contests, places, goal=0.2)
        for model, name in LIBRARY_MODELS.items():
            ours = partial(weng_lin.rate_sides, settings=WengLin(model))
            theirs = partial(_openskill, name=name)
            yield _against(f"Weng–Lin {model}, {shape}", ours, "openskill", theirs, contests, places, goal=0.5)


def make_contests(contests: int, sizes: Sequence[int], seed: int = 2026) -> list[Sides]:
    """Random members (μ, σ) for sides of those sizes."""
    rng = Random(seed)
    return [
        [[(rng.gauss(25.0, 5.0), rng.uniform(1.0, 8.0)) for _ in range(size)] for size in sizes]
        for _ in range(contests)
    ]


def _against(
    what: str,
    ours: Callable[[Sides, Sequence[int]], Any],
    library: str,
    make: Callable[[list[Sides]], tuple[Callable[..., Any], list[Any]]],
    contests: list[Sides],
    places: Sequence[int],
    goal: float,
) -> Measured:
    try:
        theirs, rated = make(contests)
    except ImportError as error:
        return missing(what, library, f"{error.name} is not installed", goal)
    ranks = list(places)
    return compare(
        what,
        lambda: [ours(sides, ranks) for sides in contests],
        library,
        lambda: [theirs(sides, ranks=ranks) for sides in rated],
        goal=goal,
        rounds=3,
    )


def _trueskill(contests: list[Sides]) -> tuple[Callable[..., Any], list[Any]]:
    library = import_module("trueskill")
    return library.TrueSkill().rate, [[[library.Rating(*m) for m in side] for side in sides] for sides in contests]


def _openskill(contests: list[Sides], name: str) -> tuple[Callable[..., Any], list[Any]]:
    model = getattr(import_module("openskill.models"), name)()
    return model.rate, [[[model.rating(*m) for m in side] for side in sides] for sides in contests]
