"""The performance calculator: opponents' ratings and results in, both performances out. No login, no database.

Everything stands in the address, so it can be sent to a friend."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from clubrating.figures import points_text
from ratings.forms import PerformanceForm
from ratings.systems.elo import expected_score
from ratings.systems.fide_tables import fide_expected, score_percent
from ratings.systems.performance import average_opponents, performance_400, performance_fide
from ratings.tables_tools import ExpectedTable, MethodsTable

# The example of the diary: 1360 beaten, 1321 lost to, 1350 drawn.
EXAMPLE = {"opponents": "1360 1\n1321 0\n1350 ½"}
FIELDS = ("opponents", "score", "own")


@dataclass(frozen=True, slots=True)
class Method:
    """A performance and how it is found."""

    words: str
    how: str
    performance: float


@dataclass(frozen=True, slots=True)
class Expected:
    """What a curve expects of the rating given."""

    words: str
    expected: float
    difference: float


def performance(request: HttpRequest) -> HttpResponse:
    """The form and, for good input, both performances. Without input the example is shown."""
    asked = {key: request.GET[key] for key in FIELDS if key in request.GET}
    form = PerformanceForm(asked or EXAMPLE)
    context: dict[str, object] = {"form": form, "is_example": not asked}
    if form.is_valid():
        context |= answers(form.rated, form.scores, form.cleaned_data["own"])
    return render(request, "ratings/performance.html", context)


def answers(opponents: Sequence[float], scores: Sequence[float], own: float | None) -> dict[str, object]:
    """What the page shows of those games."""
    half_points = round(2 * sum(scores))
    average = average_opponents(opponents)
    percent = score_percent(half_points, len(scores))
    first = float(performance_400(opponents, scores))
    second = performance_fide(opponents, scores)
    by_400 = _("the mean of opponent + 400 for a win, − 400 for a loss: %(exact).2f") % {"exact": first}
    by_table = _("ARO %(average)s %(sign)s %(difference)s, from the table at %(percent)s %%") % {
        "average": average,
        "sign": "+" if second >= average else "−",
        "difference": abs(second - average),
        "percent": percent,
    }
    methods = [
        Method(_("Algorithm of 400"), by_400, first),
        Method(_("FIDE’s table"), by_table, float(second)),
    ]
    context: dict[str, object] = {
        "points": points_text(half_points),
        "games": len(scores),
        "average": average,
        "methods": MethodsTable(methods),
    }
    if own is not None:
        context["expected"] = ExpectedTable(_expected(own, opponents, sum(scores)))
    return context


def _expected(own: float, opponents: Sequence[float], points: float) -> list[Expected]:
    curves = ((_("the logistic curve"), expected_score), (_("FIDE’s table"), fide_expected))
    found = []
    for words, curve in curves:
        expected = sum(curve(own, opponent) for opponent in opponents)
        found.append(Expected(words, expected, points - expected))
    return found
