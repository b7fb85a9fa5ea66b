"""A scenario played many times over, all contenders on the same games: what each does, and what tells them apart.

Every replication hands every contender the very same games, so differences are paired. A replication is a pure function
of (scenario, games, seed, its number) and they are gathered in the order of their numbers, so the document is the same
to the last bit whoever computed which part. Of a replication that is done there remain its figures, one number a
measure; curves and calibration go into running sums. Measures and their units: docs/algorithms/lab-scenarios.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from ratings.lab.calibration import Bin, pooled
from ratings.lab.ceiling import CEILING, Whole
from ratings.lab.contenders import Contender
from ratings.lab.engine import Engine
from ratings.lab.recording import CURVE_EVERY, Outcome, Recorder, prepared_blocks
from ratings.lab.scenario_games import SCENARIOS, Scenario
from ratings.lab.summary import differences, summaries

BASELINE = "elo"
FIGURE_DIGITS, CURVE_DIGITS = 6, 4  # significant ones in documents that are kept

Outcomes = dict[str, Outcome]  # by contender


def replicate(
    scenario: Scenario,
    contenders: Sequence[Contender],
    games: int,
    seed: int,
    replication: int,
    engine: Engine,
    *,
    ceiling: bool = True,
) -> Outcomes:
    """One replication: the outcome of every contender by its key, and of Bradley–Terry as the ceiling where it is
    wanted. Raises ValueError for fewer than two games."""
    recorders = [Recorder(contender, scenario, engine) for contender in contenders]
    whole = Whole()
    for prepared in prepared_blocks(scenario, games, seed, replication, engine):
        whole.add(prepared)
        for recorder in recorders:
            recorder.follow(prepared)
    outcomes = {recorder.contender.key: recorder.outcome(whole.scores, whole.truth) for recorder in recorders}
    return outcomes | {CEILING: whole.outcome()} if ceiling else outcomes


@dataclass
class Band:
    """Mean and deviation of a curve over replications, without keeping the curves (B. Welford, Technometrics 4,
    1962)."""

    count: int = 0
    means: list[float] = field(default_factory=list)
    squares: list[float] = field(default_factory=list)

    def add(self, curve: Sequence[float]) -> None:
        if not self.count:
            self.means, self.squares = [0.0] * len(curve), [0.0] * len(curve)
        self.count += 1
        for at, value in enumerate(curve):
            off = value - self.means[at]
            self.means[at] += off / self.count
            self.squares[at] += off * (value - self.means[at])

    def document(self) -> dict[str, list[float]]:
        """Mean and sample deviation at every point; one curve alone has none (0.0)."""
        spread = max(1, self.count - 1)
        return {"mean": self.means, "sd": [sqrt(each / spread) for each in self.squares]}


@dataclass
class Gathered:
    """All replications so far of one contender."""

    figures: dict[str, list[float]] = field(default_factory=dict)
    bands: dict[str, Band] = field(default_factory=dict)
    bins: tuple[Bin, ...] = ()

    def add(self, outcome: Outcome) -> None:
        for measure, value in outcome.figures.items():
            self.figures.setdefault(measure, []).append(value)
        for name, curve in outcome.curves.items():
            self.bands.setdefault(name, Band()).add(curve)
        self.bins = pooled([self.bins, outcome.bins]) if self.bins else outcome.bins


def run_experiment(
    scenario: Scenario,
    contenders: Sequence[Contender],
    *,
    games: int,
    seed: int,
    replications: int,
    engine: Engine,
    tell: Callable[[int], None],
    baseline: str = BASELINE,
    ceiling: bool = True,
) -> dict[str, Any]:
    """The JSON document of one scenario. `tell` hears how many replications are done. Differences are a contender's
    figure minus the baseline's; `ceiling`: Bradley–Terry takes part. Raises ValueError for fewer than two
    games or no replication."""
    if replications < 1 or games < 2:
        raise ValueError("An experiment has at least one replication of two games.")

    gathered: dict[str, Gathered] = {}
    for replication in range(replications):
        outcomes = replicate(scenario, contenders, games, seed, replication, engine, ceiling=ceiling)
        for key, outcome in outcomes.items():
            gathered.setdefault(key, Gathered()).add(outcome)
        tell(replication + 1)
    head = {"scenario": scenario.key, "games": games, "replications": replications, "seed": seed}
    return head | document(gathered, baseline)


def document(gathered: dict[str, Gathered], baseline: str) -> dict[str, Any]:
    """What the replications say together. `first` are the figures of replication 0 alone: by them anybody can check
    that he gets the same."""
    base = gathered.get(baseline)  # which may take no part
    return {
        "systems": {key: summaries(each.figures) for key, each in gathered.items()},
        "curves": {
            "every": CURVE_EVERY,
            "systems": {
                key: {name: band.document() for name, band in each.bands.items()} for key, each in gathered.items()
            },
        },
        "calibration": {key: [_bin(each) for each in found.bins] for key, found in gathered.items()},
        "baseline": baseline,
        "differences": {
            key: differences(each.figures, base.figures) for key, each in gathered.items() if base and each is not base
        },
        "first": {
            key: {measure: values[0] for measure, values in each.figures.items()} for key, each in gathered.items()
        },
    }


def _bin(each: Bin) -> dict[str, Any]:
    low, high = each.interval
    return {"games": each.games, "expected": each.expected, "score": each.score, "low": low, "high": high}


def run_scenarios(
    contenders: Sequence[Contender],
    *,
    games: int,
    seed: int,
    replications: int,
    engine: Engine,
    tell: Callable[[int], None],
    scenarios: Sequence[Scenario] = SCENARIOS,
) -> dict[str, Any]:
    """All scenarios, one experiment each, in their order, rounded for keeping. `tell` hears how many replications are
    done in all."""
    found = []
    for at, scenario in enumerate(scenarios):
        made = run_experiment(
            scenario,
            contenders,
            games=games,
            seed=seed,
            replications=replications,
            engine=engine,
            tell=counting_from(at * replications, tell),
        )
        found.append(rounded(made, FIGURE_DIGITS) | {"curves": rounded(made["curves"], CURVE_DIGITS)})
    return {"games": games, "replications": replications, "seed": seed, "scenarios": found}


def counting_from(before: int, tell: Callable[[int], None]) -> Callable[[int], None]:
    """`tell` for a part of a run, before which so much was done."""
    return lambda done: tell(before + done)


def rounded(value: Any, digits: int) -> Any:
    """A document with every float at so many significant digits."""
    if isinstance(value, float):
        return float(f"{value:.{digits}g}")
    if isinstance(value, dict):
        return {key: rounded(each, digits) for key, each in value.items()}
    return [rounded(each, digits) for each in value] if isinstance(value, list) else value
