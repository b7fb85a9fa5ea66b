"""Stored backups: which daily ones are kept, the folder CLUB_DATA/backups, and databases put aside by an upgrade.

Kept daily backups: the newest seven, the newest of each of the last four weeks that have one, and of each of the last
twelve months. `kept` is pure: no clock, no files.

The folder holds one backup a day, each read back after it was made, with the verdict in a small file of the same name
(.json). Besides these it holds the newest five of those made by hand, before a restore and before an upgrade. Listing
the backups needs no database. Only one process at a time makes or changes something here; others wait.

The backup with which an upgrade began is kept until the upgrade has succeeded: the file CLUB_DATA/upgrade-kept names
it. An upgrade that is tried again after a failure makes another backup, but of a database the new program has already
changed; the earlier program can read the first one only.

Databases that `bin/upgrade --back` put aside are in folders CLUB_DATA/put-aside-…, named after the moment, so that what
was entered meanwhile can be looked up. Erasing a person does not reach them, so they are deleted after two weeks.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.ops.backups.archive import ASIDE, Manifest, cannot_write, opened, verify
from clubrating.ops.backups.snapshot import write_backup, write_before_upgrade
from players.refusals import Refused

# --- which daily backups are kept ------------------------------------------------------------------------------------
DAYS, WEEKS, MONTHS = 7, 4, 12


def kept(days: Iterable[date], today: date) -> set[date]:
    """Of the days with a backup those whose backup stays: at most 23. Weeks and months without one are not counted: a
    site that stood still keeps what it had. Today's always stays: days later than it come from a clock that was wrong,
    and may not push it out."""
    newest_first = sorted(set(days), reverse=True)
    return {
        *(day for day in newest_first if day == today),
        *newest_first[:DAYS],
        *_newest_of_each(newest_first, lambda day: day.isocalendar()[:2], WEEKS),
        *_newest_of_each(newest_first, lambda day: (day.year, day.month), MONTHS),
    }


def _newest_of_each(newest_first: list[date], period: Callable[[date], Hashable], count: int) -> list[date]:
    found: dict[Hashable, date] = {}
    for day in newest_first:
        found.setdefault(period(day), day)
    return list(found.values())[:count]


# --- a stored backup -------------------------------------------------------------------------------------------------
DAILY, BY_HAND, BEFORE_RESTORE, BEFORE_UPGRADE = "daily", "by-hand", "before-restore", "before-upgrade"
KINDS = (DAILY, BY_HAND, BEFORE_RESTORE, BEFORE_UPGRADE)
SUFFIX = ".zip"
OTHERS_KEPT = 5
OLD_AFTER = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored backup. `verified`: it was read back whole, and has not changed its size since."""

    path: Path
    kind: str
    made_at: datetime
    size: int
    verified: bool
    verified_at: datetime | None

    def is_old(self, now: datetime) -> bool:
        return now - self.made_at > OLD_AFTER


def folder() -> Path:
    return Path(settings.DATA_DIR) / "backups"


# --- reading the folder ----------------------------------------------------------------------------------------------
def backups() -> list[Kept]:
    """Every stored backup, the newest first."""
    if not folder().is_dir():
        return []
    rows = [_kept(path) for kind in KINDS for path in folder().glob(f"{kind}-*{SUFFIX}")]
    return sorted((row for row in rows if row), key=lambda row: (row.made_at, row.path.name), reverse=True)


def latest() -> Kept | None:
    """The newest backup that was read back whole; where there is none, the newest."""
    rows = backups()
    return next((row for row in rows if row.verified), rows[0] if rows else None)


def _kept(path: Path) -> Kept | None:
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None  # another process removed it since the folder was listed
    verdict = _verdict(path)
    written = datetime.fromtimestamp(stat.st_mtime, tz=timezone.get_default_timezone())
    return Kept(
        path=path,
        kind=next(kind for kind in KINDS if path.name.startswith(f"{kind}-")),
        made_at=_moment(verdict.get("made_at")) or written,
        size=stat.st_size,
        verified=verdict.get("verified") is True and verdict.get("size") == stat.st_size,
        verified_at=_moment(verdict.get("verified_at")),
    )


def _verdict(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return values if isinstance(values, dict) else {}


def _moment(text: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return moment if moment.tzinfo else None


# --- making and removing ---------------------------------------------------------------------------------------------
@contextmanager
def alone() -> Iterator[Path]:
    """The folder, locked until the end: others wait here. What a killed process left behind is removed."""
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (folder() / ".lock").open("w")
    except OSError as error:
        raise cannot_write(folder(), error) from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for left_behind in folder().glob(f".*{ASIDE}"):
            left_behind.unlink()
        yield folder()


def make_daily(today: date) -> Kept | None:
    """Make today's backup unless it is there already and whole; then put away what need not be kept. Nothing is given
    back where nothing was done. Raises Refused where it cannot be made, or is not read back whole."""
    path = folder() / f"{DAILY}-{today.isoformat()}{SUFFIX}"
    with alone():
        there = _kept(path)
        if there and there.verified:
            return None
        return _finished(path, write_backup(path, force=True), today)


def make_now(kind: str = BY_HAND, *, spare: Path | None = None) -> Kept:
    """Make one beside the daily ones: by hand, or before a restore. `spare` is not put away for it: the one that is
    about to be restored. Raises Refused as `make_daily` does."""
    with alone():
        path = _stamped(kind)
        return _finished(path, write_backup(path, force=True), timezone.localdate(), spare)


def make_before_upgrade() -> Kept | None:
    """Keep a database that waits for migrations as it is; nothing is given back where none waits. Raises Refused as
    `make_daily` does."""
    with alone():
        path = _stamped(BEFORE_UPGRADE)
        manifest = write_before_upgrade(path)
        return _finished(path, manifest, timezone.localdate()) if manifest else None


def _stamped(kind: str) -> Path:
    return folder() / f"{kind}-{timezone.now():%Y-%m-%d-%H%M%S-%f}{SUFFIX}"


def _finished(path: Path, manifest: Manifest, today: date, spare: Path | None = None) -> Kept:
    """The new backup once it is read back; then old ones are put away."""
    judge(path, manifest.made_at)
    made = _kept(path)
    if made is None or not made.verified:
        raise Refused(_("The backup was made but cannot be read back: is the disk failing?"))
    _put_away(today, spare)
    return made


def judge(path: Path, made_at: datetime) -> None:
    """Read a backup back and write the verdict beside it."""
    try:
        verify(path)
        whole = True
    except Refused:
        whole = False
    verdict = {
        "made_at": made_at.isoformat(),
        "size": path.stat().st_size,
        "verified": whole,
        "verified_at": timezone.now().isoformat(),
    }
    aside = path.with_suffix(f".json{ASIDE}")
    aside.write_text(json.dumps(verdict, indent=1) + "\n", encoding="utf-8")
    aside.replace(path.with_suffix(".json"))


def _put_away(today: date, spare: Path | None) -> None:
    daily = {day: row for row in backups() if row.kind == DAILY and (day := _day_of(row.path))}
    # Damaged backups do not count, so that none pushes out a good one.
    stay = kept((day for day, row in daily.items() if row.verified), today)
    others = [row for row in backups() if row.kind != DAILY][OTHERS_KEPT:]
    spared = {path.name for path in (spare, way_back()) if path}
    for row in [*(row for day, row in daily.items() if day not in stay), *others]:
        if row.path.name not in spared:
            discard(row.path)


def _day_of(path: Path) -> date | None:
    try:
        return date.fromisoformat(path.stem.removeprefix(f"{DAILY}-"))
    except ValueError:
        return None


def discard(path: Path) -> None:
    """Remove a backup and its verdict."""
    path.unlink(missing_ok=True)
    path.with_suffix(".json").unlink(missing_ok=True)


# --- the way back from an upgrade -----------------------------------------------------------------------------
def way_back() -> Path | None:
    """What the upgrade that has not gone well yet began with; None where none is under way."""
    try:
        noted = _note().read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    found = folder() / Path(noted).name
    return found if noted and found.is_file() else None


def note_way_back(made: Kept) -> Path:
    """Note what an upgrade begins with, until `forget_way_back`; the one that is noted is given back. What an earlier
    try has noted stays where the database has gone on since: the program before does not know the migrations `made`
    holds. Raises Refused where the note cannot be written."""
    before = way_back()
    was = _migrations(before) if before else set()
    if before and was and was < _migrations(made.path):
        return before
    aside = _note().with_name(f"{_note().name}{ASIDE}")
    try:
        with aside.open("w", encoding="utf-8") as stream:
            stream.write(f"{made.path}\n")
            stream.flush()
            os.fsync(stream.fileno())
        aside.replace(_note())
    except OSError as error:
        raise cannot_write(_note(), error) from error
    return made.path


def forget_way_back() -> None:
    """The upgrade has gone well: nobody needs to go back."""
    _note().unlink(missing_ok=True)


def _note() -> Path:
    return Path(settings.DATA_DIR) / "upgrade-kept"


def _migrations(path: Path) -> set[tuple[str, str]]:
    """Those a backup was made with; none for one that cannot be read, which is no way back."""
    try:
        with opened(path) as reader:
            return {(app, name) for app, names in reader.manifest.migrations.items() for name in names}
    except Refused:
        return set()


# --- databases put aside ---------------------------------------------------------------------------------------------
PREFIX = "put-aside-"
KEPT_FOR = timedelta(days=14)


def clear_put_aside(now: datetime) -> int:
    """Delete what was put aside longer ago than `KEPT_FOR`; how many databases went. A folder whose name tells no
    moment is somebody else's and stays. Raises OSError where one cannot be deleted; those before it are."""
    gone = 0
    for folder in sorted(Path(settings.DATA_DIR).glob(f"{PREFIX}*")):
        moment = _moment_of(folder)
        if moment and now - moment > KEPT_FOR and folder.is_dir() and not folder.is_symlink():
            shutil.rmtree(folder)
            gone += 1
    return gone


def _moment_of(folder: Path) -> datetime | None:
    try:
        return datetime.strptime(folder.name.removeprefix(PREFIX), "%Y-%m-%d-%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None
