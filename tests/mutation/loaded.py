"""A process that has loaded the project and collected every test tries one fault after another, each in a fork of
itself: nothing is imported, collected or set up again. A pytest plugin, `-p tests.mutation.loaded`.

A function that is loaded gets the code of the changed one, wherever it is referred to by then. What ran while a module
was loaded, what a decorator has made and what Numba compiled keep theirs: `trial.py` tries those in a new process.
"""

import gc
import os
import signal
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from types import CodeType, FunctionType

import pytest
from _pytest.main import pytest_runtestloop as run_items

LINE = "FAULT_LINE"  # the number of the pipe on which the faults come
Functions = dict[tuple[str, str, int], list[FunctionType]]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Instead of all tests: those asked for, until nobody asks any more."""
    line = Connection(int(os.environ[LINE]))
    tests = {item.nodeid: item for item in session.items}
    functions = functions_by_place()
    _warm_up(session.items)
    line.send("ready")
    while True:
        try:
            change, asked, limit = line.recv()
        except EOFError:
            return True
        session.items = [tests[test] for test in asked if test in tests]
        line.send(_in_a_fork(session, functions, change, limit))


def functions_by_place() -> Functions:
    """Every function that is loaded, by file, name and first line."""
    found: Functions = defaultdict(list)
    gc.unfreeze()  # what is frozen is not listed
    for each in gc.get_objects():
        if isinstance(each, FunctionType):
            code = each.__code__
            found[code.co_filename, code.co_qualname, code.co_firstlineno].append(each)
    gc.freeze()
    return found


def change_code(functions: Functions, path: str, name: str, source: bytes) -> int:
    """Put the code of the function `name` and those inside it, as `source` has it, into what is loaded; returns how
    many were changed."""
    changed = 0
    for code in _codes(compile(source, path, "exec", dont_inherit=True)):
        own = code.co_qualname.replace("<locals>.", "")
        if not f"{own}.".startswith(f"{name}.") and not f"{name}.".startswith(f"{own}."):
            continue
        for function in functions.get((path, code.co_qualname, code.co_firstlineno), ()):
            if len(function.__code__.co_freevars) == len(code.co_freevars):
                function.__code__ = code
                changed += 1
    return changed


def _codes(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _codes(each)


def _warm_up(items: Sequence[pytest.Item]) -> None:
    """One test of pages of each folder: the database, addresses and templates they load are there in every fork."""
    with_pages = [item for item in items if {"client", "desk"} & set(_asked(item)) and "demo" not in _asked(item)]
    tests = {item.path.parent: item for item in reversed(with_pages)}.values()
    for item, following in pairwise([*tests, items[0]]):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def _asked(item: pytest.Item) -> Sequence[str]:
    return getattr(item, "fixturenames", ())


class _First:
    """The first test that fails."""

    found = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.found:
            self.found = report.nodeid


def _in_a_fork(
    session: pytest.Session, functions: Functions, change: tuple[str, str, bytes] | None, limit: float
) -> str:
    """The first of the session's tests that fails with that change, or ""."""
    ours, theirs = Pipe(duplex=False)
    process = os.fork()
    if not process:
        os.setpgid(0, 0)
        try:
            if change:
                change_code(functions, *change)
            theirs.send(_first_failure(session))
        finally:
            os._exit(0)
    theirs.close()
    try:
        return ours.recv() if ours.poll(limit) else f"no end within {limit:.0f} s"
    except EOFError:
        return "the process ended"
    finally:
        ours.close()
        _end(process)


def _end(process: int) -> None:
    """End it, and what its tests have left running."""
    with suppress(ProcessLookupError):  # it has ended already
        os.killpg(process, signal.SIGKILL)
    os.waitpid(process, 0)


def _first_failure(session: pytest.Session) -> str:
    if not session.items:
        return ""
    first = _First()
    session.config.pluginmanager.register(first)
    session.config.option.maxfail = 1
    session._setupstate.teardown_exact(session.items[0])
    with suppress(session.Failed):
        run_items(session)
    return first.found
