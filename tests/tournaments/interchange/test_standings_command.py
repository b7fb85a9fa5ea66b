"""`manage.py standings`: a report's places and tie-breaks, without a database."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command, execute_from_command_line

from tests.tournaments.interchange.trf_files import FOLDER, row, text
from tournaments.standings.tiebreaks import TIEBREAKS

ROOT = FOLDER.parent.parent.parent
OPEN = FOLDER / "hb2026_western_swiss_open.trf"
EXERCISE = FOLDER / "tec_round_robin.trf"


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[Any, str]:
    """What the command says as JSON, and beside it."""
    call_command("standings", *map(str, arguments), "--json")
    found = capsys.readouterr()
    return json.loads(found.out), found.err


def written(folder: Path, *lines: str) -> Path:
    path = folder / "cup.trf"
    path.write_bytes(text("012 Cup", *lines))
    return path


def test_json_has_everybody_with_decimals(capsys: pytest.CaptureFixture[str]) -> None:
    found, known = printed(capsys, OPEN, "--tiebreaks", "BH,BH/C1,SB,DE")
    assert (found["edition"], found["format"], known) == (2026, "swiss", "")
    assert len(found["standings"]) == 13
    assert found["standings"][2] == {
        "place": 3,
        "start_number": 5,
        "name": "Player005, HB2026",
        "points": "3.5",
        "tiebreaks": {"BH": "13", "BH/C1": "10.5", "SB": "6.75", "DE": ""},
    }


def test_direct_encounter_is_the_place_among_the_tied_and_empty_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    found, _told = printed(capsys, EXERCISE, "--tiebreaks", "DE,SB")
    rows = [(row["place"], row["start_number"], row["tiebreaks"]["DE"]) for row in found["standings"]]
    assert rows == [(1, 1, "1"), (2, 2, "2"), (2, 3, "2"), (4, 6, "1"), (5, 5, "2"), (6, 4, "3")]
    found, _told = printed(capsys, OPEN, "--tiebreaks", "BH,DE")
    assert {row["tiebreaks"]["DE"] for row in found["standings"] if row["points"] in ("5", "4", "3.5")} == {""}


def test_values_that_do_not_end_have_four_places(capsys: pytest.CaptureFixture[str]) -> None:
    found, _told = printed(capsys, OPEN, "--tiebreaks", "AOB")
    values = {row["start_number"]: row["tiebreaks"]["AOB"] for row in found["standings"]}
    assert (values[1], values[5], values[12]) == ("13.8", "13.1667", "12.625")


def test_edition_and_format_follow_the_report_unless_they_are_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, EXERCISE)[0]["edition"] == 2023
    assert printed(capsys, EXERCISE)[0]["format"] == "round-robin"
    found, _told = printed(capsys, EXERCISE, "--edition", "2026", "--format", "swiss", "--tiebreaks", "SB")
    assert (found["edition"], found["format"]) == (2026, "swiss")
    assert {row["start_number"]: row["tiebreaks"]["SB"] for row in found["standings"]}[6] == "2.25"
    old, _told = printed(capsys, OPEN, "--edition", "2023", "--tiebreaks", "BH")
    new, _told = printed(capsys, OPEN, "--tiebreaks", "BH")
    assert old["standings"] != new["standings"]


def test_equal_in_everything_is_an_equal_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "092 Swiss", row(1, "2 w ="), row(2, "1 b ="), row(3, "4 w 1"), row(4, "3 b 0"))
    found, _told = printed(capsys, path, "--tiebreaks", "BH,SB")
    rows = [(row["place"], row["start_number"], row["points"]) for row in found["standings"]]
    assert rows == [(1, 3, "1"), (2, 1, "0.5"), (2, 2, "0.5"), (4, 4, "0")]
    assert found["edition"] == 2026


def test_other_points_come_from_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = (row(1, "2 w 1|3 b ="), row(2, "1 b 0|- - U"), row(3, "- - H|1 w ="))
    path = written(tmp_path, "092 Swiss", "162 W 3.0 D 1.0 L 0.0 P 1.0", *rows)
    found, _told = printed(capsys, path, "--tiebreaks", "STD,SB")
    assert {row["start_number"]: row["points"] for row in found["standings"]} == {1: "4", 2: "1", 3: "2"}
    assert {row["start_number"]: row["tiebreaks"]["STD"] for row in found["standings"]} == {1: "1.5", 2: "0.5", 3: "1"}


def test_the_table_is_neat(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("standings", str(EXERCISE), "--tiebreaks", "DE,SB")
    assert capsys.readouterr().out == (
        "   No.  Name      Points  DE    SB\n"
        "1    1  Alyx         3.5   1  9.25\n"
        "2    2  Bruno        3.5   2  6.25\n"
        "2    3  Charline     3.5   2  6.25\n"
        "4    6  Helene       1.5   1  2.25\n"
        "5    5  Franck       1.5   2  3.25\n"
        "6    4  David        1.5   3  4.25\n"
        "\n"
        "round robin, 5 rounds, tie-break rules of 2023\n"
    )


def test_what_is_odd_is_told_beside_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _found, known = printed(capsys, EXERCISE, "--tiebreaks", "BH,STD,SB")
    assert known.splitlines() == [
        "BH: FIDE does not allow it in a round robin.",
        "STD: not in the rules of 2023, so it has no values.",
    ]
    found, known = printed(capsys, OPEN, "--tiebreaks", "ARO,LOTS")
    assert {cell for line in found["standings"] for cell in line["tiebreaks"].values()} == {""}
    assert known.splitlines() == ["ARO: not used, because somebody has no rating.", "LOTS: no lots are drawn here."]


def test_no_such_tie_break_and_no_usable_report_end_with_status_two(capsys: pytest.CaptureFixture[str]) -> None:
    for codes, sentence in (
        ("BH,XYZ", "there is no tie-break “XYZ”; there are DE, WIN"),
        ("KS/C1", "There is no “KS/C1”: KS can be followed by /L+1, /L-1."),
        ("BH/C", "“/C” after “BH” says nothing"),
    ):
        with pytest.raises(SystemExit) as ended:
            execute_from_command_line(["manage.py", "standings", str(OPEN), "--tiebreaks", codes])
        found = capsys.readouterr()
        assert (ended.value.code, found.out) == (2, "")
        assert sentence in found.err
        assert "Traceback" not in found.err
    for name, sentence in (
        ("py4swiss_bad_missing_result.trf", "line 2, column 132: round 5: 2 met 3"),
        ("nowhere.trf", "cannot be read"),
    ):
        with pytest.raises(CommandError, match=sentence) as refusal:
            call_command("standings", str(FOLDER / name))
        assert refusal.value.returncode == 2


@pytest.mark.slow
def test_it_runs_anywhere_without_environment() -> None:
    command = [sys.executable, str(ROOT / "manage.py"), "standings", str(OPEN), "--tiebreaks", "BH", "--json"]
    done = subprocess.run(command, env={}, capture_output=True, text=True, check=False, cwd="/")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["standings"][0]["tiebreaks"] == {"BH": "16"}


def test_every_tie_break_can_be_asked_for_of_every_report(capsys: pytest.CaptureFixture[str]) -> None:
    codes = ",".join(rule.code for rule in TIEBREAKS)
    for path in sorted(FOLDER.iterdir()):
        if "_bad_" not in path.name:
            found, _told = printed(capsys, path, "--individual", "--tiebreaks", codes)
            assert all(len(line["tiebreaks"]) == len(TIEBREAKS) for line in found["standings"])
