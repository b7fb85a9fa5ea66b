"""Measurements kept: one JSON file a section beside the page they stand on, with the machine and the day."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from clubrating.benchmark.machine import Machine
from clubrating.benchmark.subjects import SECTIONS, SUBJECTS, Section, Size
from ratings.benchmark.measure import Measured

FOLDER = "performance"  # of the pages' folder
ENGINES = ("postgresql",)  # beside SQLite, whose records bear the section's name alone


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
    return f"{section.key}-{vendor}" if section.engine and vendor != "sqlite" else section.key


def known_keys() -> tuple[str, ...]:
    """Every key there may be, in the order of the subjects."""
    own = {section.key: section.engine for sections in SUBJECTS.values() for section in sections}
    more = {key: [f"{key}-{engine}" for engine in ENGINES] if own[key] else [] for key in SECTIONS}
    return tuple(found for key in SECTIONS for found in (key, *more[key]))


def keep(record: Record, docs: Path) -> Path:
    """Write the record below the pages' folder, in the place of the one before."""
    folder = docs / FOLDER
    folder.mkdir(exist_ok=True)
    file = folder / f"{record.key}.json"
    told = {
        "section": record.key,
        "taken_on": record.taken_on,
        "players": record.size.players,
        "games": record.size.games,
        "machine": record.machine.as_json(),
        "results": [_rounded(measured) for measured in record.results],
    }
    file.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return file


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
        told = json.loads(file.read_text(encoding="utf-8"))
        return Record(
            told["section"],
            Size(told["players"], told["games"]),
            told["taken_on"],
            Machine(**told["machine"]),
            _results(told["results"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{file.name} is no record of a benchmark ({error}): measure that section anew.") from error


def _results(rows: Sequence[dict[str, Any]]) -> tuple[Measured, ...]:
    return tuple(Measured(**row) for row in rows)
