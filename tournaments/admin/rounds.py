"""The rounds of a tournament: make them all, see how far each is, take them back while nothing was played."""

from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.admin_site import officer
from players.services.refusals import Refused
from tournaments.admin.forms import RoundsForm
from tournaments.admin.frame import page, tournament_for
from tournaments.models import Stage, Tournament
from tournaments.selectors.rounds import rounds_of
from tournaments.services.entries import numbered
from tournaments.services.rounds import delete_rounds, pair_all_rounds


def rounds(desk: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The rounds with their progress, or the form that makes them."""
    tournament = tournament_for(desk, request, key)
    form = RoundsForm(request.POST if request.method == "POST" else None, initial={"first_day": tournament.starts_on})
    problem = ""
    if request.method == "POST" and form.is_valid():
        try:
            count = _make(request, tournament, form)
        except Refused as refusal:
            problem = str(refusal)
        else:
            text = ngettext("%(count)s round is made.", "%(count)s rounds are made.", count)
            messages.success(request, text % {"count": count})
            return redirect(request.path)
    rows, entries = rounds_of(tournament), list(tournament.entries.values_list("number", flat=True))
    context: dict[str, Any] = {
        "rounds": rows,
        "entries": len(entries),
        "numbered": numbered(entries),
        "form": form,
        "problem": problem,
    }
    return page(desk, request, "rounds", tournament, title=_("Rounds"), **context)


def _make(request: HttpRequest, tournament: Tournament, form: RoundsForm) -> int:
    """Pair all rounds; how many. Raises Refused."""
    day, between = form.cleaned_data["first_day"], form.cleaned_data["days_between"]
    return len(pair_all_rounds(_stage(tournament), by=officer(request), first_day=day, days_between=between))


def _stage(tournament: Tournament) -> Stage:
    stage = tournament.stages.first()
    if stage is None or not stage.pairing_system:
        raise Http404
    return stage


def delete_all(desk: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """Asks first; refused once a result is recorded."""
    tournament = tournament_for(desk, request, key)
    if request.method != "POST":
        return page(desk, request, "delete_rounds", tournament, title=_("Delete the rounds"))
    try:
        delete_rounds(_stage(tournament), by=officer(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The rounds are deleted. Entries and numbers stay."))
    return redirect(reverse("admin:tournaments_tournament_rounds", args=[tournament.pk]))
