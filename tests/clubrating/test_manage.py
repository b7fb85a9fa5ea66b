"""Commands load no more than they use."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import manage

ROOT = Path(manage.__file__).parent
HEAVY = ("networkx", "numpy", "openpyxl", "psycopg", "django_tables2", "django.contrib.auth.models", "ratings.models")


def help_of(name: str, data: Path) -> tuple[str, set[str]]:
    """What a command says of itself, and the modules loaded until then."""
    command = [sys.executable, "-X", "importtime", str(ROOT / "manage.py"), name, "--help"]
    environment = {**os.environ, "CLUB_DATA": str(data)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout, {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}


@pytest.mark.extended
@pytest.mark.parametrize("name", manage.FILE_COMMANDS)
def test_a_command_on_files_loads_no_apps_and_no_large_library(name: str, tmp_path: Path) -> None:
    said, loaded = help_of(name, tmp_path)
    assert "tournaments.management.file_command" in loaded
    assert loaded.isdisjoint(HEAVY)
    assert said.startswith(f"usage: manage.py {name}")


@pytest.mark.extended
def test_a_command_on_the_database_loads_no_pages(tmp_path: Path) -> None:
    _said, loaded = help_of("backup", tmp_path)
    assert "players.models.people" in loaded
    assert loaded.isdisjoint(("clubrating.urls", "clubrating.site.dashboard.admin", "numpy", "openpyxl"))
