"""`/lab/probation/`: how soon newcomers are found, by who is told how: by count or by evidence.

The page shows the document made by `run_study probation`. Its sentences are chosen by the figures. No database.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from players.refusals import said
from ratings.lab.probation_study import BY_COUNT, WORLDS
from ratings.lab_pages.charts import Drawing
from ratings.lab_pages.tables.probation import LIST_WORDS, Row, Rows, games_table, left_table, less_table
from ratings.lab_pages.views.lab import course_or_404, document_or_404, drawing_file

EVIDENCE, KNOWN = "fide-evidence", "fide-known"
SHORTER = 20  # games between equals that are measured against the count's thirty
NAMES = {each.key: each.name for each in WORLDS}


def probation(request: HttpRequest) -> HttpResponse:
    """The verdict, the course in one world (`?world=`), then the tables."""
    document, world = _asked(request)
    rows = rows_of(document)
    names = {key: said(NAMES[key]) for key in rows}
    context = {
        "document": document,
        "world": world,
        "names": names,
        "world_name": names[world],
        "sentences": [k_helps(document), waiting_helps(document), leaves_sooner(document)],
        "drawing": _course(document, world),
        "games": games_table(rows, names, document["same_as"]),
        "left": left_table(rows, names, document["probations"]),
        "less": less_table(rows, names, document["after"]),
    }
    return render(request, "lab/probation.html", context)


def course_file(request: HttpRequest, kind: str) -> HttpResponse:
    """The course as an SVG drawing or as CSV."""
    document, world = _asked(request)
    return drawing_file(_course(document, world), f"probation-{world}", kind, "own games")


def rows_of(document: Mapping[str, Any]) -> Rows:
    """The document's rows by world and list."""
    found: dict[str, dict[str, Row]] = {}
    for row in document["rows"]:
        found.setdefault(row["world"], {})[row["list"]] = row
    return found


# --- sentences -------------------------------------------------------------------------------------------------------
def k_helps(document: Mapping[str, Any]) -> str:
    """In how many worlds K by evidence is clearly nearer after 30 games, and after how many games it is as near."""
    rows = [lists[EVIDENCE] for lists in rows_of(document).values()]
    clear = sum(row["less"][0][2] < 0.0 for row in rows)
    low, high = _span(row["same_error"][0] for row in rows)
    values = {"clear": clear, "all": len(rows), "low": low, "high": high}
    if 2 * clear <= len(rows):
        return _("K by evidence does not help: newcomers are clearly nearer in %(clear)s worlds of %(all)s.") % values
    return (
        _(
            "K by evidence helps in %(clear)s worlds of %(all)s. Newcomers are as near to their strength after %(low)s "
            "to %(high)s games as under the count after 30."
        )
        % values
    )


def waiting_helps(document: Mapping[str, Any]) -> str:
    """What waiting for the evidence with the K of the count saves of sixty games."""
    low, high = _span(lists[KNOWN]["same_error"][1] for lists in rows_of(document).values())
    return _(
        "Keeping the K of newcomers until enough is known hardly helps: what takes 60 games by count takes %(low)s to "
        "%(high)s."
    ) % {"low": low, "high": high}


def leaves_sooner(document: Mapping[str, Any]) -> str:
    """When newcomers come off a shorter probation by evidence, and whether they err more than under the count."""
    at, count = document["probations"].index(SHORTER), document["probations"].index(30)
    pairs = [(lists[EVIDENCE]["off"][at], lists[BY_COUNT]["off"][count]) for lists in rows_of(document).values()]
    low, high = _span(own["games"] for own, _count in pairs)
    values = {"of": SHORTER, "low": low, "high": high, "all": len(pairs)}
    values["no_more"] = sum(own["size"] <= other["size"] for own, other in pairs)
    return (
        _(
            "A probation may end when the games tell as much as %(of)s between equals. It then lasts %(low)s to "
            "%(high)s games. In %(no_more)s worlds of %(all)s those who leave it err by no more than those the count "
            "lets go after 30."
        )
        % values
    )


def _span(figures: Iterable[float | None]) -> tuple[int, int]:
    """The smallest and the largest, rounded."""
    known = [figure for figure in figures if figure is not None]
    return round(min(known)), round(max(known))


# --- the course ------------------------------------------------------------------------------------------------------
def _asked(request: HttpRequest) -> tuple[dict[str, Any], str]:
    document, world = document_or_404("probation"), request.GET.get("world", "constant")
    if world not in rows_of(document):
        raise Http404
    return document, world


def _course(document: Mapping[str, Any], world: str) -> Drawing:
    """Mean size of the error by own games, one curve a list."""
    found: Mapping[str, Row] = rows_of(document)[world]
    after: Sequence[int] = document["after"]
    curves = {str(words): dict(zip(after, found[key]["error"], strict=True)) for key, words in LIST_WORDS.items()}
    return course_or_404(curves, _("Own games"))
