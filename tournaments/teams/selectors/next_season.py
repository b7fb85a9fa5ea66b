"""The next season of a league as its lines propose it, with what the arbiter has to decide."""

import re
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.refusals import listed
from tournaments.models import League, Team, TeamMatch
from tournaments.standings.points import DECIDED_RESULTS
from tournaments.standings.promotion import DivisionTable, Doubt, Finisher, Proposal, Why, propose
from tournaments.teams.selectors.facts import TeamFacts
from tournaments.teams.selectors.leagues import Season, divisions_of
from tournaments.teams.selectors.table import LeagueTable, league_table


@dataclass(frozen=True, slots=True)
class TeamPlan:
    """A team with its place in the final table (None: it counts for nobody) and the key of the event whose successor it
    is proposed for; None: it is not in the next season. `zone`: "up", "down" or neither."""

    team: Team
    place: int | None
    goes: int | None
    zone: str


@dataclass(frozen=True, slots=True)
class DivisionPlan:
    """A division of the season that is over, and its teams in the order of the table."""

    facts: TeamFacts
    teams: tuple[TeamPlan, ...]


@dataclass(frozen=True, slots=True)
class SeasonPlan:
    """`doubts`: sentences about what the tables do not decide."""

    season: Season
    divisions: tuple[DivisionPlan, ...]
    doubts: tuple[str, ...]


def season_to_follow(league: League, seasons: list[Season]) -> Season | None:
    """The latest season in which something is decided, else the latest. One query."""
    decided = TeamMatch.objects.filter(
        Q(boards__games__result__in=DECIDED_RESULTS) | ~Q(absent=""),
        round__stage__tournament__team_rules__league=league,
    )
    names = set(decided.values_list("round__stage__tournament__team_rules__season", flat=True))
    return next((season for season in seasons if season.name in names), seasons[0] if seasons else None)


def plan_of(season: Season) -> SeasonPlan:
    """Nine queries."""
    facts = divisions_of(season)
    tables = [league_table(each) for each in facts]
    proposal = propose([_pure(each, table) for each, table in zip(facts, tables, strict=True)])
    plans = tuple(_plan(facts, index, table, proposal) for index, table in enumerate(tables))
    teams = {team.pk: team for each in facts for team in each.teams}
    doubts = [_open_words(each) for each in facts if _open(each)]
    doubts += [_doubt_words(doubt, facts, teams) for doubt in proposal.doubts]
    return SeasonPlan(season, plans, tuple(doubts))


def next_name(name: str) -> str:
    """The name of the season after: every number in it, one higher: 2026, 2026/27, 1998/99 and 1999/00."""
    return re.sub(r"\d+", lambda found: "00" if found[0] == "99" else str(int(found[0]) + 1).zfill(len(found[0])), name)


def _pure(facts: TeamFacts, table: LeagueTable) -> DivisionTable:
    rows = tuple(Finisher(row.team.pk, row.standing.place, row.team.left_before is not None) for row in table.rows)
    return DivisionTable(facts.rules.division, rows, facts.rules.promoted, facts.rules.relegated)


def _plan(facts: list[TeamFacts], index: int, table: LeagueTable, proposal: Proposal) -> DivisionPlan:
    rows = []
    for row in table.rows:
        goes = proposal.goes[row.team.pk]
        level = facts[index].rules.division if goes is None else facts[goes].rules.division
        zone = "up" if level < facts[index].rules.division else "down" if level > facts[index].rules.division else ""
        rows.append(TeamPlan(row.team, row.place, None if goes is None else facts[goes].tournament.pk, zone))
    return DivisionPlan(facts[index], tuple(rows))


def _open(facts: TeamFacts) -> int:
    return sum(not match.decided for match in facts.matches if match.row.away_id is not None)


def _open_words(facts: TeamFacts) -> str:
    text = ngettext(
        "“%(event)s”: %(count)s match is not decided; the table may still change.",
        "“%(event)s”: %(count)s matches are not decided; the table may still change.",
        _open(facts),
    )
    return text % {"event": facts.tournament.name, "count": _open(facts)}


def _doubt_words(doubt: Doubt, facts: list[TeamFacts], teams: dict[int, Team]) -> str:
    texts = {
        Why.TIE: _("“%(event)s”: %(teams)s share a place at the line. Decide who is on which side."),
        Why.LEFT: _("“%(event)s”: left during the season: %(teams)s. Say where such a team plays, if anywhere."),
        Why.GROUPS: _("“%(event)s”: the next level has several groups. Choose one for %(teams)s."),
    }
    names = listed(teams[key].name for key in doubt.teams)
    return texts[doubt.why] % {"event": facts[doubt.division].tournament.name, "teams": names}
