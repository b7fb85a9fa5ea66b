"""The files a study's run leaves in its directory: the report, and the pictures and tables of its first replication."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ratings.lab.engine import Engine
from ratings.lab.journal import Gathered, Order
from ratings.lab.study import Accumulated, Study, with_thin_curves
from ratings.lab.study_files import remove_files, write_study_files
from tournaments.management.file_command_progress import Progress
from tournaments.management.file_command import OutFiles

REPORT = "study.json"


def as_json(report: Mapping[str, Any]) -> str:
    """One JSON object; a figure that is no number cannot be in it."""
    return json.dumps(report, ensure_ascii=False, allow_nan=False)


def remove_old(folder: Path, order: Order) -> None:
    """Remove what an earlier run of this study left in the directory besides its journal, and nothing else. Raises
    OSError."""
    (folder / REPORT).unlink(missing_ok=True)
    if isinstance(order.study, Study):
        remove_files(folder, newcomers=order.study.has_newcomers)


def write_report(path: Path, report: Mapping[str, Any], inputs: Iterable[Path] = ()) -> None:
    """Write a report, whole or not at all. Raises CommandError."""
    with OutFiles(inputs) as out:
        out.open(path).write(as_json(report) + "\n")


def small(report: Mapping[str, Any], order: Order, found: Gathered) -> Mapping[str, Any]:
    """A report as it is kept with the code. `first` holds the indices of its first replication, by which it can be
    checked without running all of them."""
    if not (isinstance(order.study, Study) and isinstance(found, Accumulated)):
        return report
    return {**with_thin_curves(report), "first": order.study.indices(found, order.numbers[0])}


def draw(folder: Path, order: Order, engine: Engine, stderr: Any, *, log: bool) -> None:
    """Write the charts, tables and indices of the first replication. Raises OSError."""
    study = order.study
    if not isinstance(study, Study) or 0 not in order.numbers:
        return
    progress = Progress(stderr, study.games, "games drawn")
    write_study_files(
        folder,
        games=study.games,
        seed=study.seed,
        replication=0,
        newcomers=study.has_newcomers,
        contenders=study.contenders,
        engine=engine,
        log=log,
        tell=progress.tell,
    )
    progress.end()
