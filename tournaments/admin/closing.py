"""The end of an event, and its opening again: a page each that says what it means, with one button."""

from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from clubrating.admin_site import officer
from players.services.refusals import Refused
from tournaments.admin.frame import page, tournament_for
from tournaments.services.closing import close_event, reopen_event


def close(desk: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """Asks first; closes an open event and opens a closed one. What was asked for travels with the form, so that two
    who ask for the same do not undo each other."""
    tournament = tournament_for(desk, request, key)
    problem = ""
    if request.method == "POST":
        opens = request.POST.get("do") == "open"
        service, done = (
            (reopen_event, _("“%(name)s” is open again.")) if opens else (close_event, _("“%(name)s” is closed."))
        )
        try:
            service(tournament, by=officer(request))
        except Refused as refusal:
            problem = str(refusal)
        else:
            messages.success(request, done % {"name": tournament.name})
            return redirect(reverse("admin:tournaments_tournament_change", args=[tournament.pk]))
    title = _("Open the event again") if tournament.closed else _("Close the event")
    context: dict[str, Any] = {"title": title, "problem": problem}
    return page(desk, request, "close", tournament, status=409 if problem else 200, **context)
