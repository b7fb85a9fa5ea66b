"""Reports of wrong results, each with the way to the correction it asks for, or declined with a reason."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.ground.numbers import number_in
from clubrating.web.admin import admin_page, officer
from players.refusals import Refused
from tournaments.corrections.admin.corrections import called, correct_address, game_page
from tournaments.corrections.services.changes import ResultChange
from tournaments.events.admin.event_page import check_may
from tournaments.models import Game, ResultReport
from tournaments.result_reports.selectors import open_reports, reports_for, settled_reports
from tournaments.result_reports.services import accept_reports, decline_report
from tournaments.results.admin.boards import name_of
from tournaments.results.services.results import notation
from tournaments.standings.points import Result

_STATES = {
    ResultReport.State.ACCEPTED: gettext_lazy("accepted"),
    ResultReport.State.DECLINED: gettext_lazy("declined"),
}


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A report in words. `now` is the result that stands; `moved`: it is another than when the report was made;
    `granted`: it is the one claimed. `correct` leads to the preview of what it asks for, `sheets` to photos of score
    sheets, where the event keeps them."""

    report: ResultReport
    game: str
    page: str
    now: str
    claimed: str
    moved: bool
    granted: bool
    correct: str
    sheets: str
    state: str
    by: str


def reports(request: HttpRequest) -> HttpResponse:
    """Those that wait and those settled last; posted to, one is declined, or settled where the result stands so."""
    check_may(request, "tournaments.change_game")
    problem = ""
    if request.method == "POST":
        try:
            messages.success(request, _carry_out(request))
        except Refused as refusal:
            problem = str(refusal)
        else:
            return redirect(request.path)
    context = {
        "waiting": [_line(row, request.path) for row in open_reports(request.user)],
        "settled": [_line(row, request.path) for row in settled_reports(request.user)],
        "problem": problem,
        "typed": request.POST if problem else {},
    }
    title, status = _("Reports of wrong results"), 409 if problem else 200
    return admin_page(request, "admin/tournaments/game/reports.html", title, status=status, **context)


def _carry_out(request: HttpRequest) -> str:
    """Do what was asked; the sentence for it. Raises Refused."""
    key = number_in(request.POST.get("decline") or request.POST.get("settle") or "")
    report = reports_for(request.user).filter(pk=key).select_related("game").first()
    if report is None:
        raise Refused(_("This report is not there any more, or is about an event that others run."))
    if "decline" in request.POST:
        decline_report(
            report.pk, by=officer(request), answer=request.POST.get(f"answer-{report.pk}", "").replace("\x00", "")
        )
        return _("The result stays, and the report is settled.")
    if report.game.result != report.claimed or not accept_reports(report.game, by=officer(request)):
        raise Refused(_("The result is not the one that was claimed: correct it, or decline the report."))
    return _("The report is settled.")


def _line(row: ResultReport, back: str) -> ReportLine:
    game, claimed = row.game, Result(row.claimed)
    return ReportLine(
        report=row,
        game=called(game),
        page=game_page(game.pk),
        now=notation(game.result, _("no result")),
        claimed=notation(claimed),
        moved=game.result not in (row.stood, row.claimed),
        granted=game.result == row.claimed,
        correct=correct_address([ResultChange(game.pk, claimed, None, game.revision)], back) if game.result else "",
        sheets=_sheets_page(game),
        state=str(_STATES.get(ResultReport.State(row.state), "")),
        by=name_of(row.settled_by),
    )


def _sheets_page(game: Game) -> str:
    """Free games have no page of a board."""
    if not game.tournament.score_sheets or game.pairing.round_id is None:
        return ""
    return reverse("tournaments:board", args=[game.tournament.slug, game.pk])
