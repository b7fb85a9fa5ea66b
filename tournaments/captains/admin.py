"""Links by which captains act for their teams: made, shown once with a QR code, taken back."""

from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from clubrating.ground.numbers import whole_number
from clubrating.web.admin import key_sent, officer
from clubrating.web.formatting import qr_code
from players.links.services.secret_links import holds
from players.refusals import Refused
from tournaments.captains.services import DAYS, make_link, revoke_link
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.models import CaptainLink, Team, TeamRules


def captains(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The teams of an event with their links. A new link stands on the page that made it and nowhere else; 409 where
    something is refused."""
    tournament = tournament_for(model_admin, request, key)
    if not TeamRules.objects.filter(tournament=tournament).exists():
        raise Http404
    made: dict[str, Any] = {}
    problem = ""
    if request.method == "POST":
        try:
            if "revoke" in request.POST:
                revoke_link(
                    key_sent(request, "revoke", CaptainLink.objects.filter(team__tournament=tournament)),
                    by=officer(request),
                )
                messages.success(request, _("The link is taken back: it opens nothing any more."))
                return redirect(request.path)
            team = Team.objects.get(pk=key_sent(request, "team", Team.objects.filter(tournament=tournament)))
            _link, secret = make_link(team.pk, by=officer(request), days=_days(request))
            address = request.build_absolute_uri(reverse("captains:enter", args=[secret]))
            made = {"made_for": team, "address": address, "picture": qr_code(address)}
        except Refused as refusal:
            problem = str(refusal)
    context = {"teams": _teams(tournament.pk), "days": DAYS, "problem": problem, **made}
    title = _("Captains’ links")
    return page(model_admin, request, "captains", tournament, title=title, status=409 if problem else 200, **context)


def _teams(tournament_key: int) -> list[tuple[Team, list[CaptainLink]]]:
    """The teams in order, each with the links that hold. Two queries."""
    held = CaptainLink.objects.filter(holds(), team__tournament=tournament_key)
    links: dict[int, list[CaptainLink]] = {}
    for link in held.order_by("made_at"):
        links.setdefault(link.team_id, []).append(link)
    teams = Team.objects.filter(tournament=tournament_key).order_by("number")
    return [(team, links.get(team.pk, [])) for team in teams]


def _days(request: HttpRequest) -> int:
    return whole_number(request.POST.get("days", ""), digits=4) or 0
