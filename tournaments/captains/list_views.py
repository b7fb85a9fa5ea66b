"""`/captain/teams/<key>/`: officers of a club keep the lists of its teams."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from clubrating.ground.numbers import whole_number
from clubrating.web.requests import ClubRequest
from players.privacy.rules import MEMBER, shown_name
from players.refusals import Refused
from tournaments.captains.services import officer_adds, officer_orders
from tournaments.captains.sign_in import for_captains
from tournaments.models import Team, TeamPlayer, TeamRules
from tournaments.teams.selectors.eligibility import games_up_of


@for_captains
def team_list(request: ClubRequest, key: int) -> HttpResponse:
    """The list of a team of one's club, with its order, reserves and players to add. 404 for everybody else, 409 where
    something is refused."""
    user = request.user
    if not isinstance(user, User) or not user.is_active:
        raise Http404
    rows = Team.objects.filter(club__officers=user, tournament__closed=False).select_related("tournament")
    team = get_object_or_404(rows, pk=key)
    problem = ""
    if request.method == "POST":
        try:
            messages.success(request, _carry_out(request, team, user))
            return redirect("captains:team", team.pk)
        except Refused as refusal:
            problem = str(refusal)
    players = TeamPlayer.objects.filter(team=team).select_related("entry__player").order_by("place", "pk")
    rules = TeamRules.objects.get(tournament=team.tournament_id)
    up = games_up_of(team, rules)
    # Whoever keeps the list of a club knows its players: as members see them.
    lines = [(row, shown_name(row.entry.player, MEMBER), up.get(row.entry.player_id, 0)) for row in players]
    context = {
        "team": team,
        "lines": lines,
        "most_up": rules.games_up,
        "problem": problem,
        "names": request.POST.get("names", ""),
    }
    return render(request, "captains/team.html", context, status=409 if problem else 200)


def _carry_out(request: ClubRequest, team: Team, by: User) -> str:
    """Do what was asked for. Raises Refused."""
    if request.POST.get("do") == "add":
        officer_adds(team.pk, request.POST.get("names", "").splitlines(), by=by)
        return _("The players stand on the list.")
    rows = list(TeamPlayer.objects.filter(team=team).order_by("place", "pk"))
    order = sorted(rows, key=lambda row: (_place(request, row), row.place))
    reserves = {row.pk for row in rows if f"reserve-{row.pk}" in request.POST}
    officer_orders(team.pk, [row.pk for row in order], reserves, by=by)
    return _("The list is saved.")


def _place(request: ClubRequest, row: TeamPlayer) -> int:
    place = whole_number(request.POST.get(f"place-{row.pk}", ""), digits=3)
    if place is None:
        raise Refused(_("This list was changed meanwhile, or a place is no number: look at it again."))
    return place
