"""Whom a team usually seats: read off the boards everybody saw; before the first match, off its list."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from statistics import fmean

from tournaments.models import LineUpOrder, Team, TeamPlayer
from tournaments.teams.selectors.facts import TeamFacts
from tournaments.teams.selectors.lists import is_listed


def squads_of(facts: TeamFacts, day: date) -> dict[int, list[TeamPlayer]]:
    """Who is on each team's list and has not left it by that day, by the team's key, reserves behind. One query."""
    rows = TeamPlayer.objects.filter(team__tournament=facts.tournament, entry__withdrawn=False)
    rows = rows.select_related("entry__player")
    found: dict[int, list[TeamPlayer]] = {team.pk: [] for team in facts.teams}
    for row in rows.order_by("reserve", "place", "pk"):
        if is_listed(row, day, or_later=True):
            found[row.team_id].append(row)
    return found


def usual_line_up(facts: TeamFacts, team: Team, squad: Sequence[TeamPlayer]) -> list[TeamPlayer]:
    """From board 1 down, those of the squad who sat most often, filled up from the list where too few ever did. Where
    the list decides the order they sit in that, else by the mean of their boards. No query."""
    sat = _boards(facts, team)
    by_use = sorted(enumerate(squad), key=lambda each: (-len(sat.get(each[1].entry_id, ())), each[0]))
    chosen = [row for _at, row in by_use[: facts.rules.boards]]
    if facts.rules.order == LineUpOrder.FIXED:
        return sorted(chosen, key=lambda row: row.place)
    at = {row.pk: place for place, row in enumerate(squad, start=1)}
    return sorted(chosen, key=lambda row: (fmean(sat.get(row.entry_id) or [at[row.pk]]), at[row.pk]))


def _boards(facts: TeamFacts, team: Team) -> Mapping[int, list[int]]:
    """On which boards each sat for the team, by the entry's key."""
    found: dict[int, list[int]] = defaultdict(list)
    for match in facts.matches:
        if team.pk not in (match.row.home_id, match.row.away_id):
            continue
        for board in match.boards:
            entry = board.home if match.row.home_id == team.pk else board.away
            if entry is not None:
                found[entry.pk].append(board.number)
    return found
