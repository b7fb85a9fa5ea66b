"""The line-up of one side, entered by the arbiter. What breaks a rule is shown, all of it, and may be set aside with a
reason."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from clubrating.ground.numbers import number_in
from clubrating.web.admin import officer
from clubrating.web.requests import number_sent
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused
from tournaments.events.admin.event_page import page, with_names
from tournaments.models import LineUp, Team, TeamMatch, TeamPlayer, TeamRules
from tournaments.teams.admin.access import match_for
from tournaments.teams.admin.match_forms import sides_of
from tournaments.teams.selectors.eligibility import order_of_list
from tournaments.teams.selectors.lists import on_the_list
from tournaments.teams.services.handing_in import LineUpRefused, hand_in_by_rules


@dataclass(frozen=True, slots=True)
class Place:
    """A board with the player chosen for it ("" for nobody)."""

    board: int
    chosen: str


def line_up(side: str, model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The lists to choose from, one a board; what is refused comes back as it was typed."""
    match = match_for(model_admin, request, key)
    team = dict(sides_of(match)).get(side)
    if team is None or match.away is None:
        raise Http404
    if match.boards.exists():
        messages.info(request, _("The boards of this match are made: change a board below."))
        return redirect("admin:tournaments_tournament_team_match", match.pk)
    rules = TeamRules.objects.get(tournament=match.round.stage.tournament_id)
    problem, sentences, may_waive = "", tuple[str, ...](), True
    if request.method == "POST":
        try:
            return _save(request, match, team, rules)
        except LineUpRefused as refusal:
            sentences = tuple(with_names(each) for each in refusal.sentences)
            may_waive = refusal.may_waive
        except Refused as refusal:
            problem = str(refusal)
    handed = LineUp.objects.filter(match=match, team=team).first()
    people = on_the_list(team, match.played_on or match.round.planned_on)
    context: dict[str, Any] = {
        "title": _("Line-up of “%(team)s”") % {"team": team.name},
        "match": match,
        "handed": handed,
        "people": [(str(row.pk), _called(row)) for row in people],
        "places": _places(request, match, team, rules, handed),
        "sentences": sentences,
        "may_waive": may_waive,
        "waived": request.POST.get("waived", ""),
        "problem": problem,
    }
    status = 409 if problem or sentences else 200
    return page(model_admin, request, "line_up", match.round.stage.tournament, status=status, **context)


home, away = partial(line_up, "home"), partial(line_up, "away")


def _save(request: HttpRequest, match: TeamMatch, team: Team, rules: TeamRules) -> HttpResponse:
    """Raises Refused."""
    typed = [request.POST.get(f"board-{board}", "") for board in range(1, rules.boards + 1)]
    if any(f"board-{rules.boards + more}" in request.POST for more in (1, 2)):
        raise Refused(_("The match has boards 1 to %(boards)s.") % {"boards": rules.boards})
    hand_in_by_rules(
        match.pk,
        team.pk,
        [number_in(text) if text else None for text in typed],
        by=officer(request),
        waived=request.POST.get("waived", "")[:300],
        arbiter=True,
        revision=number_sent(request, "revision"),
    )
    messages.success(request, _("The line-up of “%(team)s” is handed in.") % {"team": team.name})
    return redirect("admin:tournaments_tournament_team_match", match.pk)


def _called(row: TeamPlayer) -> str:
    words = shown_name(row.entry.player, OFFICER)
    return f"{row.place}. {words} ({_('reserve')})" if row.reserve else f"{row.place}. {words}"


def _places(request: HttpRequest, match: TeamMatch, team: Team, rules: TeamRules, handed: LineUp | None) -> list[Place]:
    """As typed, as handed in, or as the team's list stands."""
    numbers = range(1, rules.boards + 1)
    if request.method == "POST":
        return [Place(board, request.POST.get(f"board-{board}", "")) for board in numbers]
    if handed is not None:
        stands = dict(handed.places.values_list("board", "player"))
        return [Place(board, str(stands.get(board) or "")) for board in numbers]
    usual = {board: str(row.pk) for board, row in enumerate(order_of_list(match, team, rules), start=1)}
    return [Place(board, usual.get(board, "")) for board in numbers]
