"""Databases that were put aside on the way back to an older program: the folders CLUB_DATA/put-aside-… (`bin/upgrade
--back`), named after the moment. They are there to look up what was entered meanwhile, and know everybody's name; as
erasing reaches no copy but the backups, they go after two weeks.
"""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings

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
