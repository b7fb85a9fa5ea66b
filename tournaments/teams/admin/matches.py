"""The matches of a team event, round by round: made all at once, one round after the other, or by hand; taken back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.admin import ModelAdmin
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubrating.web.admin import officer
from clubrating.web.requests import number_sent
from players.refusals import Refused
from tournaments.events.admin.event_page import page
from tournaments.events.admin.forms import LATEST_DAY, DayInput, RoundsForm
from tournaments.models import Round, Team, Tournament
from tournaments.pairing.team_base import Kind
from tournaments.result_reports.selectors import open_by_game
from tournaments.results.services.results import EARLIEST_DAY
from tournaments.rounds.admin.next_round import TimeInput
from tournaments.rounds.services.rounds import publish_round
from tournaments.teams.admin.access import carried_out, team_event_for
from tournaments.teams.admin.forms import format_words
from tournaments.teams.selectors.checklist import Waiting, checklist_of
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts, kind_of, team_facts
from tournaments.teams.selectors.states import State, state_of
from tournaments.teams.services.next_round import make_next_round, propose_next
from tournaments.teams.services.rounds import Pair, add_round, delete_fixtures, delete_last_round, make_fixtures
from tournaments.undo.admin.undo import success_with_undo


class FixturesForm(RoundsForm):
    """When the rounds are played."""

    at = forms.TimeField(label=gettext_lazy("Time"), required=False, widget=TimeInput())


class DayForm(forms.Form):
    """When one round is played."""

    day = forms.DateField(
        label=gettext_lazy("Day"),
        required=False,
        widget=DayInput(),
        validators=[MinValueValidator(EARLIEST_DAY), MaxValueValidator(LATEST_DAY)],
    )
    at = forms.TimeField(label=gettext_lazy("Time"), required=False, widget=TimeInput())

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("at") and not cleaned.get("day") and "day" not in self.errors:
            self.add_error("day", _("A time needs its day: enter the day too."))
        return cleaned


@dataclass(frozen=True, slots=True)
class Line:
    """A match with its state, and how many of its results somebody says are wrong."""

    match: MatchFacts
    state: State
    disputed: int = 0


ALL_AT_ONCE = (Kind.SCHEDULE, Kind.BOARDS)


@dataclass(frozen=True, slots=True)
class Section:
    """A round with its matches."""

    round: Round
    lines: tuple[Line, ...]

    @property
    def has_boards(self) -> bool:
        return any(line.match.is_open for line in self.lines)


# --- the page of matches ------------------------------------------------------------------------------------------
def matches(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The rounds with their matches; `do` says which button was pressed."""
    tournament, rules = team_event_for(model_admin, request, key)
    form, problem = FixturesForm(initial=_first_day(tournament)), ""
    if request.method == "POST":
        asked = request.POST.get("do", "")
        form = FixturesForm(request.POST) if asked == "make" else form
        if asked == "publish":
            problem = _publish(request, tournament)
        elif not form.is_bound or form.is_valid():
            problem = carried_out(request, lambda: _carry_out(request, tournament, asked, form))
        if not problem and not form.errors:
            return redirect(request.path)
    facts = team_facts(tournament, drafts=True)
    sections, kind = _sections(facts), kind_of(rules)
    context: dict[str, Any] = {
        "title": _("Matches"),
        "sections": sections,
        "format": format_words(rules),
        "teams": len(facts.teams),
        "all_at_once": kind in ALL_AT_ONCE,
        "has_boards": kind is Kind.BOARDS,
        "unit": facts.event.scoring.points.unit,
        "checklist": _checklist(facts, sections),
        "form": form,
        "problem": problem,
    }
    return page(model_admin, request, "matches", tournament, status=409 if problem else 200, **context)


def _checklist(facts: TeamFacts, sections: Sequence[Section]) -> list[Waiting]:
    disputed = {line.match.row.pk: line.disputed for section in sections for line in section.lines}
    return checklist_of(facts, lambda match: disputed[match.row.pk], timezone.now())


def _first_day(tournament: Tournament) -> dict[str, Any]:
    one_day = tournament.starts_on is not None and tournament.starts_on == tournament.ends_on
    return {"first_day": tournament.starts_on, **({"days_between": 0} if one_day else {})}


def _carry_out(request: HttpRequest, tournament: Tournament, asked: str, form: FixturesForm) -> str:
    """Do what was asked; the sentence for it. Raises Refused."""
    by = officer(request)
    if asked == "make":
        data = form.cleaned_data
        made = make_fixtures(
            tournament.pk, by=by, first_day=data["first_day"], days_between=data["days_between"], at=data["at"]
        )
        text = ngettext("%(count)s round is made.", "%(count)s rounds are made.", len(made))
        return text % {"count": len(made)}
    if asked == "delete_last":
        delete_last_round(tournament.pk, by=by)
        return _("The last round is deleted.")
    if asked == "delete_all":
        if not request.POST.get("sure"):
            raise Refused(_("Tick that you mean it: all rounds go."))
        delete_fixtures(tournament.pk, by=by)
        return _("All rounds are deleted: the teams and their players stay.")
    raise Refused(_("This page has no such button: look at the matches again."))


def _publish(request: HttpRequest, tournament: Tournament) -> str:
    row = Round.objects.filter(stage__tournament=tournament, pk=number_sent(request, "round")).first()
    try:
        if row is None:
            raise Refused(_("There is no such draft any more: look at the rounds again."))
        publish_round(row.pk, by=officer(request), revision=number_sent(request, "revision"))
    except Refused as refusal:
        return str(refusal)
    text = _("Round %(number)s is published.") % {"number": row.number}
    success_with_undo(request, tournament, text, "round.published")
    return ""


def _sections(facts: TeamFacts) -> list[Section]:
    games = [board.game for match in facts.matches for board in match.boards if board.game]
    reports, today = open_by_game([game.pk for game in games]), timezone.localdate()
    found: dict[int, list[Line]] = {}
    rounds: dict[int, Round] = {}
    for match in facts.matches:
        disputed = sum(reports.get(board.game.pk, 0) for board in match.boards if board.game)
        rounds[match.round.pk] = match.round
        found.setdefault(match.round.pk, []).append(Line(match, state_of(facts, match, today), disputed))
    return [Section(rounds[key], tuple(lines)) for key, lines in found.items()]


# --- one round ----------------------------------------------------------------------------------------------------
def by_hand(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The next round with matches chosen by the arbiter, made as a draft or published at once."""
    tournament, _rules = team_event_for(model_admin, request, key)
    teams = list(Team.objects.filter(tournament=tournament, left_before=None).order_by("number"))
    form, problem = DayForm(request.POST if request.method == "POST" else None, initial=_day(tournament)), ""
    if form.is_bound and form.is_valid():
        data = form.cleaned_data
        publish = request.POST.get("do") == "publish"

        def do() -> str:
            pairs = _pairs_in(request, teams)
            row = add_round(tournament.pk, pairs, by=officer(request), day=data["day"], at=data["at"], publish=publish)
            return _made(row)

        problem = carried_out(request, do)
        if not problem:
            return redirect("admin:tournaments_tournament_matches", tournament.pk)
    context = {
        "title": _("A round by hand"),
        "form": form,
        "problem": problem,
        "teams": [(str(team.pk), f"{team.number}. {team.name}") for team in teams],
        "lines": _choosers(request, teams),
    }
    return page(model_admin, request, "team_round", tournament, status=409 if problem else 200, **context)


def next_round(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The next round as the format makes it: shown first, then made as a draft or published."""
    tournament, rules = team_event_for(model_admin, request, key)
    if kind_of(rules) in ALL_AT_ONCE:
        return redirect("admin:tournaments_tournament_matches", tournament.pk)
    form, problem = DayForm(request.POST if request.method == "POST" else None, initial=_day(tournament)), ""
    if form.is_bound and form.is_valid():
        data, publish = form.cleaned_data, request.POST.get("do") == "publish"
        seen = request.POST.get("seen", "")

        def do() -> str:
            row = make_next_round(
                tournament.pk, by=officer(request), seen=seen, day=data["day"], at=data["at"], publish=publish
            )
            return _made(row)

        problem = carried_out(request, do)
        if not problem:
            return redirect("admin:tournaments_tournament_matches", tournament.pk)
    proposal, facts = None, team_facts(tournament, drafts=True)
    try:
        proposal = propose_next(facts)
    except Refused as refusal:
        problem = problem or str(refusal)
    title = _("The next round")
    if proposal is not None:
        title = _("Round %(number)s") % {"number": proposal.number}
    waits = _checklist(facts, _sections(facts))
    context = {"title": title, "form": form, "problem": problem, "proposal": proposal, "checklist": waits}
    status = 409 if problem and form.is_bound else 200
    return page(model_admin, request, "team_next", tournament, status=status, **context)


def _day(tournament: Tournament) -> dict[str, Any]:
    return {"day": tournament.nearest_day(timezone.localdate())}


def _made(row: Round) -> str:
    if row.state == Round.State.DRAFT:
        return _("Round %(number)s is made as a draft: only officers see it.") % {"number": row.number}
    return _("Round %(number)s is published.") % {"number": row.number}


def _pairs_in(request: HttpRequest, teams: Sequence[Team]) -> list[Pair]:
    """The matches of the posted form. Raises Refused for a match with the guests only, and for a team that is gone."""
    known, pairs = {str(team.pk): team for team in teams}, list[Pair]()
    for number in range(1, len(teams) // 2 + 2):
        home, away = (request.POST.get(f"{side}-{number}", "") for side in ("home", "away"))
        if not home and not away:
            continue
        if not home:
            text = _("Match %(number)s has no home team: choose it, or leave both empty.")
            raise Refused(text % {"number": number})
        if home not in known or (away and away not in known):
            raise Refused(_("A team that was chosen is no longer in the event: look at the lists again."))
        pairs.append((known[home], known[away] if away else None))
    return pairs


def _choosers(request: HttpRequest, teams: Sequence[Team]) -> list[tuple[int, str, str]]:
    """A line for each match that can be: its number, and the teams chosen as they were typed."""
    return [
        (number, request.POST.get(f"home-{number}", ""), request.POST.get(f"away-{number}", ""))
        for number in range(1, (len(teams) + 1) // 2 + 1)
    ]
