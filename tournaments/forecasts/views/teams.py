"""The forecast page of a team event: how an all-play-all may end, and what a team needs. Only teams are named.

Nothing is worked out here: the forecast is the answer to a question (`clubrating.web.questions`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.ground.figures import percents
from clubrating.ground.numbers import whole_number
from clubrating.web.formatting import decimals
from clubrating.web.questions import Asked, ask_from, asked, keep_looking
from clubrating.web.requests import ClubRequest
from players.privacy.rules import Level
from tournaments.forecast.adviser import Estimate
from tournaments.forecast.needs import Line, Verdict
from tournaments.forecasts.selectors.team_forecasts import (
    LeagueForecast,
    TeamMatchSaid,
    TeamNeedsSaid,
    TeamSaid,
    goals_of,
    is_league_over,
    league_from,
    league_question,
    usual_line_ups,
    why_no_forecast,
)
from tournaments.forecasts.words import goal_words, result_word, worth_words
from tournaments.models import Team, Tournament
from tournaments.teams.selectors.facts import TeamFacts, team_facts
from tournaments.teams.views.pages import facts_for, show_team_page

_A_HAIR = 0.01  # per cent: of what was only sampled, nothing is shown as impossible or certain


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance and its standard error in per cent; its shade 0 … 10."""

    percent: float
    error: float

    @property
    def step(self) -> int:
        return 0 if self.percent < 0.5 else min(int(self.percent / 10) + 1, 10)


@dataclass(frozen=True, slots=True)
class LeagueRow:
    """A team's line; points as they are shown, with their errors."""

    team: Team
    title: Chance
    up: Chance | None
    down: Chance | None
    places: tuple[Chance, ...]
    match_points: str
    match_points_error: str
    game_points: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match of the next round: whole per cents of a win of the home team, a draw, and a win of the guests."""

    said: TeamMatchSaid
    percents: tuple[int, ...]
    error: float


@dataclass(frozen=True, slots=True)
class NeedRow:
    """A combination of a team's own results, what it is worth, and the chance with it."""

    results: tuple[str, ...]
    worth: str
    is_sure: bool
    chance: Chance | None


@dataclass(frozen=True, slots=True)
class NeedsPart:
    """What the chosen team needs: the chance as it stands, sentences, and the combinations where they are listed."""

    team: Team
    goal: str
    chance: Chance
    said: tuple[str, ...]
    opponents: tuple[Team, ...]
    lines: tuple[NeedRow, ...]


def league_forecast(request: ClubRequest, event: Tournament) -> HttpResponse:
    """The page; `?team=` (its number) and `?top=`: what that team needs. Posted to: the forecast is asked for. Where
    the event is not forecast the page says why. 404 for a team or a goal that is none."""
    shown = facts_for(event, request.viewer)
    facts = team_facts(event) if request.viewer.level >= Level.OFFICER else shown
    chosen, top = _wanted(request, facts)
    context: dict[str, Any] = {"why_not": why_no_forecast(facts), "chosen": chosen, "top": top}
    if context["why_not"] or is_league_over(facts):
        return show_team_page(request, "forecast", shown, "forecast", is_over=not context["why_not"], **context)
    question = league_question(facts, usual_line_ups(facts))
    if request.method == "POST":
        return ask_from(request, question, request.get_full_path())
    found = asked(question)
    forecast = _answer(facts, found)
    context |= {
        "asked": found,
        "ask_to": request.get_full_path(),
        "forecast": forecast,
        "rows": league_rows(facts, forecast, chosen) if forecast else [],
        "places_error": 100.0 * max((place.error for each in forecast.teams for place in each.places), default=0.0)
        if forecast
        else 0.0,
        "matches": [_match_row(each) for each in forecast.matches] if forecast else [],
        "needs": _needs(facts, forecast, chosen, top) if forecast and chosen else None,
        "goals": [(goal, team_goal_words(facts, goal)) for goal in goals_of(facts)],
    }
    return keep_looking(show_team_page(request, "forecast", shown, "forecast", **context), found)


def _answer(facts: TeamFacts, found: Asked) -> LeagueForecast | None:
    if found.answer is None or found.job is None:
        return None
    return league_from(facts, found.answer, found.job.finished_at or timezone.now())


def _wanted(request: ClubRequest, facts: TeamFacts) -> tuple[int | None, int]:
    asked_team, asked_top = request.GET.get("team", ""), request.GET.get("top", "1")
    team, top = whole_number(asked_team), whole_number(asked_top)
    if (asked_team and team not in facts.by_number()) or (top != 1 and top not in goals_of(facts)):
        raise Http404
    return team, top or 1


# --- rows ---------------------------------------------------------------------------------------------------------
def league_rows(facts: TeamFacts, forecast: LeagueForecast, chosen: int | None = None) -> list[LeagueRow]:
    """The teams, highest chance of the title first."""
    return [_row(each, facts.event.scoring.points.unit, chosen) for each in forecast.teams]


def _row(said: TeamSaid, unit: int, chosen: int | None) -> LeagueRow:
    return LeagueRow(
        said.team,
        _chance(said.title),
        _chance(said.up) if said.up else None,
        _chance(said.down) if said.down else None,
        tuple(_chance(place) for place in said.places),
        decimals(said.match_points.value / 2.0, 1),
        decimals(said.match_points.error / 2.0, 2),
        decimals(said.game_points.value / unit, 1),
        said.team.number == chosen,
    )


def _chance(found: Estimate) -> Chance:
    """In per cent. Where all playouts agreed that is no proof, so it keeps a hair off nothing and off certainty."""
    percent = min(max(100.0 * found.value, _A_HAIR), 100.0 - _A_HAIR)
    return Chance(percent, 100.0 * found.error)


def _match_row(said: TeamMatchSaid) -> MatchRow:
    chances = (said.win, said.draw, said.loss)
    return MatchRow(
        said, tuple(percents([each.value for each in chances])), 100.0 * max(each.error for each in chances)
    )


# --- what a team needs --------------------------------------------------------------------------------------------
def team_goal_words(facts: TeamFacts, top: int) -> str:
    """What is wanted, as a choice of a form: first place, going up, staying up, among the first three."""
    size = len(facts.teams) - len(facts.event.annulled)
    if top == facts.rules.promoted and top > 1:
        return _("going up: among the first %(top)s") % {"top": top}
    if facts.rules.relegated and top == size - facts.rules.relegated:
        return _("staying up: among the first %(top)s") % {"top": top}
    return goal_words(top)


def _needs(facts: TeamFacts, forecast: LeagueForecast, number: int, top: int) -> NeedsPart | None:
    said = next((each for each in forecast.teams if each.team.number == number), None)
    if said is None:
        return None
    teams, known = facts.by_number(), forecast.needs.get((number, top))
    return NeedsPart(
        said.team,
        team_goal_words(facts, top),
        _chance(said.goals.get(top, said.title)),
        tuple(_sentences(known)),
        tuple(teams[other] for other in known.needs.opponents) if known else (),
        tuple(_need_rows(known)) if known else (),
    )


def _sentences(known: TeamNeedsSaid | None) -> list[str]:
    if known is None:
        return [_("Too many matches are to come to list every combination of results.")]
    verdict = known.needs.verdict
    if verdict is Verdict.SURE:
        return [_("Reached, whatever happens.")]
    if verdict is Verdict.LOST:
        return [_("Out of the race: not to be reached any more.")]
    if not known.needs.opponents:
        return [_("All own matches are played: it is for the others now.")]
    if known.needs.in_own_hands:
        return [_("Some results are enough whatever the others do; the table tells which.")]
    if any(line.verdict is Verdict.OPEN for line in known.needs.lines):
        return [_("Teams may end level: then game points decide.")]
    return [_("Needs help: no result of one’s own is enough by itself.")]


def _need_rows(known: TeamNeedsSaid) -> Sequence[NeedRow]:
    lines: list[Line] = sorted(
        (line for line in known.needs.lines if line.own), key=lambda line: (-line.halves, line.own)
    )
    return [
        NeedRow(
            tuple(result_word(halves) for halves in line.own),
            worth_words(line.verdict, _("game points decide")),
            line.verdict is Verdict.SURE,
            _chance(chance) if (chance := known.chances.get(line.own)) else None,
        )
        for line in lines
    ]
