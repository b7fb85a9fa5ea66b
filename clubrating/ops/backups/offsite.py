"""Off-site copies: a program of the club's carries the newest backup away, encrypted.

CLUB_OFFSITE names the program: docs/deploy/offsite/restic, docs/deploy/offsite/rclone, or the club's own. `manage.py
daily` calls it with the path of the newest backup that was read back whole, once, and again after an erasure has
rewritten it. Status 0: the copy is safe. Anything else is tried again an hour later. How it went is stored in the
file CLUB_DATA/offsite.json. Not done here: encrypting, keeping and bringing back, which such programs do well.
"""

import fcntl
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings

from clubrating.ops.backups.store import Kept, folder, latest

LONGEST = timedelta(hours=3)
NOT_STARTED, TOO_LONG = 127, 124  # as a shell and timeout(1) say it
MOST_WORDS = 300  # characters of what a program complained of


@dataclass(frozen=True, slots=True)
class LastCopy:
    """How the last try ended (None: there was none), and which backup was carried away last: its `mark`, when it was
    made."""

    status: int | None = None
    mark: str = ""
    made_at: str = ""

    def age(self, now: datetime) -> timedelta | None:
        """Of the newest backup off site; None where there is none."""
        return now - datetime.fromisoformat(self.made_at) if self.made_at else None


@dataclass(frozen=True, slots=True)
class Sent:
    """A try: the backup, the program's status, and its last words."""

    backup: Kept
    status: int
    words: str


def last_copy() -> LastCopy:
    try:
        return LastCopy(**json.loads(_file().read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return LastCopy()


def send_newest() -> Sent | None:
    """Have the newest backup carried away, unless it is there or another process is at it. Raises OSError where that
    cannot be noted."""
    if not settings.OFFSITE_PROGRAM:
        return None
    with _alone() as is_alone:
        backup, before = latest(), last_copy()
        if not is_alone or backup is None or not backup.verified or before.mark == _mark(backup):
            return None
        status, words = _run(backup.path)
        if status:
            _note(LastCopy(status, before.mark, before.made_at))
        else:
            _note(LastCopy(status, _mark(backup), backup.made_at.isoformat()))
        return Sent(backup, status, words)


def _mark(backup: Kept) -> str:
    """Another one once the file was written anew."""
    return f"{backup.path.name} {backup.verified_at} {backup.size}"


@contextmanager
def _alone() -> Iterator[bool]:
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder() / ".offsite-lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def _run(backup: Path) -> tuple[int, str]:
    """The program's status and its last line. It is given its own variables, and none of the site's secrets."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("CLUB_", "DATABASE_"))}
    try:
        program = subprocess.Popen(
            [settings.OFFSITE_PROGRAM, str(backup)],
            env=own | {"CLUB_DATA": str(settings.DATA_DIR)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        return NOT_STARTED, error.strerror or type(error).__name__
    try:
        said, _ = program.communicate(timeout=LONGEST.total_seconds())
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
        program.communicate()
        return TOO_LONG, f"not done within {LONGEST}"
    lines = said.decode(errors="replace").strip().splitlines()
    return program.returncode, lines[-1][:MOST_WORDS] if lines else ""


def _note(last: LastCopy) -> None:
    aside = _file().with_suffix(".new")
    aside.write_text(json.dumps(asdict(last), indent=1) + "\n", encoding="utf-8")
    aside.replace(_file())


def _file() -> Path:
    return Path(settings.DATA_DIR) / "offsite.json"
