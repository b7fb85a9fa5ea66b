"""The scripts in bin/ started from outside, as a person would."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
Done = subprocess.CompletedProcess[str]


def environment(**extra: object) -> dict[str, str]:
    """The environment of a person, not of this test run; the installed packages are the ones we run with."""
    ours = re.compile(r"CLUB_|FAKE_|(DATABASE_URL|DJANGO_SETTINGS_MODULE|PYTHON|PORT|HOST|CI)$")
    person = {name: value for name, value in os.environ.items() if not ours.match(name)}
    settings = {"CLUB_VENV": sys.prefix, "CLUB_ENV_READY": "1", "CLUB_LAB_PICTURES": "0"} | extra
    return person | {name: str(value) for name, value in settings.items() if value is not None}


def run(*command: object, **extra: object) -> Done:
    return subprocess.run(
        [str(word) for word in command],
        env=environment(**extra),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def refusal(done: Done) -> str:
    """The one line on stderr, with status 2."""
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.splitlines()
    return line
