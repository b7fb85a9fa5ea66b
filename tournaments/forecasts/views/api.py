"""`/api/v1/tournaments/<slug>/forecast/`: what the forecast page shows, as JSON. Nothing is worked out for a program:
it gets what a reader has asked for, and what was said before the rounds."""

from typing import Any

from django.http import JsonResponse

from clubrating.web.api import answer, refuse
from clubrating.web.questions import asked
from clubrating.web.requests import ClubRequest
from players.privacy.rules import Viewer, shown_name
from tournaments.downloads.api import NO_EVENT
from tournaments.events.selectors.event_data import Entrant
from tournaments.events.selectors.events import facts_of, stages_at, whole_of
from tournaments.forecast.adviser import Estimate
from tournaments.forecasts.selectors.forecasts import (
    EventForecast,
    forecast_from,
    forecast_kind,
    forecast_question,
    is_over,
    stored_forecasts,
)
from tournaments.forecasts.selectors.scores import Score, score_of
from tournaments.forecasts.selectors.team_forecasts import (
    LeagueForecast,
    is_league_over,
    league_from,
    league_question,
    usual_line_ups,
    why_no_forecast,
)
from tournaments.models import Tournament
from tournaments.pairing.free import Teams
from tournaments.teams.selectors.facts import TeamFacts, team_facts

PLACES = 4  # decimals of a chance


def forecast(request: ClubRequest, slug: str) -> JsonResponse:
    """The forecast as the event stands (null: nobody has asked, or it is over), and those of before the rounds."""
    stages = stages_at(slug)
    if not stages:
        return refuse(NO_EVENT)
    if stages[0].pairing_system == Teams.key:
        return _league(stages[0].tournament)
    event = whole_of(stages, facts_of(stages, request.viewer))
    kind = forecast_kind(event)
    if kind is None:
        return refuse("This event is not forecast.")
    stored, now, over = stored_forecasts(event), None, is_over(event)
    if not over:
        found = asked(forecast_question(event))
        if found.answer is not None and found.job is not None and found.job.finished_at is not None:
            now = forecast_from(event, found.answer, found.job.finished_at)
    response = answer(
        {
            "tournament": slug,
            "format": kind.value,
            "now": _said(now, request.viewer) if now else None,
            "before_rounds": [_said(each, request.viewer) for each in stored],
            "score": _score(score_of(stored)),
        }
    )
    if now is None and not over:  # no fact of the club moves when the answer comes
        response.headers["Cache-Control"] = "no-store"
    return response


def _league(event: Tournament) -> JsonResponse:
    """The forecast of an all-play-all of teams, with standard errors; match points as numbers, teams by theirs."""
    facts = team_facts(event)
    if why_no_forecast(facts):
        return refuse("This event is not forecast.")
    over, now = is_league_over(facts), None
    if not over:
        found = asked(league_question(facts, usual_line_ups(facts)))
        if found.answer is not None and found.job is not None and found.job.finished_at is not None:
            now = league_object(facts, league_from(facts, found.answer, found.job.finished_at))
    response = answer({"tournament": event.slug, "format": "teams", "now": now})
    if now is None and not over:  # no fact of the club moves when the answer comes
        response.headers["Cache-Control"] = "no-store"
    return response


def league_object(facts: TeamFacts, forecast: LeagueForecast) -> dict[str, Any]:
    """What is said of a league, as plain values."""
    unit = facts.event.scoring.points.unit
    return {
        "made_at": forecast.made_at.isoformat(),
        "samples": forecast.samples,
        "teams": [
            {
                "number": line.team.number,
                "name": line.team.name,
                "first": _pair(line.title),
                "up": _pair(line.up),
                "down": _pair(line.down),
                "places": [_pair(place) for place in line.places],
                "match_points": _pair(line.match_points, 2),
                "game_points": _pair(line.game_points, unit),
            }
            for line in forecast.teams
        ],
        "matches": [
            {
                "round": each.match.round.number,
                "home": each.match.row.home.number if each.match.row.home else None,
                "away": each.match.row.away.number if each.match.row.away else None,
                "win": _pair(each.win),
                "draw": _pair(each.draw),
                "loss": _pair(each.loss),
            }
            for each in forecast.matches
        ],
    }


def _pair(found: Estimate | None, unit: int = 1) -> dict[str, float] | None:
    if found is None:
        return None
    return {"value": round(found.value / unit, PLACES), "error": round(found.error / unit, PLACES)}


def _said(forecast: EventForecast, viewer: Viewer) -> dict[str, Any]:
    return {
        "before_round": forecast.before_round,
        "made_at": forecast.made_at.isoformat(),
        "method": forecast.method,
        "samples": forecast.samples,
        "players": [
            {
                **_person(line.entrant, viewer),
                "first": round(line.title, PLACES),
                "places": [round(chance, PLACES) for chance in line.places],
                "points": None if line.points is None else round(line.points, 2),
                "strength": round(line.strength),
                "deviation": round(line.deviation),
            }
            for line in forecast.lines
        ],
        "games": [
            {
                "round": game.round,
                "white": game.white.number,
                "black": game.black.number,
                "win": round(game.win, PLACES),
                "draw": round(game.draw, PLACES),
                "loss": round(game.loss, PLACES),
                "by_rating": None if game.by_rating is None else round(game.by_rating, PLACES),
                "result": None if game.came is None else game.came.value,
            }
            for game in forecast.games
        ],
    }


def _person(person: Entrant, viewer: Viewer) -> dict[str, Any]:
    return {"number": person.number, "player": person.player.number, "name": shown_name(person.player, viewer)}


def _score(score: Score | None) -> dict[str, Any] | None:
    if score is None:
        return None
    losses = {"log_loss": score.log_loss, "by_rating": score.by_rating, "coin": score.coin, "brier": score.brier}
    return {"games": score.games, **{name: round(loss, PLACES) for name, loss in losses.items()}}
