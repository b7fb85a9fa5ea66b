"""The performance calculator: opponents' ratings and results in, the performance by every method out.

No login, no database. Everything stands in the address, so it can be sent to a friend."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from clubrating.ground.figures import points_text, round_half_away
from clubrating.web.formatting import decimals
from ratings.calculators.forms import PerformanceForm
from ratings.calculators.tables import ExpectedTable, MethodsTable
from ratings.systems.elo import expected_score
from ratings.systems.fide_tables import fide_expected, score_percent
from ratings.systems.performance import (
    ZERO_BELOW,
    average_opponents,
    performance_400,
    performance_fide,
    performance_linear,
    performance_logistic,
    performance_perfect,
)

# The example of the diary: 1360 beaten, 1321 lost to, 1350 drawn.
EXAMPLE = {"opponents": "1360 1\n1321 0\n1350 ½"}
FIELDS = ("opponents", "score", "own")


@dataclass(frozen=True, slots=True)
class Method:
    """A performance and how it is found; None where there is none."""

    words: str
    how: str
    performance: float | None


def performance(request: HttpRequest) -> HttpResponse:
    """The form and, for good input, the performances. Without input the example is shown."""
    asked = {key: request.GET[key] for key in FIELDS if key in request.GET}
    form = PerformanceForm(asked or EXAMPLE)
    context: dict[str, object] = {"form": form, "is_example": not asked}
    if form.is_valid():
        context |= answers(form.lines.ratings, form.scores, form.cleaned_data["own"])
    return render(request, "ratings/performance.html", context)


def answers(opponents: Sequence[float], scores: Sequence[float], own: float | None) -> dict[str, object]:
    """What the page shows of those games."""
    points = sum(scores)
    context: dict[str, object] = {
        "points": points_text(round(2 * points)),
        "games": len(scores),
        "average": average_opponents(opponents),
        "perfect": points in (0, len(scores)),
        "won_all": points == len(scores),
        "methods": MethodsTable(methods_of(opponents, scores)),
    }
    if own is not None:
        context["expected"] = ExpectedTable(_expected(own, opponents, points))
    return context


def methods_of(opponents: Sequence[float], scores: Sequence[float]) -> list[Method]:
    """Every method's performance, with how it is found."""
    exact = float(performance_400(opponents, scores))
    mean = _("the mean of opponent + 400 for a win, − 400 for a loss: %(exact)s") % {"exact": decimals(exact, 2)}
    return [
        Method(_("Algorithm of 400"), mean, exact),
        _by_table(opponents, scores),
        _perfect(opponents, scores),
        _logistic(opponents, scores),
        _linear(opponents, scores),
    ]


def _by_table(opponents: Sequence[float], scores: Sequence[float]) -> Method:
    average, found = average_opponents(opponents), performance_fide(opponents, scores)
    said = {
        "average": average,
        "difference": abs(found - average),
        "percent": score_percent(round(2 * sum(scores)), len(scores)),
    }
    above = _("ARO %(average)s + %(difference)s, from table 8.1.1 at %(percent)s %%")
    below = _("ARO %(average)s − %(difference)s, from table 8.1.1 at %(percent)s %%")
    return Method(_("FIDE’s table"), (above if found >= average else below) % said, float(found))


def _perfect(opponents: Sequence[float], scores: Sequence[float]) -> Method:
    how = _("the lowest rating of which table 8.1.2 expects this score")
    if not any(scores):
        how = _("without a point: %(below)s below the lowest opponent") % {"below": ZERO_BELOW}
    return Method(_("Perfect performance, FIDE’s tie-break"), how, float(performance_perfect(opponents, scores)))


def _logistic(opponents: Sequence[float], scores: Sequence[float]) -> Method:
    found = performance_logistic(opponents, scores)
    if found is not None:
        return Method(_("True logistic"), _("the rating whose expected score is the score made"), found)
    how = _("no rating is expected to make this score; with one of the games drawn it would be %(nearly)s")
    nearly = performance_logistic(opponents, [0.5, *scores[1:]])  # which game makes no difference to the sum
    return Method(_("True logistic"), how % {"nearly": round_half_away(nearly or 0.0)}, None)


def _linear(opponents: Sequence[float], scores: Sequence[float]) -> Method:
    how = _("expected score ½ + gap/800, nothing or everything from 400 on (US Chess’ special formula)")
    return Method(_("Straight line"), how, performance_linear(opponents, scores))


def _expected(own: float, opponents: Sequence[float], points: float) -> list[dict[str, object]]:
    """What the curves expect of the rating given."""
    curves = ((_("the logistic curve"), expected_score), (_("FIDE’s table"), fide_expected))
    found: list[dict[str, object]] = []
    for words, curve in curves:
        expected = sum(curve(own, opponent) for opponent in opponents)
        found.append({"words": words, "expected": expected, "difference": points - expected})
    return found
