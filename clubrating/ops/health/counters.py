"""Counters of all web processes of one machine together.

Whoever asks for `/metrics` reaches one process of several, and wants to know about all. So each writes its counters
into a small file of its own, and the one that is asked adds them up (the library's way). The files lie in a folder
named after the machine and the process that started them all, so a site started anew begins at nothing, which
Prometheus understands, and a process that is replaced takes nothing with it. Folders of sites that are gone are
cleared away.

Best they lie on memory (CLUB_COUNTERS; the unit and the compose file do so): on a disk that fills up a mapped page that
cannot be written ends its process.

To be called before the library is loaded; so this module does not load it.
"""

import os
import shutil
import socket
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
# The library writes through a map of the file: where the disk has no room for a page of it the process is killed
# (SIGBUS), not told. With less than this, in bytes, nothing is mapped.
LEAST_ROOM = 16 * 2**20


def share_counters(parent: Path, *former: Path) -> None:
    """Keep this process's counters below that folder, where its siblings keep theirs. Where that fails, each counts for
    itself. `former`: folders in which earlier starts of the site may have left theirs."""
    if VARIABLE in os.environ:
        return  # whoever runs the site has chosen a folder
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
