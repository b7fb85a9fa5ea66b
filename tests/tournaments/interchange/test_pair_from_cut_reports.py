"""Every round paired from the report as it stood before it: the columns from that round on are cut off the file, those
who were away keep their cell. Points and ranks are left as they are, those of the end. The colour that was drawn is
told before round 1; from round 2 on it is seen from round 1.
"""

from pathlib import Path

import pytest

from tests.tournaments.interchange.trf_files import report, row
from tests.tournaments.pairing.test_dutch_real_events import ALTERED, SWISSES
from tournaments.interchange.pairing_of_report import edition_of, first_colour_of, is_paired, round_to_pair
from tournaments.interchange.trf import Report, read_report

FIRST_CELL, CELL = 91, 10


def cut_before(text: str, number: int) -> Report:
    lines = [f"XXC {first_colour_of(read_report(text.encode()))}1"] if number == 1 else []
    for line in text.splitlines():
        end = FIRST_CELL + CELL * (number - 1)
        cell = line[end : end + CELL]
        away = line.startswith("001") and cell.strip() and cell.split()[0] == "0000" and cell.split()[-1] in "ZHF"
        lines.append((line[: end + CELL] if away else line[:end]) if line.startswith("001") else line)
    return read_report("\n".join(lines).encode())


def boards_in(whole: Report, number: int) -> set[tuple[int, int]]:
    found = set()
    for player in whole.players:
        cell = player.cells[number - 1]
        if cell.colour == "w":
            found.add((player.number, cell.opponent))
        elif cell.code == "U":
            found.add((player.number, 0))
    return found


def rounds_paired_otherwise(file: Path) -> list[int]:
    text = file.read_text()
    whole = read_report(text.encode())
    wrong = []
    for number in (number for number in range(1, whole.played_rounds + 1) if is_paired(whole, number)):
        boards = round_to_pair(cut_before(text, number), edition_of(whole)).pair()
        if {(board.white, board.black or 0) for board in boards} != boards_in(whole, number):
            wrong.append(number)
    return wrong


@pytest.mark.parametrize("name", ["hb2024_rapid2", "rtg_bbp_48", "rtg_gacrux_t6_30_0000"])
def test_every_round_comes_out_of_the_rounds_before_it(name: str) -> None:
    assert rounds_paired_otherwise(SWISSES / f"{name}.trf") == []


@pytest.mark.slow
@pytest.mark.real_data
def test_every_round_of_all_random_events_comes_out_of_the_rounds_before_it(real_data: Path) -> None:
    files = sorted((real_data / "swiss" / "rtg").glob("*.trf"))
    assert {file.stem: wrong for file in files if (wrong := rounds_paired_otherwise(file))} == {}
    assert len(files) >= 12


@pytest.mark.extended
@pytest.mark.real_data
@pytest.mark.parametrize(
    "name", ["hb2025_july_rapid", "hb2024_presidents_blitz", "hb2026_western_swiss_open", "pl_swiss", *ALTERED]
)
def test_every_unaltered_round_of_the_clubs_comes_out(real_data: Path, name: str) -> None:
    wrong = rounds_paired_otherwise(real_data / "swiss" / f"{name}.trf")
    assert set(wrong) <= set(ALTERED.get(name, []))


def test_the_days_of_the_rounds_tell_how_many_there_are() -> None:
    days = "132" + " " * 88 + "  ".join(("26/03/02", "26/03/09", "26/03/16", "26/03/23"))
    two = [row(1, "2 w 1"), row(2, "1 b 0"), row(3, "4 w 1"), row(4, "3 b 0")]
    assert round_to_pair(report(days, *two), 2026).settings["rounds"] == 4
