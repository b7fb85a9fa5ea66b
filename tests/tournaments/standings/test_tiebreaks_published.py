"""Standings of real events: what the organisers printed, and what FIDE's own program makes of the same files.

`published_*` columns follow the rules that the club's program knew when it printed them: those of 2023, also after
March 2026. One decimal was printed on some pages, so they are compared within 0.05; `tbs_*` columns exactly.
"""

import csv
import json
from collections.abc import Collection, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from tests.tournaments.crosstables import value, values
from tests.tournaments.interchange.trf_files import FOLDER
from tests.tournaments.real_events import DATA, read_rows
from tournaments.interchange.standings_of_report import contest_of
from tournaments.interchange.trf import read_report
from tournaments.standings.crosstable import Line
from tournaments.standings.rank import rank
from tournaments.standings.tiebreaks import Contest, Worth, tiebreak

TABLES = DATA / "standings"
HERE = sorted(path.name.removesuffix(".standings.csv") for path in TABLES.glob("hb*.csv"))
ROUNDED = Fraction("0.05")
# The page of the Rookies Juniors Cup does not have the product of these four's own dummies: their Sonneborn-Berger is
# lower there by the half- or full-point byes they had, and right for everybody else.
ODD = {("hb2026_rookies_juniors_cup", "published_SB", number) for number in (54, 56, 57, 61)}


def contest(reports: Path, name: str, edition: int | None = None) -> Contest:
    return contest_of(read_report((reports / f"{name}.trf").read_bytes()), edition=edition)


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def columns(rows: list[dict[str, str]], prefix: str) -> list[str]:
    named = [name for name in rows[0] if name.startswith(prefix)]
    return [name for name in named if name not in ("published_Pts", "published_DirE")]


def code_of(column: str) -> str:
    return column.split("_", 1)[1].replace("-", "/")


def compared(event: Contest, rows: list[dict[str, str]], prefix: str) -> Iterator[tuple[int, str, str, Worth | None]]:
    """Number, column, printed value and ours of every cell: the columns are the tie-breaks, in their order."""
    named = columns(rows, prefix)
    ours = {row.player: row for row in rank(event, [tiebreak(code_of(name)) for name in named])}
    for row in rows:
        number = int(row["tpn"])
        for name, worth in zip(named, ours[number].tiebreaks, strict=True):
            yield number, name, row[name], worth


def check_exactly(event: Contest, rows: list[dict[str, str]]) -> int:
    """FIDE's program gives direct encounter 0 where it parts nobody; we give nothing."""
    cells = list(compared(event, rows, "tbs_"))
    wrong = [
        (number, name, printed, worth and worth.number)
        for number, name, printed, worth in cells
        if (worth.number if worth else 0) != Fraction(printed) or (worth is None and name != "tbs_DE")
    ]
    assert wrong == []
    return len(cells)


def check_published(name: str, event: Contest, rows: list[dict[str, str]]) -> None:
    wrong = [
        (number, column, printed, worth and float(worth.number))
        for number, column, printed, worth in compared(event, rows, "published_")
        if (name, column, number) not in ODD
        # Places within the tied group; “1-2” are the two who share the first.
        and abs((worth.number if worth else 0) - Fraction(printed.split("-")[0])) > ROUNDED
    ]
    assert wrong == []
    for row in rows:
        assert Fraction(event.table[int(row["tpn"])].points, event.points.unit) == Fraction(row["published_Pts"])


# --- those at hand ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", HERE)
def test_values_are_those_of_fides_own_program_and_those_printed_under_the_rules_of_2023(name: str) -> None:
    rows = rows_of(TABLES / f"{name}.standings.csv")
    assert check_exactly(contest(FOLDER, name), rows) > 40
    check_published(name, contest(FOLDER, name, 2023), rows)


def test_the_edition_follows_the_first_day() -> None:
    assert contest(FOLDER, "hb2025_koshnitsky").edition == 2023
    assert contest(FOLDER, "hb2026_rookies_juniors_cup").edition == 2026
    assert contest(FOLDER, "hb2026_western_minor_rr6").swiss is False


def test_the_four_odd_ones_are_odd_and_nobody_else() -> None:
    """Without their own unplayed rounds their Sonneborn-Berger is the printed one."""
    name = "hb2026_rookies_juniors_cup"
    event = contest(FOLDER, name, 2023)
    printed = {int(row["tpn"]): Fraction(row["published_SB"]) for row in rows_of(TABLES / f"{name}.standings.csv")}
    worths = {row.player: row.tiebreaks[0] for row in rank(event, [tiebreak("SB")])}
    off = {number for number, worth in worths.items() if worth and abs(worth.number - printed[number]) > ROUNDED}
    assert {(name, "published_SB", number) for number in off} == ODD


def test_points_of_direct_encounter_were_printed_by_the_junior_championship() -> None:
    """Its page shows the points taken from those with equal points, not the place."""
    name = "hb2025_junior_club_champ_rr8"
    rows = {row.player: row.tiebreaks[0] for row in rank(contest(FOLDER, name), [tiebreak("DE")])}
    taken = {player: sum(part.amount for part in worth.parts) if worth else 0 for player, worth in rows.items()}
    printed = {int(row["tpn"]): Fraction(row["published_DirE"]) for row in rows_of(TABLES / f"{name}.standings.csv")}
    assert taken == printed


def test_the_exercise_of_an_arbiters_course() -> None:
    exercise = contest(TABLES, "pl_swiss", 2026)
    expected = json.loads((TABLES / "pl_swiss.expected.json").read_text(encoding="utf-8"))["expected"]
    for code, answers in (("PS", "progressive_score"), ("BH", "buchholz"), ("BH/C1", "buchholz_cut1")):
        ours = values(exercise, code)
        assert {number: ours[int(number)] for number in expected[answers]} == expected[answers]


# --- performances --------------------------------------------------------------------------------------------------
def check_performances(report: Path, file: Path, players: Path | None = None) -> int:
    """ARO and Rp of everybody who met rated opponents, from the games among those with a FIDE rating (they stand in
    the file itself, or among the players)."""
    rows = {int(row["tpn"]): row for row in read_rows(file)}
    rated = {int(row["tpn"]): row for row in read_rows(players or file)}
    ratings = {number: int(row["fide_rating"]) for number, row in rated.items() if row["fide_rating"].strip("0")}
    whole = contest_of(read_report(report.read_bytes()))
    among = replace(whole, table={number: _among(whole.table[number], ratings) for number in ratings}, ratings=ratings)
    for player, row in rows.items():
        assert value(among, "ARO", player) == int(row["published_ARO"]), player
        assert value(among, "TPR", player) == int(row["published_Rp"]), player
    return len(rows)


def _among(line: Line, rated: Collection[int]) -> Line:
    return replace(line, cells=tuple(cell for cell in line.cells if cell.opponent in rated))


def test_averages_and_performances_are_the_published_ones() -> None:
    assert check_performances(FOLDER / "hb2025_koshnitsky.trf", DATA / "hb2025_koshnitsky.fide_variation.csv") == 9


# --- all that were delivered ------------------------------------------------------------------------------------------
def delivered(real_data: Path) -> list[Path]:
    return sorted([*(real_data / "swiss").glob("hb*.standings.csv"), *(real_data / "rr").glob("hb*.standings.csv")])


@pytest.mark.extended
@pytest.mark.real_data
def test_every_delivered_event_has_its_values(real_data: Path) -> None:
    cells = 0
    for file in delivered(real_data):
        name, rows = file.name.removesuffix(".standings.csv"), rows_of(file)
        cells += check_exactly(contest(file.parent, name), rows)
        check_published(name, contest(file.parent, name, 2023), rows)
    assert cells == 3601


@pytest.mark.real_data
def test_every_delivered_performance_is_the_published_one(real_data: Path) -> None:
    names = [path.name.removesuffix(".fide_variation.csv") for path in real_data.glob("*/*.fide_variation.csv")]
    checked = 0
    for name in names:
        files = (next(real_data.glob(f"*/{name}.{kind}")) for kind in ("trf", "fide_variation.csv", "players.csv"))
        checked += check_performances(*files)
    assert (len(names), checked) == (5, 81)


@pytest.mark.real_data
def test_the_copies_are_those_of_the_delivered_files(real_data: Path) -> None:
    for copy in sorted(TABLES.iterdir()):
        original = next(real_data.glob(f"*/{copy.name}"))
        assert copy.read_bytes() == original.read_bytes()
