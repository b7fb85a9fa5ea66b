"""The last risky action taken back: the page that says what comes back, and the line that offers it.

Pages that do something risky say so with `tell`, which adds the way back.
"""

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from clubrating.web.admin import officer
from players.models import AuditEvent
from players.refusals import Refused
from tournaments.events.admin.event_page import page, tournament_for, with_names
from tournaments.models import Tournament
from tournaments.undo.services import undo as service
from tournaments.undo.services.undo import UNDOABLE, event_of, last_undoable, undo_at


def success_with_undo(request: HttpRequest, tournament: Tournament, text: str, action: str) -> None:
    """Say that something was done, with the way back where that action was the last risky one."""
    found = last_undoable(tournament) if action else None
    if found is not None and (found.event.actor, found.event.action) == (officer(request), action):
        text = with_way_back(text, found.event)
    messages.success(request, text)


def with_way_back(text: str, event: AuditEvent) -> str:
    """The sentence, and the link behind it."""
    return format_html('{} <a href="{}">{}</a>', text, address_of(event), _("Undo"))


def address_of(event: AuditEvent) -> str:
    """Where that event can be undone."""
    return reverse("admin:tournaments_tournament_undo", args=[event.pk])


def deleted_with_undo(request: HttpRequest, key: str, name: str) -> None:
    """Say that the event of that key was deleted, with the way back."""
    event = AuditEvent.objects.filter(action="tournament.deleted", subject_key=key).first()
    text = _("“%(name)s” is deleted.") % {"name": name}
    messages.success(request, with_way_back(text, event) if event and undo_at(event) else text)


def undo(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """What would come back, and the button that does it."""
    event = get_object_or_404(AuditEvent.objects.select_related("actor"), pk=key, action__in=list(UNDOABLE))
    tournament = event_of(event)
    _check(model_admin, request, event, tournament)
    problem = ""
    if request.method == "POST":
        try:
            done = service.undo(event.pk, by=officer(request), seen=request.POST.get("seen", ""))
        except Refused as refusal:
            problem = str(refusal)
        else:
            messages.success(request, _("Undone: %(done)s.") % {"done": with_names(done.done)})
            # A deleted event has its own page again.
            own = reverse("admin:tournaments_tournament_change", args=[event.subject_key])
            return redirect(_back(event, tournament) if tournament else own)
    return _show(model_admin, request, event, tournament, problem)


def _show(
    model_admin: ModelAdmin, request: HttpRequest, event: AuditEvent, tournament: Tournament | None, problem: str
) -> HttpResponse:
    found = last_undoable(tournament) if tournament else undo_at(event)
    if found is not None and found.event.pk != event.pk:
        found = None
    if found is None and not problem:
        problem = _("This can no longer be undone: something moved since, or something else was done after it.")
    context = {
        "title": _("Undo: %(done)s") % {"done": with_names(UNDOABLE[event.action].done(event))},
        "event": event,
        "undo": found,
        "means": [with_names(sentence) for sentence in found.means] if found else [],
        "back": _back(event, tournament),
        "problem": problem,
    }
    # A deleted event has no page to stand in: the breadcrumbs lead to the others.
    shown = tournament or Tournament()
    return page(model_admin, request, "undo", shown, status=409 if problem else 200, **context)


def _check(model_admin: ModelAdmin, request: HttpRequest, event: AuditEvent, tournament: Tournament | None) -> None:
    """Raises PermissionDenied for somebody who may not change the event; a deleted one had its officers too."""
    if tournament is not None:
        tournament_for(model_admin, request, tournament.pk)
        return
    named = {row[0] for row in event.before.get("image", {}).get("officers", {}).get("rows", [])}
    user = officer(request)
    if not model_admin.has_change_permission(request) or (named and user.pk not in named and not user.is_superuser):
        raise PermissionDenied


def _back(event: AuditEvent, tournament: Tournament | None) -> str:
    if tournament is None:
        return reverse("admin:tournaments_tournament_changelist")
    pages = {"entry": "entries", "round": "rounds"}
    rounds = event.action in ("rounds.deleted", "round.deleted", "bracket.superseded")
    name = "rounds" if rounds else pages.get(event.subject_kind, "change")
    return reverse(f"admin:tournaments_tournament_{name}", args=[tournament.pk])


def last_line(tournament: Tournament) -> dict[str, object] | None:
    """What the event's pages show of the last risky action: what, who, when and the way back."""
    found = last_undoable(tournament)
    if found is None:
        return None
    return {"event": found.event, "done": with_names(found.done), "address": address_of(found.event)}
