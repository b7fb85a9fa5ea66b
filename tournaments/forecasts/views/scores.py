"""`/lab/forecasts/`: how good the club's forecasts were, over all events. Everything that was said before a round
counts, and nothing is left out afterwards."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from ratings.lab.calibration import Bin
from ratings.lab_pages.charts import CalibrationPlot, calibration_plot
from ratings.lab_pages.views.lab import csv_text, text_file
from ratings.lab_pages.views.scenarios import CALIBRATED
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
    plot = _plot(club_scores().calibration)
    rows = [(point.expected / 100, point.score / 100, point.games) for point in plot.points]
    text = render_to_string("lab/calibration.svg", {"plot": plot}) if kind == "svg" else csv_text(CALIBRATED, rows)
    return text_file(text, "forecasts-calibration", kind)


def _plot(bins: Sequence[Bin]) -> CalibrationPlot:
    return calibration_plot(
        [
            {"games": each.games, "expected": each.expected, "score": each.score}
            | dict(zip(("low", "high"), each.interval, strict=True))
            for each in bins
        ]
    )
