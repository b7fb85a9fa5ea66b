"""What breaks, and how it is put right. Each fault says when it began and when the first good answer came after it."""

import errno
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path

from tests.stress.evening import Evening
from tests.stress.figures import Window
from tests.stress.guest import Guest
from tests.stress.servers import OnSqlite
from tests.stress.services import FAKETIME

FAULTS = ("kill", "disk", "clock", "backup")
PATIENCE = 90  # seconds until the site is given up
CLOCK_HELD, DISK_HELD = 8.0, 10.0  # seconds a wrong clock and a full disk last
ROOM = 32 * 2**20  # bytes free on the small disk before it is filled
A_DAY = 24 * 3600
DONE_JOBS = "SELECT count(*) FROM players_job WHERE state = 'done'"


@dataclass(frozen=True)
class Fault:
    name: str
    strike: Callable[[Evening], None]
    takes: float  # seconds to have left before it is begun


def wait_until(so: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + PATIENCE
    while not so():
        if time.monotonic() > until:
            raise TimeoutError(f"{what}: not within {PATIENCE} s")
        time.sleep(0.05)


def answers(evening: Evening) -> bool:
    """A page read from the database, asked for by somebody who has never been here."""
    guest = Guest(evening.port, lambda _sample: None)
    status = guest.get("probe", "/ratings/standard/").status
    guest.hang_up()
    return status == 200


@contextmanager
def broken(evening: Evening, fault: str) -> Iterator[None]:
    """A window from here to the first good answer after the block."""
    begun = time.monotonic()
    yield
    wait_until(lambda: answers(evening), f"an answer after “{fault}”")
    evening.windows.append(Window(fault, begun, time.monotonic()))


# --- killed ---------------------------------------------------------------------------------------------------
def kill_web(evening: Evening) -> None:
    with broken(evening, "web killed"):
        evening.web.kill()


def kill_worker(evening: Evening) -> None:
    """Its first good answer is the next piece of work that is done. Members wait for nothing meanwhile. The work is
    asked for on a line of its own: the officer of the evening may be asking just then."""
    evening.second_officer.rebuild()
    time.sleep(evening.rng.uniform(0, 1))
    begun = time.monotonic()
    evening.worker.kill()
    done = evening.database.ask(DONE_JOBS)[0][0]
    evening.second_officer.rebuild()
    wait_until(lambda: bool(evening.database.ask(DONE_JOBS)[0][0] > done), "work done after “worker killed”")
    evening.waits.append(Window("worker killed", begun, time.monotonic()))


def kill_database(evening: Evening) -> None:
    with broken(evening, "database killed"):
        evening.database.crash()
        time.sleep(1)
        evening.database.start()


# --- the clock ------------------------------------------------------------------------------------------------
def jump(evening: Evening, days: int) -> None:
    """The web server starts again with a wrong clock, and after a while with the right one."""
    name = "clock a day back" if days < 0 else "clock a day ahead"
    for wrong in (days, 0):
        with broken(evening, f"{name}, restart"):
            evening.web.hold()
            evening.web.days = wrong
            evening.sign_in(days=wrong)
            evening.web.start()
        if wrong:
            evening.shifts.append(_told_clock(evening) - days * A_DAY)
            time.sleep(CLOCK_HELD)


def _told_clock(evening: Evening) -> float:
    """How many seconds the site's clock is ahead of ours, as its answers have it."""
    guest = Guest(evening.port, lambda _sample: None)
    dates: list[str] = []

    def is_told() -> bool:
        dates.append(guest.get("probe", "/about/ratings/").date)
        return bool(dates[-1])

    wait_until(is_told, "an answer with a date")
    guest.hang_up()
    return parsedate_to_datetime(dates[-1]).timestamp() - time.time()


# --- the disk -------------------------------------------------------------------------------------------------
def fill_disk(evening: Evening) -> None:
    """The site moves to a small disk, the disk is filled until nothing fits, emptied, and the site moves back."""
    home, small = evening.site.data, evening.folder / "small"
    small.mkdir(exist_ok=True)
    used = sum(file.stat().st_size for file in home.rglob("*") if file.is_file())
    with broken(evening, "moved to another disk"):
        hold_all(evening)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={used + ROOM}", "tmpfs", str(small)], check=True)
        evening.small_disk = small
        move(evening, home, small)
    with broken(evening, "disk full"):
        ballast = small / "ballast"
        until = time.monotonic() + DISK_HELD
        while time.monotonic() < until:
            fill(ballast)
            time.sleep(0.2)
        evening.full_disk_backup = backup(evening)
        ballast.unlink()
    with broken(evening, "moved to another disk"):
        hold_all(evening)
        move(evening, small, home)
        subprocess.run(["umount", str(small)], check=True)
        evening.small_disk = None


def hold_all(evening: Evening) -> None:
    for service in (evening.web, evening.worker):
        service.stop()


def move(evening: Evening, old: Path, new: Path) -> None:
    for name in ("club.sqlite3", "club.sqlite3-wal", "club.sqlite3-shm"):
        (new / name).unlink(missing_ok=True)
    shutil.copytree(old, new, dirs_exist_ok=True, ignore=shutil.ignore_patterns("ballast"))
    evening.move_to(new)
    for service in (evening.web, evening.worker):
        service.start()


def fill(ballast: Path) -> None:
    """Until not one more page of the disk is free."""
    line = os.open(ballast, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        while True:
            os.write(line, bytes(4096))
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
    finally:
        os.close(line)


# --- backups --------------------------------------------------------------------------------------------------
def backup(evening: Evening) -> str:
    """One more, read back at once; what went wrong, or nothing."""
    file = evening.site.data / "backups" / f"stress-{time.monotonic_ns()}.zip"
    file.parent.mkdir(exist_ok=True)
    for words in (["backup", str(file)], ["backup", "--verify", str(file)]):
        if said := evening.manage(*words):
            return said
    file.unlink()
    return ""


def make_backup(evening: Evening) -> None:
    begun = time.monotonic()
    if said := backup(evening):
        evening.faults.append(f"backup: {said}")
    evening.waits.append(Window("backup made and read back", begun, time.monotonic()))


# --- which ----------------------------------------------------------------------------------------------------
def chosen(evening: Evening, kinds: tuple[str, ...]) -> tuple[list[Fault], dict[str, str]]:
    """The faults of those kinds that can be done here, and why the others cannot."""
    found, skipped = [], {}
    sqlite = isinstance(evening.database, OnSqlite)
    if "kill" in kinds:
        found += [Fault("web killed", kill_web, 8), Fault("worker killed", kill_worker, 8)]
        found += [] if sqlite else [Fault("database killed", kill_database, 10)]
    if "clock" in kinds and FAKETIME:
        found.append(Fault("clock a day back", lambda at: jump(at, -1), 25))
        found.append(Fault("clock a day ahead", lambda at: jump(at, 1), 25))
    elif "clock" in kinds:
        skipped["clock"] = "libfaketime is not installed"
    if "disk" in kinds and not sqlite:
        skipped["disk"] = "the server's data lie on a disk of its own"
    elif "disk" in kinds and os.geteuid() != 0:
        skipped["disk"] = "only root may mount a small disk"
    elif "disk" in kinds:
        found.append(Fault("disk full", fill_disk, 35))
    if "backup" in kinds:
        found.append(Fault("backup", make_backup, 8))
    return found, skipped
