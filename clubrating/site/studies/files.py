"""The files a study's run leaves in its directory: the report, and the pictures and tables of its first replication.

Reading the two files of `run_study stream`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from ratings.lab.engine import Engine
from ratings.lab.journal import Gathered, Order
from ratings.lab.stream import Games
from ratings.lab.study import Accumulated, Study, with_thin_curves
from ratings.lab.study_files import remove_files, write_study_files
from tournaments.interchange.games_csv import read_games
from tournaments.interchange.study_csv import StudyPlayer, place_games, read_study_players
from tournaments.management.file_command import OutFiles, Progress, read_input, refuse_bad_rows

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


class GivenStream(NamedTuple):
    """The players in the file's order, the games by their places, and how many rows nobody played."""

    people: Sequence[StudyPlayer]
    games: Games
    left_out: int


def read_stream(games: Path, players: Path, today: date) -> GivenStream:
    """Both files. Raises CommandError, UnreadableFileError or FileRowsError naming file, line and remedy."""
    with read_input(players).naming() as data:
        people = read_study_players(data)
    file = read_input(games)
    with file.naming() as data:
        rows = read_games(data, today=today)
    refuse_bad_rows({games: rows.bad, players: people.bad})
    with file.naming():
        placed = place_games(rows.rows, people.rows)
    refuse_bad_rows({games: placed.bad, players: ()})
    return GivenStream(people.rows, Games(placed.white, placed.black, placed.scores), placed.left_out)
