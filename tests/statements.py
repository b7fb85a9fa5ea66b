"""Which tests are repeated on another database: a pytest plugin.

A run on SQLite with `--statements=FOLDER` writes down what each test asks the database. A run on another server with
the same folder takes as many of those tests as ask every statement: what the rest would ask there has been asked
already. Never left out are tests that commit, and tests nothing is known of, as those that SQLite skips.

Two statements are one if the same function of the project sends the same SQL, and its values are of the same kind where
databases differ: null, text beyond ASCII, the character 0, whole numbers beyond 32 and 64 bits.
"""

import heapq
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Generator
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from django.db import connection
from xdist import is_xdist_controller

ROOT = Path(__file__).resolve().parent.parent
OURS = tuple(f"{ROOT}/{app}/" for app in ("clubrating", "players", "ratings", "tournaments"))
OF_TESTS = f"{ROOT}/tests/"
OVERHEAD = 20  # what a test costs beside its statements, in statements

# What a test or the fixtures of a file ask: statements, and how often.
Asked = Counter[str]


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "on SQLite: write down there what tests ask the database; elsewhere: only tests that ask something new"
    parser.addoption("--statements", type=Path, metavar="FOLDER", help=text)


def pytest_sessionstart(session: pytest.Session) -> None:
    # Where several processes run the tests, the one that hands them out asks nothing itself.
    config = session.config
    if config.getoption("statements") and not config.getoption("database_only") and not is_xdist_controller(session):
        config.pluginmanager.register(Recorder(config.getoption("statements")), "statements")


class Recorder:
    """What the test that runs has asked, and what fixtures of its file had asked before."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.shared: defaultdict[str, Asked] = defaultdict(Counter)
        self.tests: dict[str, Asked] = {}
        self.own = self.now = Asked()

    def execute(self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        if not str(sql).startswith(("SAVEPOINT", "RELEASE", "ROLLBACK")):
            kinds = {kind for values in (params if many else [params]) for kind in kinds_of(values)}
            self.now[f"{crc32(f'{shape(str(sql))} {sorted(kinds)} {sender()}'.encode()):x}"] += 1
        return execute(sql, params, many, context)

    def pytest_runtest_setup(self) -> None:
        # For each test: from the first browser on, whose event loop stays in this thread, the connection is another.
        if self.execute not in connection.execute_wrappers:
            connection.execute_wrappers.append(self.execute)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Generator[None, Any, Any]:
        before = self.now
        if fixturedef.scope != "function":
            self.now = self.shared[file_of(request.node.nodeid)]
        try:
            return (yield)
        finally:
            self.now = before

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.tests[report.nodeid] = Asked(self.own)
        if report.when == "teardown":
            self.own.clear()

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        worker = getattr(session.config, "workerinput", {}).get("workerid", "only")
        (self.folder / f"{worker}.json").write_text(json.dumps([self.shared, self.tests]))


@cache
def shape(sql: str) -> str:
    """The statement without its numbers, and without how many values or rows it brings."""
    rows = re.sub(r"\(%s(, %s)*\)", "(%s)", re.sub(r"\b\d+\b", "0", sql))
    return re.sub(r"\(%s\)(, \(%s\))+", "(%s)", rows)


def kinds_of(values: Any) -> set[str]:
    """The kinds of values in a statement that databases treat differently."""
    found = set()
    for value in values.values() if isinstance(values, dict) else values or ():
        if value is None:
            found.add("null")
        elif isinstance(value, int):
            found.add("long" if value.bit_length() > 63 else "big" if value.bit_length() > 31 else "")
        elif isinstance(value, str):
            found.add("zero" if "\0" in value else "" if value.isascii() else "wide")
    return found - {""}


def sender() -> str:
    """The function of the project that asks; nothing where a test does so itself."""
    frame = sys._getframe(2)
    while frame.f_back is not None:
        file = frame.f_code.co_filename
        if file.startswith(OURS):
            return f"{file}:{frame.f_code.co_qualname}"
        if file.startswith(OF_TESTS):
            break
        frame = frame.f_back
    return ""


def file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def to_be_repeated(folder: Path, items: list[pytest.Item]) -> dict[str, int]:
    """Those of the tests that say something on another database after the run that wrote into the folder, each with
    how often its file asks there."""
    shared: defaultdict[str, Asked] = defaultdict(Asked)
    tests: dict[str, Asked] = {}
    for file in sorted(folder.glob("*.json")):
        of_files, of_tests = json.loads(file.read_text())
        for name, asked in of_files.items():
            shared[name].update(asked)
        tests |= {name: Asked(asked) for name, asked in of_tests.items()}
    known = {item.nodeid: tests[item.nodeid] for item in items if tests.get(item.nodeid)}
    always = {item.nodeid for item in items if item.nodeid not in known or _commits(item)}
    repeated, often = always | enough(shared, known), Asked()
    for name in repeated:
        often[file_of(name)] += tests.get(name, Asked()).total()
    return {name: often[file_of(name)] + shared[file_of(name)].total() for name in repeated}


def _commits(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("django_db")
    return "transactional_db" in getattr(item, "fixturenames", ()) or bool(mark and mark.kwargs.get("transaction"))


def enough(shared: dict[str, Asked], tests: dict[str, Asked]) -> set[str]:
    """Tests that together ask every statement: next is the one that asks most of what is missing, for all it asks. The
    fixtures of a file come with the first test of it."""
    missing = {statement for asked in (*tests.values(), *shared.values()) for statement in asked}
    of_file = defaultdict(list)
    for name in sorted(tests):
        of_file[file_of(name)].append(name)
    opened, taken = set[str](), set[str]()

    def asked_by(name: str) -> Asked:
        file = file_of(name)
        return tests[name] if file in opened else tests[name] + shared.get(file, Asked())

    def worth(name: str) -> float:
        asked = asked_by(name)
        return len(missing & asked.keys()) / (OVERHEAD + asked.total())

    # Worth only falls while others are taken, but for the other tests of a file that was just opened.
    waiting = [(-worth(name), name) for name in tests]
    heapq.heapify(waiting)
    while waiting:
        _worth, name = heapq.heappop(waiting)
        now = worth(name)
        if name in taken or not now:
            continue
        if waiting and now < -waiting[0][0]:
            heapq.heappush(waiting, (-now, name))
            continue
        missing -= asked_by(name).keys()
        taken.add(name)
        if file_of(name) not in opened:
            opened.add(file_of(name))
            for other in of_file[file_of(name)]:
                heapq.heappush(waiting, (-worth(other), other))
    return without_spare(shared, tests, taken)


def without_spare(shared: dict[str, Asked], tests: dict[str, Asked], taken: set[str]) -> set[str]:
    """The tests that were taken, but for those whose statements the others ask together. The dearest are tried
    first."""
    of_file = Counter(map(file_of, taken))
    often = Counter(key for asked in (*map(tests.get, taken), *map(shared.get, of_file)) for key in asked or ())
    needed = set(taken)
    for name in sorted(taken, key=lambda name: (-tests[name].total(), name)):
        gone = Counter([*tests[name], *(shared.get(file_of(name), ()) if of_file[file_of(name)] == 1 else ())])
        if all(often[key] > times for key, times in gone.items()):
            often -= gone
            of_file[file_of(name)] -= 1
            needed.remove(name)
    return needed
