"""The lab's front page with its three doors; the study of six systems as a chart with bands, a table and files; how to
hand in a system."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from io import StringIO
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse

from ratings.lab.contenders import CONTENDERS
from ratings.lab_pages.charts import LONG_NAMES, Drawing, course_drawing, has_document, index_drawing, result_document
from ratings.lab_pages.tables.lab import StudyTable, system_lines
from ratings.lab_pages.words import DOORS, STUDIES
from ratings.models import RatingListRule

MOST_ORDERS = 3  # of each range; the rarer ones stand in the document


def index(request: HttpRequest) -> HttpResponse:
    """The three doors. The study stood at this address: who asks for a part of it is led there."""
    if not {"study", "range"}.isdisjoint(request.GET):
        return redirect(f"{reverse('lab:study')}?{request.GET.urlencode()}", permanent=True)
    return render(request, "lab/index.html", {"doors": DOORS})


def study(request: HttpRequest) -> HttpResponse:
    """What the study has found: `?study=newcomers` for its variant, `?range=1` for its first 10,000 games."""
    key, document = _asked(request)
    first_range = request.GET.get("range") == "1"
    context = {"study": key, "studies": STUDIES, "document": document, "first_range": first_range}
    return render(request, "lab/study.html", {**context, **study_context(document, first_range=first_range)})


def study_context(document: Mapping[str, Any], *, first_range: bool = False) -> dict[str, Any]:
    """What the templates show of a study's document."""
    used = set(RatingListRule.objects.filter(rating_list__public=True).values_list("system", flat=True))
    # The document has the orders of each range sorted, the most frequent first.
    of_range = [[row for row in document.get("orders", []) if row["range"] == number] for number in (1, 2)]
    return {
        "drawing": index_drawing(document["systems"], first_range=first_range),
        "systems": StudyTable(system_lines(document["systems"], used)),
        "orders": [
            {"range": row["range"], "systems": row["order"], "percent": 100 * row["share"]}
            for rows in of_range
            for row in rows[:MOST_ORDERS]
        ],
    }


def index_file(request: HttpRequest, kind: str) -> HttpResponse:
    """The index chart as an SVG drawing, or its figures as CSV."""
    study, document = _asked(request)
    drawing = index_drawing(document["systems"], first_range=request.GET.get("range") == "1")
    if drawing is None:
        raise Http404
    return drawing_file(drawing, f"index-{study}", kind)


def course_or_404(curves: Mapping[str, Mapping[int, float]], across: str) -> Drawing:
    """The curves by what is counted `across`. Raises Http404 where there are none."""
    drawing = course_drawing(curves)
    if drawing is None:
        raise Http404
    return replace(drawing, across=across, letters=LONG_NAMES)


def drawing_file(drawing: Drawing, name: str, kind: str, across: str = "games") -> HttpResponse:
    """A drawing as a file: `kind` is "svg" or "csv"; `across` heads the column of what is counted across."""
    text: str = render_to_string("lab/curves.svg", {"chart": drawing.wide}) if kind == "svg" else _csv(drawing, across)
    return text_file(text, name, kind)


def text_file(text: str, name: str, kind: str) -> HttpResponse:
    """A drawing ("svg") or a table ("csv") to take along."""
    content_type = "image/svg+xml" if kind == "svg" else "text/csv; charset=utf-8"
    disposition = f'attachment; filename="{name}.{kind}"'
    return HttpResponse(text, content_type=content_type, headers={"Content-Disposition": disposition})


def _csv(drawing: Drawing, across: str) -> str:
    head = [across, *(f"{curve.name} {figure}" for curve in drawing.curves for figure in ("mean", "sd"))]
    rows = []
    for at, x in enumerate(drawing.curves[0].xs):
        figures = [(curve.means[at], curve.deviations[at] if curve.deviations else "") for curve in drawing.curves]
        rows.append([int(x), *(value for pair in figures for value in pair)])
    return csv_text(head, rows)


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV."""
    stream = StringIO()
    csv.writer(stream, lineterminator="\n").writerows([head, *rows])
    return stream.getvalue()


def _asked(request: HttpRequest) -> tuple[str, Mapping[str, Any]]:
    study = request.GET.get("study", "imitator")
    if study not in STUDIES:
        raise Http404
    return study, document_or_404(study)


def document_or_404(name: str) -> dict[str, Any]:
    """The document of that name, where it is kept."""
    if not has_document(name):
        raise Http404
    return result_document(name)


def system(request: HttpRequest) -> HttpResponse:
    """Hand me your system: how one file adds a system and sees it through the whole lab."""
    return render(request, "lab/system.html", {"contenders": CONTENDERS, "example": _example()})


@cache
def _example() -> str:
    """The whole file of the example in docs/lab.md: the one a test runs."""
    text = (settings.BASE_DIR / "docs" / "lab.md").read_text(encoding="utf-8")
    return text.partition("```python\n")[2].partition("```")[0].strip()
