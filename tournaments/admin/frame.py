"""What the pages of one tournament share: who may open them, and the frame they stand in."""

import re
from typing import Any

from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse

from players.models import Player
from players.privacy import OFFICER, shown_name
from tournaments.models import Tournament

_NUMBER = re.compile(r"(?<![(\w])#([0-9]{1,9})\b")


def tournament_for(desk: ModelAdmin, request: HttpRequest, key: int) -> Tournament:
    """The tournament of that key, for somebody who may change it. Raises PermissionDenied or Http404."""
    tournament = get_object_or_404(Tournament, pk=key)
    if not desk.has_change_permission(request, tournament):
        raise PermissionDenied
    return tournament


def page(
    desk: ModelAdmin, request: HttpRequest, name: str, tournament: Tournament, *, status: int = 200, **context: Any
) -> HttpResponse:
    """The template of that name, in the desk's frame; a `problem` names whom it means."""
    if context.get("problem"):
        context["problem"] = with_names(context["problem"])
    everything = {**desk.admin_site.each_context(request), "tournament": tournament, **context}
    return TemplateResponse(request, f"admin/tournaments/tournament/{name}.html", everything, status=status)


def with_names(sentence: str) -> str:
    """A refusal for officers: services write "#7", since their sentences may be logged; here the name stands beside. A
    number in brackets has its name already."""
    numbers = {int(text) for text in _NUMBER.findall(sentence)}
    if not numbers:
        return sentence
    names = {player.number: shown_name(player, OFFICER) for player in Player.objects.filter(number__in=numbers)}
    return _NUMBER.sub(lambda found: f"{found[0]} {names.get(int(found[1]), '')}".rstrip(), sentence)
