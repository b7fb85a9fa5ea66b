"""`/lab/pairings/`: how soon a club's list is right, by who pairs its evenings.

The page shows the document made by `run_study pairings`. Its sentences are chosen by the figures: an interval of 95 %
over the replications that has 0 in it decides nothing. No database.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from clubrating.web.formatting import decimals
from players.refusals import said
from ratings.lab.scenario_games import SCENARIOS
from ratings.lab_pages.charts import Drawing
from ratings.lab_pages.tables.pairings import against_table, fairness_table, games_table, mean_over
from ratings.lab_pages.views.lab import course_or_404, document_or_404, drawing_file
from ratings.lab_pages.views.sides import side_of
from ratings.lab_pages.words import PAIRING_WAYS

NAMES = {each.key: each.name for each in SCENARIOS}


@dataclass(frozen=True, slots=True)
class Count:
    """In how many worlds boards that tell most took clearly fewer games than another way, and clearly more."""

    way: Promise
    fewer: int
    more: int


def pairings(request: HttpRequest) -> HttpResponse:
    """The verdict, the course in one world (`?world=`), then the tables."""
    document, world = _asked(request)
    worlds = document["worlds"]
    names = {key: said(NAMES[key]) for key in worlds}
    context = {
        "document": document,
        "world": world,
        "names": names,
        "world_name": names[world],
        "verdict": verdict(worlds),
        "price": price(worlds),
        "counts": [
            Count(words, *counted(worlds, way, "list")) for way, words in PAIRING_WAYS.items() if way != "learn"
        ],
        "drawing": _course(document, world),
        "games": games_table(worlds, names, "list", document["replications"]),
        "against": against_table(worlds, names, "list"),
        "fairness": fairness_table(worlds),
        "believed": games_table(worlds, names, "belief", document["replications"]),
        "against_believed": against_table(worlds, names, "belief"),
    }
    return render(request, "lab/pairings.html", context)


def course_file(request: HttpRequest, kind: str) -> HttpResponse:
    """The course as an SVG drawing or as CSV."""
    document, world = _asked(request)
    return drawing_file(_course(document, world), f"pairings-{world}", kind, "evenings")


def counted(worlds: Mapping[str, Any], way: str, estimator: str) -> tuple[int, int]:
    """In how many worlds clearly fewer games are needed than by that way, and in how many clearly more."""
    sides = [side_of(found["differences"][way][estimator]) for found in worlds.values()]
    return sides.count(-1), sides.count(1)


def verdict(worlds: Mapping[str, Any]) -> str:
    """Whether it helps, in one sentence: against the lot, then against neighbours on the list."""
    lot, near = (fewer - more for fewer, more in (counted(worlds, way, "list") for way in ("random", "near")))
    if lot <= 0:
        return _("It does not help: the list is right no sooner than by lot.")
    if near > 0:
        return _("It helps: the list is right sooner than by lot, and sooner than where neighbours on it meet.")
    if near < 0:
        return _("It helps against the lot, but the list is right sooner still where neighbours on it meet.")
    return _("It helps against the lot, but not clearly against the simple rule that neighbours on the list meet.")


def price(worlds: Mapping[str, Any]) -> str:
    """What the simple rule costs: boards played again."""
    own, near = (decimals(100.0 * mean_over(worlds, way, "repeats"), 0) for way in ("learn", "near"))
    return _("Of its boards %(own)s %% were played within 30 days before, of those of neighbours %(near)s %%.") % {
        "own": own,
        "near": near,
    }


def _asked(request: HttpRequest) -> tuple[dict[str, Any], str]:
    document, world = document_or_404("pairings"), request.GET.get("world", "constant")
    if world not in document["worlds"]:
        raise Http404
    return document, world


def _course(document: Mapping[str, Any], world: str) -> Drawing:
    """Per cents of pairs in order by evenings."""
    found, every = document["worlds"][world]["course"], document["every"]
    curves = {
        str(words): {every * at: 100.0 * share for at, share in enumerate(found[way], start=1)}
        for way, words in PAIRING_WAYS.items()
    }
    return course_or_404(curves, _("Evenings"))
