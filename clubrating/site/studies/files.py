"""Files of the studies: reports as lines of text, what a run leaves in its directory (the report, and the pictures and
tables of its first replication), and the two files `run_study stream` reads.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from ratings.lab.engine import Engine
from ratings.lab.journal import Gathered, Order
from ratings.lab.study import Accumulated, Study, with_thin_curves
from ratings.lab.study_files import remove_files, write_study_files
from ratings.lab.table import Games
from tournaments.interchange.games_csv import read_games
from tournaments.interchange.stream import StudyPlayer, place_games, read_study_players
from tournaments.management.file_command import OutFiles, Progress, read_input, refuse_bad_rows

# --- reports as text -------------------------------------------------------------------------------------------------
MOST_ORDERS = 5
RANGES = {1: "games 100 to 10,000", 2: "games 10,100 to 100,000"}
HEADER = ("system", "index 1", "± sd", "se", "to elo", "index 2", "± sd", "se", "to elo")


def study_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """The study of six systems, or its variant."""
    yield _head(report)
    yield ""
    yield from _table([HEADER, *(_row(key, each) for key, each in report["systems"].items())])
    for number, games in RANGES.items():
        orders = [order for order in report["orders"] if order["range"] == number]
        yield from _orders(orders, number, games)


def diary_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """The diary's four figures."""
    yield _head(report)
    if report["bug"]:
        yield "With the fault: a lost game counts -1."
    yield ""
    names = ("spearman", "top_rating", "second_rating", "deficit")
    rows = [(name.replace("_", " "), *(f"{report[name][part]:.4f}" for part in ("mean", "sd", "se"))) for name in names]
    yield from _table([("", "mean", "± sd", "se"), *rows])


def findings_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """Each claim's verdict, and below it every figure with two standard errors on either side and its bounds."""
    for claim in report["claims"]:
        yield f"{claim['key']}: {claim['verdict']}"
        for name, each in claim["figures"].items():
            low, high = (_figure(each[bound]) for bound in ("low", "high"))
            asked = "" if each["passes"] is None else f", asked {low} to {high}: {'yes' if each['passes'] else 'no'}"
            yield f"  {name}: {each['mean']:.3f} ± {2 * each['se']:.3f} ({each['replications']}){asked}"


def stream_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """The ratings at the last milestone reached, and the index by and by."""
    for key, each in report["systems"].items():
        index = each["index"]
        mean = f"{sum(index) / len(index):.2f}" if index else "none, fewer than 100 games"
        yield f"{key}: mean index {mean}" + (f", last {index[-1]}" if index else "")
        for done, ratings in each["ratings"].items():
            ranked = sorted(ratings.items(), key=lambda each: -each[1])
            yield f"  after {done} games: " + ", ".join(f"{name} {rating:.2f}" for name, rating in ranked)


def _head(report: Mapping[str, Any]) -> str:
    return (
        f"{report['study']}: {report['games']} games a replication, {report['replications']} replications, "
        f"seed {report['seed']}"
    )


def _row(key: str, each: Mapping[str, Any]) -> Sequence[str]:
    cells = [key]
    for index in ("index_1", "index_2"):
        ratio = each.get("ratio_to_elo", {index: {"mean": None}})[index]["mean"]
        cells += [*(_figure(each[index][part]) for part in ("mean", "sd", "se")), _figure(ratio)]
    return cells


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = "  ".join(f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True))
        yield f"{first:<{widths[0]}}  {cells}"


def _orders(orders: Sequence[Mapping[str, Any]], number: int, games: str) -> Iterator[str]:
    if not orders:
        return
    yield ""
    yield f"Orders by index {number} ({games}), least disorder first, and how often each held:"
    for order in orders[:MOST_ORDERS]:
        yield f"{100 * order['share']:6.1f} %  " + " < ".join(order["order"])
    if len(orders) > MOST_ORDERS:
        yield f"          and {len(orders) - MOST_ORDERS} other orders"


# --- files of a run --------------------------------------------------------------------------------------------------
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


# --- files of a given stream -----------------------------------------------------------------------------------------
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
