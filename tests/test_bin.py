"""bin/serve and bin/start.py from outside: what a person sees who starts them on a good day and on a bad one."""

import importlib.util
import os
import re
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

from tests.bin_cases import ROOT, environment, refusal, run


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


# --- bin/serve refuses ----------------------------------------------------------------------------------------
@pytest.mark.extended
def test_a_taken_port_is_told_before_the_installation(tmp_path: Path, taken_port: int) -> None:
    fresh = {"CLUB_ENV_READY": None, "CLUB_VENV": tmp_path / "venv", "PYTHON": sys.executable}
    done = run(ROOT / "bin/serve", PORT=taken_port, CLUB_DATA=tmp_path / "var", **fresh)
    assert re.fullmatch(rf"Port {taken_port} is taken .* PORT=\d+ bin/serve\.", refusal(done))
    assert not (tmp_path / "venv").exists()


@pytest.mark.extended
@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", "80a", "8000.0", "٣٤", "9" * 5000])
def test_a_bad_port_is_refused(tmp_path: Path, port: str) -> None:
    assert "choose a number from 1 to 65535" in refusal(run(ROOT / "bin/serve", PORT=port, CLUB_DATA=tmp_path))


@pytest.mark.extended
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
def wait_until(look: Callable[[], object], seconds: float = 600) -> None:
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
        with suppress(OSError), urllib.request.urlopen(f"{self.url}/healthz", timeout=600) as response:
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
        said, _ = self.script.communicate(timeout=600)
        assert self.script.returncode == 0, said
        wait_until(lambda: not self.processes())
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
@pytest.mark.slow
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
        wait_until(lambda: set(second.processes("db_worker")) - {worker})
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
