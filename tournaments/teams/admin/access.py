"""What the pages of team events share: who may open them, and points as people write them."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from players.refusals import Refused
from tournaments.events.admin.event_page import tournament_for
from tournaments.models import Team, TeamMatch, TeamRules, Tournament

HALF = 2  # match points are kept in half-points


def team_event_for(model_admin: ModelAdmin, request: HttpRequest, key: int) -> tuple[Tournament, TeamRules]:
    """The team event of that key and its rules, for somebody who may change it. Raises PermissionDenied or Http404."""
    tournament = tournament_for(model_admin, request, key)
    rules = TeamRules.objects.select_related("league").filter(tournament=tournament).first()
    if rules is None:
        raise Http404
    return tournament, rules


def team_for(model_admin: ModelAdmin, request: HttpRequest, key: int) -> Team:
    """The team of that key, for somebody who may change its event. Raises PermissionDenied or Http404."""
    team = get_object_or_404(Team.objects.select_related("tournament", "club", "captain"), pk=key)
    tournament_for(model_admin, request, team.tournament_id)
    return team


def match_for(model_admin: ModelAdmin, request: HttpRequest, key: int) -> TeamMatch:
    """The match of that key, for somebody who may change its event. Raises PermissionDenied or Http404."""
    rows = TeamMatch.objects.select_related("round__stage__tournament", "home", "away", "advanced")
    match = get_object_or_404(rows, pk=key)
    tournament_for(model_admin, request, match.round.stage.tournament_id)
    return match


def carried_out(request: HttpRequest, do: Callable[[], str]) -> str:
    """Do it and say that it is done; the sentence where it is refused."""
    try:
        messages.success(request, do())
    except Refused as refusal:
        return str(refusal)
    return ""


class PointsField(forms.DecimalField):
    """Points as people write them, kept in `unit`ths: 1.5 is 3 half-points."""

    def __init__(self, *, unit: int = HALF, **kwargs: Any) -> None:
        self.unit = unit
        step = Decimal(1) / unit
        super().__init__(decimal_places=1, max_digits=5, step_size=step, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, int):
            return value
        return value // self.unit if value % self.unit == 0 else value / self.unit

    def clean(self, value: Any) -> int | None:
        cleaned = super().clean(value)
        return None if cleaned is None else int(cleaned * self.unit)
