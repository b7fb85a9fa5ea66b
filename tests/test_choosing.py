"""Which tests are left out, that it is told, and what `--slow` prints: pytest is run on a small file of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bin_cases import ROOT
from tests.timing import Stopwatch

TESTS = """
import subprocess
import time
import pytest
from hypothesis import given, strategies as st
from tests.choosing import examples
tries = []

def test_quick(): pass

@pytest.mark.slow
def test_slow(): pass

@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2])
def test_slow_twice(n): subprocess.run(["sleep", "0.1"], check=True)

@pytest.mark.extended
def test_extended(): pass

@pytest.mark.extended
def test_extended_of_the_database(db): pass

@pytest.fixture
def db(): "Stands for pytest-django's."

def test_of_the_database(db): pass

@examples(200)
@given(st.integers())
def test_property(n):
    tries.append(n)
    time.sleep(0.001)  # 200 of them are 0.2 s at least: what is printed has one decimal

def test_tries(): print("tries", len(tries))
"""


def run(folder: Path, *arguments: str, tests: str = TESTS, status: int = 0, ci: str = "") -> str:
    folder.joinpath("test_some.py").write_text(tests)
    plugins = ["-p", "tests.choosing", "-p", "tests.timing"]
    if "--slow" not in arguments:  # what it watches is the site's; the rest has no use for one
        plugins += ["-p", "no:django"]
    if not any(each.startswith("--randomly") for each in arguments):
        plugins += ["-p", "no:randomly"]
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "HYPOTHESIS"))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", os.devnull, "--rootdir", str(folder), "-s", *plugins, *arguments],
        cwd=folder,
        env=own | {"PYTHONPATH": str(ROOT), "DJANGO_SETTINGS_MODULE": "tests.settings", "CI": ci},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_slow_tests_are_left_out_and_told_with_the_way_to_run_them(tmp_path: Path) -> None:
    said = run(tmp_path)
    assert "4 passed, 5 deselected" in said
    assert "Left out: 3 slow tests and tests in a browser (some 3), 2 extended tests." in said
    assert "bin/test --all" in said
    assert "tries 20" in said


@pytest.mark.slow
def test_with_xdist_it_is_told_once(tmp_path: Path) -> None:
    assert run(tmp_path, "-n", "2").count("browser (some 3), 2 extended tests.") == 1


@pytest.mark.slow
@pytest.mark.parametrize("named", [["test_some.py"], ["."], ["-k", "test"], ["test_some.py", "-n", "2"]])
def test_whoever_names_a_file_a_folder_or_a_word_gets_its_extended_tests_too(tmp_path: Path, named: list[str]) -> None:
    said = run(tmp_path, *named)
    assert "6 passed" in said
    assert "Left out: 3 slow tests and tests in a browser (some 3), 0 extended tests." in said


@pytest.mark.slow
def test_all_runs_everything_and_each_property_in_full_and_tells_where_the_time_went(tmp_path: Path) -> None:
    said = run(tmp_path, "--all", "--slow")
    assert "9 passed" in said
    assert "Left out" not in said
    assert "tries 200" in said
    head, everything, file = said.partition("what they were spent on")[2].splitlines()[1:4]
    names = head.replace("demo club", "demo").replace("desk scene", "desk").split()
    spent = dict(zip(names, file.split(), strict=False))
    assert file.endswith("test_some.py")
    assert everything.split()[0] == spent["all"]
    assert float(spent["sub-processes"]) > 0
    assert float(spent["Hypothesis"]) > 0
    assert float(spent["browser"]) == 0


@pytest.mark.slow
def test_the_build_machine_tries_a_third(tmp_path: Path) -> None:
    assert "tries 66" in run(tmp_path, "--all", "-k", "property or tries", ci="true")


@pytest.mark.slow
def test_on_another_database_only_what_asks_for_one(tmp_path: Path) -> None:
    assert "1 passed, 8 deselected" in run(tmp_path, "--database-only")


@pytest.mark.slow
def test_after_a_whole_run_the_other_database_is_asked_what_extended_tests_ask(tmp_path: Path) -> None:
    # Nothing was written down, and what nothing is known of is repeated.
    assert "2 passed, 7 deselected" in run(
        tmp_path, "-p", "tests.statements", "--database-only", f"--statements={tmp_path}"
    )


def test_a_second_counts_for_the_innermost_cause_only(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 1.0, 4.0, 5.0])  # outer begins, inner begins, inner ends, outer ends
    monkeypatch.setattr("tests.timing.perf_counter", lambda: next(clock))
    stopwatch = Stopwatch()
    inner = stopwatch.timed("browser", lambda: None)
    stopwatch.timed("demo club", inner)()
    assert stopwatch.spent == {"browser": 3.0, "demo club": 2.0}


@pytest.mark.extended
def test_whoever_finds_a_failure_is_told_its_order(tmp_path: Path) -> None:
    said = run(tmp_path, "--randomly-seed=7", tests="def test_some(): assert False", status=1)
    assert "In the same order again: --randomly-seed=7" in said
    assert "In the same order" not in run(tmp_path, "--randomly-seed=7", tests="def test_some(): pass")
