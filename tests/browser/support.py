"""The browser for tests marked `browser`: finding it, leaving those tests out where there is none, and saying so.

A pytest plugin, loaded by `tests/conftest.py`, because the word at the end must come whichever tests were picked.
Where CI is set nothing may be left out: there a missing browser fails each of these tests.
"""

import os
import shutil

import pytest

# The first has no windows: it starts sooner and costs two thirds.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "/usr/bin/chromium")
# Playwright's driver is linked with libatomic, which the smallest Debian systems lack.
REMEDY = (
    "install Chromium (Debian: apt install chromium-headless-shell libatomic1), or name a Chrome with "
    "CLUB_BROWSER=/path/to/it"
)
NO_BROWSER = "No browser"


def find_browser() -> str | None:
    """The path of the browser to drive: CLUB_BROWSER if it is set, else the first Chromium or Chrome on the PATH."""
    named = os.environ.get("CLUB_BROWSER")
    names = (named,) if named else NAMES
    return next((path for name in names if (path := shutil.which(name))), None)


def is_ci() -> bool:
    return os.environ.get("CI", "").lower() not in {"", "0", "false"}


def drives_browser(item: pytest.Item) -> bool:
    """By its marker, or because one of its fixtures is the browser and the marker was forgotten."""
    return item.get_closest_marker("browser") is not None or "browser" in getattr(item, "fixturenames", ())


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if not drives_browser(item) or find_browser():
        return
    if is_ci():
        pytest.fail(f"{NO_BROWSER}, and in CI nothing may be left out: {REMEDY}.", pytrace=False)
    pytest.skip(f"{NO_BROWSER}: {REMEDY}.")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Of all processes that ran tests."""
    told = [*terminalreporter.getreports("skipped"), *terminalreporter.getreports("error")]
    left_out = [report.nodeid for report in told if NO_BROWSER in report.longreprtext]
    if not left_out:
        return
    named = os.environ.get("CLUB_BROWSER")
    why = f"CLUB_BROWSER={named} is no program" if named else "no browser was found"
    files = ", ".join(sorted({node.partition("::")[0] for node in left_out}))
    tests = "1 browser test" if len(left_out) == 1 else f"{len(left_out)} browser tests"
    verb = "FAILED" if is_ci() else "left out"
    terminalreporter.write_line(f"{tests} {verb}, because {why}: {files}", red=is_ci(), yellow=not is_ci())
    terminalreporter.write_line(f"To run them: {REMEDY}.")
