"""The pages of measurements: what stands between a page's marks is made of the records, and of nothing else.

A mark is a comment of its own line, `<!-- measured: SECTION -->`; the next `<!-- end -->` ends what is replaced.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from benchmarks.measure import Measured
from benchmarks.needs import needs
from benchmarks.records import Record, kept, known_keys

PAGES = ("performance.md", "federation.md")
NEEDS = "needs"  # what is reckoned of the section `size`
MARKED = re.compile(r"(?P<mark><!-- measured: (?P<key>[a-z-]+) -->\n).*?(?P<end><!-- end -->\n)", re.DOTALL)
HEAD = "| what | baseline | ratio | goal |\n|---|---|---|---|\n"


def write_pages(docs: Path) -> None:
    """Bring the pages up to their records. Raises ValueError for a mark nobody knows."""
    records = kept(docs)
    for file in (docs / name for name in PAGES):
        file.write_text(filled(file.read_text(encoding="utf-8"), records), encoding="utf-8")


def filled(text: str, records: Mapping[str, Record]) -> str:
    """The page with every table as its record has it."""
    return MARKED.sub(lambda found: found["mark"] + _between(found["key"], records) + found["end"], text)


def _between(key: str, records: Mapping[str, Record]) -> str:
    if key not in (*known_keys(), NEEDS):
        raise ValueError(f"<!-- measured: {key} --> names no section: there are {', '.join((*known_keys(), NEEDS))}.")
    record = records.get("size" if key == NEEDS else key)
    if record is None:
        return "\nNot measured yet.\n\n"
    body = needs(record) if key == NEEDS else HEAD + "".join(map(_row, record.results))
    return f"\n{body}\n{_taken(record)}\n\n"


def _row(measured: Measured) -> str:
    found = "–" if measured.ratio is None else figure(measured.ratio)
    note = f" ({measured.note})" if measured.note else ""
    return f"| {measured.what} | {measured.against} | {found}{note} | {_goal(measured)} |\n"


def _goal(measured: Measured) -> str:
    if measured.goal is None:
        return ""
    return f"{measured.goal:g}" + {True: "", False: ", missed", None: ""}[measured.met]


def figure(ratio: float) -> str:
    """Two figures, as many as two runs agree on; three from a hundred on, and about one."""
    if ratio == 0 or ratio >= 100:
        return f"{ratio:.0f}"
    if 0.95 <= ratio < 1.05:
        return f"{ratio:.2f}"
    digits = 1 if ratio >= 1 else 3 if ratio < 0.1 else 2
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.{digits}f}"


def _taken(record: Record) -> str:
    """The day and the machine, in a line."""
    machine = record.machine
    busy = "" if machine.busy is None else f", load {machine.busy:g} when it began"
    sizes = [f"{record.size.players:,} people"] * bool(record.size.players)
    sizes += [f"{record.size.games:,} games"] * bool(record.size.games)
    return (
        f"*{record.taken_on}{''.join(f', {size}' for size in sizes)}. {machine.processor}, {machine.cores} cores, "
        f"{machine.memory_gib} GiB, {machine.system}, Python {machine.python}, Django {machine.django}, "
        f"{machine.database}{busy}.*"
    )
