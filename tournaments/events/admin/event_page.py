"""What the pages of one tournament share: who may open them, and their template."""

from collections.abc import Iterable
from typing import Any

from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse

from players.people.selectors import with_names
from tournaments.events.selectors.officers import may_correct, may_enter
from tournaments.models import Game, Tournament


def tournament_for(model_admin: ModelAdmin, request: HttpRequest, key: int) -> Tournament:
    """The tournament of that key, for somebody who may change it. Raises PermissionDenied or Http404."""
    tournament = get_object_or_404(Tournament, pk=key)
    if not model_admin.has_change_permission(request, tournament):
        raise PermissionDenied
    return tournament


def tournament_to_enter(request: HttpRequest, key: int) -> Tournament:
    """The same for somebody who enters its results and who has come. Raises PermissionDenied or Http404."""
    tournament = get_object_or_404(Tournament, pk=key)
    if not may_enter(request.user, tournament):
        raise PermissionDenied
    return tournament


def check_may(request: HttpRequest, *permissions: str) -> None:
    """Raises PermissionDenied for somebody who lacks one of the permissions."""
    if not request.user.has_perms(permissions):
        raise PermissionDenied


def check_may_correct(request: HttpRequest, games: Iterable[Game]) -> None:
    """Raises PermissionDenied where one of the games is of an event that others run."""
    events = {game.tournament_id: game.tournament for game in games}
    if not all(may_correct(request.user, event) for event in events.values()):
        raise PermissionDenied


def page(
    model_admin: ModelAdmin,
    request: HttpRequest,
    name: str,
    tournament: Tournament | None,
    *,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """The template of that name as a page of the administration; a `problem` names whom it means."""
    if context.get("problem"):
        context["problem"] = with_names(context["problem"])
    everything = {**model_admin.admin_site.each_context(request), "tournament": tournament, **context}
    return TemplateResponse(request, f"admin/tournaments/tournament/{name}.html", everything, status=status)
