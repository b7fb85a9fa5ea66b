"""`/lab/sweeps/`: which K is right, and how long a newcomer's probation should be."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from ratings.lab.scenarios import SCENARIOS
from ratings.lab_pages.charts import Drawing, sweep_drawing
from ratings.lab_pages.documents import has_document, result_document
from ratings.lab_pages.words import MEASURES
from ratings.lab_pages.tables.lab import MeasuresTable, best_table, probation_table
from ratings.lab_pages.views.lab import drawing_file

DOCUMENT = "sweeps"
SWEPT = ("log_loss", "probability_error", "index_2", "tau")  # what a K is judged by


def sweeps(request: HttpRequest) -> HttpResponse:
    """Both sweeps; `?measure=` for another curve over K."""
    document, measure = _asked(request)
    context = {
        "document": document,
        "measure": measure,
        "measures": {name: MEASURES[name].name for name in SWEPT},
        "help": MEASURES[measure].help,
        "drawing": _drawing(document, measure),
        "best": _best(document),
        "probation": probation_table(document["probation"]),
        "figures": document["probation"],
    }
    return render(request, "lab/sweeps.html", context)


def sweep_file(request: HttpRequest, kind: str) -> HttpResponse:
    """The curve over K as an SVG drawing or as CSV."""
    document, measure = _asked(request)
    return drawing_file(_drawing(document, measure), f"k-{measure}", kind, "K")


def _drawing(document: Mapping[str, Any], measure: str) -> Drawing:
    return sweep_drawing(document["k"], measure, _names())


def _best(document: Mapping[str, Any]) -> MeasuresTable:
    names = _names()
    return best_table({names[world["scenario"]]: world["best"] for world in document["k"]}, SWEPT)


def _names() -> Mapping[str, str]:
    return {each.key: each.name for each in SCENARIOS}


def _asked(request: HttpRequest) -> tuple[Mapping[str, Any], str]:
    measure = request.GET.get("measure", SWEPT[0])
    if measure not in SWEPT or not has_document(DOCUMENT):
        raise Http404
    return result_document(DOCUMENT), measure
