"""`/leagues/<slug>/`: the divisions of the running season with their tables; earlier ones by `?season=`."""

from dataclasses import dataclass

from django.http import Http404, HttpResponse
from django.shortcuts import render

from clubrating.web.requests import ClubRequest
from tournaments.models import League
from tournaments.teams.selectors.facts import TeamFacts
from tournaments.teams.selectors.leagues import divisions_of, moves_of, seasons_of_league
from tournaments.teams.selectors.table import LeagueTable, league_table


@dataclass(frozen=True, slots=True)
class Division:
    """A division and its table."""

    facts: TeamFacts
    table: LeagueTable


def league(request: ClubRequest, slug: str) -> HttpResponse:
    """The latest season, or the one asked for; one that there is not shows the latest."""
    found = League.objects.filter(slug=slug).first()
    if found is None:
        raise Http404
    seasons = seasons_of_league(found)
    asked = request.GET.get("season", "")
    shown = next((season for season in seasons if season.name == asked), seasons[0] if seasons else None)
    divisions = [Division(facts, league_table(facts)) for facts in divisions_of(shown)] if shown else []
    moves = moves_of(found, seasons, shown) if shown else {}
    context = {"league": found, "seasons": seasons, "shown": shown, "divisions": divisions, "moves": moves}
    return render(request, "tournaments/teams/league.html", context)
