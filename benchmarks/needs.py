"""What a club a hundred times as large would need, reckoned from what two measured sizes show.

Work that took `s` seconds in the measured club and grew `g`-fold for ten times the people and games is said to take
s·g^n seconds for n further tenfold steps of the games. People grow tenfold only once, so for work that goes with
people this says too much rather than too little. What has to grow was measured against a floor that grows with the
people: ten times `g` for each tenfold step of those.
"""

from collections.abc import Iterator
from math import log10

from benchmarks.federation import BARE_ROW, DISK, MADE, OVER_ITS_FLOOR, RATED
from benchmarks.measure import Measured
from benchmarks.records import Record

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
