"""Commands that work on files load no more than they use."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import manage

ROOT = Path(manage.__file__).parent
HEAVY = ("networkx", "numpy", "openpyxl", "psycopg", "django_tables2", "django.contrib.auth.models", "ratings.models")


@pytest.mark.parametrize("name", manage.FILE_COMMANDS)
def test_a_command_on_files_loads_no_apps_and_no_large_library(name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-X", "importtime", str(ROOT / "manage.py"), name, "--help"]
    environment = {**os.environ, "CLUB_DATA": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "tournaments.management.file_command" in loaded
    assert loaded.isdisjoint(HEAVY)
    assert done.stdout.startswith(f"usage: manage.py {name}")
