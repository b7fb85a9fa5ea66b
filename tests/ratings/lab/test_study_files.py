"""The study's files: small runs read back and held against the tables they come from."""

import csv
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy
import pytest
from PIL import Image

from ratings.lab.contenders import CONTENDERS, STUDY, Contender, contenders
from ratings.lab.engine import PLAIN, Engine, best_engine
from ratings.lab.pictures import ABOVE, COLUMNS, LEFT, ROWS, Ink, look_of, points_of, rating_inks, rows_of, table_order
from ratings.lab.study_files import pieces, remove_files, write_study_files
from ratings.lab.table import Table
from ratings.lab.world import Stretch, stretches

SEED = 5
GLICKO = STUDY[5:]


def write(folder: Path, games: int, **changes: Any) -> list[Path]:
    settings: dict[str, Any] = {
        "seed": SEED, "replication": 0, "newcomers": False, "contenders": STUDY, "engine": PLAIN, "log": False,
        "tell": lambda done: None,
    }  # fmt: skip
    return write_study_files(folder, games=games, **settings | changes)


@pytest.fixture(scope="module")
def short_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of 320 games of all six."""
    folder = tmp_path_factory.mktemp("short")
    write(folder, 320)
    return folder


@pytest.fixture(scope="module")
def long_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of 2,100 games."""
    folder = tmp_path_factory.mktemp("long")
    write(folder, 2100)
    return folder


def one_stretch(games: int, engine: Engine = PLAIN) -> Stretch:
    (stretch,) = stretches(games, SEED, 0, engine)
    return stretch


def table_after(contender: Contender, games: int, every: int = 100) -> tuple[Table, list[int]]:
    """The same games once more, played in one go."""
    stretch = one_stretch(games)
    table = Table(contender, PLAIN, [person.strength for person in stretch.joining])
    return table, table.play(stretch.white, stretch.black, stretch.scores, every)


def tables_in(path: Path) -> dict[int, tuple[int, list[dict[str, str]]]]:
    """Games -> index and rows of the table after them."""
    found = {}
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        title, heading, *rows = block.split("\n")
        _after, games, _games, _index, index = title.split()
        names = heading.split()
        found[int(games)] = (int(index), [dict(zip(names, row.split(), strict=True)) for row in rows])
    return found


# --- which files -----------------------------------------------------------------------------------------------------
def test_charts_bitmap_tables_and_indices_are_written_in_that_order_under_the_variants_number(tmp_path: Path) -> None:
    keys = [each.key for each in STUDY]
    charts = [f"(1)_chart_{number:02}_{key}.png" for number, key in enumerate([*keys, *keys, "index"], 1)]
    tables = [f"(1)_table_{key}.txt" for key in keys]
    paths = write(tmp_path / "new" / "folder", 30)
    assert [path.name for path in paths] == [*charts, "(1)_graph_.png", *tables, "(1)_index_.txt", "(1)_index_.csv"]
    assert len(charts) == 13
    assert sorted(paths) == sorted((tmp_path / "new" / "folder").iterdir())
    paths = write(tmp_path, 10, newcomers=True, log=True, contenders=GLICKO)
    assert all(path.name.startswith("(4)_") for path in paths)
    assert paths[-1].name == "(4)_fights_.txt"
    assert len(paths) == 3 + 1 + 1 + 2 + 1
    names = [path.name for path in write(tmp_path, 100, contenders=contenders(["glicko2", "elo-k32"]))]
    assert names[:5] == [
        "(1)_chart_01_glicko2.png", "(1)_chart_02_elo-k32.png", "(1)_chart_03_glicko2.png",
        "(1)_chart_04_elo-k32.png", "(1)_chart_05_index.png",
    ]  # fmt: skip


def test_files_of_an_earlier_run_of_the_same_program_go_first_and_nothing_else(tmp_path: Path) -> None:
    own = write(tmp_path, 10, log=True)
    others = write(tmp_path, 10, newcomers=True, contenders=GLICKO)
    mine = [tmp_path / name for name in ("(1) letter.txt", "(1)_chart_draft.png", "_index_.csv", "notes.txt")]
    for path in mine:
        path.write_text("mine", encoding="utf-8")
    again = write(tmp_path, 10, contenders=GLICKO)
    assert sorted(tmp_path.iterdir()) == sorted([*again, *others, *mine])
    assert not {path for path in own if path.exists()} - {*again}
    remove_files(tmp_path, newcomers=True)
    assert sorted(tmp_path.iterdir()) == sorted([*again, *mine])


# --- the looks -------------------------------------------------------------------------------------------------------
def test_looks_fall_on_every_10th_game_up_to_10000_and_every_100th_from_there() -> None:
    stretch = Stretch((), [0] * 10_350, [1] * 10_350, [1.0] * 10_350)
    found = [piece.done for piece in pieces(stretch, 0)]
    assert found == [*range(10, 10_001, 10), 10_100, 10_200, 10_300, 10_350]
    assert sum(piece.games for piece in pieces(stretch, 0)) == 10_350
    stretch = Stretch((), [0] * 150, [1] * 150, [1.0] * 150)
    assert [piece.done for piece in pieces(stretch, 22_000)] == [22_100, 22_150]


def test_who_hears_is_told_after_every_thousand_games_and_at_the_end_and_may_stop_the_run(tmp_path: Path) -> None:
    heard: list[int] = []
    write(tmp_path, 2350, contenders=GLICKO, tell=heard.append)
    assert heard == [1000, 2000, 2350]
    heard.clear()
    write(tmp_path, 1000, contenders=GLICKO, tell=heard.append)
    assert heard == [1000]

    class CancelledError(Exception):
        pass

    def stop(done: int) -> None:
        raise CancelledError

    with pytest.raises(CancelledError):
        write(tmp_path / "stopped", 2000, contenders=GLICKO, tell=stop)
    assert not list((tmp_path / "stopped").glob("*.png"))


# --- tables ----------------------------------------------------------------------------------------------------------
def test_tables_after_every_thousand_games_are_the_tables_of_the_run(long_run: Path) -> None:
    for contender in STUDY:
        found = tables_in(long_run / f"(1)_table_{contender.key}.txt")
        assert list(found) == [1000, 2000]
        for games, (index, rows) in found.items():
            table, indices = table_after(contender, games)
            assert index == indices[-1]
            assert [int(row["number"]) - 1 for row in rows] == table.order
            for place, row in zip(table.order, rows, strict=True):
                rating, _second, _third, played = table.figures(place)
                assert float(row["rating"]) == pytest.approx(rating, abs=5e-5)
                assert int(row["games"]) == played == int(row["wins"]) + int(row["losses"])
            assert rows[-1]["points"] == "-", "nobody stands below"
            assert sum(int(row["points"]) for row in rows[:-1]) == index
            strengths = [float(row["player"].split("-")[0]) for row in rows]
            assert [int(row["points"]) for row in rows[:-1]] == points_of(strengths).tolist()[:-1]


def test_wins_and_names_are_those_of_the_games(long_run: Path) -> None:
    stretch = one_stretch(1000)
    winners = Counter(
        one if score else two for one, two, score in zip(stretch.white, stretch.black, stretch.scores, strict=True)
    )
    (_index, rows) = tables_in(long_run / "(1)_table_glicko.txt")[1000]
    assert {int(row["number"]) - 1: int(row["wins"]) for row in rows} == {at: winners[at] for at in range(140)}
    assert {row["player"] for row in rows} == {person.name for person in stretch.joining}


def test_a_system_shows_what_it_remembers(tmp_path: Path) -> None:
    write(tmp_path, 1000, contenders=contenders(["r2", "glicko", "glicko2", "elo"]))
    rows = {key: tables_in(tmp_path / f"(1)_table_{key}.txt")[1000][1] for key in ("r2", "glicko", "glicko2", "elo")}
    assert all(0.79 <= float(row["K"]) <= 1.27 for row in rows["r2"])
    assert all(30 < float(row["RD"]) <= 350 for row in rows["glicko"])
    assert all(0.05 < float(row["volatility"]) < 0.07 for row in rows["glicko2"])
    assert list(rows["elo"][0]) == ["place", "player", "number", "rating", "games", "wins", "losses", "points"]


# --- indices ---------------------------------------------------------------------------------------------------------
def test_the_index_of_every_hundredth_game_stands_in_the_csv(long_run: Path) -> None:
    with (long_run / "(1)_index_.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [int(row["games"]) for row in rows] == list(range(100, 2101, 100))
    for contender in STUDY:
        assert [int(row[contender.key]) for row in rows] == table_after(contender, 2100)[1]


def test_mean_indices_of_both_ranges_and_a_dash_for_one_without_games(tmp_path: Path) -> None:
    write(tmp_path, 11_000, contenders=GLICKO)
    _title, _heading, line = (tmp_path / "(1)_index_.txt").read_text(encoding="utf-8").splitlines()
    index = table_after(GLICKO[0], 11_000)[1]
    means = [numpy.mean(part) for part in (index[:100], index[100:], index)]
    assert line.split() == ["glicko", *(f"{mean:.4f}" for mean in means)]
    write(tmp_path, 200, contenders=GLICKO)
    line = (tmp_path / "(1)_index_.txt").read_text(encoding="utf-8").splitlines()[-1]
    assert line.split()[2] == "-"


# --- charts ----------------------------------------------------------------------------------------------------------
def inks_in(path: Path) -> numpy.ndarray:
    """The chart's grid, read back from its colours."""
    with Image.open(path) as image:
        pixels = numpy.asarray(image.convert("RGB"))[ABOVE : ABOVE + ROWS, LEFT : LEFT + COLUMNS]
    grid = numpy.full(pixels.shape[:2], -1)
    for ink, colour in rating_inks().items():
        grid[(pixels == colour).all(axis=2)] = ink
    return grid


@pytest.mark.extended
@pytest.mark.parametrize("contender", STUDY, ids=lambda each: each.key)
def test_a_column_is_the_table_after_its_games(short_run: Path, contender: Contender) -> None:
    fine, coarse = map(inks_in, sorted(short_run.glob(f"(1)_chart_*_{contender.key}.png")))
    assert (fine[:, :32] >= Ink.GREEN).any(axis=0).all()
    assert not (fine[:, 32:] >= Ink.GREEN).any()
    assert not (coarse[:, 3:] >= Ink.GREEN).any()
    for every in (100, 200, 300):
        assert (fine[:, every // 10 - 1] >= Ink.GREEN).tolist() == (coarse[:, every // 100 - 1] >= Ink.GREEN).tolist()
    for games in (10, 150, 300, 320):
        column = fine[:, games // 10 - 1]
        dots = {int(row): int(column[row]) for row in numpy.flatnonzero(column >= Ink.GREEN)}
        assert dots == expected_dots(contender, games)


def expected_dots(contender: Contender, games: int) -> dict[int, int]:
    """Row -> ink after so many games, the table having last been sorted at a hundredth game, by plain loops."""
    stretch = one_stretch(320)
    strengths = [person.strength for person in stretch.joining]
    table = Table(contender, PLAIN, strengths)
    sorted_until = games // 100 * 100
    table.play(stretch.white[:sorted_until], stretch.black[:sorted_until], stretch.scores[:sorted_until])
    rest = slice(sorted_until, games)
    table.play(stretch.white[rest], stretch.black[rest], stretch.scores[rest], 1000)
    order = table_order(table.order, table.ratings)
    points = points_of([strengths[at] for at in order])
    found: dict[int, int] = {}
    for at, cost in zip(order, points, strict=True):
        (row,) = rows_of([table.ratings[at]], look_of(contender).scale)
        found[int(row)] = max(found.get(int(row), 0), int(cost) + Ink.GREEN)
    return found


def test_looks_for_the_charts_leave_the_table_as_it_is(short_run: Path) -> None:
    """Ties keep the order of the last hundredth game: sorting at every tenth would mix them otherwise."""
    with (short_run / "(1)_index_.csv").open(encoding="utf-8", newline="") as stream:
        written = [int(row["league"]) for row in csv.DictReader(stream)]
    assert written == table_after(STUDY[0], 300)[1]
    assert written != table_after(STUDY[0], 300, every=10)[1][9::10]


# --- the same bytes --------------------------------------------------------------------------------------------------
def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.extended
def test_two_runs_give_the_same_bytes_another_replication_others_and_the_log_changes_none(tmp_path: Path) -> None:
    for name, replication in (("one", 0), ("two", 0), ("three", 1)):
        write(tmp_path / name, 1000, log=True, replication=replication, contenders=[STUDY[1], STUDY[5]])
    one, two, three = (contents(tmp_path / name) for name in ("one", "two", "three"))
    assert one == two
    assert one.keys() == three.keys()
    assert all(one[name] != three[name] for name in one)
    write(tmp_path / "without", 300)
    write(tmp_path / "with", 300, log=True)
    found = contents(tmp_path / "with")
    log = found.pop("(1)_fights_.txt").decode()
    assert found == contents(tmp_path / "without")
    assert len(log.splitlines()) == 1 + 300 * len(STUDY)


@pytest.mark.extended
def test_newcomers_join_tables_log_and_charts_after_22000_games(tmp_path: Path) -> None:
    write(tmp_path, 23_000, newcomers=True, log=True, contenders=GLICKO)
    found = tables_in(tmp_path / "(4)_table_glicko.txt")
    assert [len(rows) for _index, rows in found.values()] == [140] * 22 + [175]
    number = re.compile(r"#(\d+)\t")
    with (tmp_path / "(4)_fights_.txt").open(encoding="utf-8") as log:
        seen = [max(map(int, number.findall(line)), default=0) for line in log]
    assert max(seen[: 22_000 + 1]) == 140 < max(seen[22_000 + 1 :]) <= 175


@pytest.mark.slow  # compiled tables and worlds are tried by themselves
def test_compiled_and_plain_runs_write_the_same_files(tmp_path: Path) -> None:
    engine = best_engine()
    if not engine.is_compiled:
        pytest.skip("Numba is not installed.")
    # Compiling takes seconds a system; that all of them agree to the last bit is told elsewhere.
    each = [STUDY[1], STUDY[5]]
    write(tmp_path / "plain", 1050, contenders=each, log=True)
    write(tmp_path / "compiled", 1050, contenders=each, log=True, engine=engine)
    assert contents(tmp_path / "plain") == contents(tmp_path / "compiled")


def test_every_contender_can_be_drawn_and_logged(tmp_path: Path) -> None:
    paths = write(tmp_path, 200, contenders=CONTENDERS, log=True)
    assert all(path.stat().st_size for path in paths if "_table_" not in path.name)
