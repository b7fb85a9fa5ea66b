"""Which tests run: a pytest plugin. What takes long is left out, unless `--all` asks for everything.

    @pytest.mark.slow        whatever it is called with: kills, races, crowds, every page in every language; and so is
                             every test in a browser
    @pytest.mark.extended    unless its file, its folder or a word (-k) is named: it reaches what quicker tests reach
    examples(300)            so many tries of a property with --all, a third of them on the build machine, which draws
                             the same ones each time, and a tenth of them without --all; always 5 at least

What was left out is told at the end, with the way to run it. What leaving out the extended ones costs is measured by
`bin/mutate`: of the faults it plants, two in a hundred at most should be found by nothing else.

On another database (`--database-only`) run the tests that ask one, and after a whole run on SQLite only so many of them
as ask every statement twice (`tests/statements.py`).
"""

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.browser.support import drives_browser
from tests.databases import is_asked_by
from tests.statements import to_be_repeated

LEFT_OUT = pytest.StashKey[Counter[str]]()
WITH_EXTENDED = pytest.StashKey[bool]()
SHORT, ALL = "short", "all"
EXTENDED = "extended"
BUILD_MACHINE = bool(os.environ.get("CI"))
# With --all one try in so many.
OF_ALL = 3 if BUILD_MACHINE else 1


def everything() -> bool:
    """Whether --all is asked for."""
    return settings.get_current_profile_name() == ALL


def examples(most: int) -> settings:
    """Settings of a property that is tried so often, or less on the build machine and in the short tests."""
    return settings(max_examples=max(5, most // (OF_ALL if everything() else 10)))


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "run everything, the slow tests too"
    parser.addoption("--all", action="store_true", help=text)
    text = "leave out browsers, and tests that have nothing to do with a database: on another one they say nothing new"
    parser.addoption("--database-only", action="store_true", help=text)


def pytest_configure(config: pytest.Config) -> None:
    # No deadline: how long a try takes depends on what else the machine does. The build machine draws the same tries
    # each time: what fails there fails at home.
    known = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]}
    settings.register_profile(SHORT, max_examples=20, derandomize=True, **known)  # type: ignore[arg-type]
    settings.register_profile(ALL, max_examples=100 // OF_ALL, derandomize=BUILD_MACHINE, **known)  # type: ignore[arg-type]
    settings.load_profile(ALL if config.getoption("all") else SHORT)
    # xdist: a worker is always given paths. Whether somebody named one is known where the tests are handed out.
    handed_out = getattr(config, "workerinput", {})
    config.stash[WITH_EXTENDED] = handed_out["with_extended"] if handed_out else _asks_for_extended(config)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """xdist: before a process begins."""
    node.workerinput["with_extended"] = node.config.stash[WITH_EXTENDED]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is left out is told as deselected. Files with slow tests come first, on another database those that ask it
    most: so none of them is last and alone."""
    repeated: dict[str, int] = {}
    left_in = [item for item in items if _belongs(config, item)]
    if config.getoption("database_only") and (folder := config.getoption("statements", None)):
        repeated = to_be_repeated(folder, left_in)
        left_in = [item for item in left_in if item.nodeid in repeated]
    kept = {id(item) for item in left_in}
    left_out = [item for item in items if id(item) not in kept]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = left_in
    config.stash[LEFT_OUT] = Counter(
        _file_of(item) if _is_slow(item) else EXTENDED for item in left_out if is_long(item)
    )
    long = {_file_of(item) for item in items if _is_slow(item)}
    items.sort(key=lambda item: (-repeated.get(item.nodeid, 0), _file_of(item) not in long))


def is_long(item: pytest.Item) -> bool:
    """Whether a plain `bin/test` leaves it out."""
    return _is_slow(item) or _is_extended(item)


def _asks_for_extended(config: pytest.Config) -> bool:
    """By --all, by a path or a word, or on another database after a whole run."""
    is_named = config.args_source is config.ArgsSource.ARGS or bool(config.getoption("keyword"))
    repeats = bool(config.getoption("database_only") and config.getoption("statements", None))
    return bool(config.getoption("all")) or is_named or repeats


def _belongs(config: pytest.Config, item: pytest.Item) -> bool:
    if _is_slow(item) and not config.getoption("all"):
        return False
    if _is_extended(item) and not config.stash[WITH_EXTENDED]:
        return False
    if config.getoption("database_only"):
        return is_asked_by(item) and not drives_browser(item)
    return True


def _file_of(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def _is_slow(item: pytest.Item) -> bool:
    return item.get_closest_marker("slow") is not None or drives_browser(item)


def _is_extended(item: pytest.Item) -> bool:
    return item.get_closest_marker(EXTENDED) is not None


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """xdist: what a process left out (each of them the same)."""
    found = getattr(node, "workeroutput", {}).get("left_out")
    if found:
        node.config.stash[LEFT_OUT] = Counter(found)  # type: ignore[attr-defined]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        left_out = session.config.stash.get(LEFT_OUT, Counter[str]())
        session.config.workeroutput["left_out"] = dict(left_out)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    left_out = config.stash.get(LEFT_OUT, Counter[str]())
    seed = config.getoption("randomly_seed", None)
    if seed is not None and any(terminalreporter.stats.get(kind) for kind in ("failed", "error")):
        terminalreporter.write_line(f"In the same order again: --randomly-seed={seed}")
    if not left_out:
        return
    extended = left_out.pop(EXTENDED, 0)
    files = ", ".join(f"{Path(file).stem.removeprefix('test_')} {count}" for file, count in left_out.most_common())
    slow = f"{left_out.total()} slow tests and tests in a browser" + (f" ({files})" if files else "")
    terminalreporter.write_line(f"Left out: {slow}, {extended} extended tests.")
    terminalreporter.write_line("To run them too: bin/test --all, or bin/test --all FILE.")
