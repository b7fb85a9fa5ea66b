"""Beyond the disorder index: other worlds, other measures. Every figure with its spread over the replications, every
difference on the same games."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from ratings.lab.scenarios import SCENARIOS
from ratings.lab_pages.charts import calibration_plot, scenario_drawing
from ratings.lab_pages.documents import has_document, result_document
from ratings.lab_pages.words import CURVES, MEASURES, NEWCOMER, SCENARIO_WORDS, system_words
from ratings.lab_pages.tables.lab import difference_table, measures_table
from ratings.lab_pages.views.lab import csv_text, drawing_file, text_file

DOCUMENT = "scenarios"
CALIBRATED = ("expected", "score", "games")


def scenarios(request: HttpRequest, key: str = "constant") -> HttpResponse:
    """One scenario: `?curve=` for another curve, `?system=` for another system's calibration."""
    document = _document(key)
    curves = _curves_of(document)
    curve = request.GET.get("curve", "index")
    systems = document["systems"]
    system = request.GET.get("system", "elo")
    if curve not in curves or system not in systems:
        raise Http404
    context = {
        "scenario": key,
        "names": {each.key: each.name for each in SCENARIOS},
        "words": SCENARIO_WORDS.get(key, ""),
        "document": document,
        "curve": curve,
        "curves": {name: CURVES[name] for name in curves},
        "drawing": scenario_drawing(document, curve),
        "system": system,
        "systems": {each: system_words(each) for each in systems},
        "calibration": calibration_plot(document["calibration"][system]),
        "help": [MEASURES[name] for name in MEASURES if any(name in each for each in systems.values())],
        **tables_of(systems, document["differences"]),
    }
    return render(request, "lab/scenarios.html", context)


def curve_file(request: HttpRequest, key: str, kind: str) -> HttpResponse:
    """A curve of a scenario as an SVG drawing or as CSV."""
    document, curve = _document(key), request.GET.get("curve", "index")
    if curve not in _curves_of(document):
        raise Http404
    return drawing_file(scenario_drawing(document, curve), f"{key}-{curve}", kind)


def calibration_file(request: HttpRequest, key: str, kind: str) -> HttpResponse:
    """A system's calibration in a scenario as an SVG drawing or as CSV."""
    document, system = _document(key), request.GET.get("system", "elo")
    if system not in document["calibration"]:
        raise Http404
    plot = calibration_plot(document["calibration"][system])
    rows = [(point.expected / 100, point.score / 100, point.games) for point in plot.points]
    text = render_to_string("lab/calibration.svg", {"plot": plot}) if kind == "svg" else csv_text(CALIBRATED, rows)
    return text_file(text, f"{key}-calibration-{system}", kind)


def tables_of(systems: Mapping[str, Any], differences: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of a scenario: order, prediction, newcomers, and what tells the systems apart."""
    newcomers = [name for each in systems.values() for name in each if name.startswith(NEWCOMER)]
    return {
        "order": measures_table(systems, ("index_1", "index_2", "tau", "ordered")),
        "prediction": measures_table(systems, ("log_loss", "probability_error", "calibration_error", "drift")),
        "movers": measures_table(systems, ("lag", "farmed")),
        "newcomers": measures_table(systems, list(dict.fromkeys(newcomers))),
        "differences": difference_table(differences, ("log_loss", "tau", "probability_error")),
    }


def _curves_of(document: Mapping[str, Any]) -> Sequence[str]:
    drawn = next(iter(document["curves"]["systems"].values()))
    return [name for name in CURVES if name in drawn]


def _document(key: str) -> Mapping[str, Any]:
    found = result_document(DOCUMENT)["scenarios"] if has_document(DOCUMENT) else []
    document: Mapping[str, Any] | None = next((each for each in found if each["scenario"] == key), None)
    if document is None:
        raise Http404
    return document
