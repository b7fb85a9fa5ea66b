"""What a rating gap means for the score, and a score for the gap: FIDE's tables, the curves beside them, and a place
to look up one value. No login, no database. The figures are those of `ratings.systems`: none is typed here."""

from dataclasses import dataclass
from math import inf

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from clubrating.ground.figures import MINUS
from clubrating.web.formatting import decimals
from ratings.calculators.forms import ExpectedForm
from ratings.calculators.tables import AnchorsTable, BandsTable, DifferencesTable, LawsOfGapTable, LawsOfScoreTable
from ratings.systems.elo import expected_score
from ratings.systems.fide_tables import expected_percent, fide_band, rating_difference, xiangqi_band, xiangqi_expected
from ratings.systems.gaps import LAWS, logistic_gap

EXAMPLE = {"gap": 200, "score": 64}
# A class is 200 points wide; 400 and 735 are the marks of FIDE's rules and of the table's end.
ANCHORS = (0, 25, 50, 100, 150, 200, 300, 400, 500, 600, 735, 800)
WORDS = {
    "fide": gettext_lazy("FIDE’s table 8.1.2"),
    "fide-difference": gettext_lazy("FIDE’s table 8.1.1"),
    "fide-back": gettext_lazy("FIDE’s table 8.1.2, read backwards"),
    "xiangqi": gettext_lazy("Xiangqi table"),
    "logistic": gettext_lazy("Logistic curve, 400 points"),
    "normal": gettext_lazy("Normal law, from which the tables were rounded"),
    "linear": gettext_lazy("Straight line, US Chess’ special formula"),
}


@dataclass(frozen=True, slots=True)
class BandRow:
    """A line of table 8.1.2: the gaps of one step, what the curve says at both ends; `xiangqi` where that table has
    other gaps."""

    low: int
    high: int | None
    percent: int
    curve: tuple[float, float | None]
    xiangqi: tuple[int | None, int | None] | None


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """A line of table 8.1.1, with the curve's gap; None at a full score, which the curve never expects."""

    percent: int
    difference: int
    curve: float | None


def expected(request: HttpRequest) -> HttpResponse:
    """The form with what it asks for, and the whole tables below."""
    asked = {key: request.GET[key] for key in EXAMPLE if key in request.GET}
    form = ExpectedForm(asked or EXAMPLE)
    context: dict[str, object] = {"form": form, "is_example": not asked}
    if form.is_valid():
        context |= _answers(form.cleaned_data["gap"], form.cleaned_data["score"])
    return render(request, "ratings/expected.html", context | _tables())


def _answers(gap: float | None, score: float | None) -> dict[str, object]:
    found: dict[str, object] = {}
    if gap is not None:
        rows = [{"words": WORDS[law.key], "expected": law.expected(gap)} for law in LAWS if law.key != "fide-back"]
        found |= {"gap": decimals(gap, 0 if gap == int(gap) else 1).replace("-", MINUS), "of_gap": LawsOfGapTable(rows)}
    if score is not None:
        names = {"fide": WORDS["fide-difference"]}
        by_score = [{"words": names.get(law.key, WORDS[law.key]), "gaps": law.gaps(score / 100)} for law in LAWS]
        found |= {"score": score, "of_score": LawsOfScoreTable(by_score)}
    return found


def _tables() -> dict[str, object]:
    return {
        "anchors": AnchorsTable([_anchor(gap) for gap in ANCHORS]),
        "bands": BandsTable([band_row(percent) for percent in range(50, 101)]),
        "differences": DifferencesTable([difference_row(percent) for percent in range(100, 49, -1)]),
    }


def _anchor(gap: int) -> dict[str, float]:
    """A round gap, by the two tables and the curve."""
    fide, xiangqi = expected_percent(gap) / 100, xiangqi_expected(gap, 0.0)
    return {"gap": gap, "fide": fide, "xiangqi": xiangqi, "logistic": expected_score(gap, 0.0)}


def band_row(percent: int) -> BandRow:
    """The line of table 8.1.2 for the higher rated at so many hundredths."""
    low, high = fide_band(percent)
    low = max(low or 0, 0)
    other = xiangqi_band(percent)
    curve = expected_score(low, 0.0), None if high is None else expected_score(high, 0.0)
    return BandRow(low, high, percent, curve, None if other == fide_band(percent) else other)


def difference_row(percent: int) -> DifferenceRow:
    """The line of table 8.1.1 at so many hundredths."""
    curve = logistic_gap(percent / 100)
    return DifferenceRow(percent, rating_difference(percent), None if curve == inf else curve)
