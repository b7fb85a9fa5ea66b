"""Which tests reach a fault's place: a copy of the project that records it.

Every place gets a line before it, `__import__("fault_places").reached(7)`, which records the number and the test that
runs. The test's name comes from PYTEST_CURRENT_TEST, which programs started by a test inherit: what a command, a
server or a worker passes counts for the test that started it.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.mutation.faults import Fault

# The file the copy gets beside manage.py. A place is written down once for each test and process.
RECORDER = """
import os

_SEEN = set()
_FILE = os.open({file!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def reached(number):
    test = os.environ.get("PYTEST_CURRENT_TEST", "")
    if test and (number, test) not in _SEEN:
        _SEEN.add((number, test))
        os.write(_FILE, f"{{number}}\\t{{test}}\\n".encode())
"""


def plant_recorder(faults: Sequence[Fault], tree: Path, record: Path) -> None:
    """Write the recording lines into the copy of the project; they write to the file `record`."""
    tree.joinpath("fault_places.py").write_text(RECORDER.format(file=str(record)))
    by_file: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, fault in enumerate(faults):
        by_file[fault.path].append((fault.reached_at, number))
    for path, places in by_file.items():
        lines = (tree / path).read_text().splitlines(keepends=True)
        for line, number in sorted(places, reverse=True):
            blank = lines[line - 1][: len(lines[line - 1]) - len(lines[line - 1].lstrip())]
            lines.insert(line - 1, f'{blank}__import__("fault_places").reached({number})\n')
        (tree / path).write_text("".join(lines))


def read_reach(record: Path, tests: dict[str, float], with_demo: set[str]) -> dict[int, set[str]]:
    """Fault → the tests that reach its place.

    What one test makes for others, they reach too: the whole file where it was passed while the test was set up, all
    tests of the demo site (`with_demo`) where one of them did, because they share one server.
    """
    files: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        files[test.partition("::")[0]].append(test)
    reach: dict[int, set[str]] = defaultdict(set)
    for line in record.read_text().splitlines():
        number, _, where = line.partition("\t")
        test, _, phase = where.rpartition(" ")
        tests_of_place = reach[int(number)]
        tests_of_place.add(test)
        if phase == "(setup)":
            tests_of_place.update(files[test.partition("::")[0]])
        if test in with_demo:
            tests_of_place |= with_demo
    return {number: of_place & tests.keys() for number, of_place in reach.items()}


class Recorded(NamedTuple):
    """What `recording` wrote: seconds by test, those that ask for the demo site, those `bin/test` leaves out.

    `alone` are the seconds of a test by itself: with the longest set-up of its file, which may be made once for all of
    its tests. `again`: without it.
    """

    alone: dict[str, float]
    again: dict[str, float]
    demo: set[str]
    slow: set[str]


def read_tests(file: Path) -> Recorded:
    """A test that failed without any fault proves nothing and is left out."""
    seconds: dict[str, float] = defaultdict(float)
    set_up: dict[str, float] = defaultdict(float)
    demo, slow, failed = set(), set(), set()
    for line in file.read_text().splitlines():
        values = json.loads(line)
        if values["phase"] == "setup":
            where = values["test"].partition("::")[0]
            set_up[where] = max(set_up[where], values["seconds"])
        else:
            seconds[values["test"]] += values["seconds"]
        if values["outcome"] == "failed":
            failed.add(values["test"])
            continue
        if values["demo"]:
            demo.add(values["test"])
        if values["slow"]:
            slow.add(values["test"])
    again = {test: took for test, took in seconds.items() if test not in failed}
    alone = {test: took + set_up[test.partition("::")[0]] for test, took in again.items()}
    return Recorded(alone, again, demo, slow)
