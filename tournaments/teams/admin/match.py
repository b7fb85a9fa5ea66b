"""One match of teams: its plan, its boards, its card, and what the arbiter decides about it."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.ground.numbers import number_in
from clubrating.web.admin import officer
from clubrating.web.requests import number_sent
from players.refusals import Refused
from tournaments.events.admin.event_page import page
from tournaments.models import TeamMatch, TeamPenalty
from tournaments.result_reports.selectors import open_by_game
from tournaments.teams.admin.access import carried_out, match_for
from tournaments.teams.admin.match_forms import (
    AbsentForm,
    AdvanceForm,
    ChangeForm,
    MatchPenaltyForm,
    OpenForm,
    PlanForm,
    RulingForm,
    sides_of,
)
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts, team_facts
from tournaments.teams.selectors.states import state_of
from tournaments.teams.services.handing_in import other_consents
from tournaments.teams.services.line_ups import change_board, open_match
from tournaments.teams.services.matches import (
    Ruling,
    agree,
    decide_who_goes_on,
    penalise,
    plan_match,
    rule_on_match,
    set_absent,
)
from tournaments.teams.services.next_round import goes_on

Forms = dict[str, forms.Form]


def match(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The page and its forms; `do` says which one was sent. What is refused leaves everything as typed."""
    row = match_for(model_admin, request, key)
    tournament = row.round.stage.tournament
    facts = team_facts(tournament, drafts=True, rounds=[row.round.number])
    own = next(one for one in facts.matches if one.row.pk == row.pk)
    asked = request.POST.get("do", "") if request.method == "POST" else ""
    bound = _forms(request, row, facts, asked)
    problem = ""
    if request.method == "POST" and (asked not in bound or bound[asked].is_valid()):
        problem = carried_out(request, lambda: _carry_out(request, row, asked, bound.get(asked)))
        if not problem:
            return redirect(request.path)
    context = {"forms": bound, "asked": asked, "problem": problem, **_context(row, facts, own)}
    return page(model_admin, request, "team_match", tournament, status=409 if problem else 200, **context)


def _forms(request: HttpRequest, row: TeamMatch, facts: TeamFacts, asked: str) -> Forms:
    """The forms that fit the match, by what they do; the one that was sent is bound."""

    def sent(name: str) -> Any:
        return request.POST if asked == name else None

    unit = facts.event.scoring.points.unit
    found: Forms = {"plan": PlanForm(sent("plan"), row)}
    if row.away is None:
        return found
    found |= {
        "open": OpenForm(sent("open"), row),
        "change": ChangeForm(sent("change"), row, facts.rules.boards),
        "absent": AbsentForm(sent("absent"), row),
        "rule": RulingForm(sent("rule"), row, unit),
        "penalise": MatchPenaltyForm(sent("penalise"), row, unit),
    }
    return {**found, "advance": AdvanceForm(sent("advance"), row)} if row.slot is not None else found


def _context(row: TeamMatch, facts: TeamFacts, own: MatchFacts) -> dict[str, Any]:
    games = [board.game.pk for board in own.boards if board.game]
    return {
        "title": " – ".join(team.name for _side, team in sides_of(row)),
        "match": own,
        "first_board": (row.number - 1) * facts.rules.boards + 1,
        "is_draft": row.round.state == row.round.State.DRAFT,
        "state": state_of(facts, own, timezone.localdate()),
        "unit": facts.event.scoring.points.unit,
        "sides": [_side(own, side, team) for side, team in sides_of(row)],
        "disputed": sum(open_by_game(games).values()),
        "penalties": TeamPenalty.objects.filter(match=row).select_related("team"),
        "winner": goes_on(facts, own) if row.slot is not None else None,
    }


def _side(own: MatchFacts, side: str, team: Any) -> dict[str, Any]:
    place = 0 if side == "home" else 1
    at = (own.row.home_agreed_at, own.row.away_agreed_at)[place] if own.agreed_sides[place] else None
    url = reverse(f"admin:tournaments_tournament_line_up_{side}", args=[own.row.pk])
    return {
        "side": side,
        "team": team,
        "line_up": own.line_ups.get(team.pk),
        "agreed": at,
        "other_consents": other_consents(own.row, team),
        "url": url,
    }


# --- what was asked for -------------------------------------------------------------------------------------------
def _carry_out(request: HttpRequest, row: TeamMatch, asked: str, form: forms.Form | None) -> str:
    """Do what was asked; the sentence for it. Raises Refused."""
    do: dict[str, Callable[[HttpRequest, TeamMatch, dict[str, Any]], str]] = {
        "plan": _plan,
        "postpone": _postpone,
        "open": _open,
        "change": _change,
        "absent": _absent,
        "rule": _rule,
        "unrule": _unrule,
        "penalise": _penalise,
        "advance": _advance,
        "agree": _agree,
        "disagree": _agree,
    }
    if asked not in do:
        raise Refused(_("This page has no such button: look at the match again."))
    return do[asked](request, row, form.cleaned_data if form else {})


def _plan(request: HttpRequest, row: TeamMatch, data: dict[str, Any]) -> str:
    how = {"at": data["at"], "venue": data["where"], "revision": number_sent(request, "revision")}
    if data["day"] is None and row.played_on is not None:
        raise Refused(_("Enter the day, or press “Postpone” where none is agreed."))
    plan_match(row.pk, data["day"], by=officer(request), **how)
    return _("The match is planned.")


def _postpone(request: HttpRequest, row: TeamMatch, data: dict[str, Any]) -> str:
    plan_match(row.pk, None, by=officer(request), revision=number_sent(request, "revision"))
    return _("The match is postponed: enter its new day once it is agreed.")


def _open(request: HttpRequest, row: TeamMatch, data: dict[str, Any]) -> str:
    open_match(row.pk, by=officer(request), first_white=data.get("toss", ""))
    return _("The boards are made: results can be entered.")


def _change(request: HttpRequest, row: TeamMatch, data: dict[str, Any]) -> str:
    side, _dash, key = data["who"].partition("-")
    team = dict(sides_of(row))[side]
    seat = number_in(key) if key else None
    change_board(row.pk, data["board"], team.pk, seat, by=officer(request), reason=data["reason"], note=data["note"])
    return _("Board %(board)s is changed.") % {"board": data["board"]}


def _absent(request: HttpRequest, row: TeamMatch, data: dict[str, Any]) -> str:
    set_absent(
        row.pk, data["gone"], by=officer(request), reason=data["reason"], revision=number_sent(request, "revision")
    )
    return _("Written down: the match is lost by default.") if data["gone"] else _("Taken back: the match is played.")


def _rule(request: HttpRequest, row: TeamMatch, data: dict[str, Any]) -> str:
    games = (data["games_home"], data["games_away"])
    if (games[0] is None) != (games[1] is None):
        raise Refused(_("Enter the game points of both teams, or of neither."))
    awarded = None if games[0] is None else games
    ruling = Ruling(data["for_home"], data["for_away"], data["why"], awarded)
    rule_on_match(row.pk, ruling, by=officer(request), revision=number_sent(request, "revision"))
    return _("The ruling stands. The games stay rated as they are.")


def _unrule(request: HttpRequest, row: TeamMatch, data: dict[str, Any]) -> str:
    rule_on_match(row.pk, None, by=officer(request), revision=number_sent(request, "revision"))
    return _("The boards decide again.")


def _penalise(request: HttpRequest, row: TeamMatch, data: dict[str, Any]) -> str:
    penalise(
        data["of"],
        by=officer(request),
        reason=data["cause"],
        match=row,
        match_points=data["off_match"] or 0,
        game_points=data["off_game"] or 0,
    )
    return _("The penalty stands in the table.")


def _advance(request: HttpRequest, row: TeamMatch, data: dict[str, Any]) -> str:
    decide_who_goes_on(row.pk, data["winner"], by=officer(request), reason=data["reason"])
    return _("Who goes on is written down.")


def _agree(request: HttpRequest, row: TeamMatch, data: dict[str, Any]) -> str:
    agreed = request.POST.get("do") == "agree"
    team = dict(sides_of(row)).get(request.POST.get("side", ""))
    agree(row.pk, team.pk if team else 0, by=officer(request), agreed=agreed)
    return _("The card is confirmed.") if agreed else _("The card is open again.")
