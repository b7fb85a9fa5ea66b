"""Forecasts of an all-play-all of teams: what they rest on, and what is said of each team.

They rest on what everybody may see: published matches, their boards, the lists of the teams. Each team is taken to seat
whom it usually does. Nobody's name or strength is in an answer, only teams. It is asked for like any question
(`players.jobs.services`) under a digest of these facts, and nothing is kept for good.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from players.jobs.services import Question
from tournaments.forecast.adviser import Estimate
from tournaments.forecast.clinching import Ties
from tournaments.forecast.needs import Line, Needs, Own, Verdict
from tournaments.forecast.team_league import Fixture, League
from tournaments.forecast.team_match import MatchRule
from tournaments.forecasts.selectors.forecasts import FORECAST
from tournaments.models import FirstWhite, Team
from tournaments.pairing.round_robin import RoundRobin
from tournaments.pairing.team_round_robin import TeamRoundRobin
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts
from tournaments.teams.selectors.usual import squads_of, usual_line_up

MODEL = 1  # raised when the same facts would be forecast otherwise
LineUps = Mapping[int, tuple[int, ...]]  # by the team's number: numbers of entries from board 1 down


# --- which events ---------------------------------------------------------------------------------------------------
def why_no_forecast(facts: TeamFacts) -> str:
    """Why the event is not forecast, in a sentence; empty where it is."""
    if facts.rules.format not in (TeamRoundRobin.key, RoundRobin.key):
        return _("Only an all-play-all of teams is forecast. In this format nobody knows yet who will meet whom.")
    if not any(_is_match(match) for match in facts.matches):
        return _("The matches are not made yet, so there is nothing to forecast.")
    if facts.event.scoring.points.after_draw is not None:
        return _("Events in which an armageddon game follows a draw are not forecast.")
    return ""


def is_league_over(facts: TeamFacts) -> bool:
    """Whether every match is decided."""
    return not to_come(facts)


def to_come(facts: TeamFacts) -> list[MatchFacts]:
    """The matches that are not decided, those under way first; without those of teams whose matches count for nobody.
    In the order of `League.matches`."""
    annulled = {team.pk for team in facts.teams if team.number in facts.event.annulled}
    still = [
        match
        for match in facts.matches
        if _is_match(match) and not match.decided and not {match.row.home_id, match.row.away_id} & annulled
    ]
    return sorted(still, key=lambda match: not match.is_open)


def _is_match(match: MatchFacts) -> bool:
    return match.row.home_id is not None and match.row.away_id is not None


# --- what it rests on -----------------------------------------------------------------------------------------------
def usual_line_ups(facts: TeamFacts) -> LineUps:
    """Whom each team usually seats. One query."""
    squads = squads_of(facts, timezone.localdate())
    found = {}
    for team in facts.teams:
        rows = usual_line_up(facts, team, squads[team.pk])
        found[team.number] = tuple(row.entry.number for row in rows if row.entry.number is not None)
    return found


def league_of(facts: TeamFacts, line_ups: LineUps, rate: float) -> League:
    """The league for the pure forecast; `rate` is Davidson's ν."""
    numbers = {team.pk: team.number for team in facts.teams}
    fixtures = tuple(_fixture(match, numbers) for match in to_come(facts) if not match.is_open)
    rule = MatchRule(facts.event.scoring, rate, minimum=facts.rules.minimum_boards)
    return League(facts.event, fixtures, line_ups, rule)


def _fixture(match: MatchFacts, numbers: Mapping[int, int]) -> Fixture:
    home, away = numbers[match.row.home_id or 0], numbers[match.row.away_id or 0]
    return Fixture(away, home) if match.row.first_white == FirstWhite.AWAY else Fixture(home, away)


def league_question(facts: TeamFacts, line_ups: LineUps) -> Question:
    """What a page asks: a forecast of the league as everybody sees it now."""
    return Question(FORECAST, facts=league_digest(facts, line_ups), about=facts.stage.pk)


def league_digest(facts: TeamFacts, line_ups: LineUps) -> str:
    """A digest of the matches with their boards, the usual line-ups and the rules that turn them into places."""
    event, rules = facts.event, facts.rules
    counts = (MODEL, repr(event.scoring), rules.minimum_boards, rules.promoted, rules.relegated)
    played = (repr(event.meetings), repr(event.byes), repr(event.penalties), sorted(event.annulled))
    coming = [(match.row.pk, match.row.home_id, match.row.away_id, match.row.first_white) for match in to_come(facts)]
    return sha256(json.dumps((counts, event.teams, played, coming, sorted(line_ups.items()))).encode()).hexdigest()


def goals_of(facts: TeamFacts) -> list[int]:
    """How many first places one may ask about: the title, the places that go up, those that stay, a few others."""
    size = len(facts.teams) - len(facts.event.annulled)
    goals = {1, 2, 3, facts.rules.promoted, size - facts.rules.relegated}
    return sorted(goal for goal in goals if 1 <= goal < size)


# --- what is said -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class TeamSaid:
    """What is said of a team: chances of the title, of each place, best first, of going up and down (None: nobody
    does), of each goal one may ask about, and the points at the end: match points in half-points, game points in the
    smallest unit. All with their standard errors."""

    team: Team
    title: Estimate
    places: tuple[Estimate, ...]
    up: Estimate | None
    down: Estimate | None
    goals: Mapping[int, Estimate]
    match_points: Estimate
    game_points: Estimate


@dataclass(frozen=True, slots=True)
class TeamMatchSaid:
    """The chances of a match of the next round, seen from the home team."""

    match: MatchFacts
    win: Estimate
    draw: Estimate
    loss: Estimate


@dataclass(frozen=True, slots=True)
class TeamNeedsSaid:
    """What a team needs to be among the first `top`: `chances` of each combination of results, None where none was
    played out."""

    needs: Needs
    chances: Mapping[Own, Estimate | None]


@dataclass(frozen=True, slots=True)
class LeagueForecast:
    """How the league may end, highest chance of the title first; `needs` by the team's number and the goal, for those
    of whom it is worked out."""

    made_at: datetime
    samples: int
    teams: tuple[TeamSaid, ...]
    matches: tuple[TeamMatchSaid, ...]
    needs: Mapping[tuple[int, int], TeamNeedsSaid]


def league_from(facts: TeamFacts, answer: Mapping[str, Any], made_at: datetime) -> LeagueForecast:
    """The answer to `league_question` for showing (`tournaments.forecasts.services.team_forecasts` says what it
    holds)."""
    teams, matches = facts.by_number(), {match.row.pk: match for match in facts.matches}
    lines = [
        TeamSaid(
            teams[line["team"]],
            Estimate(*line["title"]),
            tuple(Estimate(*each) for each in line["places"]),
            Estimate(*line["up"]) if line["up"] else None,
            Estimate(*line["down"]) if line["down"] else None,
            {top: Estimate(*chance) for top, chance in line["goals"]},
            Estimate(*line["match_points"]),
            Estimate(*line["game_points"]),
        )
        for line in answer["lines"]
    ]
    said = [
        TeamMatchSaid(matches[each["match"]], *(Estimate(*each[name]) for name in ("win", "draw", "loss")))
        for each in answer["matches"]
    ]
    needs = {(each["team"], each["top"]): _needs(each) for each in answer["needs"]}
    lines.sort(key=lambda line: (-line.title.value, -line.match_points.value, line.team.number))
    return LeagueForecast(made_at, answer["samples"], tuple(lines), tuple(said), needs)


def _needs(said: Mapping[str, Any]) -> TeamNeedsSaid:
    lines, chances = [], {}
    for own, verdict, chance in said["lines"]:
        lines.append(Line(tuple(own), Verdict(verdict)))
        chances[tuple(own)] = Estimate(*chance) if chance else None
    needs = Needs(said["team"], said["top"], Ties.SHARED, tuple(said["opponents"]), tuple(lines))
    return TeamNeedsSaid(needs, chances)
