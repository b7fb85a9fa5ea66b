"""The site's processes, and the little supervisor that starts them again: what the units of docs/deploy do."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from tests.live import ROOT, Site

RESTART = 2.0  # seconds a unit waits before it starts again what ended (RestartSec)
FAKETIME = tuple(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
WEB_PROCESSES = 2
WEB = (
    "-m",
    "gunicorn",
    "-k",
    "clubrating.ops.web_worker.WebWorker",
    "-w",
    f"{WEB_PROCESSES}",
    "--threads",
    "4",
    "--keep-alive",
    "75",
    "--no-control-socket",
)
NOTHING: Mapping[str, str] = MappingProxyType({})
WORKER = ("manage.py", "db_worker", "--no-startup-delay", "--no-reload", "--verbosity=0")


# Under a moved clock `time.sleep` sleeps until a moment of the other clock and is refused; waiting for nothing is not.
AWAKE = (
    "import runpy, select, time; time.sleep = lambda seconds: select.select([], [], [], seconds); "
    "runpy.run_module('gunicorn', run_name='__main__', alter_sys=True)"
)


def web_command(port: int) -> tuple[str, ...]:
    """As club-web.service has it, on a port of its own."""
    lines = ("--graceful-timeout", "20", "--log-level", "warning", "-b", f"127.0.0.1:{port}", "clubrating.wsgi")
    return (*WEB, *lines)


def shifted(days: int) -> dict[str, str]:
    """The variables under which a process thinks it is so many days later; none for 0."""
    if not days:
        return {}
    # The web server measures its workers' pulse by a file's time against a clock that never jumps: both stay true.
    clock = {"FAKETIME": f"{days:+d}d", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}
    return {**clock, "LD_PRELOAD": str(FAKETIME[0])}


class Service:
    """One unit: started, killed as a whole, started again by `keep_up` unless it is held."""

    def __init__(
        self, name: str, site: Site, command: tuple[str, ...], log: Path, variables: Mapping[str, str] = NOTHING
    ) -> None:
        self.name, self.site, self.command, self.log, self.variables = name, site, command, log, variables
        self.days = 0  # by which its clock is wrong
        self.held = True
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._ended_at = 0.0

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        with self._lock:
            self.held = False
            if self.is_running:
                return
            environment = self.site.environment() | dict(self.variables) | shifted(self.days)
            command = [sys.executable, *self.command]
            if self.days:
                command[1:3] = ["-c", AWAKE]
            with self.log.open("ab") as log:
                self._process = subprocess.Popen(
                    command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True
                )

    def said(self, words: str) -> int:
        """How often it said so in its log."""
        return self.log.read_text(encoding="utf-8", errors="replace").count(words) if self.log.exists() else 0

    def kill(self) -> None:
        """As the power would: all its processes at once, without a word. It is started again unless held."""
        with self._lock:
            if self._process is not None:
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()

    def hold(self) -> None:
        """Kill it, and let nobody start it."""
        self.held = True
        self.kill()

    def stop(self) -> None:
        """In peace, within ten seconds; then like `hold`."""
        self.held = True
        if self._process is not None and self.is_running:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=10)
        self.kill()

    def look_after(self) -> None:
        """Start it again RESTART seconds after it ended."""
        if self.held or self.is_running:
            self._ended_at = 0.0
        elif not self._ended_at:
            self._ended_at = time.monotonic()
        elif time.monotonic() - self._ended_at >= RESTART and not self.held:
            self._ended_at = 0.0
            self.start()


def keep_up(services: list[Service], over: threading.Event) -> None:
    """The supervisor, until it is over."""
    while not over.wait(0.05):
        for service in services:
            service.look_after()
