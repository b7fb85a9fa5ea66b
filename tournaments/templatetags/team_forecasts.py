"""The chances of a match of teams, beside its boards."""

from typing import Any

from django import template

from clubrating.ground.figures import percents
from tournaments.forecasts.selectors.team_matches import match_said
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts

register = template.Library()


@register.inclusion_tag("tournaments/teams/_chances.html")
def match_chances(match: MatchFacts, facts: TeamFacts) -> dict[str, Any]:
    """{% match_chances match facts %}: how likely the home team wins, the match is drawn, the guests win; nothing where
    it is decided, or where nobody outside may know who plays."""
    said = match_said(facts, match)
    if said is None:
        return {}
    forecast = said.forecast
    return {
        "match": match,
        "percents": percents((forecast.win, forecast.draw, forecast.loss)),
        "expected": [points / facts.event.scoring.points.unit for points in forecast.expected],
        "by_list": said.by_list,
        "begun": match.still_open < len(match.boards),
    }
