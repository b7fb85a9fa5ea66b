"""A worker in a process of its own beside the benchmark, on the same scratch database: how long it takes, and how much
memory it holds."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep
from urllib.parse import quote

from django.conf import settings
from django.db import connection

from ratings.models import RatingList
from tournaments.corrections.services.jobs import request_rebuild

LOOK = 0.05  # seconds between two looks at a worker's size


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker that rated a list anew: seconds from its start to its end, and the most memory of its own it held
    (bytes; 0 where the system does not tell)."""

    seconds: float
    memory: int


def rated_by_a_worker(rating_list: RatingList) -> Worker:
    """What the units run, with that one piece of work in the queue. Raises AssertionError where it breaks off."""
    request_rebuild(rating_list, by=None)
    connection.close()
    begun, most = perf_counter(), 0
    command = [
        sys.executable,
        "manage.py",
        "db_worker",
        "--batch",
        "--no-startup-delay",
        "--no-reload",
        "--verbosity=0",
    ]
    environment = os.environ | {"DATABASE_URL": _address()}
    with subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment) as process:
        while process.poll() is None:
            most = max(most, _own_memory(process.pid))
            sleep(LOOK)
    if process.returncode:
        raise AssertionError(f"the worker ended with status {process.returncode}")
    return Worker(perf_counter() - begun, most)


def _address() -> str:
    """The scratch database's, for another process."""
    found = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{quote(str(found['NAME']))}"
    user = quote(found["USER"]) + (f":{quote(found['PASSWORD'])}" if found["PASSWORD"] else "")
    place = f"{found['HOST']}:{found['PORT']}" if found["PORT"] else found["HOST"]
    return f"postgres://{user}@{place}/{found['NAME']}" if user else f"postgres://{place}/{found['NAME']}"


def _own_memory(process: int) -> int:
    """What a process holds that is no file's; 0 where it is gone, or the system does not tell."""
    try:
        found = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    kilobytes = [line.split()[1] for line in found.splitlines() if line.startswith("RssAnon:")]
    return int(kilobytes[0]) * 1024 if kilobytes else 0
