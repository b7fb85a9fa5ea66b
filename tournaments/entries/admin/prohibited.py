"""Who should not meet: the pairs of an event, each with its button, and a form for a group."""

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.web.admin import officer
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused
from tournaments.entries.admin.entry import key_of
from tournaments.entries.admin.forms import GroupForm
from tournaments.entries.services.entries import match_names
from tournaments.entries.services.prohibited import allow, prohibit, prohibited_pairs
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.models import Entry, Tournament


def prohibited(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The page. What cannot be kept apart is told line by line, and stays as typed."""
    tournament = tournament_for(model_admin, request, key)
    posted = request.method == "POST" and "allow" not in request.POST
    form, problems = GroupForm(request.POST if posted else None), list[str]()
    if request.method == "POST" and (not posted or form.is_valid()):
        try:
            done, problems = _carry_out(request, tournament, form)
        except Refused as refusal:
            done, problems = "", [str(refusal)]
        if not problems:
            messages.success(request, done)
            return redirect(request.path)
    pairs = list(prohibited_pairs(tournament))
    title = _("Who should not meet")
    return page(model_admin, request, "prohibited", tournament, title=title, pairs=pairs, form=form, problems=problems)


def _carry_out(request: HttpRequest, tournament: Tournament, form: GroupForm) -> tuple[str, list[str]]:
    """Do what was asked; the sentence for it, or the problems. Raises Refused."""
    if "allow" in request.POST:
        pair = prohibited_pairs(tournament).filter(pk=key_of(request.POST["allow"])).first()
        allow(pair.pk if pair else 0, by=officer(request))
        return _("The two may meet again."), []
    named = match_names(form.cleaned_data["names"].splitlines())
    entered = {row.player_id: row for row in Entry.objects.filter(tournament=tournament, player__in=named.players)}
    text = _("“%(name)s” is not entered in this event: enter the player first, or remove the line.")
    missing = [text % {"name": shown_name(row, OFFICER)} for row in named.players if row.pk not in entered]
    if named.problems or missing:
        return "", [*named.problems, *missing]
    count = prohibit(tournament, list(entered.values()), by=officer(request))
    if not count:
        return _("These were kept apart already."), []
    done = ngettext("%(count)s pair is kept apart.", "%(count)s pairs are kept apart.", count)
    return done % {"count": count}, []
