"""The study's thirteen charts, each as one picture to zoom into, with a sentence on how to read it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from players.jobs.services import OVER
from players.models import Job
from ratings.lab_pages.services import file_names, order_of, pictured_run, shipped_run
from ratings.lab_pages.words import system_words

_CHART = re.compile(r"(\(\d\))_chart_(\d\d)_([\w-]+)\.png")
_FIGURES = re.compile(r"\(\d\)_(?:table_[\w-]+\.txt|index_\.csv)")
_GRAPH = re.compile(r"\(\d\)_graph_\.png")
_FIRST_LONG = 7  # charts 7 to 12 go over all games
RELOAD = 5  # seconds
FINE, LONGEST = 10_000, 100_000  # where the charts of either kind end
HELP: Mapping[str, Promise] = {
    "league": gettext_lazy("Every game brings ten points into the pool: the cloud climbs and spreads without end."),
    "solo-zerg": gettext_lazy(
        "Whenever somebody passes 3,000 the whole field is pressed down by a quarter: the teeth."
    ),
    "r2": gettext_lazy("Like Solo-Zerg, with larger bonuses, so the field is pressed down far more often."),
    "kd": gettext_lazy("A percentage: nobody ever leaves the chart, above or below."),
    "elo": gettext_lazy(
        "Soon spread out, then restless: K does not shrink, so every game moves both players for good."
    ),
    "glicko": gettext_lazy(
        "Large steps first, then seven fine bands, one a strength: with every game the deviation shrinks."
    ),
    "index": gettext_lazy("The disorder index of all systems over all games; the lower the better."),
}


@dataclass(frozen=True, slots=True)
class Plate:
    """A picture with its words; `figures` is the name of the file with what was drawn."""

    name: str
    title: str
    help: object
    figures: str


def files_of(job: Job) -> list[str]:
    """Names of the run's files that may be looked at: charts, the sheet of all of them, the figures behind them."""
    return [name for name in file_names(job) if any(kind.fullmatch(name) for kind in (_CHART, _GRAPH, _FIGURES))]


def sheet_of(job: Job) -> str:
    """Name of the picture with all charts; empty where there is none."""
    return next((name for name in files_of(job) if _GRAPH.fullmatch(name)), "")


def plates_of(job: Job) -> list[Plate]:
    """The run's charts with their words."""
    charts = filter(None, map(_CHART.fullmatch, files_of(job)))
    return [_plate(chart, order_of(job).games) for chart in charts]


def _plate(chart: re.Match[str], games: int) -> Plate:
    prefix, number, key = chart.groups()
    if key == "index":
        return Plate(chart[0], _("The index of all systems"), HELP[key], f"{prefix}_index_.csv")
    last = min(games, LONGEST if int(number) >= _FIRST_LONG else FINE)
    words = {"system": system_words(key), "last": number_format(last, force_grouping=True)}
    title = _("%(system)s, games 1 to %(last)s") % words
    return Plate(chart[0], title, HELP.get(key, ""), f"{prefix}_table_{key}.txt")


@never_cache
def pictures(request: HttpRequest) -> HttpResponse:
    """The charts of the newest finished run that has any. While the site draws its first ones, the page says so and
    loads itself anew."""
    job = pictured_run() or shipped_run()
    context = {"job": job, "order": order_of(job), "plates": plates_of(job), "sheet": sheet_of(job)} if job else {}
    context["is_under_way"] = is_under_way = job is not None and job.state not in OVER
    answer = render(request, "lab/pictures.html", context)
    if is_under_way:
        answer.headers["Refresh"] = str(RELOAD)
    return answer
