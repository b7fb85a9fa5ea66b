"""Pages of measurements: tables made of the records, and an extrapolation to a club a hundred times as large.

Extrapolation, from what two measured sizes show: work that took s seconds in the measured club and grew g-fold for ten
times the people and games is said to take s·g^n seconds for n further tenfold steps of the games. People grow tenfold
only once, so for work that goes with people this says too much rather than too little. What has to grow was measured
against a floor that grows with the people: ten times g for each tenfold step of those.

Pages: a mark is a comment on a line of its own, `<!-- measured: SECTION -->`; what is between it and the next
`<!-- end -->` is made of the records and of nothing else.
"""

import re
from collections.abc import Iterator, Mapping
from math import log10
from pathlib import Path

from benchmarks.federation import BARE_ROW, DISK, MADE, OVER_ITS_FLOOR, RATED
from benchmarks.measure import Measured
from benchmarks.records import Record, kept, known_keys

# --- extrapolation ---------------------------------------------------------------------------------------------------
PEOPLE, GAMES = 1_000_000, 100_000_000
_UNITS = ((86_400.0, "d"), (3600.0, "h"), (60.0, "min"), (1.0, "s"))


def needs(record: Record) -> str:
    """A table: the work, what it took, how it grows, what it would take; then disk, and the making of everything."""
    rows = {measured.what: measured for measured in record.results}
    lines = [
        f"| work | at {record.size.games:,} games | tenfold costs | at {GAMES:,} games |",
        "|---|---|---|---|",
        *_lines(rows, log10(PEOPLE / max(record.size.players, 1)), log10(GAMES / max(record.size.games, 1))),
        *_whole(rows, record.size.games),
    ]
    return "\n".join(lines) + "\n"


def _lines(rows: dict[str, Measured], people: float, games: float) -> Iterator[str]:
    """`people`, `games`: how many tenfold steps of each lie ahead."""
    for what, row in rows.items():
        own = rows.get(what.removesuffix(OVER_ITS_FLOOR))
        if not what.endswith(OVER_ITS_FLOOR) or own is None:
            continue
        slope = max(row.ratio or 1.0, 1.0)
        slope, steps = (10 * slope, people) if row.goal is None else (slope, games)
        seconds, name = own.seconds or 0.0, own.what.partition(" (")[0]
        yield f"| {name} | {_time(seconds)} | × {_two(slope)} | {_time(seconds * slope**steps)} |"


def _whole(rows: dict[str, Measured], games: int) -> list[str]:
    """Disk and the two pieces of work that go through all games: so much for each of them."""
    lines = []
    for name in (MADE, RATED):
        for row in (row for what, row in rows.items() if what.startswith(name) and row.seconds):
            each = (row.seconds or 0.0) / games
            lines.append(f"| {name}, one process | {_time(row.seconds or 0.0)} | × 10 | {_time(each * GAMES)} |")
    for row in (row for what, row in rows.items() if what.startswith(DISK) and row.ratio):
        each = (row.ratio or 0.0) * BARE_ROW
        lines.append(f"| {DISK}, {each:.0f} bytes a game | {_size(each * games)} | × 10 | {_size(each * GAMES)} |")
    return lines


def _time(seconds: float) -> str:
    for length, unit in _UNITS:
        if seconds >= length:
            return f"{_two(seconds / length)} {unit}"
    return f"{_two(seconds * 1000)} ms"


def _size(size: float) -> str:
    return f"{_two(size / 1e9)} GB" if size >= 1e9 else f"{_two(size / 1e6)} MB"


def _two(value: float) -> str:
    """Two figures, never with an exponent."""
    return f"{float(f'{value:.2g}'):g}"


# --- pages -----------------------------------------------------------------------------------------------------------
PAGES = ("performance.md", "federation.md")
NEEDS = "needs"  # the extrapolation, from the record of the section `size`
MARKED = re.compile(r"(?P<mark><!-- measured: (?P<key>[a-z-]+) -->\n).*?(?P<end><!-- end -->\n)", re.DOTALL)
HEAD = "| what | baseline | ratio | goal |\n|---|---|---|---|\n"


def write_pages(docs: Path) -> None:
    """Bring the pages up to their records. Raises ValueError for a mark of an unknown section."""
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
