"""The bracket of an event's knockout, with the games of every round below it."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import Http404, HttpResponse
from django.shortcuts import render

from clubrating.web.requests import ClubRequest
from tournaments.event_pages.format_tables import MatchGamesTable
from tournaments.event_pages.views.event import event_context, pages_or_404, team_event_of
from tournaments.events.selectors.events import stages_at
from tournaments.knockouts.selectors.brackets import Bracket
from tournaments.teams.views import event as team_event
from tournaments.templatetags.events import round_title


@dataclass(frozen=True, slots=True)
class RoundGames:
    """The games of a round; those of the present one stand open."""

    number: int
    title: str
    games: int
    table: MatchGamesTable
    is_current: bool


def bracket(request: ClubRequest, slug: str) -> HttpResponse:
    """The bracket. 404 where the event has none, or where it is not drawn yet."""
    if teams := team_event_of(stages_at(slug)):
        return team_event.bracket(request, teams)
    event, sections = pages_or_404(request, slug)
    drawn = [section for section in sections if section.bracket and section.bracket.rounds]
    if not drawn:
        raise Http404
    games = [row for section in drawn if section.bracket for row in _games(section.bracket)]
    context = event_context(event, sections, "bracket") | {"brackets": drawn, "games": games}
    return render(request, "tournaments/bracket.html", context)


def _games(drawn: Bracket) -> Iterable[RoundGames]:
    for row in reversed(drawn.rounds):
        games = sum(len(match.facts.games) for match in row.matches)
        if games:
            title = round_title(row.name)
            yield RoundGames(row.number, title, games, MatchGamesTable(row.matches), row is drawn.current)
