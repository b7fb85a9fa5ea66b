"""Running studies from the command line: replications with journal, workers and interruption, and documents made in one
run (scenarios, trials, sweeps, findings and others).

A replication is written to the directory's journal before the next one is read; Ctrl-C or SIGTERM stops the run there,
and `--resume` continues it.
"""

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from ratings.history.careers import WORLDS as ERAS_WORLDS
from ratings.history.proof import EVENINGS as ERAS_EVENINGS
from ratings.history.proof import REPLICATIONS as ERAS_REPLICATIONS
from ratings.history.proof import eras_report
from ratings.lab.contenders import CONTENDERS, Contender
from ratings.lab.diary import LAST
from ratings.lab.diary_study import GAMES as DIARY_GAMES
from ratings.lab.diary_study import WORLDS, diary_report
from ratings.lab.engine import PLAIN, Engine, best_engine
from ratings.lab.experiment import run_experiment, run_scenarios
from ratings.lab.findings import GAMES as FINDINGS_GAMES
from ratings.lab.findings import REPLICATIONS as FINDINGS_REPLICATIONS
from ratings.lab.findings import findings_report
from ratings.lab.findings import work as findings_work
from ratings.lab.journal import NAME, AnyStudy, Gathered, Order, begin, go_on, line_of, merged
from ratings.lab.luck_study import GAMES as LUCK_GAMES
from ratings.lab.luck_study import LISTS as LUCK_LISTS
from ratings.lab.luck_study import REPLICATIONS as LUCK_REPLICATIONS
from ratings.lab.luck_study import WORLDS as LUCK_WORLDS
from ratings.lab.luck_study import luck_report
from ratings.lab.probation_study import GAMES as NEWCOMER_GAMES
from ratings.lab.probation_study import REPLICATIONS as NEWCOMER_REPLICATIONS
from ratings.lab.probation_study import WORLDS as NEWCOMER_WORLDS
from ratings.lab.probation_study import probation_report
from ratings.lab.scenario_games import SCENARIOS, scenario
from ratings.lab.sides_study import EVENINGS, sides_report
from ratings.lab.sides_study import REPLICATIONS as SIDES_REPLICATIONS
from ratings.lab.study import in_order
from ratings.lab.sweeps import RUNS as SWEEP_RUNS
from ratings.lab.sweeps import sweeps_report
from ratings.lab.trials import GAMES as TRIAL_GAMES
from ratings.lab.trials import trials_report
from ratings.lab.typed_study import GAMES as TYPED_GAMES
from ratings.lab.typed_study import REPLICATIONS as TYPED_REPLICATIONS
from ratings.lab.typed_study import typed_document
from tournaments.forecast.masters import Rule
from tournaments.forecast.masters_study import CHAINS as MASTERS_CHAINS
from tournaments.forecast.masters_study import SAMPLES as MASTERS_SAMPLES
from tournaments.forecast.masters_study import masters_report
from tournaments.management.file_command import Progress
from tournaments.pairing_study.study import EVENINGS as PAIRED_EVENINGS
from tournaments.pairing_study.study import REPLICATIONS as PAIRED_REPLICATIONS
from tournaments.pairing_study.study import pairings_report

# --- replications ----------------------------------------------------------------------------------------------------
WORTH_COMPILING = 500_000  # games: from here on compiling takes less time than it saves
WARM_UP = 200  # games: enough to compile every function
INTERRUPTED = 130  # exit status of a program stopped by Ctrl-C: 128 + SIGINT


class StoppedError(Exception):
    """The run was interrupted after so many replications."""

    def __init__(self, done: int) -> None:
        self.done = done
        super().__init__(done)


def engine_for(games: int) -> Engine:
    """Compiled where so many games are sooner done that way, plain where not: the figures are the same."""
    return best_engine() if games >= WORTH_COMPILING else PLAIN


def compile_for(study: AnyStudy, engine: Engine) -> None:
    """Have everything compiled that the study needs, before it is divided among workers."""
    if engine.is_compiled:
        replace(study, games=WARM_UP).replication(0, engine)


def open_journal(folder: Path, order: Order, *, resume: bool) -> tuple[TextIO, Gathered]:
    """The directory's journal, and what it holds already. Raises JournalError, OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME
    if resume and path.exists():
        return go_on(path, order)
    return begin(path, order), order.study.begin()


def replicate(
    order: Order, engine: Engine, workers: int, found: Gathered, journal: TextIO | None, tell: Callable[[int], None]
) -> None:
    """Make the replications that `found` lacks, add them to it and to the journal. Raises StoppedError."""
    todo = [number for number in order.numbers if number not in found.rows]
    answers = in_order(lambda number: order.study.replication(number, engine), todo, workers)
    try:
        with _one_signal(), closing(answers):
            for made in answers:
                if journal is not None:
                    journal.write(line_of(made))
                    journal.flush()
                found.add(made)
                tell(found.count)
    except KeyboardInterrupt:
        raise StoppedError(found.count) from None


def merge_into(folders: list[Path], order: Order, journal: TextIO | None, tell: Callable[[int], None]) -> Gathered:
    """All replications of the directories' journals together. Raises JournalError, OSError."""
    found: Gathered = order.study.begin()
    for made in merged([folder / NAME for folder in folders], order):
        if journal is not None:
            journal.write(line_of(made))
        found.add(made)
        tell(found.count)
    return found


@contextmanager
def _one_signal() -> Iterator[None]:
    """SIGTERM is handled like Ctrl-C, so that no worker process is left running."""
    before = signal.getsignal(signal.SIGTERM)
    # ValueError: signal handlers can be set in the main thread only.
    with suppress(ValueError):
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        with suppress(ValueError):
            signal.signal(signal.SIGTERM, before)


# --- documents -------------------------------------------------------------------------------------------------------
class Asked(NamedTuple):
    """What is asked for; `key` is the scenario's where there is one."""

    games: int
    replications: int
    seed: int
    contenders: Sequence[Contender]
    key: str
    engine: Engine
    workers: int
    tell: Callable[[int], None]

    @property
    def run(self) -> dict[str, Any]:
        """What every report is told of the run itself."""
        return {name: getattr(self, name) for name in ("games", "replications", "seed", "engine", "tell")}


class Document(NamedTuple):
    """`games`, `replications`, `contenders`: where none are asked for. `steps`: how many things `make` tells of, and
    what they are called. `is_shared`: whether workers can share it."""

    games: int
    replications: int
    contenders: Sequence[Contender]
    make: Callable[[Asked], dict[str, Any]]
    steps: Callable[[int], int]
    unit: str = "replications"
    is_shared: bool = False


def _scenario(asked: Asked) -> dict[str, Any]:
    return run_experiment(scenario(asked.key), asked.contenders, **asked.run)


def _scenarios(asked: Asked) -> dict[str, Any]:
    return run_scenarios(asked.contenders, **asked.run)


def _trials(asked: Asked) -> dict[str, Any]:
    return trials_report(asked.contenders, **asked.run)


def _sweeps(asked: Asked) -> dict[str, Any]:
    return sweeps_report(**asked.run)


def _luck(asked: Asked) -> dict[str, Any]:
    return luck_report(asked.contenders, **asked.run)


def _probation(asked: Asked) -> dict[str, Any]:
    return probation_report(**asked.run)


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


def _pairings(asked: Asked) -> dict[str, Any]:
    return pairings_report(**_evenings(asked))


def _sides(asked: Asked) -> dict[str, Any]:
    return sides_report(**_evenings(asked))


def _evenings(asked: Asked) -> dict[str, Any]:
    """What studies that workers share are told of the run."""
    return {
        "evenings": asked.games,
        "replications": asked.replications,
        "seed": asked.seed,
        "tell": asked.tell,
        "workers": asked.workers,
    }


def _typed(asked: Asked) -> dict[str, Any]:
    return typed_document(**asked.run)


def _masters(asked: Asked) -> dict[str, Any]:
    return masters_report(asked.games, asked.replications, asked.seed, asked.tell)


def _eras(asked: Asked) -> dict[str, Any]:
    return eras_report(evenings=asked.games, replications=asked.replications, seed=asked.seed, tell=asked.tell)


DOCUMENTS: Mapping[str, Document] = {
    "scenario": Document(20_000, 20, CONTENDERS, _scenario, lambda replications: replications),
    "scenarios": Document(20_000, 20, CONTENDERS, _scenarios, lambda replications: replications * len(SCENARIOS)),
    "trials": Document(TRIAL_GAMES, 20, CONTENDERS, _trials, lambda replications: replications),
    "sweeps": Document(20_000, 16, (), _sweeps, lambda replications: replications * SWEEP_RUNS),
    "diary-worlds": Document(DIARY_GAMES, 200, (), _diary_worlds, lambda replications: len(WORLDS), "worlds"),
    "luck": Document(LUCK_GAMES, LUCK_REPLICATIONS, LUCK_LISTS, _luck, lambda many: many * len(LUCK_WORLDS)),
    "probation": Document(
        NEWCOMER_GAMES, NEWCOMER_REPLICATIONS, (), _probation, lambda replications: replications * len(NEWCOMER_WORLDS)
    ),
    "findings": Document(FINDINGS_GAMES, FINDINGS_REPLICATIONS, (), _findings, findings_work, "runs"),
    "sides": Document(EVENINGS, SIDES_REPLICATIONS, (), _sides, lambda replications: replications, is_shared=True),
    "typed": Document(TYPED_GAMES, TYPED_REPLICATIONS, (), _typed, lambda replications: replications),
    "masters": Document(MASTERS_SAMPLES, MASTERS_CHAINS, (), _masters, lambda chains: len(Rule), "rules"),
    "eras": Document(ERAS_EVENINGS, ERAS_REPLICATIONS, (), _eras, lambda runs: runs * len(ERAS_WORLDS), "worlds"),
    "pairings": Document(
        PAIRED_EVENINGS, PAIRED_REPLICATIONS, (), _pairings, lambda replications: replications, is_shared=True
    ),
}


def make_document(
    kind: str,
    key: str,
    games: int,
    replications: int,
    seed: int,
    contenders: Sequence[Contender],
    stderr: Any,
    workers: int = 1,
) -> dict[str, Any]:
    """Make that document, telling on stderr how far it is. Raises ValueError for a size it cannot be made of, and
    WorkerStoppedError."""
    wanted = DOCUMENTS[kind]
    progress = Progress(stderr, wanted.steps(replications), wanted.unit)
    engine = engine_for(games * replications)
    with _one_signal():
        report = wanted.make(Asked(games, replications, seed, contenders, key, engine, workers, progress.tell))
    progress.end()
    return report
