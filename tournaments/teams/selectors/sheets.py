"""What the files of a team event hold: its table, its matches, its teams' lists. Column names are the same in every
language; a person without a name to the viewer stands here by initials or number.
"""

from collections.abc import Iterator
from fractions import Fraction

from players.privacy.rules import Viewer, shown_name
from ratings.lists.selectors.lists import public_lists
from tournaments.downloads.selectors import rating_of
from tournaments.events.selectors.events import entrant
from tournaments.interchange.sheets import Code, Sheet, Value
from tournaments.models import Team, TeamPlayer
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts
from tournaments.teams.selectors.matches import has_score, state_of_match
from tournaments.teams.selectors.records import PlayerRecord, records_of
from tournaments.teams.selectors.table import league_table

STANDINGS, MATCHES, TEAMS = "standings", "matches", "teams"
_TABLE = ("place", "team_number", "team", "played", "won", "drawn", "lost", "match_points", "game_points")
_MATCH = ("round", "match", "date", "time", "venue", "state", "home_number", "home", "away_number", "away")
_SCORES = ("home_game_points", "away_game_points", "home_match_points", "away_match_points", "first_planned")
_PLAYER = ("team_number", "team", "list_place", "number", "player", "rating", "reserve", "nominated")
_RECORD = ("games", "points", "wins_by_default", "performance")


def team_sheet(name: str, facts: TeamFacts, viewer: Viewer) -> Sheet | None:
    """The file of that name; None where team events have none."""
    if name == STANDINGS:
        return table_sheet(facts)
    if name == MATCHES:
        return matches_sheet(facts)
    return teams_sheet(facts, viewer) if name == TEAMS else None


def table_sheet(facts: TeamFacts) -> Sheet:
    """The league table, tie-breaks under their codes."""
    table = league_table(facts)
    unit = facts.event.scoring.points.unit
    rows = []
    for row in table.rows:
        score = row.standing.score
        points = (Fraction(score.match_points, 2), Fraction(score.game_points, unit))
        ties = (worth.number if worth else None for _rule, worth in row.worths)
        counts = (score.played, score.won, score.drawn, score.lost)
        rows.append((row.place, row.team.number, row.team.name, *counts, *points, *ties))
    return Sheet(facts.tournament.name, (*_TABLE, *(rule.code for rule in table.rules)), tuple(rows))


def matches_sheet(facts: TeamFacts) -> Sheet:
    """Every match and bye, in order of rounds."""
    return Sheet(facts.tournament.name, (*_MATCH, *_SCORES), tuple(_match(facts, match) for match in facts.matches))


def _match(facts: TeamFacts, match: MatchFacts) -> tuple[Value, ...]:
    row, unit, state = match.row, facts.event.scoring.points.unit, state_of_match(match)
    boards = [Fraction(points, unit) for points in match.game_points] if has_score(match) else [None, None]
    points = [Fraction(points, 2) for points in match.match_points] if match.match_points else [None, None]
    at = f"{row.starts_at:%H:%M}" if row.starts_at else ""
    sides = (*_side(row.home), *_side(row.away))
    plan = (row.played_on, at, row.venue, Code(state.value))
    return (match.round.number, row.number, *plan, *sides, *boards, *points, row.first_planned)


def _side(team: Team | None) -> tuple[int | None, str]:
    return (team.number, team.name) if team else (None, "")


def teams_sheet(facts: TeamFacts, viewer: Viewer) -> Sheet:
    """Everybody on the teams' lists with the record so far. Two queries."""
    lists = {row.slug: row.probation for row in public_lists()}
    done = {(record.team.pk, record.entry.pk): record for record in records_of(facts, lists)}
    listed = TeamPlayer.objects.filter(team__tournament=facts.tournament).select_related("team", "entry__player")
    rows = []
    for row in listed.order_by("team__number", "place"):
        person = (
            row.entry.player.number,
            shown_name(row.entry.player, viewer),
            rating_of(entrant(row.entry, lists)),
        )
        kind = (int(row.reserve), int(row.nominated))
        record = done.get((row.team_id, row.entry_id))
        rows.append((row.team.number, row.team.name, row.place, *person, *kind, *_record(record)))
    return Sheet(facts.tournament.name, (*_PLAYER, *_RECORD), tuple(rows))


def _record(record: PlayerRecord | None) -> Iterator[Value]:
    if record is None:
        yield from (0, 0, 0, None)
    else:
        yield from (record.games, record.points, record.defaults, record.performance)
