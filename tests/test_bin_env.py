"""bin/env, bin/test, bin/check and bin/lock from outside: which Python, and is everything installed?

Where making an environment would take a network, a few lines of shell play the Python.
"""

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.bin_cases import ROOT, Done, refusal, run

# Plays a Python: makes "environments", notes every installation in $FAKE_LOG, and fails where it is told to.
FAKE_PYTHON = """#!/bin/sh
case "$*" in
    *"print("*) echo "${FAKE_VERSION:-3.11}" ;;
    *"import venv"*) exit "${FAKE_NO_VENV:-0}" ;;
    *"import pip"* | *"import django"*) ;;
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    "-m pip "*)
        echo "$6" | sed 's,.*/,,' >>"$FAKE_LOG"
        case "$6" in *"${FAKE_OFFLINE:-nothing}"*) echo "no route to the index"; exit 1 ;; esac ;;
    *) echo "ran: $*"; case "$*" in *"${FAKE_FAILS:-nothing}"*) exit 1 ;; esac ;;
esac
"""


# --- bin/env: which Python, and is everything installed? ------------------------------------------------------
class Fake:
    """A copy of bin/ in a folder with a blank in its name, lock files of one line, and the played Python."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "my club"
        self.venv = self.project / ".venv"
        self.log = folder / "installed.txt"
        shutil.copytree(ROOT / "bin", self.project / "bin")
        for name in ("requirements.txt", "requirements-dev.txt", "requirements-lab.txt"):
            (self.project / name).write_text("a==1\n")
        self.python = folder / "python-fake"
        self.python.write_text(FAKE_PYTHON)
        self.python.chmod(0o755)
        self.variables: dict[str, object] = {
            "CLUB_VENV": None,
            "CLUB_ENV_READY": None,
            "PYTHON": self.python,
            "FAKE_LOG": self.log,
        }

    def make(self, lock: str, **extra: object) -> Done:
        script = 'PROJECT=$1; . "$1/bin/env"; make_env "$2"'
        return run("sh", "-euc", script, "sh", self.project, lock, **(self.variables | extra))

    def start(self, script: str, *arguments: str, **extra: object) -> Done:
        return run(self.project / "bin" / script, *arguments, **(self.variables | extra))

    def installed(self) -> list[str]:
        return self.log.read_text().split() if self.log.exists() else []


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    return Fake(tmp_path)


@pytest.mark.parametrize("script", ["serve", "test", "check"])
def test_an_old_python_is_refused(fake: Fake, script: str) -> None:
    line = refusal(fake.start(script, FAKE_VERSION="3.9"))
    assert line.startswith("Python 3.11 or newer is needed, found 3.9: install python3.11")
    assert not fake.venv.exists()


def test_every_older_python_is_too_old_and_every_newer_one_will_do(fake: Fake) -> None:
    for version in ("2.7", "3.10"):
        assert f"found {version}:" in refusal(fake.make("requirements.txt", FAKE_VERSION=version))
    for version in ("3.11", "3.14"):
        assert fake.make("requirements.txt", FAKE_VERSION=version).returncode == 0


def test_a_python_without_venv_is_refused(fake: Fake) -> None:
    line = refusal(fake.start("serve", FAKE_NO_VENV="1"))
    assert line == "Python 3.11 has no venv: install it (Debian: apt install python3-venv)."


def test_a_python_that_does_not_run_is_refused(fake: Fake) -> None:
    assert "PYTHON=/nowhere/python does not run" in refusal(fake.start("serve", PYTHON="/nowhere/python"))


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """All there is on a machine without Python."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "dirname", "cksum"):
        (tools / name).symlink_to(shutil.which(name) or name)
    return tools


def test_no_python_at_all_is_refused(fake: Fake, bare: Path) -> None:
    assert "found none" in refusal(fake.start("serve", PYTHON=None, PATH=bare))


def chosen_python(fake: Fake, path: str) -> str:
    """Which Python makes the environment where a version manager's comes first on the path."""
    shims = fake.project / "shims"
    shims.mkdir()
    (shims / "python3").symlink_to(fake.python)
    script = 'PROJECT=$1; . "$1/bin/env"; find_python; echo "$PYTHON"'
    variables = fake.variables | {"PYTHON": None, "PATH": f"{shims}:{path}"}
    return run("sh", "-euc", script, "sh", fake.project, **variables).stdout.strip()


def test_the_systems_python_comes_first(fake: Fake) -> None:
    will_do = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))"
    if not Path("/usr/bin/python3").exists() or run("/usr/bin/python3", "-c", will_do).returncode:
        pytest.skip("this system has no Python of its own that could make the environment")
    assert chosen_python(fake, "/usr/bin:/bin") == "/usr/bin/python3"


def test_a_system_not_on_the_path_is_not_asked(fake: Fake, bare: Path) -> None:
    assert chosen_python(fake, str(bare)) == "python3"


def test_a_second_run_installs_nothing(fake: Fake) -> None:
    first, second = fake.make("requirements.txt"), fake.make("requirements.txt")
    assert first.stdout.startswith("Installing the pinned requirements")
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")
    assert fake.installed() == ["requirements.txt"]


def test_the_development_set_is_enough_to_serve(fake: Fake) -> None:
    for lock in ("requirements.txt", "requirements-dev.txt", "requirements.txt"):
        fake.make(lock)
    assert fake.installed() == ["requirements.txt", "requirements-dev.txt"]


def test_a_changed_lock_file_is_installed(fake: Fake) -> None:
    fake.make("requirements-dev.txt")
    (fake.project / "requirements.txt").write_text("a==2\n")
    fake.make("requirements.txt")
    fake.make("requirements-dev.txt")  # what the other lock brought may have pushed aside what this one needs
    assert fake.installed() == ["requirements-dev.txt", "requirements.txt", "requirements-dev.txt"]


def test_a_failed_installation_shows_pips_last_lines_and_is_redone(fake: Fake) -> None:
    done = fake.make("requirements.txt", FAKE_OFFLINE="requirements")
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == "no route to the index"
    assert "is this machine online?" in done.stderr.splitlines()[1]
    half_made = fake.venv / "half-made"
    half_made.touch()
    assert fake.make("requirements.txt").returncode == 0
    assert not half_made.exists()


def test_an_environment_whose_python_went_away_is_made_anew(fake: Fake) -> None:
    fake.make("requirements.txt")
    (fake.venv / "bin/python").unlink()
    assert fake.make("requirements.txt").returncode == 0
    assert fake.installed() == ["requirements.txt"] * 2


def test_a_folder_of_somebody_else_is_never_deleted(fake: Fake, tmp_path: Path) -> None:
    diary = tmp_path / "home" / "diary.txt"
    diary.parent.mkdir()
    diary.write_text("1. e4")
    for folder in (diary.parent, diary):
        assert "not one of ours" in refusal(fake.make("requirements.txt", CLUB_VENV=folder))
    assert diary.read_text() == "1. e4"


def test_an_unwritable_environment_is_refused(fake: Fake) -> None:
    assert "Cannot write to /dev/null/venv" in refusal(fake.make("requirements.txt", CLUB_VENV="/dev/null/venv"))


def test_the_development_lock_holds_the_running_one() -> None:
    running, development = (
        set(re.findall(r"^\S+==[^\s\\]+", (ROOT / name).read_text(), re.MULTILINE))
        for name in ("requirements.txt", "requirements-dev.txt")
    )
    assert running <= development
    lab = set(re.findall(r"^\S+==[^\s\\]+", (ROOT / "requirements-lab.txt").read_text(), re.MULTILINE))
    assert lab <= development


# --- bin/serve and the extra of the rating lab ------------------------------------------------------------------
def said_by_add_lab(fake: Fake, lock: str = "requirements.txt", **extra: object) -> str:
    script = 'PROJECT=$1; . "$1/bin/env"; make_env "$2"; echo "--"; add_lab; echo "goes on"'
    done = run("sh", "-euc", script, "sh", fake.project, lock, **(fake.variables | extra))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.partition("--\n")[2]


def test_numba_is_installed_beside_the_rest_and_once(fake: Fake) -> None:
    first, second = said_by_add_lab(fake), said_by_add_lab(fake)
    assert first.startswith("Installing Numba for the rating lab (")
    assert second == "goes on\n"
    assert fake.installed() == ["requirements.txt", "requirements-lab.txt"]


def test_a_site_without_numba_is_a_site_all_the_same(fake: Fake) -> None:
    found = said_by_add_lab(fake, FAKE_OFFLINE="requirements-lab")
    assert found.splitlines()[1:] == [
        "Numba could not be installed: the rating lab runs plainly, everything else as ever.",
        "goes on",
    ]
    assert said_by_add_lab(fake) != "goes on\n"  # the next start tries again
    assert fake.installed() == ["requirements.txt", "requirements-lab.txt", "requirements-lab.txt"]


def test_the_development_set_brings_numba(fake: Fake) -> None:
    assert said_by_add_lab(fake, "requirements-dev.txt") == "goes on\n"
    assert fake.installed() == ["requirements-dev.txt"]


@pytest.mark.parametrize(
    ("options", "installed"),
    [([], ["requirements.txt", "requirements-lab.txt"]), (["--minimal"], ["requirements.txt"])],
)
def test_minimal_leaves_numba_out(fake: Fake, free_port: int, options: list[str], installed: list[str]) -> None:
    done = fake.start("serve", *options, PORT=free_port)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith("ran: ")
    assert fake.installed() == installed


# --- bin/test, bin/check, bin/lock ----------------------------------------------------------------------------
CORES = "-n auto --dist loadfile --no-loadscope-reorder"
MORE = CORES.replace("auto", str(os.sysconf("SC_NPROCESSORS_ONLN") + 1))
SERVER = {"CLUB_TEST_POSTGRES": "postgres://somewhere/postgres"}


@pytest.mark.extended
@pytest.mark.parametrize(
    ("arguments", "extra", "ran"),
    [
        ((), {}, [CORES]),
        ((), SERVER, [CORES]),
        (("-x", "--lf"), {}, [f"{CORES} -x --lf"]),
        (("-k", "two words"), {}, ["-k two words"]),
        (("--slow", "tests/test_walk.py"), {}, ["--slow tests/test_walk.py"]),
        (("--all",), {}, [f"{MORE} --all"]),
        (("--all", "tests/test_walk.py"), {}, ["tests/test_walk.py --all"]),
        (("--all",), SERVER, [f"{MORE} --all --statements=…", f"{MORE} --database-only --statements=…"]),
        (("--postgres",), SERVER, [f"{CORES} --database-only"]),
    ],
)
def test_what_pytest_is_asked_for(
    fake: Fake, arguments: tuple[str, ...], extra: dict[str, str], ran: list[str]
) -> None:
    said = re.sub(r"(?<=--statements=)\S+", "…", fake.start("test", *arguments, **extra).stdout).splitlines()
    assert [line for line in said if line.startswith("ran:")] == [f"ran: -m pytest {options}" for options in ran]


def test_what_fails_on_postgresql_fails_and_the_rest_is_run(fake: Fake) -> None:
    done = fake.start("test", "--all", FAKE_FAILS="--database-only", **SERVER)
    assert (done.returncode, done.stdout.count("ran:")) == (1, 2)


def test_without_a_server_there_is_nothing_to_run_on_one(fake: Fake) -> None:
    assert "CLUB_TEST_POSTGRES names no server" in refusal(fake.start("test", "--postgres"))


def test_check_runs_every_step_and_sums_up(fake: Fake) -> None:
    done = fake.start("check", FAKE_FAILS="ruff check")
    assert done.returncode == 1
    steps = [line.removeprefix("== ") for line in done.stdout.splitlines() if line.startswith("== ")]
    assert steps == [
        *("format", "lint", "types", "migrations", "production settings"),
        *("security of the code", "known vulnerabilities"),
    ]
    assert done.stderr.splitlines() == ["bin/check: FAILED: lint"]


def test_check_says_when_all_is_well(fake: Fake) -> None:
    done = fake.start("check")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "bin/check: all steps passed")


def test_lock_says_where_uv_is_to_be_had(fake: Fake, bare: Path) -> None:
    assert "pip install uv" in refusal(fake.start("lock", PATH=bare))


@pytest.mark.extended
@pytest.mark.parametrize(
    ("ci", "status", "word", "processes"),
    [
        ("", 0, "left out", ()),
        pytest.param("true", 1, "FAILED", ("-n", "2"), marks=pytest.mark.slow),  # where CI is, --all is
    ],
)
def test_a_missing_browser_is_told_in_the_last_lines(
    ci: str, status: int, word: str, processes: tuple[str, ...]
) -> None:
    nowhere = {"CLUB_BROWSER": "/nowhere/chromium", "CLUB_TEST_POSTGRES": "", "CI": ci}
    done = run(ROOT / "bin/test", "--all", *processes, "tests/browser/test_support.py", **nowhere)
    assert done.returncode == status, done.stdout
    assert re.search(rf"^\d+ browser tests {word}, because CLUB_BROWSER=/nowhere", done.stdout, re.MULTILINE)
    assert "apt install chromium" in done.stdout
