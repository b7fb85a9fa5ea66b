"""Files between the two steps of a correction, kept under the digest of their content: what is committed was previewed.

The second step removes them, and the next upload whatever is older than a day.
"""

import re
from hashlib import sha256
from pathlib import Path
from time import time

from django.conf import settings
from django.utils.translation import gettext as _

from players.refusals import Refused

LARGEST = 5 * 1024 * 1024
_KEPT_FOR = 24 * 3600  # seconds


def keep_upload(content: bytes) -> str:
    """Keep a file; its key. Raises Refused for one of more than 5 MB."""
    if len(content) > LARGEST:
        raise Refused(_("The file is larger than 5 MB: load it with “manage.py load_games”."))
    for path in _path("").parent.glob("*.csv"):
        if path.stat().st_mtime < time() - _KEPT_FOR:
            path.unlink(missing_ok=True)
    key = sha256(content).hexdigest()
    _path(key).write_bytes(content)
    return key


def read_upload(key: str) -> bytes:
    """The file of that key. Raises Refused where it is gone, or was none."""
    if re.fullmatch("[0-9a-f]{64}", key) and (path := _path(key)).exists():
        return path.read_bytes()
    raise Refused(_("The uploaded file is no longer here: upload it again."))


def drop_upload(key: str) -> None:
    """Remove a file that is done with."""
    if re.fullmatch("[0-9a-f]{64}", key):
        _path(key).unlink(missing_ok=True)


def _path(key: str) -> Path:
    folder = Path(settings.DATA_DIR) / "uploads"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / f"{key}.csv"
