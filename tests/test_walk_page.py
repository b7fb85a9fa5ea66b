"""docs/walk.md names files and functions that are there, few enough to follow; and recording a result stays small.

The second half reads with `ast` what `record_result` imports, and what that imports: a club enters results all evening,
and nothing that only looks at results may slow that down or break it.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.test_architecture import APPS, ROOT, imports

PAGE = (ROOT / "docs" / "walk.md").read_text(encoding="utf-8")
WALKS = {
    heading: box
    for heading, text in re.findall(r"^## (\d+\. .+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    for box in re.findall(r"```text\n(.*?)```", text, re.DOTALL)
}
# Whatever is written as a whole path.
NAMED = re.compile(r"(?<![\w/<>.-])(?:clubrating|players|ratings|tournaments|tests|static|templates|docs)/[\w/.-]*\w")
CALL = re.compile(r"(\w+)\([^)]*\)\s+(\S+\.py)\b")
MOST_FILES = {"1": 6}  # of the first walk; others have eight
each_walk = pytest.mark.parametrize("heading", WALKS)

RESULTS = "tournaments.results.services.results"
MOST_MODULES = 38
# Rating systems, formats and tables: as many as the site knows.
EACH_A_FILE = ("ratings.systems.", "tournaments.pairing.", "players.models.", "tournaments.models.")
PAGES = {"admin", "forms", "management", "tables", "templatetags", "views"}
LOOKS_ON = ("ratings.lab", "tournaments.forecast", "tournaments.forecasts", "tournaments.interchange")


def files_of(box: str) -> list[str]:
    return list(dict.fromkeys(NAMED.findall(box)))


def definitions_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def test_there_are_seven_walks_of_one_box_each() -> None:
    assert [heading.partition(".")[0] for heading in WALKS] == list("1234567")
    assert PAGE.count("```text\n") == len(WALKS)


def test_every_path_it_names_is_there() -> None:
    assert len(NAMED.findall(PAGE)) > 60
    assert [name for name in NAMED.findall(PAGE) if not (ROOT / name).exists()] == []


@each_walk
def test_a_walk_is_short(heading: str) -> None:
    assert 2 < len(files_of(WALKS[heading])) <= MOST_FILES.get(heading.partition(".")[0], 8), heading


@pytest.mark.extended
@each_walk
def test_every_file_of_a_walk_stands_with_what_is_called_there(heading: str) -> None:
    calls = CALL.findall(WALKS[heading])
    assert list(dict.fromkeys(path for _name, path in calls)) == files_of(WALKS[heading])
    missing = [f"{name} in {path}" for name, path in calls if name not in definitions_in(ROOT / path)]
    assert not missing, f"{heading}: {', '.join(missing)}"


@each_walk
def test_files_are_numbered_in_the_order_in_which_they_are_reached(heading: str) -> None:
    numbers = re.findall(r"^\| (\d)  .* (\S+\.py) +\|$", WALKS[heading], re.MULTILINE)
    assert numbers == [(str(files_of(WALKS[heading]).index(path) + 1), path) for _number, path in numbers]
    assert len(numbers) == len(CALL.findall(WALKS[heading]))


@each_walk
def test_a_box_is_drawn_straight(heading: str) -> None:
    lines = WALKS[heading].splitlines()
    assert {len(line) for line in lines} == {len(lines[0])}
    assert len(lines[0]) <= 120
    assert [line for line in lines if line[0] + line[-1] not in ("++", "||")] == []


# --- what recording a result imports ------------------------------------------------------------------------------
def file_of(name: str) -> Path | None:
    """The file of a module, or a package's `__init__.py`; None for a room without one, and for what is no module."""
    path = ROOT.joinpath(*name.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def with_packages(name: str) -> Iterator[tuple[str, Path]]:
    """The module of that name, or the one that defines it, behind every package it stands in."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        module = ".".join(parts[:end])
        if (file := file_of(module)) is not None:
            yield module, file


@cache
def closure() -> dict[str, str]:
    """Every module of ours that is loaded to record a result, and which other one asked for it first."""
    found: dict[str, str] = {}
    waiting = [(RESULTS, "")]
    while waiting:
        name, asked_by = waiting.pop(0)
        for module, file in with_packages(name):
            if module not in found:
                found[module] = asked_by
                tree = ast.parse(file.read_text(encoding="utf-8"))
                waiting += [(each, module) for _line, each in imports(tree) if each.split(".")[0] in APPS]
    return found


def way_to(module: str) -> str:
    """Who asks for a module, back to the results."""
    way = [module]
    while closure()[way[-1]]:
        way.append(closure()[way[-1]])
    return " <- ".join(way)


def test_the_closure_sees_what_there_is() -> None:
    assert {"ratings.ledger.services.ledger", "tournaments.models", "tournaments.standings.points"} <= closure().keys()


def test_recording_a_result_imports_little() -> None:
    asked = sorted(name for name in closure() if not name.startswith(EACH_A_FILE))
    assert len(asked) <= MOST_MODULES, "\n".join(map(way_to, asked))


def test_recording_a_result_imports_nothing_that_only_looks_on() -> None:
    rooms = tuple(f"{room}." for room in LOOKS_ON)
    wrong = [module for module in closure() if f"{module}.".startswith(rooms)]
    assert not wrong, "\n".join(map(way_to, wrong))


def test_recording_a_result_imports_no_page() -> None:
    wrong = [module for module in closure() if PAGES & set(module.split("."))]
    assert not wrong, "\n".join(map(way_to, wrong))
