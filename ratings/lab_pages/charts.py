"""The figures the lab's pages show, and how they are drawn.

The figures are documents made by the lab's commands and kept beside its code. Each says with which command line it was
made, so anybody can make it again; tests make a first part again.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings

from clubrating.ground.curves import LETTERS, NARROW, WIDE, Curve, CurveChart, curve_chart
from clubrating.web.formatting import decimals
from players.refusals import said
from ratings.lab_pages.tables.lab import CurveRow, CurveTable, curve_table
from ratings.lab_pages.words import LOOKS, MEASURES, system_words

RESULTS = settings.BASE_DIR / "ratings" / "lab" / "results"


@cache
def result_document(name: str) -> dict[str, Any]:
    """The document of that name ("imitator", "scenarios" …). Raises FileNotFoundError where there is none."""
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return found


def has_document(name: str) -> bool:
    """Whether there is such a document."""
    return (RESULTS / f"{name}.json").is_file()


TABLE_ROWS = 10
LONG_NAMES = 23  # of worlds


@dataclass(frozen=True, slots=True)
class Drawing:
    """Curves, drawn twice, with their figures in a table. `across` heads the table's first column; None: games.
    `whole`: it counts few things, and has no halves."""

    curves: Sequence[Curve]
    places: int = 1
    from_zero: bool = True
    across: str | None = None
    letters: int = LETTERS
    whole: bool = False

    @property
    def wide(self) -> CurveChart:
        return self._drawn(WIDE)

    @property
    def narrow(self) -> CurveChart:
        return self._drawn(NARROW)

    def _drawn(self, size: tuple[int, int]) -> CurveChart:
        return curve_chart(self.curves, size, from_zero=self.from_zero, letters=self.letters, whole=self.whole)

    @property
    def rows(self) -> list[CurveRow]:
        """About TABLE_ROWS moments of the curves; all share their moments."""
        xs = self.curves[0].xs
        step = max(len(xs) // TABLE_ROWS, 1)  # all of them where they are few
        return [
            CurveRow(int(xs[at]), [decimals(curve.means[at], self.places) for curve in self.curves])
            for at in range(step - 1, len(xs), step)
        ]

    @property
    def table(self) -> CurveTable:
        return curve_table((curve.name for curve in self.curves), self.rows, self.across)

    @property
    def ends(self) -> list[tuple[str, str]]:
        """Name and last value of each curve, highest first: what the drawing says in words."""
        found = sorted(self.curves, key=lambda curve: -curve.means[-1])
        return [(curve.name, decimals(curve.means[-1], self.places)) for curve in found]


def index_drawing(systems: Mapping[str, Any], *, first_range: bool) -> Drawing | None:
    """The disorder index of the study's six with its bands; `first_range`: only games 1–10,000."""
    found = {key: figures["curve"] for key, figures in systems.items() if key in LOOKS and figures.get("curve")}
    last = 10_000 if first_range else None
    curves = [_curve(key, curve, curve["every"], last) for key, curve in found.items()]
    drawn = [curve for curve in curves if len(curve.xs) > 1]
    return Drawing(drawn) if drawn else None


def _curve(key: str, figures: Mapping[str, Any], every: int, last: int | None = None) -> Curve:
    """A system's figures at every so many games, up to the `last`."""
    means = figures["mean"]
    count = len(means) if last is None else min(len(means), last // every)
    xs = [float(every * (number + 1)) for number in range(count)]
    return Curve(system_words(key), LOOKS[key], xs, means[:count], figures["sd"][:count])


def scenario_drawing(document: Mapping[str, Any], name: str) -> Drawing:
    """A curve of a scenario for the study's six, with its bands."""
    every, systems = document["curves"]["every"], document["curves"]["systems"]
    curves = [_curve(key, drawn[name], every) for key, drawn in systems.items() if key in LOOKS and name in drawn]
    places = 1 if name in ("index", "mean", "lag") else 3
    return Drawing(curves, places=places, from_zero=name not in ("mean", "tau"))


def sweep_drawing(worlds: Sequence[Mapping[str, Any]], measure: str, names: Mapping[str, str]) -> Drawing:
    """A measure over constant K, one curve a world."""
    curves = []
    for look, world in enumerate(worlds, start=1):
        figures = [world["systems"][f"k{value:g}"][measure] for value in world["values"]]
        xs = [float(value) for value in world["values"]]
        means, spreads = [each["mean"] for each in figures], [each["sd"] for each in figures]
        curves.append(Curve(said(names[world["scenario"]]), look, xs, means, spreads))
    return Drawing(curves, places=MEASURES[measure].places, from_zero=False, across="K", letters=LONG_NAMES)


def newcomer_drawing(systems: Mapping[str, Any], across: str) -> Drawing:
    """By how much of the table newcomers stand off their true places, in per cent, by games of their own."""
    curves = []
    for key, figures in systems.items():
        rows = figures["probation"]
        if key in LOOKS and len(rows) > 1:
            xs = [float(row["own_games"]) for row in rows]
            means, spreads = ([100.0 * row["places"][name] for row in rows] for name in ("mean", "sd"))
            curves.append(Curve(system_words(key), LOOKS[key], xs, means, spreads))
    return Drawing(curves, across=across)


def course_drawing(curves: Mapping[str, Mapping[int, float]]) -> Drawing | None:
    """Means over games played, one curve a name, at the moments all of them know; None where there is but one."""
    xs = sorted(set.intersection(*(set(means) for means in curves.values())))
    drawn = [
        Curve(name, look, [float(x) for x in xs], [means[x] for x in xs])
        for look, (name, means) in enumerate(curves.items(), start=1)
    ]
    return Drawing(drawn, from_zero=False) if len(xs) > 1 else None


@dataclass(frozen=True, slots=True)
class CalibrationPoint:
    """Games predicted alike: what was expected, what was scored, and the interval around that; per cents and pixels."""

    games: int
    expected: float
    score: float
    x: float
    y: float
    low_y: float
    high_y: float


@dataclass(frozen=True, slots=True)
class CalibrationPlot:
    """A square with its diagonal, on which a perfectly calibrated system's points lie."""

    points: Sequence[CalibrationPoint]
    left: int = 44
    top: int = 10
    side: int = 280

    @property
    def ticks(self) -> list[tuple[int, float, float]]:
        """Per cent, place across, place upwards."""
        return [
            (each, self.left + self.side * each / 100, self.top + self.side * (100 - each) / 100)
            for each in (0, 25, 50, 75, 100)
        ]


def calibration_plot(bins: Sequence[Mapping[str, Any]]) -> CalibrationPlot:
    """The plot of a document's bins; empty ones are left out."""
    empty = CalibrationPlot(())

    def point(games: int, expected: float, score: float, low: float, high: float) -> CalibrationPoint:
        heights = (round(empty.top + empty.side * (1.0 - share), 1) for share in (score, low, high))
        across = round(empty.left + empty.side * expected, 1)
        return CalibrationPoint(games, 100 * expected, 100 * score, across, *heights)

    names = ("games", "expected", "score", "low", "high")
    return CalibrationPlot([point(*(each[name] for name in names)) for each in bins if each["games"]])
