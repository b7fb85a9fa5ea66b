"""What the pages of one tournament share: who may open them, and the frame they stand in."""

from typing import Any

from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse

from tournaments.models import Tournament


def tournament_for(desk: ModelAdmin, request: HttpRequest, key: int) -> Tournament:
    """The tournament of that key, for somebody who may change it. Raises PermissionDenied or Http404."""
    tournament = get_object_or_404(Tournament, pk=key)
    if not desk.has_change_permission(request, tournament):
        raise PermissionDenied
    return tournament


def page(
    desk: ModelAdmin, request: HttpRequest, name: str, tournament: Tournament, *, status: int = 200, **context: Any
) -> HttpResponse:
    """The template of that name, in the desk's frame."""
    everything = {**desk.admin_site.each_context(request), "tournament": tournament, **context}
    return TemplateResponse(request, f"admin/tournaments/tournament/{name}.html", everything, status=status)
