"""What a command leaves behind that broke: where it came through and what kind of error it was, and nobody's name."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from clubrating.ops.logs.failures import WHERE_TO_READ
from tests.test_architecture import ROOT

NAME = "Zebediah Quillfeather"
# As a database says it that refuses a second row of that name; the first error leads to the second.
BREAKS = f"""
from django.db import IntegrityError
def store():
    try:
        raise ValueError("UNIQUE: Key (name)=({NAME})")
    except ValueError as error:
        raise IntegrityError("DETAIL: Key (name)=({NAME}) already exists.") from error
store()
"""


def command(folder: Path, *words: str, **extra: str) -> dict[str, object]:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("CLUB_", "DATABASE_"))}
    own |= {"CLUB_DATA": str(folder), "CLUB_SECRET_KEY": "x" * 60, **extra}
    return {"args": [sys.executable, "manage.py", *words], "cwd": ROOT, "env": own}


def broken(folder: Path, *words: str, **extra: str) -> list[str]:
    """What it wrote into a journal."""
    done = subprocess.run(**command(folder, *words, **extra), capture_output=True, text=True, timeout=600)  # type: ignore[call-overload]
    assert done.returncode == 1
    return list(done.stderr.splitlines())


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    ours, its = pty.openpty()
    yield ours, its
    os.close(ours)


def test_a_command_that_breaks_names_nobody(tmp_path: Path) -> None:
    said = broken(tmp_path, "shell", "-c", BREAKS)
    assert not [line for line in said if "Zebediah" in line or "Key (name)" in line]
    assert "builtins.ValueError" in said
    assert said[-2:] == ["django.db.utils.IntegrityError", WHERE_TO_READ]
    assert any(", in store" in line for line in said)


def test_at_a_terminal_everything_is_told(tmp_path: Path, terminal: tuple[int, int]) -> None:
    ours, its = terminal
    with subprocess.Popen(**command(tmp_path, "shell", "-c", BREAKS), stderr=its) as running:  # type: ignore[call-overload]
        os.close(its)
        said = b""
        try:
            while more := os.read(ours, 4096):
                said += more
        except OSError:  # whoever wrote is gone
            pass
    assert running.returncode == 1
    assert f"IntegrityError: DETAIL: Key (name)=({NAME}) already exists." in said.decode()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"DATABASE_URL": "club.db"}, "DATABASE_URL is no database address"),
        ({"DJANGO_SETTINGS_MODULE": "no_such_settings"}, "No module named 'no_such_settings'"),
    ],
)
def test_what_is_wrong_with_the_installation_keeps_its_words(tmp_path: Path, wrong: dict[str, str], words: str) -> None:
    said = broken(tmp_path, "migrate", **wrong)
    assert words in said[-1]
    assert WHERE_TO_READ not in said


def test_a_database_without_its_folder_is_named_with_the_remedy(tmp_path: Path) -> None:
    """`manage.py migrate` in a bare checkout."""
    said = broken(tmp_path / "nowhere", "migrate")
    assert len(said) == 1
    assert f"The database {tmp_path}/nowhere/" in said[0]
    assert "CLUB_DATA" in said[0]
