"""The documents made in one go: scenarios, trials, sweeps, findings and others. Each says how to make it again."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from clubrating.site.studies.replicating import engine_for
from ratings.lab.contenders import CONTENDERS, Contender
from ratings.lab.diary import LAST
from ratings.lab.diary_report import WORLDS, diary_report
from ratings.lab.diary_study import GAMES as DIARY_GAMES
from ratings.lab.engine import Engine
from ratings.lab.experiment import run_experiment, run_scenarios
from ratings.lab.findings import GAMES as FINDINGS_GAMES
from ratings.lab.findings import REPLICATIONS as FINDINGS_REPLICATIONS
from ratings.lab.findings import findings_report
from ratings.lab.findings import work as findings_work
from ratings.lab.scenario_games import SCENARIOS, scenario
from ratings.lab.sweeps import RUNS as SWEEP_RUNS
from ratings.lab.sweeps import sweeps_report
from ratings.lab.trials import GAMES as TRIAL_GAMES
from ratings.lab.trials import trials_report
from tournaments.management.file_command import Progress


class Asked(NamedTuple):
    """What is asked for; `key` is the scenario's where there is one."""

    games: int
    replications: int
    seed: int
    contenders: Sequence[Contender]
    key: str
    engine: Engine
    tell: Callable[[int], None]

    @property
    def run(self) -> dict[str, Any]:
        """What every report is told of the run itself."""
        return {name: getattr(self, name) for name in ("games", "replications", "seed", "engine", "tell")}


class Document(NamedTuple):
    """`games`, `replications`, `contenders`: where none are asked for. `steps`: how many things `make` tells of, and
    what they are called."""

    games: int
    replications: int
    contenders: Sequence[Contender]
    make: Callable[[Asked], dict[str, Any]]
    steps: Callable[[int], int]
    unit: str = "replications"


def _scenario(asked: Asked) -> dict[str, Any]:
    return run_experiment(scenario(asked.key), asked.contenders, **asked.run)


def _scenarios(asked: Asked) -> dict[str, Any]:
    return run_scenarios(asked.contenders, **asked.run)


def _trials(asked: Asked) -> dict[str, Any]:
    return trials_report(asked.contenders, **asked.run)


def _sweeps(asked: Asked) -> dict[str, Any]:
    return sweeps_report(**asked.run)


def _diary_worlds(asked: Asked) -> dict[str, Any]:
    return diary_report(
        tournaments=asked.games // LAST.games,
        replications=asked.replications,
        seed=asked.seed,
        engine=asked.engine,
        tell=asked.tell,
    )


def _findings(asked: Asked) -> dict[str, Any]:
    return findings_report(**asked.run)


DOCUMENTS: Mapping[str, Document] = {
    "scenario": Document(20_000, 20, CONTENDERS, _scenario, lambda replications: replications),
    "scenarios": Document(20_000, 20, CONTENDERS, _scenarios, lambda replications: replications * len(SCENARIOS)),
    "trials": Document(TRIAL_GAMES, 20, CONTENDERS, _trials, lambda replications: replications),
    "sweeps": Document(20_000, 16, (), _sweeps, lambda replications: replications * SWEEP_RUNS),
    "diary-worlds": Document(DIARY_GAMES, 200, (), _diary_worlds, lambda replications: len(WORLDS), "worlds"),
    "findings": Document(FINDINGS_GAMES, FINDINGS_REPLICATIONS, (), _findings, findings_work, "runs"),
}


def make_document(
    kind: str, key: str, games: int, replications: int, seed: int, contenders: Sequence[Contender], stderr: Any
) -> dict[str, Any]:
    """Make that document, telling on stderr how far it is. Raises ValueError for a size it cannot be made of."""
    wanted = DOCUMENTS[kind]
    progress = Progress(stderr, wanted.steps(replications), wanted.unit)
    engine = engine_for(games * replications)
    report = wanted.make(Asked(games, replications, seed, contenders, key, engine, progress.tell))
    progress.end()
    return report
