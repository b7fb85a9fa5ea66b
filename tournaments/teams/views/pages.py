"""The frame of a team event's pages: its tabs, its news, and pages that follow matches while they are played."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from clubrating.web.requests import ClubRequest
from players.privacy.rules import Level, Viewer
from tournaments.event_list.selectors import State
from tournaments.event_pages.views.live import LIVE, PART, following_at
from tournaments.models import Round, Tournament
from tournaments.rounds.selectors.progress import last_result_at
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts, team_facts
from tournaments.teams.selectors.matches import MatchState, current_round, matches_of_day, state_of_match
from tournaments.teams.selectors.table import LeagueTable, league_table

PAGE, PARTS = "tournaments/teams/page.html", "tournaments/teams/live.html"
IN_PLAY = (MatchState.PLAYING, MatchState.READY, MatchState.LINE_UPS, MatchState.PLANNED)


@dataclass(frozen=True, slots=True)
class RoundCount:
    """A round, and how many of its matches are decided."""

    row: Round
    matches: int
    decided: int


def team_event_at(slug: str, viewer: Viewer) -> TeamFacts:
    """The facts of the team event at that address, drafts for officers only. 404 where there is none."""
    event = Tournament.objects.filter(slug=slug, team_rules__isnull=False).first()
    if event is None:
        raise Http404
    return facts_for(event, viewer)


def facts_for(event: Tournament, viewer: Viewer) -> TeamFacts:
    """The facts as this viewer may see them."""
    return team_facts(event, drafts=viewer.level >= Level.OFFICER)


def show_team_page(
    request: ClubRequest, name: str, facts: TeamFacts, tab: str, table: LeagueTable | None = None, **context: Any
) -> HttpResponse:
    """The page, or its changing parts while matches are played."""
    following = following_at(request, None, last_result_at(facts.tournament)) if _follows(facts, tab) else None
    only_parts = request.GET.get(PART) == LIVE
    now = current_round(facts)
    shown = {
        "facts": facts,
        "tournament": facts.tournament,
        "tab": tab,
        "state": state_of_teams(facts),
        "league_table": table or league_table(facts),
        "current": _count(facts, now) if now else None,
        "following": following,
        "base_template": PARTS if only_parts else PAGE,
    }
    return render(request, f"tournaments/teams/{name}.html", {**shown, **context})


def state_of_teams(facts: TeamFacts) -> State:
    """Where the event stands; it is finished when the club has closed it."""
    if facts.tournament.closed:
        return State.FINISHED
    begun = any(match.decided or match.is_open for match in facts.matches)
    starts_on = facts.tournament.starts_on
    under_way = facts.matches and starts_on is not None and starts_on <= timezone.localdate()
    return State.RUNNING if begun or under_way else State.COMING


def _follows(facts: TeamFacts, tab: str) -> bool:
    """Whether something on the page may change while one looks: matches of today that are not decided."""
    if facts.tournament.closed or tab not in ("overview", "standings", "rounds", "matches", "bracket"):
        return False
    today = timezone.localdate()
    playing = [match for match in facts.matches if state_of_match(match) == MatchState.PLAYING]
    return bool(playing) or any(state_of_match(match) in IN_PLAY for match in matches_of_day(facts, today))


def _count(facts: TeamFacts, row: Round) -> RoundCount:
    own = [match for match in facts.matches if match.round.pk == row.pk and match.row.away_id is not None]
    return RoundCount(row, len(own), sum(match.decided for match in own))


def matches_of(facts: TeamFacts, row: Round) -> list[MatchFacts]:
    """The round's matches and byes."""
    return [match for match in facts.matches if match.round.pk == row.pk]
