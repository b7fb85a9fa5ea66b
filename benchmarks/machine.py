"""The machine a measurement was taken on, in words a reader can compare with his own."""

import os
import platform
from dataclasses import dataclass
from pathlib import Path

import django
from django.db import connection

from clubrating.ops.health.admin import engine_version

_GIB = 2**30


@dataclass(frozen=True, slots=True)
class Machine:
    """`busy`: how many processes wanted a core on average in the minute before (the load); None where nobody counts."""

    processor: str
    cores: int
    memory_gib: int
    system: str
    python: str
    django: str
    database: str
    busy: float | None


def this_machine() -> Machine:
    """The machine this runs on, now."""
    return Machine(
        processor=_processor(),
        cores=_cores(),
        memory_gib=round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / _GIB),
        system=f"{platform.system()} {platform.release().partition('-')[0]}",
        python=platform.python_version(),
        django=django.get_version(),
        database=database_version(),
        busy=round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
    )


def database_version() -> str:
    """The engine behind `DATABASE_URL` and its version, as it tells it."""
    return f"{connection.display_name} {engine_version()}"


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processor() -> str:
    """Its name, without what every maker adds to it."""
    found = Path("/proc/cpuinfo")
    if found.exists():
        for line in found.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _colon, value = line.partition(":")
            if name.strip() == "model name":
                return " ".join(value.replace("(R)", "").replace("(TM)", "").split())
    return platform.processor() or platform.machine()
