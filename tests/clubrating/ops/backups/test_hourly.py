"""`bin/serve` looks for the day's backup again and again, and lives on whatever becomes of it."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT

# The script with idle processes in the place of the site's own, hours that take a tenth of a second, each of them told,
# and a backup that notes that it was begun, and then does what it is told to.
SCRIPT = """
import importlib.util, signal, socket, sys
spec = importlib.util.spec_from_file_location("start", "bin/start.py")
start = importlib.util.module_from_spec(spec)
spec.loader.exec_module(start)
log, then = sys.argv[1:]
def alarm(seconds):
    print("hour", flush=True)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
start.signal.alarm = alarm
idle = lambda *_: start.start("-c", "import time; time.sleep(600)")
start.start_web = start.start_worker = idle
note = f"open({log!r}, 'a').write('begun\\\\n'); {then}"
start.start_backup = lambda: start.start("-c", note)
print("serving", flush=True)
sys.exit(start.serve(socket.socket()))
"""


def serve(log: Path, then: str, backups: int, hours: int = 0) -> tuple[int, int]:
    """The site runs until so many backups were begun, and so many hours more: how many were begun by then, and the
    site's status when it was stopped."""
    site = subprocess.Popen([sys.executable, "-c", SCRIPT, str(log), then], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert site.stdout
    assert site.stdout.readline() == "serving\n"
    while begun(log) < backups or (hours := hours - 1) >= 0:
        assert site.stdout.readline() == "hour\n", "the site ended with its backup"
    site.send_signal(signal.SIGTERM)
    site.communicate()
    return begun(log), site.returncode


def begun(log: Path) -> int:
    return len(log.read_text().splitlines()) if log.exists() else 0


@pytest.mark.extended
def test_a_backup_that_fails_is_tried_again_and_the_site_goes_on(tmp_path: Path) -> None:
    found, status = serve(tmp_path / "log", "raise SystemExit(2)", 3)
    assert (found >= 3, status) == (True, 0)


@pytest.mark.extended
def test_a_backup_that_is_killed_harms_nobody(tmp_path: Path) -> None:
    found, status = serve(tmp_path / "log", "import os; os.kill(os.getpid(), 9)", 3)
    assert (found >= 3, status) == (True, 0)


@pytest.mark.extended
def test_no_second_one_is_begun_while_one_runs(tmp_path: Path) -> None:
    assert serve(tmp_path / "log", "import time; time.sleep(600)", backups=1, hours=5) == (1, 0)
