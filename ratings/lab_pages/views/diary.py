"""`/lab/diary/`: the Elo diary's simulation, what it found and its famous fault; drawn from the committed document,
nothing is computed here but one printed example."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from clubrating.ground.figures import round_half_away
from clubrating.web.formatting import decimals
from ratings.lab.diary_study import resting_gap
from ratings.lab_pages.charts import result_document
from ratings.lab_pages.diary import (
    CLOUDS,
    EventTable,
    WorldsTable,
    cloud_of,
    event_csv,
    leaders,
    leaders_csv,
    leaders_table,
    people_csv,
    world_lines,
    worlds_csv,
)
from ratings.lab_pages.views.lab import text_file
from ratings.systems.performance import performance_400

# The diary's printed example of the algorithm of 400: opponents and points.
EXAMPLE = ((1360, 1.0), (1321, 0.0), (1350, 0.5))


def diary(request: HttpRequest) -> HttpResponse:
    """The page."""
    document = result_document("diary")
    worlds = document["worlds"]
    drawing = leaders(worlds)
    context = {
        "document": document,
        "clouds": {key: cloud_of(key, worlds) for key in CLOUDS},
        "figures": {key.replace("-", "_"): world["figures"] for key, world in worlds.items()},
        "leaders": drawing,
        "leaders_table": leaders_table(drawing),
        "worlds": WorldsTable(world_lines(worlds)),
        "event": EventTable(document["event"]["lines"]),
        "example": decimals(float(performance_400(*zip(*EXAMPLE, strict=True))), 2),
        "resting": {"few": resting_gap(0.05), "many": resting_gap(0.3)},
        "early": worlds["bug-early"]["tournaments"],
        "deficits": {"late": _deficit(worlds["bug"]), "early": _deficit(worlds["bug-early"])},
        "deficit_each": worlds["bug"]["figures"]["deficit"]["mean"] / worlds["bug"]["tournaments"],
    }
    return render(request, "lab/diary.html", context)


def _deficit(world: Mapping[str, Any]) -> int:
    return round_half_away(world["figures"]["deficit"]["mean"])


def diary_drawing(request: HttpRequest, chart: str) -> HttpResponse:
    """A drawing of the page as a file: a world's cloud, or the leaders' courses."""
    worlds = result_document("diary")["worlds"]
    if chart == "leaders":
        text = render_to_string("lab/curves.svg", {"chart": leaders(worlds).wide})
    elif chart in CLOUDS:
        text = render_to_string("lab/scatter.svg", {"chart": cloud_of(chart, worlds).wide})
    else:
        raise Http404
    return text_file(text, f"diary-{chart}", "svg")


FIGURES = (*CLOUDS, "leaders", "worlds", "event")


def diary_figures(request: HttpRequest, chart: str) -> HttpResponse:
    """The figures behind a drawing or a table as CSV."""
    if chart not in FIGURES:
        raise Http404
    document = result_document("diary")
    worlds = document["worlds"]
    if chart in CLOUDS:
        text = people_csv(worlds[chart])
    elif chart == "event":
        text = event_csv(document["event"]["lines"])
    else:
        text = leaders_csv(worlds) if chart == "leaders" else worlds_csv(worlds)
    return text_file(text, f"diary-{chart}", "csv")
