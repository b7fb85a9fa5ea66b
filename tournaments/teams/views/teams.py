"""`/tournaments/<slug>/teams/`: who plays. A team’s page: squad, matches, how its points come about; its calendar."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.http import Http404, HttpResponse
from django.utils import timezone

from clubrating.web.requests import ClubRequest
from ratings.lists.selectors.lists import public_lists
from tournaments.downloads.views import as_file
from tournaments.events.selectors.event_data import Entrant
from tournaments.events.selectors.events import entrant
from tournaments.interchange.ics import write_calendar
from tournaments.models import Team, TeamPlayer
from tournaments.standings.tiebreaks.base import Part, Rule, Worth
from tournaments.teams.selectors.calendar import calendar_of
from tournaments.teams.selectors.facts import TeamFacts
from tournaments.teams.selectors.matches import next_match, outcomes_of
from tournaments.teams.selectors.records import PlayerRecord, records_of
from tournaments.teams.selectors.table import TableRow, league_table
from tournaments.teams.views.pages import show_team_page, team_event_at


@dataclass(frozen=True, slots=True)
class SquadLine:
    """Somebody on the team's list, and what he did for it."""

    row: TeamPlayer
    person: Entrant
    record: PlayerRecord


@dataclass(frozen=True, slots=True)
class WorkingLine:
    """A part of a tie-break's value, with the opponent it comes from."""

    part: Part
    opponent: Team | None


@dataclass(frozen=True, slots=True)
class Working:
    """How a tie-break's value comes about."""

    rule: Rule
    worth: Worth | None
    lines: tuple[WorkingLine, ...]

    @property
    def is_by_boards(self) -> bool:
        """Whether its parts are boards from 1 down, and no rounds."""
        return not any(line.part.round or line.part.opponent for line in self.lines)


def teams(request: ClubRequest, slug: str) -> HttpResponse:
    """All teams with their place, captain and venue."""
    facts = team_event_at(slug, request.viewer)
    return show_team_page(request, "teams", facts, "teams")


def team(request: ClubRequest, slug: str, number: int) -> HttpResponse:
    """One team: its squad with everybody's record, its matches, and how its tie-breaks come about."""
    facts = team_event_at(slug, request.viewer)
    found = _team_or_404(facts, number)
    table = league_table(facts)
    row = table.row_of(found)
    context = {
        "team": found,
        "row": row,
        "squad": _squad(facts, found),
        "outcomes": outcomes_of(facts, found),
        "next_match": None if facts.tournament.closed else next_match(facts, found),
        "workings": _workings(facts, row),
        "own_penalties": [penalty for _number, penalty in table.penalties if penalty.team_id == found.pk],
    }
    return show_team_page(request, "team", facts, "teams", table=table, **context)


def team_calendar(request: ClubRequest, slug: str, number: int) -> HttpResponse:
    """The team's matches that have a day, or had one, as a calendar to subscribe to."""
    facts = team_event_at(slug, request.viewer)
    found = _team_or_404(facts, number)
    zone, address = timezone.get_current_timezone(), request.build_absolute_uri
    events = calendar_of(facts, zone, address, team=found)
    name = f"{found.name} · {facts.tournament.name}"
    return as_file(write_calendar(name, events, stamp=timezone.now()), f"{slug}-{number}", "ics")


def _team_or_404(facts: TeamFacts, number: int) -> Team:
    found = facts.by_number().get(number)
    if found is None:
        raise Http404
    return found


def _squad(facts: TeamFacts, team: Team) -> list[SquadLine]:
    """In order of the list, reserves behind. Two queries."""
    lists = {row.slug: row.probation for row in public_lists()}
    done: Mapping[int, PlayerRecord] = {
        record.entry.pk: record for record in records_of(facts, lists) if record.team.pk == team.pk
    }
    rows = TeamPlayer.objects.filter(team=team).select_related("entry__player")
    return [
        SquadLine(row, entrant(row.entry, lists), done.get(row.entry_id) or PlayerRecord(row.entry, team, ()))
        for row in sorted(rows, key=lambda row: (row.reserve, row.place))
    ]


def _workings(facts: TeamFacts, row: TableRow) -> list[Working]:
    teams = facts.by_number()
    return [Working(rule, worth, tuple(_lines(worth, teams)) if worth else ()) for rule, worth in row.worths]


def _lines(worth: Worth, teams: Mapping[int, Team]) -> Iterator[WorkingLine]:
    for part in worth.parts:
        yield WorkingLine(part, teams.get(part.opponent))
