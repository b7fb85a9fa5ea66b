"""Where the time goes: a pytest plugin. `bin/test --slow` prints seconds by file and by what they were spent on.

A second counts once: what a browser does inside a fixture is the browser's, not the fixture's. "set-up" is what remains
of making and removing a test's world, "test" what remains of the test itself.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Generator
from functools import wraps
from pkgutil import resolve_name
from time import perf_counter
from typing import Any

import pytest

CAUSES = (
    "database",
    "demo club",
    "desk scene",
    "passwords",
    "browser",
    "sub-processes",
    "Hypothesis",
    "set-up",
    "test",
)
# Function → the cause its time is counted under.
TIMED = {
    "tests.databases:keep": "database",
    "tests.databases:copy_into": "database",
    "tests.demo_site:make_demo": "demo club",
    "tests.desk_scene:build": "desk scene",
    "django.contrib.auth.hashers:make_password": "passwords",
    "django.contrib.auth.hashers:check_password": "passwords",
    "playwright._impl._sync_base:SyncBase._sync": "browser",
    "subprocess:Popen.communicate": "sub-processes",
    "subprocess:Popen.wait": "sub-processes",
}
FILES_TOLD = 40


class Stopwatch:
    """Seconds by cause of the test that runs; the innermost cause gets them."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()
        self.inside = [0.0]  # seconds already counted, of each cause that is under way

    def timed(self, cause: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(*arguments: Any, **options: Any) -> Any:
            begun = perf_counter()
            self.inside.append(0.0)
            try:
                return function(*arguments, **options)
            finally:
                took = perf_counter() - begun
                self.spent[cause] += took - self.inside.pop()
                self.inside[-1] += took

        return call


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="print seconds by file and by what they were spent on")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("slow"):
        config.pluginmanager.register(Report(), "seconds by file")


class Report:
    """Counts in every process, prints in the one that was started."""

    def __init__(self) -> None:
        self.stopwatch = Stopwatch()
        self.files: dict[str, Counter[str]] = defaultdict(Counter)
        for place, cause in TIMED.items():
            owner, _, name = place.replace(":", ".").rpartition(".")
            owner = resolve_name(owner)
            setattr(owner, name, self.stopwatch.timed(cause, getattr(owner, name)))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        rest = call.duration - self.stopwatch.spent.total()
        own = "Hypothesis" if getattr(getattr(item, "obj", None), "is_hypothesis_test", False) else "test"
        self.stopwatch.spent[own if call.when == "call" else "set-up"] += max(rest, 0)
        report.user_properties.append(("spent", dict(self.stopwatch.spent)))
        self.stopwatch.spent.clear()
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # Each later report of a test carries the properties of the earlier ones too.
        spent = [found for name, found in report.user_properties if name == "spent"]
        if spent and isinstance(spent[-1], dict):
            self.files[report.nodeid.partition("::")[0]].update(spent[-1])

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        files = sorted(self.files.items(), key=lambda file: -file[1].total())
        everything = sum((spent for _file, spent in files), Counter[str]())
        terminalreporter.section("seconds by file and by what they were spent on")
        terminalreporter.write_line(" ".join(f"{name:>13}" for name in ("all", *CAUSES)))
        for name, spent in [("all files", everything), *files[:FILES_TOLD]]:
            seconds = (f"{each:13.1f}" for each in (spent.total(), *(spent[cause] for cause in CAUSES)))
            terminalreporter.write_line(f"{' '.join(seconds)}  {name}")
