"""Units run as their manager would run them, by whoever starts this: sockets held for services, readiness waited for,
variables from the unit's file, ends by SIGTERM within the unit's patience. What shuts a unit in (`Protect…`) is not
done here: that takes the real manager, and `systemd-analyze` looks at it in the tests.

A program named `systemctl` that asks here takes the real one's place for everything the walk starts.
"""

import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.rehearsal.plans import Unit, read_unit

# Hands over the socket held for it as descriptor 3, as sd_listen_fds(3) has it, and becomes the program.
HAND_OVER = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); "
    "os.environ |= {'LISTEN_PID': str(os.getpid()), 'LISTEN_FDS': '1'}; os.execv(sys.argv[2], sys.argv[2:])"
)
SYSTEMCTL = """#!{python}
import json, socket, sys
line = socket.socket(socket.AF_UNIX)
line.connect({door!r})
line.sendall(json.dumps(sys.argv[1:]).encode() + b"\\n")
status, said = json.loads(line.makefile().readline())
if said:
    print(said)
sys.exit(status)
"""


class RehearsalError(Exception):
    """What did not happen as it should have."""


class StandIn:
    """The manager: `units` is the folder of the unit files, `commands` and their words what every process inherits."""

    def __init__(self, units: Path, folder: Path, environment: dict[str, str]) -> None:
        self.units, self.folder, self.environment = units, folder, environment
        self.enabled: set[str] = set()
        self.sockets: dict[str, socket.socket] = {}
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.ends: list[tuple[str, int]] = []
        self.asked: list[str] = []

    # --- being asked ------------------------------------------------------------------------------------------
    def open_door(self, program: Path) -> None:
        """Write the program `systemctl`, and answer it from now on."""
        door = self.folder / "manager.sock"
        program.write_text(SYSTEMCTL.format(python=sys.executable, door=str(door)))
        program.chmod(0o755)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(door))
        listener.listen()
        threading.Thread(target=self._answer, args=(listener,), daemon=True).start()

    def _answer(self, listener: socket.socket) -> None:
        while True:
            line, _ = listener.accept()
            with line, line.makefile("rw") as file:
                words = json.loads(file.readline())
                try:
                    answer = self.do(words)
                except (RehearsalError, OSError) as error:
                    answer = (1, f"{error}")
                with suppress(OSError):
                    file.write(json.dumps(answer) + "\n")
                    file.flush()

    def do(self, words: list[str]) -> tuple[int, str]:
        """One command of systemctl: status and what it says."""
        options = [word for word in words if word.startswith("-")]
        verb, *names = [word for word in words if not word.startswith("-")]
        self.asked.append(" ".join([verb, *names]))
        if verb == "is-enabled":
            return (0 if names[0] in self.enabled else 1), ""
        if verb == "enable":
            self.enabled.update(names)
        if verb == "disable":
            self.enabled.difference_update(names)
        if verb in ("start", "restart") or (verb == "enable" and "--now" in options):
            for name in names:
                if verb == "restart":
                    self.stop(name)
                self.start(name)
        if verb == "stop" or (verb == "disable" and "--now" in options):
            for name in names:
                self.stop(name)
        if verb == "status":
            return 0, "\n".join(f"{name}: process {found.pid}" for name, found in self.running.items())
        return 0, ""

    # --- starting ---------------------------------------------------------------------------------------------
    def start(self, name: str) -> None:
        if not name.startswith("club"):
            return  # the proxy is not ours to run here
        unit = read_unit(self.units, name)
        start = {"target": self._start_target, "socket": self._listen, "service": self._start_service}
        start.get(name.rpartition(".")[2], lambda _unit: None)(unit)

    def _start_target(self, unit: Unit) -> None:
        for name in unit.value("Unit", "Wants").split():
            self.start(name)

    def _listen(self, unit: Unit) -> None:
        if unit.name in self.sockets:
            return
        path = Path(unit.value("Socket", "ListenStream"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        listener = self.sockets[unit.name] = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        path.chmod(int(unit.value("Socket", "SocketMode"), 8))
        listener.listen(2048)

    def _start_service(self, unit: Unit) -> None:
        found = self.running.get(unit.name)
        if found is not None and found.poll() is None:
            return
        for name in unit.value("Unit", "Requires").split():
            self.start(name)
        held = self.sockets.get(unit.name.replace(".service", ".socket"))
        command = unit.command
        if held is not None:
            command = [sys.executable, "-c", HAND_OVER, str(held.fileno()), *command]
        kind = unit.value("Service", "Type", "simple")
        for folder in self._runtime_folders(unit):
            folder.mkdir(mode=int(unit.value("Service", "RuntimeDirectoryMode", "0755"), 8), exist_ok=True)
        environment = self.environment | self._variables(unit)
        if kind == "notify":
            self._spawn_and_wait(unit, command, environment, held)
            return
        process = self._spawn(unit, command, environment, held)
        if kind == "oneshot" and (status := process.wait(timeout=120)):
            raise RehearsalError(f"{unit.name} ended with status {status}")

    def _spawn(
        self, unit: Unit, command: list[str], environment: dict[str, str], held: socket.socket | None
    ) -> subprocess.Popen[bytes]:
        process = self.running[unit.name] = subprocess.Popen(
            command,
            cwd=unit.value("Service", "WorkingDirectory"),
            env=environment,
            pass_fds=[held.fileno()] if held is not None else [],
            umask=int(unit.value("Service", "UMask"), 8),
            start_new_session=True,
        )
        return process

    def _spawn_and_wait(
        self, unit: Unit, command: list[str], environment: dict[str, str], held: socket.socket | None
    ) -> None:
        """Until the program itself says that it is ready, as sd_notify(3) has it."""
        path = self.folder / f"{unit.name}.notify"
        path.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
            ear.bind(str(path))
            ear.settimeout(60)
            self._spawn(unit, command, environment | {"NOTIFY_SOCKET": str(path)}, held)
            try:
                while b"READY=1" not in ear.recv(4096):
                    pass
            except TimeoutError:
                raise RehearsalError(f"{unit.name} never said that it is ready") from None

    def _runtime_folders(self, unit: Unit) -> list[Path]:
        """There while the service is, and gone with it."""
        return [self.folder / "run" / name for name in unit.value("Service", "RuntimeDirectory").split()]

    def _variables(self, unit: Unit) -> dict[str, str]:
        """The unit's own, and those of its file, which win: quotes around a value taken off."""
        own = [word for line in unit.values("Service", "Environment") for word in shlex.split(line)]
        found = dict(word.split("=", 1) for word in own)
        for path in unit.values("Service", "EnvironmentFile"):
            for line in Path(path).read_text(encoding="utf-8").splitlines():
                if line and not line.startswith(("#", ";")):
                    name, _, value = line.partition("=")
                    found[name] = "".join(shlex.split(value)) if value[:1] in ("'", '"') else value
        return found

    # --- stopping ---------------------------------------------------------------------------------------------
    def stop(self, name: str) -> None:
        """Ends a unit, and what is part of it."""
        for other in [*self.running, *self.sockets]:
            if other != name and read_unit(self.units, other).value("Unit", "PartOf") == name:
                self.stop(other)
        held = self.sockets.pop(name, None)
        if held is not None:
            Path(held.getsockname()).unlink(missing_ok=True)
            held.close()
        process = self.running.pop(name, None)
        if process is not None:
            unit = read_unit(self.units, name)
            self.ends.append((name, end(process, unit.seconds("TimeoutStopSec", 90))))
            for folder in self._runtime_folders(unit):
                shutil.rmtree(folder)

    def stop_all(self) -> None:
        for name in [*self.running, *self.sockets]:
            with suppress(RehearsalError):
                self.stop(name)


def end(process: subprocess.Popen[bytes], patience: float) -> int:
    """SIGTERM, then so many seconds; the status. Raises RehearsalError where it does not end by itself."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        return process.wait(patience)
    except subprocess.TimeoutExpired:
        raise RehearsalError(f"a process did not end within {patience:g} s of SIGTERM: {process.args}") from None
    finally:
        # What it left behind goes with it, as with a unit's or a container's last process.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_until(look: Callable[[], bool], what: str, seconds: float = 30) -> None:
    """Raises RehearsalError where it does not come about in time."""
    until = time.monotonic() + seconds
    while not look():
        if time.monotonic() > until:
            raise RehearsalError(f"not within {seconds:g} s: {what}")
        time.sleep(0.1)
