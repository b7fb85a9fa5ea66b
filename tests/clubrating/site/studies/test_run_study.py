"""`manage.py run_study`: same seed, same figures, whoever runs them; interrupted, resumed, divided and merged."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.core.management.base import OutputWrapper

from clubrating.management.commands import run_study as command
from clubrating.site.studies.files import REPORT
from ratings.lab.engine import Engine
from ratings.lab.journal import NAME
from ratings.lab.study import Replication, Study
from tests import ROOT
from tournaments.management.file_command import Progress

SMALL = ("--games", 500, "--replications", 5, "--systems", "league,elo")


def run(*arguments: object) -> tuple[str, str]:
    """What the command says on stdout and stderr."""
    out, err = StringIO(), StringIO()
    call_command("run_study", *map(str, arguments), stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def report(*arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json")[0])
    return found


def refused(*arguments: object, code: int = 2) -> str:
    """The sentence, and before it what stood on stderr."""
    out, err = StringIO(), StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("run_study", *map(str, arguments), stdout=out, stderr=err)
    assert caught.value.returncode == code
    assert out.getvalue() == ""
    return f"{err.getvalue()}{caught.value}"


def lines(folder: Path) -> list[str]:
    return (folder / NAME).read_text().splitlines()


# --- what is printed ------------------------------------------------------------------------------------------
def test_the_text_says_what_the_json_object_says() -> None:
    found = report("imitator", *SMALL, "--seed", 7)
    assert {name: found[name] for name in ("study", "games", "replications", "seed")} == {
        "study": "imitator",
        "games": 500,
        "replications": 5,
        "seed": 7,
    }
    assert list(found["systems"]) == ["league", "elo"]
    assert set(found["systems"]["elo"]) == {"index_1", "index_2", "ratio_to_elo"}
    assert set(found["systems"]["elo"]["index_1"]) == {"mean", "sd", "se"}
    assert sum(order["share"] for order in found["orders"]) == pytest.approx(1.0)
    text = run("imitator", *SMALL, "--seed", 7)[0]
    assert text.startswith("imitator: 500 games a replication, 5 replications, seed 7\n")
    assert f"{found['systems']['league']['index_1']['mean']:.3f}" in text
    assert " < ".join(found["orders"][0]["order"]) in text


def test_the_seed_decides() -> None:
    assert report("newcomers", *SMALL) == report("newcomers", *SMALL, "--seed", 1)
    assert report("newcomers", *SMALL)["systems"] != report("newcomers", *SMALL, "--seed", 2)["systems"]


@pytest.mark.slow  # that compiled code computes the same is tried in test_engine
def test_compiled_or_plain_the_figures_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("imitator", *SMALL[:4], "--systems", "kd")
    plain = report(*arguments)
    monkeypatch.setattr("clubrating.site.studies.documents.WORTH_COMPILING", 0)
    assert report(*arguments) == plain


def test_progress_goes_to_stderr_a_line_every_tenth_and_on_a_terminal_is_a_bar() -> None:
    found = run("imitator", "--games", 100, "--replications", 20, "--systems", "kd", "--json")[1].splitlines()
    progress = [line for line in found if "replications" in line]
    assert len(progress) == 10
    assert progress[-1] == "100 %  20 of 20 replications"

    out = StringIO()
    out.isatty = lambda: True  # type: ignore[method-assign]
    bar = Progress(OutputWrapper(out), 4, "replications")
    bar.tell(1)
    bar.end()
    assert out.getvalue() == f"\r[{'#' * 10}{'.' * 30}]  25 %  1 of 4 replications\n"


def test_where_numba_is_missing_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert command.NO_NUMBA in run("imitator", *SMALL)[1]


# --- workers, shards ------------------------------------------------------------------------------------------
def test_workers_change_nothing(tmp_path: Path) -> None:
    one, two = (report("imitator", *SMALL, "--workers", count, "--out", tmp_path / str(count)) for count in (1, 2))
    assert one == two
    for name in (NAME, REPORT):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


def test_shards_merge_to_the_undivided_run_bit_for_bit(tmp_path: Path) -> None:
    whole = run("newcomers", *SMALL, "--seed", 3, "--json", "--out", tmp_path / "whole")[0]
    for shard in (1, 2, 3):
        part = report("newcomers", *SMALL, "--seed", 3, "--shard", f"{shard}/3", "--out", tmp_path / str(shard))
        assert part["replications"] == (1 if shard == 3 else 2)
    folders = [tmp_path / each for each in "312"]
    merged = run("newcomers", "--merge", *folders, "--json", "--out", tmp_path / "merged")[0]
    assert merged == whole
    for name in (NAME, REPORT):
        assert (tmp_path / "merged" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_what_does_not_fit_together_is_not_merged(tmp_path: Path) -> None:
    one, two, other = tmp_path / "one", tmp_path / "two", tmp_path / "other"
    run("imitator", *SMALL, "--shard", "1/2", "--out", one)
    run("imitator", *SMALL, "--shard", "2/2", "--out", two)
    run("imitator", *SMALL, "--seed", 9, "--shard", "2/2", "--out", other)
    assert "Replication 1 of 5 (counted from 0) is missing" in refused("imitator", "--merge", one)
    assert "Replication 0 is there twice" in refused("imitator", "--merge", one, one, two)
    assert "of another study than" in refused("imitator", "--merge", one, other)
    assert "seed 9, not 1" in refused("imitator", "--merge", one, other)
    assert "The shards have study imitator, not newcomers" in refused("newcomers", "--merge", one, two)
    assert "The shards have games 500, not 400" in refused("imitator", "--merge", one, two, "--games", 400)
    assert "is one of the shards" in refused("imitator", "--merge", one, two, "--out", one)
    assert "no such file" in refused("imitator", "--merge", tmp_path / "nowhere")
    assert "leave --shard, --resume and --log out" in refused("imitator", "--merge", one, two, "--shard", "1/2")
    (two / NAME).write_text("no journal\n")
    assert "line 1: this is no journal" in refused("imitator", "--merge", one, two)


# --- interruption ---------------------------------------------------------------------------------------------
def test_interrupted_it_keeps_what_is_finished_where_there_is_a_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Study.replication
    readable: list[int] = []  # lines of the journal as each replication begins

    def replication(study: Study, number: int, engine: Engine) -> Replication:
        readable.append(len(lines(tmp_path)))
        if number == 2:
            raise KeyboardInterrupt
        return real(study, number, engine)

    monkeypatch.setattr(Study, "replication", replication)
    found = refused("imitator", *SMALL, "--out", tmp_path, code=130)
    assert f"Interrupted: 2 of 5 replications are done and kept in {tmp_path}; --resume goes on." in found
    assert readable == [1, 2, 3]
    assert len(lines(tmp_path)) == 3
    assert not (tmp_path / REPORT).exists()
    assert "2 of 5 replications are done, and lost without --out." in refused("imitator", *SMALL, code=130)


def test_resumed_it_is_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    run("imitator", *SMALL, "--out", whole)
    run("imitator", *SMALL, "--out", broken)
    # As a power cut leaves it: two replications and half of the third.
    text = "\n".join(lines(broken)[:4])[:-20]
    (broken / NAME).write_text(text)
    made: list[int] = []
    real = Study.replication
    monkeypatch.setattr(
        Study, "replication", lambda study, number, engine: made.append(number) or real(study, number, engine)
    )  # type: ignore[func-returns-value]
    run("imitator", *SMALL, "--out", broken, "--resume")
    assert made == [2, 3, 4]
    for name in (NAME, REPORT):
        assert (broken / name).read_bytes() == (whole / name).read_bytes()


def test_resume_refuses_other_parameters_and_a_journal_that_is_none(tmp_path: Path) -> None:
    run("imitator", *SMALL, "--out", tmp_path)
    before = sorted((path.name, path.read_bytes()) for path in tmp_path.iterdir())
    found = refused("imitator", *SMALL, "--seed", 2, "--out", tmp_path, "--resume")
    assert "was made with other parameters (seed 1, not 2)" in found
    assert "study imitator, not newcomers" in refused("newcomers", *SMALL, "--out", tmp_path, "--resume")
    assert "systems league,elo, not kd" in refused(
        "imitator", *SMALL[:4], "--systems", "kd", "--out", tmp_path, "--resume"
    )
    assert before == sorted((path.name, path.read_bytes()) for path in tmp_path.iterdir())
    journal = tmp_path / NAME
    whole = journal.read_bytes()
    journal.write_bytes(b"\xff\xfe" + whole)
    assert "line 1: this is no journal" in refused("imitator", *SMALL, "--out", tmp_path, "--resume")
    journal.write_bytes(whole + whole.splitlines(keepends=True)[1])
    assert "is there twice" in refused("imitator", *SMALL, "--out", tmp_path, "--resume")
    assert journal.read_bytes().startswith(whole)


# --- files ----------------------------------------------------------------------------------------------------
def test_the_report_in_the_directory_has_curves_and_how_it_was_made(tmp_path: Path) -> None:
    printed = report("imitator", *SMALL, "--out", tmp_path, "--document", tmp_path / "small.json")
    kept = json.loads((tmp_path / REPORT).read_text())
    assert kept["made_by"] == "manage.py run_study imitator --games 500 --replications 5 --seed 1 --systems league,elo"
    assert kept["systems"]["elo"]["curve"]["every"] == 100
    assert len(kept["systems"]["elo"]["curve"]["mean"]) == 5
    assert kept["systems"]["elo"]["index_1"] == printed["systems"]["elo"]["index_1"]
    small = json.loads((tmp_path / "small.json").read_text())
    assert small["systems"]["elo"]["curve"]["every"] == 1000
    assert set(small["first"]) == {"league", "elo"}


def test_a_new_run_removes_its_own_old_files_and_no_others(tmp_path: Path) -> None:
    run("imitator", *SMALL, "--out", tmp_path, "--log")
    (tmp_path / "notes.txt").write_text("mine")
    run("imitator", "--games", 500, "--replications", 1, "--systems", "elo", "--out", tmp_path)
    after = {path.name for path in tmp_path.iterdir()}
    assert {"notes.txt", NAME, REPORT} <= after
    assert not [name for name in after if "league" in name or "fights" in name]
    assert len(lines(tmp_path)) == 2


# --- the diary ------------------------------------------------------------------------------------------------
def test_the_diary_prints_four_figures_shows_the_fault_and_is_divided_too(tmp_path: Path) -> None:
    sound, faulty = (report("diary", "--games", 620, "--replications", 3, *bug) for bug in ((), ("--bug", "minus-one")))
    assert all(set(sound[name]) == {"mean", "sd", "se"} for name in ("spearman", "top_rating", "second_rating"))
    assert abs(sound["deficit"]["mean"]) < 1.0
    assert faulty["deficit"]["mean"] < -100.0
    assert faulty["bug"] == "minus-one"
    assert "With the fault" in run("diary", "--games", 62, "--bug", "minus-one")[0]
    size = ("--games", 100, "--replications", 3)
    whole = run("diary", *size, "--json", "--workers", 2)[0]
    assert json.loads(whole)["games"] == 93  # whole tournaments
    for shard in (1, 2):
        run("diary", *size, "--shard", f"{shard}/2", "--out", tmp_path / str(shard))
    assert run("diary", "--merge", tmp_path / "1", tmp_path / "2", "--json")[0] == whole


# --- refusals -------------------------------------------------------------------------------------------------
def test_bad_arguments_are_refused_with_a_remedy() -> None:
    for arguments, sentence in (
        ("imitator --systems elo,bogus", "There is no system “bogus”; there are: league, solo-zerg"),
        ("imitator --systems elo,elo", "--systems names one twice"),
        ("imitator --systems ,", "--systems names none"),
        ("imitator --games many", "--games “many” is no whole number"),
        ("imitator --games 0", "--games “0” is no whole number"),
        ("imitator --resume", "--resume and --log need --out DIR."),
        ("imitator --replications 2 --shard 3/3", "has nothing to do"),
        ("imitator --bug minus-one", "--bug belongs to diary."),
        ("imitator --players p.csv", "--players belongs to stream."),
        ("imitator shock", "KEY belongs to scenario."),
        ("diary --games 30", "less than a tournament"),
        ("diary --systems elo", "diary has its own systems"),
        ("typed --systems elo", "typed has its own systems"),
        ("stream --games g.csv", "stream needs --games GAMES.csv and --players PLAYERS.csv."),
        ("scenario nowhere", "Scenarios are: constant"),
        ("scenario shock --shard 1/2", "--shard, --merge, --resume and --log belong to"),
    ):
        assert sentence in refused(*arguments.split())


def test_numbers_out_of_range_are_refused() -> None:
    for wrong in ("--shard 0/2", "--shard 2", "--workers 0", "--workers 9999", "--seed -1", "--seed x"):
        with pytest.raises(CommandError):
            run("imitator", *wrong.split())


def test_a_directory_that_is_a_file_is_refused_and_resume_in_an_empty_one_begins(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "cannot be used" in refused("imitator", *SMALL, "--out", tmp_path / "file")
    assert report("imitator", *SMALL, "--out", tmp_path / "new", "--resume") == report("imitator", *SMALL)


# --- documents ------------------------------------------------------------------------------------------------
def test_a_scenario_from_the_command_line(tmp_path: Path) -> None:
    arguments = ("scenario", "shock", "--games", 600, "--replications", 2, "--systems", "elo,league")
    out, err = run(*arguments, "--document", tmp_path / "shock.json", "--workers", 2, "--json")
    assert "scenario runs in one process: --workers is not used." in err
    found = json.loads(out)
    assert found["scenario"] == "shock"
    assert {"elo", "league"} <= set(found["systems"])
    kept = json.loads((tmp_path / "shock.json").read_text())
    assert kept["made_by"] == (
        "manage.py run_study scenario shock --games 600 --replications 2 --seed 1 --systems elo,league"
    )


@pytest.mark.slow
def test_workers_share_the_study_of_sides() -> None:
    arguments = ("sides", "--games", 8, "--replications", 2, "--json")
    alone, shared = run(*arguments), run(*arguments, "--workers", 2)
    assert json.loads(alone[0]) == json.loads(shared[0])
    assert "--workers is not used" not in shared[1]


@pytest.mark.slow
def test_without_any_environment_and_from_a_pipe() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("CLUB", "DJANGO"))}
    arguments = ["imitator", "--games", "200", "--replications", "1", "--systems", "elo", "--json"]
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "run_study", *arguments],
        env=environment, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    assert json.loads(done.stdout)["games"] == 200
