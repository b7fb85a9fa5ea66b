"""How a forecast of an all-play-all of teams is worked out: strengths, then playouts, then plain values.

An answer holds `samples`, `seed`, `draw_rate`; `lines`, one a team (its number; `title`, `places`, `up`, `down`,
`goals`, `match_points`, `game_points`); `matches` of the next round (key; `win`, `draw`, `loss` of the home team);
`needs`, one a team and goal (`opponents`, and `lines` of own results, verdict and chance). Whatever is sampled is a
pair of the value and its standard error. The same facts give the same figures: random numbers are seeded with their
digest.
"""

from typing import Any

from numpy.random import PCG64, Generator

from players.jobs.services import take_up
from players.models import Job
from players.refusals import Refused
from tournaments.forecast.adviser import Estimate
from tournaments.forecast.clinching import TooManyWaysError
from tournaments.forecast.everybody import MOST_OWN_AT_ONCE, is_quick
from tournaments.forecast.outlook import Tell
from tournaments.forecast.team_league import DRAWN, LOST, WON, LeagueEndings, estimate, play_league
from tournaments.forecast.team_needs import race_of, results_of, team_needs
from tournaments.forecasts.selectors.strengths import strengths_of
from tournaments.forecasts.selectors.team_forecasts import (
    LineUps,
    goals_of,
    league_digest,
    league_of,
    league_question,
    to_come,
    usual_line_ups,
    why_no_forecast,
)
from tournaments.models import FirstWhite, Stage
from tournaments.teams.selectors.facts import TeamFacts, team_facts

DRAWS = 3000  # of strengths
SAMPLES = 4000  # a standard error below one percentage point
DIGITS = 6
Pair = list[float]  # a value and its standard error


def answer_league(stage: Stage, job: Job, tell: Tell) -> dict[str, Any]:
    """The forecast of the team event of that stage. Raises Refused where there is none to be made any more."""
    facts = team_facts(stage.tournament)
    if reason := why_no_forecast(facts):
        raise Refused(reason)
    line_ups = usual_line_ups(facts)
    take_up(job, league_question(facts, line_ups))
    return work_out_league(facts, line_ups, tell)


def work_out_league(
    facts: TeamFacts,
    line_ups: LineUps,
    tell: Tell,
    *,
    draws: int = DRAWS,
    samples: int = SAMPLES,
    seed: int | None = None,
) -> dict[str, Any]:
    """The forecast as plain values, from so many draws of strengths and so many leagues played out. `tell` is told the
    per cent done."""
    number = int(league_digest(facts, line_ups)[:12], 16) if seed is None else seed
    rng = Generator(PCG64(number))
    known = strengths_of(facts.stage, draws=draws, rng=rng, tell=lambda done, of: tell(60 * done // max(of, 1), 100))
    league = league_of(facts, line_ups, known.strengths.rate)
    endings = play_league(
        league, known.strengths, samples, rng, lambda done, of: tell(60 + 30 * done // max(of, 1), 100)
    )
    return {
        "samples": samples,
        "seed": number,
        "draw_rate": known.strengths.rate,
        "lines": [_line(facts, endings, team) for team in league.teams],
        "matches": _matches(facts, endings),
        "needs": _needs(facts, endings),
    }


def _line(facts: TeamFacts, endings: LeagueEndings, team: int) -> dict[str, Any]:
    rules, size = facts.rules, len(endings.league.teams)
    match_points, game_points = endings.expected(team)
    return {
        "team": team,
        "title": _pair(endings.title(team)),
        "places": [_pair(endings.chance(team, place, place)) for place in range(1, size + 1)],
        "up": _pair(endings.promotion(team, rules.promoted)) if 0 < rules.promoted < size else None,
        "down": _pair(endings.relegation(team, rules.relegated)) if 0 < rules.relegated < size else None,
        "goals": [(top, _pair(endings.chance(team, 1, top))) for top in goals_of(facts)],
        "match_points": _pair(match_points),
        "game_points": _pair(game_points),
    }


def _matches(facts: TeamFacts, endings: LeagueEndings) -> list[dict[str, Any]]:
    """The matches of the first round in which one is to come."""
    coming = to_come(facts)
    number = min((match.round.number for match in coming), default=0)
    found = []
    for at, match in enumerate(coming):
        if match.round.number == number:
            won, lost = (LOST, WON) if match.row.first_white == FirstWhite.AWAY else (WON, LOST)
            kinds = {"win": won, "draw": DRAWN, "loss": lost}
            ends = endings.results[:, at]
            chances = {
                name: _pair(estimate((ends == kind).astype(float), endings.rows)) for name, kind in kinds.items()
            }
            found.append({"match": match.row.pk, **chances})
    return found


def _needs(facts: TeamFacts, endings: LeagueEndings) -> list[dict[str, Any]]:
    """What each team needs for each goal, where its own matches to come are few and the verdicts are soon found."""
    league, found = endings.league, []
    kinds = {at: results_of(league, match) for at, match in enumerate(league.matches)}
    race = race_of(league, kinds)
    for team in league.teams:
        own = sum(team in (match.first, match.second) and len(kinds[at]) > 1 for at, match in enumerate(league.matches))
        for top in goals_of(facts):
            if own > MOST_OWN_AT_ONCE or (race is not None and not is_quick(race, team, top)):
                continue
            try:
                known = team_needs(endings, team, top)
            except TooManyWaysError:
                continue
            lines = [
                (list(line.own), line.verdict.value, _pair(chance) if (chance := known.chances.get(line.own)) else None)
                for line in known.needs.lines
            ]
            found.append({"team": team, "top": top, "opponents": list(known.needs.opponents), "lines": lines})
    return found


def _pair(found: Estimate) -> Pair:
    return [round(found.value, DIGITS), round(found.error, DIGITS)]
