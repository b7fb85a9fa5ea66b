"""The pages of a team event that other events have too: overview, standings, crosstable, a round."""

from dataclasses import dataclass

from django.http import Http404, HttpResponse

from clubrating.web.requests import ClubRequest
from ratings.lists.selectors.lists import public_lists
from tournaments.models import Tournament
from tournaments.pairing.team_base import Kind
from tournaments.teams.selectors.bracket import drawn_bracket
from tournaments.teams.selectors.facts import TeamFacts, kind_of
from tournaments.teams.selectors.matches import Outcome, current_round, outcomes_of
from tournaments.teams.selectors.records import best_by_board, fewest_games, records_of
from tournaments.teams.selectors.table import LeagueTable, TableRow, league_table
from tournaments.teams.views.boards import shown_matches
from tournaments.teams.views.pages import facts_for, matches_of, show_team_page, team_event_at


def overview(request: ClubRequest, event: Tournament) -> HttpResponse:
    """The table, the matches of the round that is on, and what is next."""
    facts = facts_for(event, request.viewer)
    row = current_round(facts)
    return show_team_page(
        request,
        "overview",
        facts,
        "overview",
        matches=matches_of(facts, row) if row else [],
        bracket=drawn_bracket(facts),
    )


def bracket(request: ClubRequest, event: Tournament) -> HttpResponse:
    """The bracket of a knockout, which is not drawn before its first round. 404 for another format."""
    facts = facts_for(event, request.viewer)
    if kind_of(facts.rules) is not Kind.BRACKET:
        raise Http404
    return show_team_page(request, "bracket", facts, "bracket", bracket=drawn_bracket(facts))


def table(request: ClubRequest, event: Tournament) -> HttpResponse:
    """The league table."""
    facts = facts_for(event, request.viewer)
    return show_team_page(request, "table", facts, "standings")


def best(request: ClubRequest, slug: str) -> HttpResponse:
    """The best players by board, and everybody who played."""
    facts = team_event_at(slug, request.viewer)
    lists = {row.slug for row in public_lists()}
    records, fewest = records_of(facts, lists), fewest_games(facts)
    played = sorted((one for one in records if one.games), key=lambda one: (-one.points, one.games, one.team.number))
    boards = best_by_board(records, fewest)
    return show_team_page(request, "best", facts, "best", boards=boards, records=played, fewest=fewest)


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A team and its matches against each team in the order of the table; None against itself."""

    row: TableRow
    cells: tuple[tuple[Outcome, ...] | None, ...]


def cross(request: ClubRequest, event: Tournament) -> HttpResponse:
    """Every team against every team."""
    facts = facts_for(event, request.viewer)
    standings = league_table(facts)
    return show_team_page(request, "cross", facts, "crosstable", table=standings, rows=_cross(facts, standings))


def _cross(facts: TeamFacts, standings: LeagueTable) -> list[CrossRow]:
    rows = []
    for line in standings.rows:
        own = outcomes_of(facts, line.team)
        cells = tuple(
            None if other.team == line.team else tuple(one for one in own if one.opponent == other.team)
            for other in standings.rows
        )
        rows.append(CrossRow(line, cells))
    return rows


def round_page(request: ClubRequest, event: Tournament, number: int) -> HttpResponse:
    """The matches of a round with their boards. A draft is there for officers only."""
    facts = facts_for(event, request.viewer)
    numbers = list(dict.fromkeys(match.round.number for match in facts.matches))
    row = next((match.round for match in facts.matches if match.round.number == number), None)
    if row is None:
        raise Http404
    shown = shown_matches(facts, matches_of(facts, row), request.viewer)
    return show_team_page(request, "round", facts, "rounds", round=row, numbers=numbers, shown=shown)
