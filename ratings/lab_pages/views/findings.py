"""`/lab/findings/`: what the author of the study claims, and what replications of our own say to it.

The page shows the document made by `run_study findings`; it computes nothing but places on a drawing. No database.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from players.refusals import listed, said
from ratings.lab.claims import CLAIMS, FIGURES, Claim, figure_name
from ratings.lab.rules import BAND, Kind, Part, Verdict
from ratings.lab.variants import MOVED_STARTS, VARIANTS
from ratings.lab_pages.charts import result_document
from ratings.lab_pages.diary import written
from ratings.lab_pages.words import NAMES, system_words

STRIP = 160.0  # width of a strip, in its own units
EDGE = 0.06  # of the strip is left free at either end
OWN_NAMES = {each.key: each.name for each in (*VARIANTS, *MOVED_STARTS)}
SIGNS = {Kind.BELOW: " < ", Kind.RATIO: " : ", Kind.VALUE: ""}
# Which page of the lab draws what a claim is about; the others are about the index.
CHARTS = {
    "split": "lab:pictures",
    "split-moves": "lab:pictures",
    "top-ten": "lab:pictures",
    "fresh-blood": "lab:pictures",
    "fractions": "lab:pictures",
    "glicko-c": "lab:scenarios",
    "probation": "lab:scenarios",
}
VERDICTS: Mapping[Verdict, tuple[str, str, Promise]] = {
    Verdict.HOLDS: ("✓", "good", _("It holds")),
    Verdict.PARTLY: ("≈", "", _("It holds in part")),
    Verdict.FAILS: ("✗", "bad", _("It does not hold")),
    Verdict.OPEN: ("…", "", _("Not measured")),
}


@dataclass(frozen=True, slots=True)
class Strip:
    """Places on a drawing of width STRIP: what was asked (None: nothing), one deviation and two standard errors on
    either side of the mean, the mean."""

    asked: tuple[float, float] | None
    spread: tuple[float, float]
    band: tuple[float, float]
    mean: float

    @property
    def asked_width(self) -> float:
        return round(self.asked[1] - self.asked[0], 1) if self.asked else 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """A part of a claim, as the page says it."""

    compared: str
    measured: str
    mean: str
    band: str
    asked: str
    share: int | None
    replications: int
    passes: bool | None
    strip: Strip


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim with its verdict; `passed` of `counted` parts pass. `chart` names the page that draws it."""

    key: str
    says: str
    because: str
    mark: str
    look: str
    verdict: Promise
    lines: tuple[Line, ...]
    passed: int
    counted: int
    chart: str

    @property
    def all_pass(self) -> bool:
        return self.passed == self.counted


def findings(request: HttpRequest) -> HttpResponse:
    """Every claim: the verdict first, the figures below."""
    document = result_document("findings")
    judged = {each["key"]: each for each in document["claims"]}
    found = [finding(claim, judged[claim.key]) for claim in CLAIMS if claim.key in judged]
    counts = [(mark, look, words, sum(each.mark == mark for each in found)) for mark, look, words in VERDICTS.values()]
    context = {
        "findings": found,
        "counts": [each for each in counts if each[-1]],
        "most": max(document["replications"].values()),
        "fewest": min(document["replications"].values()),
        **{name: document[name] for name in ("games", "seed", "made_by")},
    }
    return render(request, "lab/findings.html", context)


def finding(claim: Claim, judged: Mapping[str, Any]) -> Finding:
    """A claim as the document judges it."""
    verdict = Verdict(judged["verdict"])
    mark, look, words = VERDICTS[verdict]
    figures = judged["figures"]
    lines = tuple(line(part, figures[part.key]) for part in claim.parts if part.key in figures)
    counted = [each.passes for each in lines if each.passes is not None]
    return Finding(
        claim.key,
        said(claim.says),
        said(claim.because.get(verdict, "")),
        mark,
        look,
        words,
        lines,
        sum(counted),
        len(counted),
        CHARTS.get(claim.key, "lab:study"),
    )


def line(part: Part, found: Mapping[str, Any]) -> Line:
    """A part by its figures in the document."""
    low, high, mean = found["low"], found["high"], found["mean"]
    band = BAND * found["se"]
    places = max(decimals_for(*(value for value in (low, high, mean) if value)), 3 if 0.0 < band < 0.01 else 0)
    return Line(
        compared(part),
        said(FIGURES[figure_name(part)]),
        written(mean, places),
        written(band, places),
        bounds(low, high, places),
        None if found["share"] is None else round(100 * found["share"]),
        found["replications"],
        found["passes"],
        strip(found),
    )


def compared(part: Part) -> str:
    """Who is held against whom, in signs: “Elo < League, KD”, “League : Glicko-1”, “R2”."""
    left, right = (listed(map(name, keys)) for keys in (part.left, part.right))
    return left if part.left == part.right else f"{left}{SIGNS[part.kind]}{right}"


def name(key: str) -> str:
    """A contender's name; that of a variant is a system's with a figure."""
    return system_words(key) if key in NAMES else said(OWN_NAMES[key])


def decimals_for(*values: float) -> int:
    """So many decimals that the smallest of the values still shows two digits, at most three."""
    least = min((abs(value) for value in values), default=1.0)
    return 3 if least < 0.1 else 2 if least < 10 else 1


def bounds(low: float | None, high: float | None, places: int) -> str:
    """What was asked, in signs; nothing where nothing was."""
    if low is not None and high is not None:
        return f"{written(low, places)} … {written(high, places)}"
    if low is not None:
        return f"≥ {written(low, places)}"
    return "" if high is None else "< 0" if high == 0.0 else f"≤ {written(high, places)}"


def strip(found: Mapping[str, Any]) -> Strip:
    """The places, on an axis that reaches from the lowest to the highest of what is drawn."""
    mean, sd, band = found["mean"], found["sd"], BAND * found["se"]
    ends = [mean - sd, mean + sd, mean - band, mean + band]
    ends += [bound for bound in (found["low"], found["high"]) if bound is not None]
    start, span = min(ends), (max(ends) - min(ends)) or 1.0

    def at(value: float) -> float:
        return round(STRIP * (EDGE + (1.0 - 2.0 * EDGE) * (value - start) / span), 1)

    asked = None
    if found["passes"] is not None:
        low, high = found["low"], found["high"]
        asked = (0.0 if low is None else at(low), STRIP if high is None else at(high))
    return Strip(asked, (at(mean - sd), at(mean + sd)), (at(mean - band), at(mean + band)), at(mean))
