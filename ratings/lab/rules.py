"""How a claim is judged: by parts, each a figure with bounds, and by nothing else.

A part is measured in every replication. It passes when its mean lies within the bounds together with a band of two
standard errors on either side, so that neither luck nor a narrow miss decides. A claim holds when all its parts pass,
fails when none does, and else holds partly. A part without bounds is shown for comparison and does not count.

Names in rows are "system.figure" (`ratings.lab.variants`). Figures of one replication come from the same games, so
differences and ratios are paired. Not done: corrections for looking at many parts at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf, isfinite
from typing import Any

from ratings.lab.summary import summarise

BAND = 2.0  # standard errors on either side of a mean
ABOUT_RATIO = (2.0 / 3.0, 1.5)  # “about four times” is what lies between these multiples of four
ABOUT_VALUE = (0.75, 1.25)  # “about 60” likewise


class Kind(StrEnum):
    """What a part computes: the largest of `left` minus the smallest of `right`; the mean of `left` over the mean of
    `right`; or the one figure of `left`."""

    BELOW = "below"
    RATIO = "ratio"
    VALUE = "value"


class Verdict(StrEnum):
    HOLDS = "holds"
    PARTLY = "partly"
    FAILS = "fails"
    OPEN = "open"  # nothing of it was measured: the streams were too short


@dataclass(frozen=True, slots=True)
class Part:
    """`left`, `right`: keys of contenders; `figure`: which of their figures, on the right `right_figure` if given."""

    kind: Kind
    figure: str
    left: tuple[str, ...]
    right: tuple[str, ...] = ()
    low: float = -inf
    high: float = inf
    right_figure: str = ""

    @property
    def key(self) -> str:
        """What documents call it."""
        other = f"/{self.right_figure}" if self.right_figure else ""
        sides = " ".join(filter(None, (",".join(self.left), self.kind, ",".join(self.right))))
        return f"{sides} {self.figure}{other}"

    @property
    def counts(self) -> bool:
        return isfinite(self.low) or isfinite(self.high)

    def of(self, row: Mapping[str, float]) -> float | None:
        """The figure in one replication; None where the row has not what it takes."""
        left = [row.get(f"{key}.{self.figure}") for key in self.left]
        right = [row.get(f"{key}.{self.right_figure or self.figure}") for key in self.right]
        if None in left or None in right:
            return None
        own, other = [each for each in left if each is not None], [each for each in right if each is not None]
        if self.kind == Kind.BELOW:
            return max(own) - min(other)
        if self.kind == Kind.VALUE:
            return own[0]
        below = sum(other) / len(other)
        return sum(own) / len(own) / below if below else None


def below(figure: str, left: str, right: str) -> Part:
    """Every one of `left` is lower than every one of `right` (keys, set apart by blanks)."""
    return Part(Kind.BELOW, figure, tuple(left.split()), tuple(right.split()), high=0.0)


def ratio(figure: str, left: str, right: str, low: float = -inf, high: float = inf, *, right_figure: str = "") -> Part:
    """`left` is between `low` and `high` times `right`; without bounds only shown."""
    return Part(Kind.RATIO, figure, (left,), (right,), low, high, right_figure)


def about_times(figure: str, left: str, right: str, times: float) -> Part:
    """`left` is about so many times `right`."""
    return ratio(figure, left, right, times * ABOUT_RATIO[0], times * ABOUT_RATIO[1])


def value(figure: str, system: str, low: float = -inf, high: float = inf) -> Part:
    """The figure lies between `low` and `high`; without bounds only shown."""
    return Part(Kind.VALUE, figure, (system,), low=low, high=high)


def about(figure: str, system: str, asked: float) -> Part:
    """The figure is about so much."""
    return value(figure, system, asked * ABOUT_VALUE[0], asked * ABOUT_VALUE[1])


@dataclass(frozen=True, slots=True)
class Found:
    """What the replications say of a part: mean, sample deviation and standard error over `count` of them; `share`: in
    how many of them the figure itself lies within the bounds; `passes`: None where the part does not count."""

    mean: float
    sd: float
    se: float
    count: int
    share: float
    passes: bool | None


def judge(part: Part, rows: Sequence[Mapping[str, float]]) -> Found | None:
    """The part's figures over all rows that have it; None where none has."""
    values = [value for row in rows if (value := part.of(row)) is not None]
    if not values:
        return None
    mean, sd, se = summarise(values)
    within = sum(part.low <= value <= part.high for value in values) / len(values)
    passes = part.low <= mean - BAND * se and mean + BAND * se <= part.high
    return Found(mean, sd, se, len(values), within, passes if part.counts else None)


def verdict(found: Sequence[Found | None]) -> Verdict:
    """Of a claim, by the parts of it that count and were measured."""
    passes = [each.passes for each in found if each and each.passes is not None]
    if not passes:
        return Verdict.OPEN
    return Verdict.HOLDS if all(passes) else Verdict.PARTLY if any(passes) else Verdict.FAILS


def written(part: Part, found: Found) -> dict[str, Any]:
    """For a document: plain numbers, None for a bound that is not there."""
    return {
        "mean": found.mean,
        "sd": found.sd,
        "se": found.se,
        "replications": found.count,
        "share": found.share if part.counts else None,
        "low": part.low if isfinite(part.low) else None,
        "high": part.high if isfinite(part.high) else None,
        "passes": found.passes,
    }
