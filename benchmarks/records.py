"""Records of measurements, one JSON file a section beside the page that shows it, with the day and the machine.

The machine is described in terms that readers can compare with their own.
"""

import json
import os
import platform
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import django
from django.db import connection

from benchmarks.measure import Measured
from benchmarks.subjects import SUBJECTS, Section, Size
from clubrating.ops.health.admin import engine_version

# --- the machine -----------------------------------------------------------------------------------------------------
_GIB = 2**30


@dataclass(frozen=True, slots=True)
class Machine:
    """`busy`: how many processes wanted a core on average in the minute before (the load); None where it is unknown."""

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
    """The engine behind `DATABASE_URL` and its version, as the engine reports it."""
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


# --- records ---------------------------------------------------------------------------------------------------------
FOLDER = "performance"  # of the pages' folder
ENGINES = ("sqlite", "postgresql")  # records of the first bear the section's name alone


@dataclass(frozen=True, slots=True)
class Record:
    """One section, measured in one run: `key` is the section's, with the engine behind it where that matters."""

    key: str
    size: Size
    taken_on: str
    machine: Machine
    results: tuple[Measured, ...]


def key_of(section: Section, vendor: str) -> str:
    """What a section measured on that engine is called."""
    return f"{section.key}-{vendor}" if section.engine and vendor != ENGINES[0] else section.key


def known_keys() -> tuple[str, ...]:
    """Every key there may be, in the order of the subjects."""
    return tuple(
        key_of(section, vendor)
        for sections in SUBJECTS.values()
        for section in sections
        for vendor in (ENGINES if section.engine else ENGINES[:1])
    )


def keep(record: Record, docs: Path) -> None:
    """Write the record below the pages' folder, in the place of the one before."""
    folder = docs / FOLDER
    folder.mkdir(exist_ok=True)
    values = {
        "section": record.key,
        "taken_on": record.taken_on,
        "players": record.size.players,
        "games": record.size.games,
        "machine": asdict(record.machine),
        "results": [_rounded(measured) for measured in record.results],
    }
    text = json.dumps(values, indent=1, ensure_ascii=False)
    (folder / f"{record.key}.json").write_text(f"{text}\n", encoding="utf-8")


def _rounded(measured: Measured) -> dict[str, Any]:
    """Six figures: more are noise, and make every line of the file differ."""
    row = asdict(measured)
    return {name: float(f"{value:.6g}") if isinstance(value, float) else value for name, value in row.items()}


def kept(docs: Path) -> dict[str, Record]:
    """All records below the pages' folder, by key. Raises ValueError, with the file's name, where it is no record."""
    files = (docs / FOLDER / f"{key}.json" for key in known_keys())
    found = (_read(file) for file in files if file.exists())
    return {record.key: record for record in found}


def _read(file: Path) -> Record:
    try:
        values = json.loads(file.read_text(encoding="utf-8"))
        return Record(
            values["section"],
            Size(values["players"], values["games"]),
            values["taken_on"],
            Machine(**values["machine"]),
            tuple(Measured(**row) for row in values["results"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{file.name} is no record of a benchmark ({error}): measure that section anew.") from error
