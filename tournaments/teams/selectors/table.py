"""The league table: places, points, tie-breaks, form, penalties, who goes up and down. No query."""

from dataclasses import dataclass

from tournaments.models import Team, TeamPenalty
from tournaments.standings.team_standings import TeamStanding, team_standings
from tournaments.standings.team_tiebreaks import team_tiebreaks_of
from tournaments.standings.tiebreaks.base import Rule, Worth
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts
from tournaments.teams.selectors.matches import Outcome, outcomes_of

KNOCKOUT = "team-knockout"
FORM = 5  # so many of the last matches
UP, DOWN = "up", "down"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of the table. `place` is None for a team whose matches count for nobody; `form`: the last matches, the
    latest at the end; `notes`: numbers of its penalties and of rulings on its matches below the table; `zone`: "up",
    "down" or neither; `is_edge`: the line between two zones stands below it."""

    place: int | None
    team: Team
    standing: TeamStanding
    worths: tuple[tuple[Rule, Worth | None], ...]
    form: tuple[Outcome, ...]
    notes: tuple[int, ...]
    zone: str
    is_edge: bool


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """`rules`: the tie-breaks that have a column; the secondary score has its own already. `penalties` with their
    numbers, `rulings` (matches on which the arbiter ruled) behind them."""

    rows: tuple[TableRow, ...]
    rules: tuple[Rule, ...]
    penalties: tuple[tuple[int, TeamPenalty], ...]
    rulings: tuple[tuple[int, MatchFacts], ...] = ()
    is_knockout: bool = False

    @property
    def leaders(self) -> tuple[TableRow, ...]:
        """The teams in first place, once a match is decided; nobody leads a knockout."""
        if self.is_knockout:
            return ()
        begun = any(row.standing.score.played for row in self.rows)
        return tuple(row for row in self.rows if row.place == 1) if begun else ()

    def row_of(self, team: Team) -> TableRow:
        """Raises KeyError for a team that is not in it."""
        return {row.team.pk: row for row in self.rows}[team.pk]


def league_table(facts: TeamFacts) -> LeagueTable:
    """The standings of the event with what stands beside them."""
    rules = team_tiebreaks_of(facts.rules.tiebreaks)
    standings = team_standings(facts.event, rules)
    penalties = tuple(enumerate(facts.penalties, start=1))
    ruled = (match for match in facts.matches if match.row.ruled_home is not None)
    rulings = tuple(enumerate(ruled, start=len(penalties) + 1))
    teams = facts.by_number()
    zones = [_zone(facts, index, len(standings)) for index in range(len(standings))]
    rows = []
    for index, standing in enumerate(standings):
        team = teams[standing.team]
        worths = tuple(zip(rules, standing.tiebreaks, strict=True))
        after = zones[index + 1] if index + 1 < len(zones) else zones[index]
        rows.append(
            TableRow(
                place=standing.place if standing.counts else None,
                team=team,
                standing=standing,
                worths=tuple(pair for pair in worths if pair[0].base != "MPvGP"),
                form=tuple(one for one in outcomes_of(facts, team) if one.match.decided)[-FORM:],
                notes=(
                    *(number for number, penalty in penalties if penalty.team_id == team.pk),
                    *(number for number, match in rulings if team.pk in (match.row.home_id, match.row.away_id)),
                ),
                zone=zones[index],
                is_edge=after != zones[index],
            )
        )
    shown = tuple(rule for rule in rules if rule.base != "MPvGP")
    return LeagueTable(tuple(rows), shown, penalties, rulings, facts.rules.format == KNOCKOUT)


def _zone(facts: TeamFacts, index: int, teams: int) -> str:
    if index < facts.rules.promoted:
        return UP
    return DOWN if index >= teams - facts.rules.relegated else ""
