"""A bracket drawn again before anything was played in it; the old one is kept, superseded."""

from typing import Any

from django.contrib.admin import ModelAdmin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.admin import officer
from players.trail.services import PAIRING_REASONS
from players.refusals import Refused
from tournaments.corrections.admin.preview import ReasonForm
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.undo.admin import tell
from tournaments.builders.forms import SeedField
from tournaments.models import Stage
from tournaments.pairing.base import BracketSystem
from tournaments.events.selectors.stages import system_of
from tournaments.knockouts.services.brackets import redraw_bracket


class RedrawForm(ReasonForm):
    """Why, and with which lots."""

    reasons = PAIRING_REASONS

    seed = SeedField(
        label=gettext_lazy("Seed of the lots"),
        help_text=gettext_lazy("Where the settings draw lots. Empty: by chance; the same seed draws the same bracket."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = _("Kept in the audit trail.")
        self.order_fields(["seed", "reason", "note"])


def redraw(desk: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """Asks for the reason; refused once a match was played or ruled on."""
    stage = get_object_or_404(Stage.objects.select_related("tournament"), pk=key)
    tournament = tournament_for(desk, request, stage.tournament_id)
    if not isinstance(system_of(stage), BracketSystem) or not stage.rounds.exists():
        raise Http404
    form = RedrawForm(request.POST if request.method == "POST" else None)
    problem = ""
    if request.method == "POST" and form.is_valid():
        try:
            redraw_bracket(stage, by=officer(request), **form.cleaned_data)
        except Refused as refusal:
            problem = str(refusal)
        else:
            text = _("The bracket is drawn again; the old one is kept in the books.")
            tell(request, tournament, text, "bracket.superseded")
            return redirect(reverse("admin:tournaments_tournament_rounds", args=[tournament.pk]))
    status = 409 if problem else 200
    title = _("Draw the bracket again")
    return page(
        desk, request, "redraw", tournament, status=status, title=title, stage=stage, form=form, problem=problem
    )
