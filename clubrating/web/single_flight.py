"""One maker at a time for one page: over all threads and web processes that share CLUB_DATA.

Whoever comes meanwhile waits for the maker, for some seconds at most, and then makes it too. A lock is a lock on a
file, which ends with the process that holds it. Two pages may share one: then the one waits for the other.
"""

import fcntl
import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.conf import settings

SECONDS = 5.0  # nobody waits longer for somebody else's page
_LOOK_AGAIN = 0.01
_FILES = 256


@contextmanager
def single_flight(what: str) -> Iterator[None]:
    """Until the block is left, nobody else is in one for the same `what`. Without files (a full disk) everybody is let
    in at once."""
    number = hashlib.blake2b(what.encode(), digest_size=8).digest()[0] % _FILES
    folder = settings.DATA_DIR / "making"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        file = (folder / f"{number:02x}").open("ab")
    except OSError:
        yield
        return
    with file:
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            with suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            time.sleep(_LOOK_AGAIN)
        yield
