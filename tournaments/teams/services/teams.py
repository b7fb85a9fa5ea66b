"""Teams of an event and who plays for them.

A player on a team's list has an entry of the event, made here where it is missing, so that all boards, ratings and
pages of the event know him.
"""

from collections.abc import Sequence
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, Q
from django.utils.translation import gettext as _

from players.models import Player
from players.people.names import clean_name
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from tournaments.entries.services.entries import make_entries, next_number
from tournaments.events.services.unplayed import refuse_closed
from tournaments.models import Entry, LeagueClub, LineUpPlace, Seat, Team, TeamMatch, TeamPlayer, TeamRules, Tournament
from tournaments.teams.selectors.lists import is_listed
from tournaments.teams.services.events import check_fields


@transaction.atomic
def add_team(
    tournament_key: int,
    name: str,
    *,
    by: User | None,
    short_name: str = "",
    club: LeagueClub | None = None,
    venue: str = "",
) -> Team:
    """A team with the next number. Raises Refused for an empty name, one that is there, or once rounds are made."""
    tournament = _lock(tournament_key)
    _refuse_with_matches(tournament)
    name = clean_name(name)
    _check_name(tournament, name)
    last = Team.objects.filter(tournament=tournament).aggregate(Max("number"))["number__max"] or 0
    team = Team(
        tournament=tournament, number=last + 1, name=name, short_name=short_name.strip(), club=club, venue=venue.strip()
    )
    check_fields(team)
    team.save()
    write_audit("team.made", team, by=by, after={"name": name, "number": team.number})
    return team


@transaction.atomic
def change_team(
    team_key: int,
    *,
    by: User | None,
    name: str | None = None,
    short_name: str | None = None,
    venue: str | None = None,
    club: int | None = None,
    captain: int | None = None,
    revision: int | None = None,
) -> Team:
    """Change a team's name, short name, venue, club or captain (keys; 0: none); what is None stays. Raises Stale or
    Refused."""
    team = lock_team(team_key)
    if revision is not None and team.revision != revision:
        raise Stale(_("Somebody else changed this team meanwhile: look at it again, then change it."))
    wanted = {"name": name, "short_name": short_name, "venue": venue, "club_id": club, "captain_id": captain}
    values = {
        key: value or None if key.endswith("_id") else value for key, value in wanted.items() if value is not None
    }
    if name is not None:
        values["name"] = clean_name(name)
        _check_name(team.tournament, clean_name(name), but=team)
    before = {key: getattr(team, key) for key in values}
    for key, value in values.items():
        setattr(team, key, value)
    check_fields(team)
    team.revision += 1
    team.save()
    write_audit("team.changed", team, by=by, before=before, after=values)
    return team


@transaction.atomic
def remove_team(team_key: int, *, by: User | None) -> None:
    """Take a team out before there are matches; those behind it move up. Its players' entries stay. Raises Refused."""
    team = lock_team(team_key)
    _refuse_with_matches(team.tournament)
    write_audit("team.removed", team, by=by, before={"name": team.name, "number": team.number})
    tournament = team.tournament
    team.delete()
    for number, row in enumerate(Team.objects.filter(tournament=tournament).order_by("number"), start=1):
        Team.objects.filter(pk=row.pk).update(number=number)


@transaction.atomic
def number_teams(tournament_key: int, order: Sequence[int], *, by: User | None) -> None:
    """Number the teams 1…n in this order of keys: by lot, by strength, or as wished. Raises Refused once there are
    matches, or where the teams are not all named."""
    tournament = _lock(tournament_key)
    _refuse_with_matches(tournament)
    teams = Team.objects.filter(tournament=tournament)
    if sorted(order) != sorted(teams.values_list("pk", flat=True)):
        raise Refused(_("The teams are no longer those you numbered: look at them again."))
    beyond = len(order) + (teams.aggregate(Max("number"))["number__max"] or 0)
    for shift in (beyond, 0):  # two steps: the database refuses two teams of one number
        for number, key in enumerate(order, start=1):
            Team.objects.filter(pk=key).update(number=number + shift)
    write_audit("teams.numbered", tournament, by=by, after={"teams": list(order)})


# --- who plays for them -------------------------------------------------------------------------------------------
@transaction.atomic
def add_players(
    team_key: int,
    players: Sequence[Player],
    *,
    by: User | None,
    since: date | None = None,
    reserve: bool = False,
    nominated: bool = False,
) -> list[TeamPlayer]:
    """Put players at the end of a team's list, from a day on; whoever had left it plays for it again. Raises Refused
    where somebody stands on it, or plays for another team and the rules do not allow two."""
    team = lock_team(team_key)
    entries = _entries_of(team.tournament, players, by=by)
    was = {row.entry_id: row for row in TeamPlayer.objects.filter(team=team, entry__in=entries)}
    twice = next((row for row in was.values() if is_listed(row, since, or_later=True)), None)
    if twice is not None:
        text = _("Player %(number)s is on the list of this team already.")
        raise Refused(text % {"number": f"#{twice.entry.player.number}"})
    _check_other_teams(team, entries, since)
    place = TeamPlayer.objects.filter(team=team).aggregate(Max("place"))["place__max"] or 0
    rows = []
    for number, entry in enumerate(entries, start=place + 1):
        row = was.get(entry.pk) or TeamPlayer(team=team, entry=entry, since=since)
        row.place, row.until, row.reserve, row.nominated = number, None, reserve, nominated
        row.save()
        rows.append(row)
    numbers = [entry.player.number for entry in entries]
    write_audit("team.players-added", team, by=by, after={"players": numbers})
    return rows


@transaction.atomic
def order_players(team_key: int, order: Sequence[int], *, by: User | None) -> None:
    """Order a team's list by keys of its rows; those who left stand behind. Raises Refused where one is missing."""
    team = lock_team(team_key)
    rows = {row.pk: row for row in TeamPlayer.objects.filter(team=team)}
    if sorted(order) != sorted(rows):
        raise Refused(_("The list of the team is no longer the one you ordered: look at it again."))
    for place, key in enumerate(order, start=1):
        TeamPlayer.objects.filter(pk=key).update(place=place)
    write_audit("team.players-ordered", team, by=by, after={"order": list(order)})


@transaction.atomic
def change_player(
    row_key: int,
    *,
    by: User | None,
    since: date | None = None,
    until: date | None = None,
    reserve: bool = False,
    nominated: bool = False,
) -> TeamPlayer:
    """Set from and until when somebody plays for a team, as reserve or nominated. Raises Refused for days in the wrong
    order, and for days on which somebody plays for another team where the rules do not allow two."""
    row = find_team_player(row_key)
    team = lock_team(row.team_id)
    if since and until and until < since:
        raise Refused(_("The last day lies before the first."))
    if (since, until) != (row.since, row.until):
        _check_other_teams(team, [row.entry], since, until)
    before = _image(row)
    row.since, row.until, row.reserve, row.nominated = since, until, reserve, nominated
    row.save()
    write_audit("team.player-changed", row.team, by=by, before=before, after=_image(row))
    return row


@transaction.atomic
def remove_player(row_key: int, *, by: User | None) -> None:
    """Take somebody off a team's list who never stood in a line-up. Raises Refused: give such a one a last day."""
    row = find_team_player(row_key)
    team = lock_team(row.team_id)
    sat = Seat.objects.filter(entry=row.entry, pairing__match__in=_matches_of(team)).exists()
    if sat or LineUpPlace.objects.filter(player=row).exists():
        text = _("Player %(number)s stood in a line-up: enter a last day instead.")
        raise Refused(text % {"number": f"#{row.entry.player.number}"})
    write_audit("team.player-removed", team, by=by, before=_image(row))
    row.delete()
    for place, other in enumerate(TeamPlayer.objects.filter(team=team).order_by("place", "pk"), start=1):
        TeamPlayer.objects.filter(pk=other.pk).update(place=place)


def find_team_player(row_key: int) -> TeamPlayer:
    """Raises Refused where somebody took the row away meanwhile."""
    row = TeamPlayer.objects.select_related("team", "entry__player").filter(pk=row_key).first()
    if row is None:
        raise Refused(_("This player is not on the list of the team any more."))
    return row


def lock_team(team_key: int) -> Team:
    """The team of an event that is not over, both locked. Raises Refused."""
    found = Team.objects.filter(pk=team_key).values_list("tournament", flat=True).first()
    if found is None:
        raise Refused(_("This team is not in the event any more."))
    _lock(found)
    return Team.objects.select_related("tournament").get(pk=team_key)


def _image(row: TeamPlayer) -> dict[str, object]:
    days = {name: day.isoformat() for name in ("since", "until") if (day := getattr(row, name))}
    return {"player": row.entry.player.number, **days, "reserve": row.reserve, "nominated": row.nominated}


def _entries_of(tournament: Tournament, players: Sequence[Player], *, by: User | None) -> list[Entry]:
    """The players' entries in the event, in their order; those that are missing are made."""
    entered = set(Entry.objects.filter(tournament=tournament, player__in=players).values_list("player", flat=True))
    missing = [player for player in players if player.pk not in entered]
    if missing:
        make_entries(tournament, missing, by=by, number=next_number(tournament))
    found = {
        entry.player_id: entry
        for entry in Entry.objects.filter(tournament=tournament, player__in=players).select_related("player")
    }
    return [found[player.pk] for player in players]


def _check_other_teams(team: Team, entries: Sequence[Entry], since: date | None, until: date | None = None) -> None:
    """Raises Refused where the rules do not allow two teams, and one of them plays for another on any of those days."""
    if TeamRules.objects.get(tournament=team.tournament).several_teams:
        return
    others = TeamPlayer.objects.filter(entry__in=entries).exclude(team=team).select_related("team", "entry__player")
    for row in others.order_by("entry__player__number"):
        if is_listed(row, since, or_later=True) and (until is None or row.since is None or row.since <= until):
            text = _("Player %(number)s plays for “%(team)s”: enter a last day there first.")
            raise Refused(text % {"number": f"#{row.entry.player.number}", "team": row.team.name})


def _check_name(tournament: Tournament, name: str, but: Team | None = None) -> None:
    if not name:
        raise Refused(_("A team needs a name."))
    others = Team.objects.filter(tournament=tournament, name=name)
    if (others.exclude(pk=but.pk) if but else others).exists():
        raise Refused(_("There is a team “%(name)s” already.") % {"name": name})


def _matches_of(team: Team) -> list[int]:
    return list(TeamMatch.objects.filter(Q(home=team) | Q(away=team)).values_list("pk", flat=True))


def _refuse_with_matches(tournament: Tournament) -> None:
    if TeamMatch.objects.filter(round__stage__tournament=tournament).exists():
        raise Refused(_("The matches are made already: delete them before you change which teams play."))


def _lock(tournament_key: int) -> Tournament:
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_key)
    refuse_closed(tournament)
    if not TeamRules.objects.filter(tournament=tournament).exists():
        raise Refused(_("“%(name)s” is no event of teams.") % {"name": tournament.name})
    return tournament
