"""`/lab/trials/`: newcomers and probation, a jump of strength, farming, and the ceiling. The page shows the document
made by `run_study trials`; it computes nothing."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from ratings.lab_documents import has_document, result_document
from ratings.tables_trials import (
    ceiling_table,
    farming_table,
    gains_table,
    jump_table,
    places_table,
    points_table,
)

DOCUMENT = "trials"


def trials(request: HttpRequest) -> HttpResponse:
    """All trials on one page."""
    if not has_document(DOCUMENT):
        raise Http404
    document = result_document(DOCUMENT)
    systems = document["systems"]
    context = {
        "document": document,
        "half": document["games"] // 2,
        "points": points_table(systems),
        "gains": gains_table(systems),
        "places": places_table(systems),
        "jump": jump_table(systems),
        "farming": farming_table(systems),
        "ceiling": ceiling_table(document["ceiling"]),
    }
    return render(request, "lab/trials.html", context)
