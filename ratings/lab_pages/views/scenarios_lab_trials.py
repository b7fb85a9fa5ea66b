"""`/lab/trials/`: newcomers and probation, a jump of strength, farming, and the ceiling. The page shows the document
made by `run_study trials`; it computes nothing."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from ratings.lab_pages.charts import Drawing, newcomer_drawing
from ratings.lab_pages.documents import has_document, result_document
from ratings.lab_pages.tables.trials import (
    ceiling_table,
    farming_table,
    gains_table,
    jump_table,
    places_table,
    points_table,
)
from ratings.lab_pages.views.lab import drawing_file

DOCUMENT = "trials"


def trials(request: HttpRequest) -> HttpResponse:
    """All trials on one page."""
    document = _document()
    systems = document["systems"]
    context = {
        "document": document,
        "half": document["games"] // 2,
        "drawing": _drawing(document),
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
    return drawing_file(_drawing(_document()), "newcomers", kind, "own games")


def _drawing(document: Mapping[str, Any]) -> Drawing:
    return newcomer_drawing(document["systems"], _("Own games"))


def _document() -> Mapping[str, Any]:
    if not has_document(DOCUMENT):
        raise Http404
    return result_document(DOCUMENT)
