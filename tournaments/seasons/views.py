"""`/seasons/…`: tables over several events, as pages and as files."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from clubrating.web.requests import ClubRequest
from players.privacy.rules import Viewer, shown_name
from tournaments.downloads.views import as_file
from tournaments.interchange.sheets import Sheet, as_csv
from tournaments.models import Season
from tournaments.seasons.selectors import SeasonTable, list_seasons, table_of


def index(request: ClubRequest) -> HttpResponse:
    """All seasons, the latest first."""
    return render(request, "tournaments/seasons.html", {"seasons": list_seasons()})


def season(request: ClubRequest, slug: str) -> HttpResponse:
    """The table of one season."""
    table = table_of(get_object_or_404(Season, slug=slug))
    return render(request, "tournaments/season.html", {"season": table.season, "table": table})


def table_file(request: ClubRequest, slug: str) -> HttpResponse:
    """The same as CSV; what was struck is named in the last column."""
    table = table_of(get_object_or_404(Season, slug=slug))
    return as_file(as_csv(_sheet(table, request.viewer)), slug, "csv")


def _sheet(table: SeasonTable, viewer: Viewer) -> Sheet:
    slugs = [row.tournament.slug for row in table.events]
    rows = tuple(
        (
            row.place,
            row.player.number,
            shown_name(row.player, viewer),
            *(score.worth if score else None for score in row.scores),
            row.line.total,
            " ".join(slug for slug, score in zip(slugs, row.scores, strict=True) if score and not score.counts),
        )
        for row in table.rows
    )
    return Sheet(table.season.name, ("place", "number", "player", *slugs, "total", "struck"), rows)
