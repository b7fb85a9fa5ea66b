"""The sums of a run: answers, the windows in which something was broken, percentiles. Pure; seconds throughout."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

NO_ANSWER = 0
FIRST_ERROR = 500


@dataclass(frozen=True, slots=True)
class Sample:
    """One request: of which kind, asked when (monotonic), answered after how long, with which status."""

    kind: str
    begun: float
    took: float
    status: int

    @property
    def is_error(self) -> bool:
        """No answer at all, or the server's own failure; a refusal with a reason is none."""
        return self.status == NO_ANSWER or self.status >= FIRST_ERROR


@dataclass(frozen=True, slots=True)
class Window:
    """From a fault to the first good answer after it."""

    fault: str
    begun: float
    ended: float

    @property
    def lasted(self) -> float:
        return self.ended - self.begun

    def touches(self, sample: Sample) -> bool:
        """Whether the request was under way at any moment of the window."""
        return sample.begun <= self.ended and sample.begun + sample.took >= self.begun


@dataclass(frozen=True, slots=True)
class Line:
    """One kind of request, outside every window: how many, errors among them, median and 99th percentile."""

    kind: str
    count: int
    errors: int
    p50: float
    p99: float


@dataclass(frozen=True, slots=True)
class Broken:
    """One kind of fault: how often, the windows' median and longest, requests under way in them, errors among those."""

    fault: str
    times: int
    median: float
    longest: float
    requests: int
    errors: int


def percentile(values: Sequence[float], share: int) -> float:
    """The nearest-rank percentile: the smallest value with at least `share` of a hundred at or below it. 0 of none."""
    if not values:
        return 0.0
    return sorted(values)[max(ceil(share * len(values) / 100), 1) - 1]


def is_inside(sample: Sample, windows: Iterable[Window]) -> bool:
    return any(window.touches(sample) for window in windows)


def lines_of(samples: Sequence[Sample], windows: Sequence[Window]) -> list[Line]:
    """A line for each kind of request, by name; requests inside a window are left to `broken_of`."""
    calm: dict[str, list[Sample]] = {}
    for sample in samples:
        if not is_inside(sample, windows):
            calm.setdefault(sample.kind, []).append(sample)
    return [_line(kind, rows) for kind, rows in sorted(calm.items())]


def _line(kind: str, rows: Sequence[Sample]) -> Line:
    took = [row.took for row in rows if row.status != NO_ANSWER]
    return Line(kind, len(rows), sum(row.is_error for row in rows), percentile(took, 50), percentile(took, 99))


def broken_of(samples: Sequence[Sample], windows: Sequence[Window]) -> list[Broken]:
    """A line for each kind of fault, by name. A request in two windows counts in both."""
    kinds = sorted({window.fault for window in windows})
    return [_broken(kind, samples, [window for window in windows if window.fault == kind]) for kind in kinds]


def _broken(fault: str, samples: Sequence[Sample], windows: Sequence[Window]) -> Broken:
    lasted = [window.lasted for window in windows]
    inside = [sample for sample in samples if is_inside(sample, windows)]
    errors = sum(sample.is_error for sample in inside)
    return Broken(fault, len(windows), percentile(lasted, 50), max(lasted), len(inside), errors)
