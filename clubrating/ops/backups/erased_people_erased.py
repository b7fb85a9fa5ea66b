"""Whose data is gone for good, remembered outside the database: the file CLUB_DATA/erased, numbers only.

A restored backup knows nothing of an erasure made after it. Each line carries the club's lineage (when its audit trail
began) before the number, so that another club's database on the same machine is left alone.
"""

import os
from pathlib import Path

from django.conf import settings


def erased_file() -> Path:
    return Path(settings.DATA_DIR) / "erased"


def remembered(lineage: str) -> set[int]:
    """The numbers erased in that club's database, as far as this machine knows."""
    file = erased_file()
    if not file.is_file():
        return set()
    lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    return {int(line[1]) for line in lines if len(line) == 2 and line[0] == lineage and line[1].isdecimal()}


def remember(lineage: str, numbers: set[int]) -> None:
    """Add numbers to the file: on the disk when this returns."""
    new = sorted(numbers - remembered(lineage))
    if not new or not lineage:
        return
    handle = os.open(erased_file(), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.writelines(f"{lineage} {number}\n" for number in new)
        stream.flush()
        os.fsync(stream.fileno())
