"""A whole run: people at work, one fault after another at random moments, then the reckoning."""

import os
import platform
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.stress.evening import Evening, Size, open_evening
from tests.stress.faults import Fault, answers, chosen, wait_until
from tests.stress.figures import broken_of, lines_of
from tests.stress.journal import acknowledged, lost, out_of_order
from tests.stress.report import Report

A_CLOCK_MAY_MISS = 5.0  # seconds
STANDS = "SELECT id, result, sequence FROM tournaments_game"
JOBS = "SELECT state, count(*) FROM players_job GROUP BY state"
Say = Callable[[str], None]


def run(
    folder: Path, *, minutes: float, seed: int, database: str, kinds: tuple[str, ...], size: Size, say: Say
) -> Report:
    """So many minutes of faults in that folder, after the time it takes to make the club."""
    say(f"a club of {size.players} players")
    evening = open_evening(folder, database, seed, size)
    try:
        faults, skipped = chosen(evening, kinds)
        evening.web.start()
        evening.worker.start()
        wait_until(lambda: answers(evening), "the site's first answer")
        with evening.crowd():
            _strike(evening, faults, time.monotonic() + minutes * 60, say)
        say("the reckoning")
        return _reckon(evening, minutes, skipped)
    finally:
        evening.over.set()
        evening.close()


def _strike(evening: Evening, faults: list[Fault], until: float, say: Say) -> None:
    """Every fault once, in random order, however long that takes; then any that fits into what is left of the time."""
    for fault in shuffled(faults, evening.rng):
        time.sleep(evening.rng.uniform(*evening.size.calm))
        _one(evening, fault, say)
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(evening.rng.uniform(*evening.size.calm), left))
        if fitting := [fault for fault in faults if fault.takes < until - time.monotonic()]:
            _one(evening, evening.rng.choice(fitting), say)


def _one(evening: Evening, fault: Fault, say: Say) -> None:
    """The fault, put right again, and the ledger compared with its replay."""
    say(fault.name)
    try:
        fault.strike(evening)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        evening.faults.append(f"{fault.name}: {error}")
    evening.check(fault.name)


def shuffled(faults: list[Fault], rng: Random) -> list[Fault]:
    return rng.sample(faults, len(faults))


def _reckon(evening: Evening, minutes: float, skipped: dict[str, str]) -> Report:
    """Everybody has gone home: what stands, against what they were told."""
    evening.check("the evening")
    evening.web.stop()
    evening.worker.stop()
    for words in (("requeue_jobs", "--no-worker-runs"), ("db_worker", "--batch", "--verbosity=0")):
        if said := evening.manage(*words):
            evening.faults.append(f"{words[0]}: {said}")
    evening.check("the last work")
    notes = evening.journal.read()
    rows = evening.database.ask(STANDS)
    missing = lost(notes, {key: result for key, result, _sequence in rows})
    numbers = {key: sequence for key, _result, sequence in rows if sequence is not None}
    jobs: dict[str, int] = dict(evening.database.ask(JOBS))
    evening.faults += [f"rude: {word}" for guest in evening.guests for word in guest.rude[:1]]
    evening.faults += [f"the clock missed by {by:.0f} s" for by in evening.shifts if abs(by) > A_CLOCK_MAY_MISS]
    evening.faults += of_the_disk(evening)
    return Report(
        evening.database.version,
        platform.python_version(),
        os.cpu_count() or 1,
        minutes,
        evening.seed,
        lines_of(evening.samples, evening.windows),
        broken_of(evening.samples, evening.windows),
        broken_of([], evening.waits),
        skipped,
        acknowledged(notes),
        killed_by_disk(evening),
        len(missing),
        len(out_of_order(notes, numbers)),
        evening.checks,
        sum(jobs.values()),
        sum(count for state, count in jobs.items() if state != "done"),
        evening.faults,
    )


def of_the_disk(evening: Evening) -> list[str]:
    """A full disk is no full disk unless a backup was refused there, in one line and without leaving half of it."""
    if not any(window.fault == "disk full" for window in evening.windows):
        return []
    halves = [file.name for file in (evening.site.data / "backups").glob("*") if "stress" in file.name]
    known = evening.full_disk_backup
    found = ["half a backup was left"] if halves else []
    found += ["the full disk refused no backup"] if not known else []
    found += [f"a backup broke off with a traceback: {known}"] if "Traceback" in known else []
    killed = killed_by_disk(evening)
    return [*found, f"the full disk ended {killed} web processes"] if killed else found


def killed_by_disk(evening: Evening) -> int:
    """Web processes that wrote to a mapped page the disk had no room for."""
    return evening.web.said("was sent SIGBUS")
