"""What a run found, as sums, as a page's tables, and as a verdict."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.stress.figures import Broken, Line


@dataclass(frozen=True)
class Report:
    """`saved`: acknowledged results; `lost`: those not there; `disordered`: numbered in another order than entered;
    `checks`: replays compared; `killed_by_disk`: web processes a full disk ended; `faults`:
    everything else that should not have happened, in words."""

    database: str
    python: str
    cores: int
    minutes: float
    seed: int
    lines: Sequence[Line]
    broken: Sequence[Broken]
    waits: Sequence[Broken]
    skipped: dict[str, str]
    saved: int
    killed_by_disk: int
    lost: int
    disordered: int
    checks: int
    jobs: int
    jobs_left: int
    faults: Sequence[str]

    @property
    def requests(self) -> int:
        return sum(line.count for line in self.lines)

    @property
    def errors(self) -> int:
        """Outside every window."""
        return sum(line.errors for line in self.lines)

    @property
    def is_good(self) -> bool:
        return not (self.lost or self.disordered or self.errors or self.jobs_left or self.faults) and self.saved > 0


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"


def as_text(report: Report) -> str:
    return "\n".join([*_head(report), "", *_requests(report), "", *_faults(report), "", *_verdict(report)]) + "\n"


def _head(report: Report) -> Iterator[str]:
    machine = f"{report.database}, Python {report.python}, {report.cores} cores"
    yield f"{machine}; {report.minutes:.1f} min, seed {report.seed}"


def _requests(report: Report) -> Iterator[str]:
    yield "| request | how many | errors | p50 | p99 |"
    yield "|---|---|---|---|---|"
    for line in report.lines:
        yield f"| {line.kind} | {line.count} | {line.errors} | {milliseconds(line.p50)} | {milliseconds(line.p99)} |"


def _faults(report: Report) -> Iterator[str]:
    yield "| fault | times | back after (median) | at most | requests meanwhile | unanswered or 5xx |"
    yield "|---|---|---|---|---|---|"
    for row in report.broken:
        times = f"{row.median:.1f} s | {row.longest:.1f} s"
        yield f"| {row.fault} | {row.times} | {times} | {row.requests} | {row.errors} |"
    for row in report.waits:
        yield f"| {row.fault} | {row.times} | {row.median:.1f} s | {row.longest:.1f} s | – | – |"
    for kind, why in report.skipped.items():
        yield f"| {kind} | left out: {why} | | | | |"


def _verdict(report: Report) -> Iterator[str]:
    yield f"Acknowledged {report.saved}, lost {report.lost}, out of order {report.disordered}."
    yield f"Ledger compared with a fresh replay {report.checks} times."
    yield f"Errors outside the windows: {report.errors} of {report.requests}."
    yield f"Background work done: {report.jobs} jobs, left behind {report.jobs_left}."
    yield f"Web processes ended by a full disk: {report.killed_by_disk}."
    yield from (f"FAULT {fault}" for fault in report.faults)
    yield "All of it held." if report.is_good else "NOT all of it held."
