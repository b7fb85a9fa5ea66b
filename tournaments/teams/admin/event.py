"""A new event of teams, and the rules of one."""

from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from clubrating.web.admin import officer
from players.refusals import Refused
from tournaments.events.admin.event_page import check_may, page
from tournaments.models import Round, TeamRules
from tournaments.standings.points import point_system
from tournaments.teams.admin.access import carried_out, team_event_for
from tournaments.teams.admin.forms import NewEventForm, RulesForm
from tournaments.teams.services.events import NewTeamEvent, change_rules, create_league, create_team_event


def new_event(model_admin: ModelAdmin, request: HttpRequest) -> HttpResponse:
    """The form of a new event; leads to its teams."""
    check_may(request, "tournaments.add_tournament")
    form = NewEventForm(request.POST if request.method == "POST" else None)
    problem = ""
    if form.is_bound and form.is_valid():
        try:
            rules = {**form.values(), **_league(request, form)}
            made = create_team_event(NewTeamEvent(**form.event(), rules=rules), by=officer(request))
        except Refused as refusal:
            problem = str(refusal)
        else:
            messages.success(request, _("“%(name)s” is made: now enter the teams.") % {"name": made.name})
            return redirect("admin:tournaments_tournament_teams", made.pk)
    context = {"title": _("New event of teams"), "form": form, "problem": problem}
    return page(model_admin, request, "team_new", None, status=409 if problem else 200, **context)


def rules(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The rules, to be changed; after a stale form what was typed stays, on the rules as they stand."""
    tournament, stands = team_event_for(model_admin, request, key)
    how: dict[str, Any] = {
        "unit": point_system(tournament.point_system).unit,
        "fixed": Round.objects.filter(stage__tournament=tournament).exists(),
    }
    form = RulesForm(request.POST if request.method == "POST" else None, rules=stands, **how)
    problem = ""
    if form.is_bound and form.is_valid():

        def do() -> str:
            values, revision = {**form.values(), **_league(request, form)}, form.cleaned_data["revision"]
            change_rules(tournament.pk, values, by=officer(request), revision=revision)
            return _("The rules are saved.")

        problem = carried_out(request, do)
        if not problem:
            return redirect(request.path)
        fresh = TeamRules.objects.get(pk=stands.pk)
        form = RulesForm({**request.POST.dict(), "revision": fresh.revision}, rules=fresh, **how)
    context = {"title": _("Rules of the teams"), "form": form, "fixed": how["fixed"], "problem": problem}
    return page(model_admin, request, "team_rules", tournament, status=409 if problem else 200, **context)


def _league(request: HttpRequest, form: RulesForm) -> dict[str, int | None]:
    """The league that is chosen, or made by its name. Raises Refused."""
    if name := form.cleaned_data["new_league"]:
        return {"league_id": create_league(name, by=officer(request)).pk}
    chosen = form.cleaned_data["of_league"]
    return {"league_id": chosen.pk if chosen else None}
