"""What a command leaves behind that broke: where it came through and what kind of error it was, and nobody's name."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import IntegrityError

from clubrating.ops.logs.failures import WHERE_TO_READ, report_command_error
from tests.test_architecture import ROOT

KEY = "Key (name)=(Zebediah Quillfeather)"


def store() -> None:
    """As a database says it that refuses a second row of that name; the first error leads to the second."""
    try:
        raise ValueError(f"UNIQUE: {KEY}")
    except ValueError as error:
        raise IntegrityError(f"DETAIL: {KEY} already exists.") from error


def report() -> None:
    with pytest.raises(IntegrityError) as broken:
        store()
    report_command_error(broken.type, broken.value, broken.tb)


def broken(folder: Path, **extra: str) -> list[str]:
    """What `manage.py migrate` wrote into a journal."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("CLUB_", "DATABASE_"))}
    own |= {"CLUB_DATA": str(folder), "CLUB_SECRET_KEY": "x" * 60, **extra}
    command = [sys.executable, "manage.py", "migrate"]
    done = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True, timeout=600)
    assert done.returncode == 1
    return list(done.stderr.splitlines())


def test_a_command_that_breaks_names_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    report()
    said = capsys.readouterr().err.splitlines()
    assert not [line for line in said if "Zebediah" in line or "Key (name)" in line]
    assert "builtins.ValueError" in said
    assert said[-2:] == ["django.db.utils.IntegrityError", WHERE_TO_READ]
    assert any(", in store" in line for line in said)


def test_at_a_terminal_everything_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, its = pty.openpty()
    with os.fdopen(its, "w") as terminal, os.fdopen(ours, "rb", buffering=0) as reader:
        monkeypatch.setattr(sys, "stderr", terminal)
        report()
        terminal.write("END\n")
        terminal.flush()
        said = b""
        while b"END" not in said:
            said += reader.read(4096)
    assert f"IntegrityError: DETAIL: {KEY} already exists." in said.decode()


@pytest.mark.extended
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"DATABASE_URL": "club.db"}, "DATABASE_URL is no database address"),
        ({"DJANGO_SETTINGS_MODULE": "no_such_settings"}, "No module named 'no_such_settings'"),
    ],
)
def test_what_is_wrong_with_the_installation_keeps_its_words(tmp_path: Path, wrong: dict[str, str], words: str) -> None:
    said = broken(tmp_path, **wrong)
    assert words in said[-1]
    assert WHERE_TO_READ not in said


def test_a_database_without_its_folder_is_named_with_the_remedy(tmp_path: Path) -> None:
    """`manage.py migrate` in a bare checkout."""
    said = broken(tmp_path / "nowhere")
    assert len(said) == 1
    assert f"The database {tmp_path}/nowhere/" in said[0]
    assert "CLUB_DATA" in said[0]
