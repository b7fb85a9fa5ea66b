"""Numbers as they were drawn in the hall: a field for each entry."""

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from clubrating.web.admin import officer
from players.refusals import Refused
from tournaments.entries.admin.forms import HallNumbersForm
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.models import Entry
from tournaments.entries.services.entries import number_in_order


def numbers(desk: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The fields; what is not 1…n without a gap is told beside its own."""
    tournament = tournament_for(desk, request, key)
    entries = list(Entry.objects.filter(tournament=tournament).select_related("player").order_by("number", "pk"))
    form = HallNumbersForm(request.POST if request.method == "POST" else None, entries=entries)
    stage, problem = tournament.stages.first(), ""
    if request.method == "POST" and stage is not None and form.is_valid():
        try:
            number_in_order(stage, form.in_order(), by=officer(request))
        except Refused as refusal:
            problem = str(refusal)
        else:
            messages.success(request, _("The numbers are given as drawn."))
            return redirect(reverse("admin:tournaments_tournament_entries", args=[tournament.pk]))
    title = _("Numbers drawn in the hall")
    return page(desk, request, "numbers", tournament, title=title, form=form, entries=entries, problem=problem)
