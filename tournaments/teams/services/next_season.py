"""The next season of a league made of the last one: an event for each division, with rules, teams and their lists.

A team comes with its club, short name, venue, captain and whoever stood on its list to the end. Nobody's first day is
kept, and no captain's link. Where the rules allow one team only, a player of two teams that meet in a division stays
with the one he is no reserve of, or with the higher one. Each new event can be deleted as any other without rounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from players.refusals import Refused, listed
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.entries.services.entries import outside_tier
from tournaments.events.services.copying import copy_event
from tournaments.models import League, Team, TeamMatch, TeamPlayer, TeamRules, Tournament
from tournaments.teams.services.copying import copy_team
from tournaments.teams.services.events import change_rules
from tournaments.teams.services.teams import add_team


@dataclass(frozen=True, slots=True)
class NextDivision:
    """A division to be made: the event (key) whose rules it takes, its teams by the keys they have in the last season,
    in the order of their numbers, and the names of new ones."""

    source: int
    name: str
    starts_on: date | None
    teams: tuple[int, ...] = ()
    new_teams: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NextSeason:
    """What was made, and the numbers of players who could not be taken over."""

    events: tuple[Tournament, ...]
    left_out: tuple[int, ...]


@transaction.atomic
def make_next_season(
    league_key: int, last: str, name: str, divisions: Sequence[NextDivision], *, by: User | None
) -> NextSeason:
    """Make the season `name` after the season `last`; a division without teams is not made. Raises Refused where that
    season is there already, for a team of another season or one named twice, and as making events and teams does."""
    lock_lists()
    league = League.objects.select_for_update(no_key=True).get(pk=league_key)
    name, wanted = name.strip(), [each for each in divisions if each.teams or each.new_teams]
    _check(league, name, wanted)
    sources = {row.tournament_id: row.tournament for row in _rules(league, last)}
    teams = {team.pk: team for team in Team.objects.filter(tournament__in=sources).select_related("club", "tournament")}
    _check_teams(wanted, teams)
    if any(each.source not in sources for each in wanted):
        raise Refused(_("The divisions of the last season are others by now: look at the page again."))
    events, left_out = [], set[int]()
    for each in wanted:
        event, missing = _make(sources[each.source], each, name, [teams[key] for key in each.teams], by=by)
        events.append(event)
        left_out |= missing
    after = {"from": last, "season": name, "events": [event.pk for event in events], "left_out": sorted(left_out)}
    write_audit("league.season-made", league, by=by, after=after)
    return NextSeason(tuple(events), tuple(sorted(left_out)))


def _rules(league: League, season: str) -> list[TeamRules]:
    rows = TeamRules.objects.filter(league=league, season=season).select_related("tournament")
    return list(rows.order_by("division", "tournament__name"))


def _check(league: League, name: str, wanted: Sequence[NextDivision]) -> None:
    if not name:
        raise Refused(_("The next season needs a name."))
    if there := _rules(league, name):
        names = listed(row.tournament.name for row in there)
        text = _("The season “%(season)s” of this league is there already: %(events)s.")
        raise Refused(text % {"season": name, "events": names})
    if not wanted:
        raise Refused(_("No team is in the next season: choose a division for some."))


def _check_teams(wanted: Sequence[NextDivision], teams: dict[int, Team]) -> None:
    named = [key for each in wanted for key in each.teams]
    if any(key not in teams for key in named):
        raise Refused(_("The teams of the last season are others by now: look at the page again."))
    twice = next((key for key in named if named.count(key) > 1), None)
    if twice is not None:
        raise Refused(_("“%(team)s” is in two divisions: choose one.") % {"team": teams[twice].name})


def _make(
    source: Tournament, wanted: NextDivision, season: str, teams: Sequence[Team], *, by: User | None
) -> tuple[Tournament, set[int]]:
    """The event with its teams, and the numbers of those who are on no list."""
    event = copy_event(source, name=wanted.name, starts_on=wanted.starts_on, with_entries=False, by=by)
    rules = change_rules(event.pk, {"season": season}, by=by)
    listed_last = [row for team in teams for row in _to_the_end(team)]
    rows = _able(event, listed_last)
    if not rules.several_teams:
        rows = _once(rows)
    for team in teams:
        copy_team(team, event, [row for row in rows if row.team_id == team.pk], by=by)
    for name in wanted.new_teams:
        add_team(event.pk, name, by=by)
    taken = {row.entry.player_id for row in rows}
    return event, {row.entry.player.number for row in listed_last if row.entry.player_id not in taken}


def _to_the_end(team: Team) -> list[TeamPlayer]:
    """Who stood on the team's list on the last day of its event, in order."""
    matches = TeamMatch.objects.filter(round__stage__tournament=team.tournament_id)
    last = team.tournament.ends_on or matches.aggregate(last=Max("played_on"))["last"]
    rows = TeamPlayer.objects.filter(team=team).select_related("entry__player").order_by("place", "pk")
    return [row for row in rows if row.until is None or (last is not None and row.until >= last)]


def _able(event: Tournament, rows: Sequence[TeamPlayer]) -> list[TeamPlayer]:
    """Without those who are active no more, are another by now, or have outgrown the tier of the event."""
    active = [row for row in rows if row.entry.player.active and row.entry.player.merged_into_id is None]
    outside = outside_tier(event, [row.entry.player for row in active])
    return [row for row in active if row.entry.player_id not in outside]


def _once(rows: Sequence[TeamPlayer]) -> list[TeamPlayer]:
    """One row for each player: where he is no reserve, else the first."""
    found: dict[int, TeamPlayer] = {}
    for row in rows:
        was = found.get(row.entry.player_id)
        if was is None or (was.reserve and not row.reserve):
            found[row.entry.player_id] = row
    kept = {row.pk for row in found.values()}
    return [row for row in rows if row.pk in kept]
