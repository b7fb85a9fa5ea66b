"""Pages of the lab beyond the study: `/lab/scenarios/`, `/lab/sweeps/` and `/lab/trials/`.

Scenarios: other worlds and other measures than the disorder index. Every figure comes with its spread over the
replications, every difference is on the same games. Sweeps: which K is best, and how long a newcomer's probation
should be. Trials: newcomers and probation, a jump of strength, farming, and the ceiling.

The pages show documents made by `manage.py run_study` and compute nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from ratings.lab.scenario_games import SCENARIOS
from ratings.lab_pages.charts import (
    CalibrationPlot,
    Drawing,
    calibration_plot,
    newcomer_drawing,
    scenario_drawing,
    sweep_drawing,
)
from ratings.lab_pages.tables.lab import (
    best_table,
    ceiling_table,
    difference_table,
    farming_table,
    gains_table,
    jump_table,
    measures_table,
    places_table,
    points_table,
    probation_table,
)
from ratings.lab_pages.views.lab import csv_text, document_or_404, drawing_file, text_file
from ratings.lab_pages.words import CURVES, MEASURES, NEWCOMER, SCENARIO_WORDS, system_words

SCENARIO_NAMES = {each.key: each.name for each in SCENARIOS}

# --- scenarios -------------------------------------------------------------------------------------------------------
CALIBRATED = ("expected", "score", "games")


def scenarios(request: HttpRequest, key: str = "constant") -> HttpResponse:
    """One scenario: `?curve=` for another curve, `?system=` for another system's calibration."""
    document = _scenario(key)
    curves = _curves_of(document)
    curve = request.GET.get("curve", "index")
    systems = document["systems"]
    system = request.GET.get("system", "elo")
    if curve not in curves or system not in systems:
        raise Http404
    context = {
        "scenario": key,
        "names": SCENARIO_NAMES,
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
    document, curve = _scenario(key), request.GET.get("curve", "index")
    if curve not in _curves_of(document):
        raise Http404
    return drawing_file(scenario_drawing(document, curve), f"{key}-{curve}", kind)


def calibration_file(request: HttpRequest, key: str, kind: str) -> HttpResponse:
    """A system's calibration in a scenario as an SVG drawing or as CSV."""
    document, system = _scenario(key), request.GET.get("system", "elo")
    if system not in document["calibration"]:
        raise Http404
    return plot_file(calibration_plot(document["calibration"][system]), f"{key}-calibration-{system}", kind)


def plot_file(plot: CalibrationPlot, name: str, kind: str) -> HttpResponse:
    """A calibration as a file: `kind` is "svg" or "csv"."""
    rows = [(point.expected / 100, point.score / 100, point.games) for point in plot.points]
    text = render_to_string("lab/calibration.svg", {"plot": plot}) if kind == "svg" else csv_text(CALIBRATED, rows)
    return text_file(text, name, kind)


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


def _scenario(key: str) -> Mapping[str, Any]:
    for document in document_or_404("scenarios")["scenarios"]:
        if document["scenario"] == key:
            return document
    raise Http404


# --- sweeps ----------------------------------------------------------------------------------------------------------
SWEPT = ("log_loss", "probability_error", "index_2", "tau")  # what a K is judged by


def sweeps(request: HttpRequest) -> HttpResponse:
    """Both sweeps; `?measure=` for another curve over K."""
    document, measure = _asked(request)
    context = {
        "document": document,
        "measure": measure,
        "measures": {name: MEASURES[name].name for name in SWEPT},
        "help": MEASURES[measure].help,
        "drawing": sweep_drawing(document["k"], measure, SCENARIO_NAMES),
        "best": best_table({SCENARIO_NAMES[world["scenario"]]: world["best"] for world in document["k"]}, SWEPT),
        "probation": probation_table(document["probation"]),
        "figures": document["probation"],
    }
    return render(request, "lab/sweeps.html", context)


def sweep_file(request: HttpRequest, kind: str) -> HttpResponse:
    """The curve over K as an SVG drawing or as CSV."""
    document, measure = _asked(request)
    return drawing_file(sweep_drawing(document["k"], measure, SCENARIO_NAMES), f"k-{measure}", kind, "K")


def _asked(request: HttpRequest) -> tuple[Mapping[str, Any], str]:
    measure = request.GET.get("measure", SWEPT[0])
    if measure not in SWEPT:
        raise Http404
    return document_or_404("sweeps"), measure


# --- trials ----------------------------------------------------------------------------------------------------------
def trials(request: HttpRequest) -> HttpResponse:
    """All trials on one page."""
    document = document_or_404("trials")
    systems = document["systems"]
    context = {
        "document": document,
        "half": document["games"] // 2,
        "drawing": _newcomers_drawing(document),
        "points": points_table(systems),
        "gains": gains_table(systems),
        "places": places_table(systems),
        "jump": jump_table(systems),
        "farming": farming_table(systems),
        "ceiling": ceiling_table(document["ceiling"]),
    }
    return render(request, "lab/trials.html", context)


def newcomers_file(request: HttpRequest, kind: str) -> HttpResponse:
    """The newcomers' chart as an SVG drawing or as CSV."""
    return drawing_file(_newcomers_drawing(document_or_404("trials")), "newcomers", kind, "own games")


def _newcomers_drawing(document: Mapping[str, Any]) -> Drawing:
    return newcomer_drawing(document["systems"], _("Own games"))
