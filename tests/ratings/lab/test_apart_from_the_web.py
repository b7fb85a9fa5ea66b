"""Compiling takes seconds and much memory, so no web process may do it: Numba is loaded by commands and the worker."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT

APPS = ("clubrating", "players", "ratings", "tournaments")
ENGINES = {"best_engine", "compiled_engine"}

# Loads every page the site has, in a process of its own, and says whether Numba came along.
LOAD = """
import os, sys
{first}
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
import django
django.setup()
from django.urls import get_resolver
def count(patterns):
    return sum(count(each.url_patterns) if hasattr(each, "url_patterns") else 1 for each in patterns)
print(count(get_resolver().url_patterns) > 50, sys.modules.get("numba") is not None)
"""


def sources() -> list[Path]:
    return [path for app in APPS for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts]


MISSING = "sys.modules['numba'] = None"


@pytest.mark.extended
@pytest.mark.parametrize("first", ["", pytest.param(MISSING, marks=pytest.mark.slow)], ids=["installed", "missing"])
def test_every_page_is_loaded_without_numba(first: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOAD.format(first=first)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.split()) == (0, ["True", "False"]), done.stderr


def test_numba_is_loaded_in_one_place() -> None:
    """Only the engine loads it, and only when somebody wants to compile; a command may ask whether it is there."""
    loading = []
    for path in sources():
        text = path.read_text(encoding="utf-8")
        if "numba" not in text:
            continue
        tree = ast.parse(text)
        imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not any(name.split(".")[0] == "numba" for name in imported), path
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
        if any(node.func.id == "import_module" and ast.unparse(node.args[0]) == "'numba'" for node in calls):
            loading.append(str(path.relative_to(ROOT)))
    assert loading == ["ratings/lab/engine.py"]


@pytest.mark.extended
def test_no_view_and_no_selector_asks_for_an_engine() -> None:
    for path in sources():
        if {"views", "templatetags"} & set(path.parts) or path.stem in ("selectors", "forms", "tables"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            assert not ENGINES & {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}, path
