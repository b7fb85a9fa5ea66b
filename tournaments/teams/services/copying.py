"""The teams of an event once more in its copy: rules, and on wish the teams with their lists; no rounds.

The season is left open, for the copy is of another. Who left a team, or is not `taken` over, stands on no list;
nobody's first day is kept. Links of captains end with their event.
"""

from collections.abc import Collection, Iterable

from django.contrib.auth.models import User

from players.models import Player
from tournaments.models import Team, TeamPlayer, TeamRules, Tournament
from tournaments.teams.services.events import RULES
from tournaments.teams.services.teams import add_players, add_team, change_team


def copy_rules(source: Tournament, copy: Tournament) -> bool:
    """Make the copy an event of teams where the source is one; whether it is."""
    rules = TeamRules.objects.filter(tournament=source).first()
    if rules is None:
        return False
    kept = {name: getattr(rules, name) for name in RULES if name != "season"}
    TeamRules.objects.create(tournament=copy, **kept)
    return True


def copy_teams(source: Tournament, copy: Tournament, taken: Collection[Player], *, by: User | None) -> None:
    """The teams in order of their numbers, those of them who are `taken` over in order of the list."""
    here = {player.pk for player in taken}
    rows = TeamPlayer.objects.filter(team__tournament=source, entry__player__in=here, until=None)
    listed = list(rows.select_related("entry__player").order_by("place", "pk"))
    for team in Team.objects.filter(tournament=source).select_related("club", "captain").order_by("number"):
        copy_team(team, copy, [row for row in listed if row.team_id == team.pk], by=by)


def copy_team(team: Team, copy: Tournament, rows: Iterable[TeamPlayer], *, by: User | None) -> Team:
    """A team once more in an event, with those rows of its list; its captain where he is active."""
    made = add_team(copy.pk, team.name, by=by, short_name=team.short_name, club=team.club, venue=team.venue)
    for row in rows:
        add_players(made.pk, [row.entry.player], by=by, reserve=row.reserve, nominated=row.nominated)
    if team.captain and team.captain.active and team.captain.merged_into_id is None:
        change_team(made.pk, by=by, captain=team.captain_id)
    return made
