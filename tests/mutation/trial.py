"""One fault, planted in a copy of the project, and the tests that reach it: does one of them fail?"""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from multiprocessing import Pipe
from pathlib import Path
from time import monotonic

from tests.mutation.faults import Fault
from tests.mutation.loaded import LINE
from tests.mutation.reach import Recorded

# They read the source: no line is reached while they run.
READERS = ("tests/test_architecture.py", "tests/test_transactions.py")
FIRST = 25  # so many begin with at most three of a file
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "var", "__pycache__", ".mypy_cache", ".ruff_cache", ".hypothesis")


@dataclass(frozen=True)
class Verdict:
    """What became of a fault: found by which test (""  for none), after how many tests and seconds."""

    fault: str
    kind: str
    reached: int
    found_by: str
    slow: bool
    seconds: float


def copy_of(tree: Path, copy: Path) -> Path:
    """A copy of the project without what git does not keep."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(tree, copy, ignore=NOT_COPIED, symlinks=True)
    return copy


def run_all(tree: Path, short: bool = False) -> list[str]:
    """Options of pytest for everything (or the `short` suite) in the order it stands; old checkouts know no --all."""
    return ["-p", "no:randomly", *(["--all"] if not short and (tree / "tests/choosing.py").exists() else [])]


def nearness(test: str, path: str) -> int:
    """0 for a test of the module's own file (test_closing.py for closing.py), 1 for one of its room, 2 for others.

    Tests stand in folders that mirror the rooms: tests/tournaments/rounds/ for tournaments/rounds/services/pairing.py.
    """
    app, room, *_ = Path(path).parts
    if test.partition("::")[0].endswith(f"/test_{Path(path).stem}.py"):
        return 0
    return 1 if test.startswith(f"tests/{app}/{room}/") else 2


def in_order(reach: Iterable[str], recorded: Recorded, path: str) -> list[str]:
    """The nearest first, then the quickest, but at most three of a file among the first ones unless it is the module's
    own: tests of one file tend to miss the same."""
    first: list[str] = []
    later: list[str] = []
    seen: dict[str, int] = {}
    for test in sorted(reach, key=lambda test: (nearness(test, path), recorded.alone[test], test)):
        file = test.partition("::")[0]
        seen[file] = seen.get(file, 0) + 1
        is_first = len(first) < FIRST and (nearness(test, path) == 0 or seen[file] <= 3)
        (first if is_first else later).append(test)
    return [*first, *later]


def within(patience: float, ordered: Sequence[str], recorded: Recorded) -> list[str]:
    """The first of those tests that take so many seconds in all; what a file sets up is made once. All, if it is 0."""
    if not patience:
        return list(ordered)
    first_of_files = set({test.partition("::")[0]: test for test in reversed(ordered)}.values())
    costs = [recorded.alone[test] if test in first_of_files else recorded.again[test] for test in ordered]
    return [test for test, total in zip(ordered, accumulate(costs), strict=True) if total <= patience]


class Loaded:
    """A process in a copy of the project that tries faults without beginning anew (`loaded.py`)."""

    def __init__(self, copy: Path) -> None:
        self.copy = copy
        self.line, theirs = Pipe()
        command = [sys.executable, "-m", "pytest", "-s", "-q", "--tb=no", "-p", "tests.mutation.loaded"]
        self.process = subprocess.Popen(
            [*command, "-p", "no:cacheprovider", *run_all(copy)],
            cwd=copy,
            env=_own() | {LINE: str(theirs.fileno())},
            pass_fds=[theirs.fileno()],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        theirs.close()

    def wait(self) -> None:
        """Until it has loaded everything: nothing may be planted in its copy before."""
        try:
            self.line.recv()
        except EOFError:
            sys.exit(f"Nothing is tried: pytest cannot collect the tests in {self.copy}: see bin/test --collect-only")

    def first_failure(self, fault: Fault | None, tests: Sequence[str], limit: float) -> str:
        """The first of those tests that fails, or "". The fault is planted in the copy's file already."""
        path = self.copy / fault.path if fault else self.copy
        change = (str(path), fault.function, path.read_bytes()) if fault else None
        self.line.send((change, tests, limit))
        found: str = self.line.recv()
        return found

    def close(self) -> None:
        self.line.close()
        self.process.wait()


def try_fault(
    loaded: Loaded, number: int, fault: Fault, tests: Sequence[str], seconds: dict[str, float]
) -> tuple[str, float]:
    """Plant it, run those tests in that order to the first failure, take it away again.

    Returns the failing test, "" where none fails, and the seconds it took. What the loaded process does not find is
    tried in a new one, which takes half a minute more: it may have been passed while modules were loaded.
    """
    started = monotonic()

    def in_new_process(_fault: Fault | None, tests: Sequence[str], limit: float) -> str:
        return run(loaded.copy, tests, limit)

    decorator = fault.before.startswith("@")
    for ask in (in_new_process,) if decorator else (loaded.first_failure, in_new_process):
        if tests and (found := _try(loaded.copy, number, fault, tests, seconds, ask)):
            return found, monotonic() - started
    return "", monotonic() - started


def _try(
    copy: Path,
    number: int,
    fault: Fault,
    tests: Sequence[str],
    seconds: dict[str, float],
    ask: Callable[[Fault | None, Sequence[str], float], str],
) -> str:
    """A test that fails after the same others without the fault too has found nothing. A run that does not end within
    `limit_of` its tests has failed."""
    file, left = copy / fault.path, list(tests)
    sound, stat = file.read_bytes(), file.stat()
    while True:
        file.write_bytes(fault.plant(sound))
        os.utime(file, (stat.st_atime, stat.st_mtime + 10 * (number + 1)))  # a time of its own: no stale bytecode
        try:
            found = ask(fault, left, limit_of(left, seconds))
        finally:
            file.write_bytes(sound)
            os.utime(file, (stat.st_atime, stat.st_mtime))
        if found not in left or ask(None, left[: left.index(found) + 1], limit_of(left, seconds)) != found:
            return found
        left.remove(found)


def limit_of(tests: Sequence[str], seconds: dict[str, float]) -> float:
    """The seconds a run of those tests may take: four minutes for what they make first (a demo club, a server), and six
    times what each of them took."""
    return 240 + 6 * sum(seconds[test] for test in tests)


def _own() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}


def run(copy: Path, tests: Sequence[str], limit: float) -> str:
    """The first of those tests that fails, or ""."""
    named = copy / "fault_tests.txt"
    named.write_text("\n".join(tests))
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-rfE", *run_all(copy), f"@{named}"]
    process = subprocess.Popen(
        command,
        cwd=copy,
        env=_own(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"no end within {limit:.0f} s"
    if process.returncode in (0, 5):
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (\S.*?)(?: - |$)", output, re.MULTILINE)
    return failed[1] if failed else f"pytest ended with {process.returncode}: {output.strip()[-300:]}"
