"""Measurements kept: one JSON file a section beside the page they stand on, with the machine and the day."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.machine import Machine
from benchmarks.measure import Measured
from benchmarks.subjects import SUBJECTS, Section, Size

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
