"""Counters of all web processes of one machine together (multiprocess mode of prometheus_client).

Each process writes its counters into a file of its own; the one that answers `/metrics` adds them up. The files are in
a folder named after the machine and the parent process, so counters begin at zero when the site is restarted, and those
of a replaced worker are kept. Folders of sites that no longer run are deleted.

To be called before prometheus_client is imported; so this module does not import it.
"""

import os
import shutil
import socket
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
# Bytes. The library writes through memory-mapped files: on a full disk the process is killed (SIGBUS), so with less
# free space than this counters are not shared. Best is a folder in memory (CLUB_COUNTERS).
LEAST_ROOM = 16 * 2**20


def share_counters(parent: Path, *former: Path) -> None:
    """Keep this process's counters below that folder, where its siblings keep theirs. Where that fails, each counts for
    itself. `former`: folders in which earlier starts of the site may have left theirs."""
    if VARIABLE in os.environ:
        return  # set in the environment of the server
    folder = parent / _name(os.getppid())
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for each in {parent, *former}:
            _clear(each)
        if shutil.disk_usage(folder).free < LEAST_ROOM:
            return
    except OSError:
        return
    os.environ[VARIABLE] = str(folder)


def _clear(parent: Path) -> None:
    """Remove what sites of this machine left behind that run no more."""
    for left in parent.glob(f"{socket.gethostname()}-*-*"):
        starter = left.name.split("-")[-2]
        if starter.isdigit() and left.name != _name(int(starter)):
            shutil.rmtree(left, ignore_errors=True)


def _name(starter: int) -> str:
    """Machine, process and when that process started: numbers of processes are given again."""
    return f"{socket.gethostname()}-{starter}-{_started(starter)}"


def _started(process: int) -> str:
    """In ticks since the machine started (the 22nd field; the second is a name in parentheses that may hold anything);
    "gone" where there is no such process, "0" on a system that does not tell."""
    if not Path("/proc/self/stat").exists():
        return "0"
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return "gone"
