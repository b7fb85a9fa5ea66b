"""The scripts in bin/ from outside: what a person sees who starts them on a good day and on a bad one.

Where making an environment would take a network, a few lines of shell play the Python.
"""

import importlib.util
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
Done = subprocess.CompletedProcess[str]

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


def environment(**extra: object) -> dict[str, str]:
    """The environment of a person, not of this test run; the installed packages are the ones we run with."""
    ours = re.compile(r"CLUB_|FAKE_|(DATABASE_URL|DJANGO_SETTINGS_MODULE|PYTHON|PORT|HOST|CI)$")
    person = {name: value for name, value in os.environ.items() if not ours.match(name)}
    settings = {"CLUB_VENV": sys.prefix, "CLUB_ENV_READY": "1"} | extra
    return person | {name: str(value) for name, value in settings.items() if value is not None}


def run(*command: object, **extra: object) -> Done:
    return subprocess.run(
        [str(word) for word in command],
        env=environment(**extra),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def refusal(done: Done) -> str:
    """The one line on stderr, with status 2."""
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.splitlines()
    return line


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


@pytest.fixture
def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as other:
        return int(other.getsockname()[1])


# --- bin/serve refuses ----------------------------------------------------------------------------------------
def test_a_taken_port_is_told_before_the_installation(tmp_path: Path, taken_port: int) -> None:
    fresh = {"CLUB_ENV_READY": None, "CLUB_VENV": tmp_path / "venv", "PYTHON": sys.executable}
    done = run(ROOT / "bin/serve", PORT=taken_port, CLUB_DATA=tmp_path / "var", **fresh)
    assert re.fullmatch(rf"Port {taken_port} is taken .* PORT=\d+ bin/serve\.", refusal(done))
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", "80a", "8000.0", "٣٤", "9" * 5000])
def test_a_bad_port_is_refused(tmp_path: Path, port: str) -> None:
    assert "choose a number from 1 to 65535" in refusal(run(ROOT / "bin/serve", PORT=port, CLUB_DATA=tmp_path))


@pytest.mark.parametrize("host", ["no such host", "203.0.113.77", "a" * 80])
def test_a_foreign_address_is_refused(tmp_path: Path, free_port: int, host: str) -> None:
    done = run(ROOT / "bin/serve", HOST=host, PORT=free_port, CLUB_DATA=tmp_path)
    assert "use 127.0.0.1, or 0.0.0.0" in refusal(done)


def test_an_unwritable_folder_is_refused(tmp_path: Path, free_port: int) -> None:
    a_file = tmp_path / "var"
    a_file.write_text("not a folder")
    for folder in ("/dev/null/x", a_file):
        line = refusal(run(ROOT / "bin/serve", PORT=free_port, CLUB_DATA=folder))
        assert line.startswith(f"Cannot write to {folder} (a file is in its place)")
        assert "CLUB_DATA" in line


def test_an_unknown_option_is_refused() -> None:
    assert "--fast" in refusal(run(ROOT / "bin/serve", "--fast"))


def test_help_names_every_option_and_variable() -> None:
    done = run(ROOT / "bin/serve", "--help")
    assert done.returncode == 0
    assert not done.stderr
    for word in ("--empty", "--minimal", "PORT", "HOST", "CLUB_DATA", "CLUB_VENV", "PYTHON"):
        assert word in done.stdout


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


@pytest.mark.parametrize("version", ["2.7", "3.10"])
def test_every_older_python_is_too_old(fake: Fake, version: str) -> None:
    assert f"found {version}:" in refusal(fake.make("requirements.txt", FAKE_VERSION=version))


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.14"])
def test_every_newer_python_will_do(fake: Fake, version: str) -> None:
    assert fake.make("requirements.txt", FAKE_VERSION=version).returncode == 0


def test_a_python_without_venv_is_refused(fake: Fake) -> None:
    line = refusal(fake.start("serve", FAKE_NO_VENV="1"))
    assert line == "Python 3.11 has no venv: install it (Debian: apt install python3-venv)."


def test_a_python_that_does_not_run_is_refused(fake: Fake) -> None:
    assert "PYTHON=/nowhere/python does not run" in refusal(fake.start("serve", PYTHON="/nowhere/python"))


def test_no_python_at_all_is_refused(fake: Fake, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "dirname", "cksum"):
        (tools / name).symlink_to(shutil.which(name) or name)
    assert "found none" in refusal(fake.start("serve", PYTHON=None, PATH=tools))


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
    told = said_by_add_lab(fake, FAKE_OFFLINE="requirements-lab")
    assert told.splitlines()[1:] == [
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
def test_arguments_reach_pytest(fake: Fake) -> None:
    assert fake.start("test", "-k", "two words").stdout.splitlines()[-1] == "ran: -m pytest -k two words"


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


def test_lock_says_where_uv_is_to_be_had(fake: Fake, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "dirname"):
        (tools / name).symlink_to(shutil.which(name) or name)
    assert "pip install uv" in refusal(fake.start("lock", PATH=tools))


@pytest.mark.parametrize(("ci", "status", "word"), [("", 0, "left out"), ("true", 1, "FAILED")])
def test_a_missing_browser_is_told_in_the_last_lines(ci: str, status: int, word: str) -> None:
    done = run(ROOT / "bin/test", "tests/browser/test_support.py", CLUB_BROWSER="/nowhere/chromium", CI=ci)
    assert done.returncode == status, done.stdout
    assert re.search(rf"^\d+ browser tests {word}, because CLUB_BROWSER=/nowhere", done.stdout, re.MULTILINE)
    assert "apt install chromium" in done.stdout


# --- bin/start.py: who may ask --------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def start() -> ModuleType:
    spec = importlib.util.spec_from_file_location("start", ROOT / "bin/start.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.5", "localhost", "::1"])
def test_at_home_nobody_else_may_ask(start: ModuleType, host: str) -> None:
    assert start.allowed_hosts(host) == []


def test_in_the_hall_phones_may_ask_by_name_or_address(start: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "own_addresses", lambda: ["192.0.2.10"])
    monkeypatch.setattr(start.socket, "gethostname", lambda: "Hall.example")
    names = ["hall.example", "hall.local", "192.0.2.10"]
    assert start.allowed_hosts("0.0.0.0") == names
    assert start.allowed_hosts("2001:db8::7") == ["[2001:db8::7]", *names]


def test_own_addresses_are_for_others(start: ModuleType) -> None:
    for address in start.own_addresses():
        assert re.fullmatch(r"\d+\.\d+\.\d+\.\d+", address)
        assert not address.startswith("127.")


# --- bin/serve serves -----------------------------------------------------------------------------------------
def wait_until(look: Callable[[], object], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(0.1)


class Site:
    """A `bin/serve --empty` on a folder of its own."""

    def __init__(self, data: Path, port: int) -> None:
        self.data, self.url = data, f"http://127.0.0.1:{port}"
        self.script = subprocess.Popen(
            [ROOT / "bin/serve", "--empty"],
            env=environment(PORT=port, CLUB_DATA=data),
            cwd="/",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def headers(self) -> dict[str, str]:
        """The headers of the site's sign of life; none while it does not answer."""
        with suppress(OSError), urllib.request.urlopen(f"{self.url}/healthz", timeout=20) as response:
            return dict(response.headers)
        return {}

    def processes(self, word: str = "") -> list[int]:
        """Every process of this site, whoever its parent is: they share the variable CLUB_DATA."""
        mark = f"CLUB_DATA={self.data}".encode()
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # gone meanwhile, or somebody else's
                ours = mark in (folder / "environ").read_bytes().split(b"\0")
                if ours and word.encode() in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
        return found

    def stop(self) -> str:
        """Ends it as a service manager would; returns everything it said."""
        self.script.send_signal(signal.SIGTERM)
        said, _ = self.script.communicate(timeout=20)
        assert self.script.returncode == 0, said
        wait_until(lambda: not self.processes(), seconds=5)
        return said


@contextmanager
def site(data: Path, port: int) -> Iterator[Site]:
    running = Site(data, port)
    try:
        wait_until(lambda: running.headers() or running.script.poll() is not None)
        assert running.script.poll() is None, running.script.communicate()[0]
        yield running
    finally:
        if running.script.poll() is None:
            running.script.kill()  # the other processes follow
            running.script.communicate()


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for left-over processes in Linux's /proc")
def test_the_site_starts_stops_and_starts_again(tmp_path: Path, free_port: int) -> None:
    data = tmp_path / "the club's data"
    with site(data, free_port) as first:
        assert "default-src 'none'" in first.headers()["Content-Security-Policy"]
        assert len(first.processes("gunicorn")) == 3
        assert len(first.processes("db_worker")) == 1
        assert "is taken by another program" in refusal(run(ROOT / "bin/serve", PORT=free_port, CLUB_DATA=tmp_path))
        said = first.stop()
        assert f"Open {first.url}/" in said
        assert "Traceback" not in said
    secret = data / "secret"
    assert (data.stat().st_mode & 0o777, secret.stat().st_mode & 0o777) == (0o700, 0o600)
    kept = secret.read_text()
    assert len(kept.strip()) >= 50
    with site(data, free_port) as second:
        (worker,) = second.processes("db_worker")
        os.kill(worker, signal.SIGKILL)
        wait_until(lambda: set(second.processes("db_worker")) - {worker}, seconds=10)
        assert "starting it again" in second.stop()
    assert secret.read_text() == kept


# --- bin/start.py: the words of the other languages --------------------------------------------------------------
def test_words_are_compiled_at_the_first_start_and_where_one_of_them_changed(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = tmp_path / "clubrating/locale/ru/LC_MESSAGES/django.po"
    compiled = tmp_path / "data/locale/ru/LC_MESSAGES/django.mo"
    for path in (text, compiled):
        path.parent.mkdir(parents=True)
    text.write_text("")
    ran: list[tuple[str, ...]] = []
    monkeypatch.setattr(start, "PROJECT", tmp_path)
    monkeypatch.setattr(start, "manage", lambda *arguments: ran.append(arguments))
    start.compile_words(tmp_path / "data")
    assert ran == [("messages", "compile")]
    compiled.write_text("")
    os.utime(compiled, ns=(text.stat().st_atime_ns, text.stat().st_mtime_ns))
    start.compile_words(tmp_path / "data")
    assert len(ran) == 1
    os.utime(text, ns=(0, 0))
    start.compile_words(tmp_path / "data")
    assert len(ran) == 2
