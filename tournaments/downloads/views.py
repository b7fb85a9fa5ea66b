"""`/tournaments/<slug>/…`: the event as files (CSV, Excel, PGN), and the page that lists them."""

from collections.abc import Callable, Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from clubrating.ground.numbers import number_in
from clubrating.web.frames import frame_lines
from clubrating.web.requests import ClubRequest
from players.privacy.rules import Level, Viewer
from players.refusals import Refused
from tournaments.downloads.selectors import (
    entries_sheet,
    free_sheet,
    games_of,
    open_games_of,
    pairings_sheet,
    standings_sheet,
)
from tournaments.event_pages.views.event import event_context, pages_or_404
from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.events import facts_of, stages_at, whole_of
from tournaments.interchange.pgn import write_games
from tournaments.interchange.sheets import Sheet, as_csv, as_workbook
from tournaments.interchange.trf import ReportError, write_report
from tournaments.models import Stage, Tournament
from tournaments.reports.selectors import report_of
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.selectors.sheets import team_sheet

CSV, EXCEL = "csv", "xlsx"
CONTENT_TYPES = {
    CSV: "text/csv; charset=utf-8",
    EXCEL: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pgn": "application/x-chess-pgn; charset=utf-8",
    "ics": "text/calendar; charset=utf-8",
    "trf": "text/plain; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "pdf": "application/pdf",
}
# Name of a table → its rows. A round is asked for with ?round=3, of the pairings only.
Table = Callable[[EventData, Sequence[EventData], Viewer, int | None], Sheet]
TABLES: dict[str, Table] = {
    "entries": lambda event, _parts, viewer, _round: entries_sheet(event, viewer),
    "pairings": lambda _event, parts, viewer, number: pairings_sheet(parts, viewer, number),
    "standings": lambda _event, parts, viewer, _round: standings_sheet(parts, viewer),
}


def files(request: ClubRequest, slug: str) -> HttpResponse:
    """The page: every file with a word on what is in it."""
    event, sections = pages_or_404(request, slug)
    context = event_context(event, sections, "files") | {"has_report": _has_report(event, request.viewer)}
    pages = [(_("Standings"), "embed:standings", slug), (_("Pairings"), "embed:pairings", slug)]
    context["frame_lines"] = frame_lines(request, event.tournament.name, pages)
    return render(request, "tournaments/files.html", context)


def table(request: ClubRequest, slug: str, name: str, kind: str) -> HttpResponse:
    """Entries, pairings or standings (of ladders and tables too), of a team event its matches and teams as well, as CSV
    or Excel, as the viewer may see them."""
    stages = stages_at(slug)
    if stages and (teams := team_table(stages[0].tournament, name, request.viewer)):
        return _as_table(teams, f"{slug}-{name}", kind)
    if name not in TABLES:
        raise Http404
    if name == "standings" and stages and (free := free_sheet(stages[0], request.viewer)):
        return _as_table(free, f"{slug}-{name}", kind)
    event, parts = _facts_or_404(request, stages)
    number = _round_asked(request, event)
    sheet = TABLES[name](event, parts, request.viewer, number)
    return _as_table(sheet, f"{slug}-{name}" if number is None else f"{slug}-{name}-{number}", kind)


def team_table(event: Tournament, name: str, viewer: Viewer) -> Sheet | None:
    """The table of that name of a team event; None where that is as in other events, and for those."""
    if not hasattr(event, "team_rules"):
        return None
    return team_sheet(name, team_facts(event, drafts=viewer.level >= Level.OFFICER), viewer)


def _as_table(sheet: Sheet, name: str, kind: str) -> HttpResponse:
    return as_file(as_csv(sheet) if kind == CSV else as_workbook(sheet), name, kind)


def games(request: ClubRequest, slug: str) -> HttpResponse:
    """The games' headers as PGN; of an open-ended event too."""
    stages = stages_at(slug)
    if not stages:
        raise Http404
    tournament = stages[0].tournament
    if tournament.open_ended:
        found = open_games_of(tournament, request.viewer)
    else:
        found = games_of(*_facts_or_404(request, stages), request.viewer)
    return as_file(write_games(found), slug, "pgn")


def report(request: ClubRequest, slug: str) -> HttpResponse:
    """The event as a tournament report (TRF26, `?version=16` for the older one), as the viewer may see it. 404 with a
    sentence for an event that cannot be told so."""
    event, _parts = _facts_or_404(request, stages_at(slug))
    version = 16 if request.GET.get("version") == "16" else 26
    try:
        found = report_of(event.tournament, version=version, viewer=request.viewer)
        content = write_report(found, version)
    except (Refused, ReportError) as refusal:
        return HttpResponse(f"{refusal}\n", status=404, content_type="text/plain; charset=utf-8")
    return as_file(content, slug, "trf")


def _has_report(event: EventData, viewer: Viewer) -> bool:
    try:
        report_of(event.tournament, viewer=viewer)
    except Refused:
        return False
    return True


def as_file(content: str | bytes, name: str, kind: str) -> HttpResponse:
    """An answer that is kept as a file of that name and kind."""
    disposition = f'attachment; filename="{name}.{kind}"'
    return HttpResponse(content, content_type=CONTENT_TYPES[kind], headers={"Content-Disposition": disposition})


def _facts_or_404(request: ClubRequest, stages: Sequence[Stage]) -> tuple[EventData, list[EventData]]:
    if not stages or stages[0].tournament.open_ended:
        raise Http404
    parts = facts_of(stages, request.viewer)
    return whole_of(stages, parts), parts


def _round_asked(request: HttpRequest, event: EventData) -> int | None:
    """The round asked for; None for all. 404 for one this viewer does not see."""
    asked = request.GET.get("round")
    if asked is None:
        return None
    number = number_in(asked)
    if event.round(number) is None:
        raise Http404
    return number
