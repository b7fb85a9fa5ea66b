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
from tournaments.interchange.tables_csv import DELIMITERS

LARGEST = 5 * 1024 * 1024
# Of a table as text: what is read takes about a second and 100 MB. Excel files have bounds of their own.
MOST_LINES, MOST_VALUES = 50_000, 500_000
_KEPT_FOR = 24 * 3600  # seconds


def keep_upload(content: bytes, *, is_table: bool = True) -> str:
    """Keep a file; its key. Raises Refused for one of more than 5 MB, and for a table of more lines or values than are
    read at once."""
    if len(content) > LARGEST:
        raise Refused(_("The file is larger than 5 MB: load it with “manage.py load_games”."))
    if is_table:
        _refuse_long(content)
    for path in _path("").parent.glob("*.csv"):
        if path.stat().st_mtime < time() - _KEPT_FOR:
            path.unlink(missing_ok=True)
    key = sha256(content).hexdigest()
    _path(key).write_bytes(content)
    return key


def _refuse_long(content: bytes) -> None:
    lines = max(content.count(b"\n"), content.count(b"\r"))
    values = lines + max(content.count(sign.encode()) for sign in DELIMITERS)
    if lines > MOST_LINES or values > MOST_VALUES:
        most = {"lines": MOST_LINES, "values": MOST_VALUES}
        raise Refused(
            _("A file of at most %(lines)s lines and %(values)s values is read at once: divide it into several.") % most
        )


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
