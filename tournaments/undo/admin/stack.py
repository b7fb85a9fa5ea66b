"""The last steps of an event: who did what, and what taking a step back with all after it would move.

The list is cheap; what moves is worked out for the one step that is asked for (`?step=`), by doing it and rolling back.
"""

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.ground.numbers import number_in
from clubrating.web.admin import officer
from players.refusals import Refused
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.models import Tournament
from tournaments.trail.admin import line_of
from tournaments.trail.selectors import places_of
from tournaments.undo.services.stack import Rewound, commit, last_steps, preview

_SHOWN = 10  # ratings of a list, the largest moves first


def steps(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The last steps, or what one of them would take back, and the button that does it. 409 where it cannot be done."""
    tournament = tournament_for(model_admin, request, key)
    asked = request.POST.get("step", "") if request.method == "POST" else request.GET.get("step", "")
    step = number_in(asked)
    problem, shown = "", None
    if request.method == "POST":
        try:
            done = commit(tournament, step, seen=request.POST.get("seen", ""), by=officer(request))
        except Refused as refusal:
            problem = str(refusal)
        else:
            text = ngettext("%(count)s step is taken back.", "%(count)s steps are taken back.", len(done.events))
            messages.success(request, text % {"count": len(done.events)})
            return redirect(request.path)
    if asked:
        try:
            shown = preview(tournament, step, by=officer(request))
        except Refused as refusal:
            problem = problem or str(refusal)
    return _show(model_admin, request, tournament, shown, problem)


def _show(
    model_admin: ModelAdmin, request: HttpRequest, tournament: Tournament, shown: Rewound | None, problem: str
) -> HttpResponse:
    rows = last_steps(tournament)
    places = places_of([row.event for row in rows])
    taken = {event.pk for event in shown.events} if shown else set()
    listed = [(row, line_of(row.event, places, runs_events=True), row.event.pk in taken) for row in rows]
    title = _("Last steps")
    if shown:
        count = len(shown.events)
        title = ngettext("Take back the last step?", "Take back the last %(count)s steps?", count) % {"count": count}
    context = {
        "title": title,
        "rows": [row for row in listed if row[2] or not shown],
        "shown": shown,
        "lists": [(row, row.shown[:_SHOWN], len(row.moves)) for row in shown.lists] if shown else [],
        "step": shown.events[-1].pk if shown else 0,
        "problem": problem,
    }
    return page(model_admin, request, "steps", tournament, status=409 if problem else 200, **context)
