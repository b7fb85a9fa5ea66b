"""Starting ratings that hold only after an event's games: named on the event's pages, and moved there with one click.

The click carries the change out at once, since it can be undone; the link beside it shows first what would move.
"""

from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.web.admin import officer
from players.models import AuditEvent
from players.refusals import Refused
from tournaments.corrections.admin.preview import CorrectionPage, correction, own_address, say_done
from tournaments.corrections.services.changes import facts_digest
from tournaments.corrections.services.corrections import commit_at_once
from tournaments.corrections.services.fact_changes import StartsMoved
from tournaments.events.admin.event_page import check_may, tournament_for
from tournaments.models import Tournament
from tournaments.rated_games.selectors.late_starts import LateStart, late_starts
from tournaments.rated_games.services.people import StartMove

MOST_NAMED = 20  # further ones are counted
REASON = AuditEvent.Reason.LATE_REPORT


def late_starts_shown(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """What the event's pages show of them (`_late_starts.html`); nothing where there are none."""
    found = late_starts(tournament)
    if not found:
        return {}
    return {
        "late_starts": found[:MOST_NAMED],
        "late_starts_more": len(found[MOST_NAMED:]),
        "late_starts_seen": facts_digest(_change(found)),
        "may_move_starts": request.user.has_perms(["tournaments.change_game", "tournaments.change_tournament"]),
    }


def starts(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """What moves where they hold from the days they are needed; done at once where the form says so."""
    tournament = tournament_for(model_admin, request, key)
    check_may(request, "tournaments.change_game")
    found = late_starts(tournament)
    back = own_address(request.POST.get("back") or request.GET.get("back") or "")
    back = back or reverse("admin:tournaments_tournament_change", args=[tournament.pk])
    if not found:
        messages.info(request, _("Every starting rating holds from the first game on."))
        return redirect(back)
    if request.POST.get("do") == "now":
        _move_now(request, found)
        return redirect(back)
    texts = CorrectionPage(
        title=_("Starting ratings that begin too late"),
        says=[str(row) for row in found],
        hidden=[("back", back)],
        back=back,
        reason=REASON,
        button=_button(len(found)),
    )
    return correction(request, _change(found), texts)


def _change(found: list[LateStart]) -> StartsMoved:
    return StartsMoved(tuple(StartMove(row.start.pk, row.start.revision, row.needed) for row in found))


def _button(count: int) -> str:
    return ngettext("Let it hold from that day", "Let them hold from those days", count)


def _move_now(request: HttpRequest, found: list[LateStart]) -> None:
    change = _change(found)
    if request.POST.get("seen") != facts_digest(change):
        messages.error(request, _("This was changed by somebody else meanwhile: look at it again."))
        return
    try:
        job = commit_at_once(change, reason=REASON, by=officer(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
        return
    count = len(found)
    text = ngettext(
        "%(count)s starting rating holds from the first game on, and every rating behind it is counted anew.",
        "%(count)s starting ratings hold from the first game on, and every rating behind them is counted anew.",
        count,
    )
    say_done(request, job, text % {"count": count})
