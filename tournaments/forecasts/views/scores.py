"""`/lab/forecasts/`: how good the club's forecasts were, over all events. Everything that was said before a round
counts, and nothing is left out afterwards."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from ratings.lab.calibration import Bin
from ratings.lab_pages.charts import CalibrationPlot, calibration_plot
from ratings.lab_pages.views.scenarios import plot_file
from tournaments.forecasts.selectors.scores import club_scores


def scores(request: HttpRequest) -> HttpResponse:
    """The score, the calibration, every event, and what was given to those who then won."""
    found = club_scores()
    context = {
        "scores": found,
        "calibration": _plot(found.calibration),
        "titles": [(title.tournament, title.before_round, 100.0 * title.chance) for title in found.titles],
    }
    return render(request, "lab/forecasts.html", context)


def calibration_file(request: HttpRequest, kind: str) -> HttpResponse:
    """The calibration as an SVG drawing or as CSV."""
    return plot_file(_plot(club_scores().calibration), "forecasts-calibration", kind)


def _plot(bins: Sequence[Bin]) -> CalibrationPlot:
    names = ("games", "expected", "score", "low", "high")
    rows = [(each.games, each.expected, each.score, *each.interval) for each in bins]
    return calibration_plot([dict(zip(names, row, strict=True)) for row in rows])
