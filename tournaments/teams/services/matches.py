"""A match after it was drawn: moved to another day, lost by default, ruled on by the arbiter, agreed by the captains;
and penalties. None of it moves a rating: games that were played stay rated.
"""

from dataclasses import dataclass
from datetime import date, time

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.events.services.unplayed import played_among
from tournaments.models import Game, Team, TeamMatch, TeamPenalty
from tournaments.standings.points import Result
from tournaments.standings.team_event import TeamMeeting
from tournaments.teams.selectors.facts import scoring_of
from tournaments.teams.services.events import check_fields
from tournaments.teams.services.line_ups import clear_boards, lock_match, rules_of
from tournaments.teams.services.teams import lock_team


@transaction.atomic
def plan_match(
    match_key: int,
    day: date | None,
    *,
    by: User | None,
    at: time | None = None,
    venue: str | None = None,
    revision: int | None = None,
    role: str = "",
    note: str = "",
) -> TeamMatch:
    """Plan a match for a day, time and place; no day postpones it until one is agreed. The first day it had is kept,
    and results keep the days on which they were played. Raises Stale, Refused for a time without a day, and for no day
    where boards are made."""
    match = lock_match(match_key)
    _check_revision(match, revision)
    if at is not None and day is None:
        raise Refused(_("A time needs its day: enter the day too."))
    if day is None and match.boards.exists():
        raise Refused(_("The boards of this match are made: it can be moved to another day, not left open."))
    before = _plan(match)
    if match.first_planned is None and match.played_on not in (None, day):
        match.first_planned = match.played_on
    match.postponed = day is None and (match.played_on is not None or match.postponed)
    match.played_on, match.starts_at = day, at
    match.venue = match.venue if venue is None else venue.strip()
    match.calendar_sequence += 1
    match.revision += 1
    check_fields(match)
    match.save()
    write_audit("match.planned", match, by=by, before=before, after=_plan(match), role=role, note=note)
    return match


@transaction.atomic
def set_absent(match_key: int, absent: str, *, by: User | None, reason: str, revision: int | None = None) -> TeamMatch:
    """Decide a match because a side (`home`, `away`) or both did not come; empty takes it back. Boards that were made
    go: nobody plays on them. Raises Stale; Refused where a board has a result, for a bye, and for another word."""
    lock_lists()
    match = lock_match(match_key)
    _check_revision(match, revision)
    if match.away_id is None:
        raise Refused(_("This team has no opponent: nobody can be absent."))
    if absent and absent not in TeamMatch.Absent.values:
        raise Refused(_("“%(value)s” is none of the choices.") % {"value": absent})
    if played_among(Game.objects.filter(pairing__match=match)):
        raise Refused(_("Boards of this match have results: rule on the match points instead."))
    clear_boards(match)
    before, match.absent = {"absent": match.absent}, absent
    match.revision += 1
    match.save()
    write_audit("match.defaulted", match, by=by, before=before, after={"absent": absent}, reason=reason)
    return match


OPEN = (Result.OPEN, Result.ADJOURNED)


@dataclass(frozen=True, slots=True)
class Ruling:
    """Points for the home team and the guests in place of those that follow from the boards, and why: match points
    (half-points), `games` in the smallest unit of the event's points, or both. Match points that are not named follow
    from the game points."""

    home: int | None
    away: int | None
    reason: str
    games: tuple[int, int] | None = None


@transaction.atomic
def rule_on_match(match_key: int, ruling: Ruling | None, *, by: User | None, revision: int | None = None) -> TeamMatch:
    """Give points for a match, or take a ruling back (None). The games stay as they are and stay rated. Raises Stale,
    Refused without a reason, without points, for points below nothing and for more than the boards bring."""
    match = lock_match(match_key)
    _check_revision(match, revision)
    if match.away_id is None:
        raise Refused(_("This team has no opponent: there is nothing to rule on."))
    before, match_points = _ruling(match), _ruled_points(match, ruling) if ruling else (None, None)
    match.ruled_home, match.ruled_away = match_points
    match.ruled_home_games, match.ruled_away_games = ruling.games if ruling and ruling.games else (None, None)
    match.ruling = ruling.reason.strip() if ruling else ""
    check_fields(match)
    match.revision += 1
    match.save()
    write_audit("match.ruled", match, by=by, before=before, after=_ruling(match), note=match.ruling)
    return match


def _ruled_points(match: TeamMatch, ruling: Ruling) -> tuple[int, int]:
    """The match points of a ruling. Raises Refused."""
    if not ruling.reason.strip():
        raise Refused(_("A ruling needs its reason: write one."))
    halves, games = (ruling.home, ruling.away), ruling.games or (0, 0)
    if (ruling.home is None) != (ruling.away is None) or (ruling.home is None and ruling.games is None):
        raise Refused(_("A ruling names points of both teams: enter match points, game points, or both."))
    if min(*(points or 0 for points in halves), *games) < 0:
        raise Refused(_("Points of a ruling cannot be negative: a penalty takes points away."))
    tournament = match.round.stage.tournament
    scoring = scoring_of(tournament, rules_of(match))
    most = scoring.boards * scoring.points.win
    if max(games) > most:
        text = _("The boards of a match bring %(most)s game points at most.")
        raise Refused(text % {"most": scoring.points.text(most)})
    if ruling.home is None or ruling.away is None:
        return scoring.match_points(TeamMeeting(0, 0, 0, (), awarded=games))
    return ruling.home, ruling.away


@transaction.atomic
def decide_who_goes_on(match_key: int, team_key: int | None, *, by: User | None, reason: str) -> TeamMatch:
    """Name who goes on from a match of a knockout where the boards part nobody, or take that back. Raises Refused."""
    match = lock_match(match_key)
    if match.slot is None:
        raise Refused(_("Nobody goes on from this match: it is not one of a knockout."))
    if team_key is not None and team_key not in (match.home_id, match.away_id):
        raise Refused(_("This team does not play in the match."))
    before, match.advanced_id = {"advanced": match.advanced_id}, team_key
    match.revision += 1
    match.save()
    write_audit("match.advanced", match, by=by, before=before, after={"advanced": team_key}, reason=reason)
    return match


@transaction.atomic
def agree(match_key: int, team_key: int, *, by: User | None, role: str = "", agreed: bool = True) -> TeamMatch:
    """A side says that the card is right, or takes that back. It holds until a result changes (`agreed_sides`). Raises
    Refused while a board is open."""
    match = lock_match(match_key)
    if team_key not in (match.home_id, match.away_id):
        raise Refused(_("This team does not play in the match."))
    if agreed and (not match.boards.exists() or Game.objects.filter(pairing__match=match, result__in=OPEN).exists()):
        raise Refused(_("Boards are still open: enter every result before you confirm the card."))
    field = "home_agreed_at" if team_key == match.home_id else "away_agreed_at"
    setattr(match, field, timezone.now() if agreed else None)
    match.save(update_fields=[field])
    write_audit("match.agreed", match, by=by, after={"team": team_key, "agreed": agreed}, role=role)
    return match


# --- penalties ----------------------------------------------------------------------------------------------------
@transaction.atomic
def penalise(
    team_key: int,
    *,
    by: User | None,
    reason: str,
    match_points: int = 0,
    game_points: int = 0,
    match: TeamMatch | None = None,
    from_round: int = 1,
    decided_on: date | None = None,
) -> TeamPenalty:
    """Take points from a team (negative), or give some: match points in half-points, game points in the smallest unit.
    Raises Refused without a reason, without points, or for a match the team does not play in."""
    team: Team = lock_team(team_key)
    if not reason.strip():
        raise Refused(_("A penalty needs its reason: write one."))
    if not match_points and not game_points:
        raise Refused(_("A penalty moves match points or game points: enter how many."))
    if match is not None and team.pk not in (match.home_id, match.away_id):
        raise Refused(_("This team does not play in the match."))
    row = TeamPenalty(
        team=team,
        match=match,
        from_round=match.round.number if match else from_round,
        match_points=match_points,
        game_points=game_points,
        reason=reason.strip(),
        decided_on=decided_on or timezone.localdate(),
        by=by,
    )
    check_fields(row)
    row.save()
    after = {"match_points": match_points, "game_points": game_points, "penalty": row.pk}
    write_audit("team.penalised", team, by=by, after=after, note=row.reason)
    return row


@transaction.atomic
def lift_penalty(penalty_key: int, *, by: User | None, lifted: bool = True) -> TeamPenalty:
    """Take a penalty back; it stays in the books. Raises Refused where it is gone."""
    row = TeamPenalty.objects.filter(pk=penalty_key).first()
    if row is None:
        raise Refused(_("There is no such penalty any more."))
    team = lock_team(row.team_id)
    before, row.lifted = {"lifted": row.lifted, "penalty": row.pk}, lifted
    row.save(update_fields=["lifted"])
    write_audit("team.penalty-lifted", team, by=by, before=before, after={"lifted": lifted})
    return row


def _check_revision(match: TeamMatch, revision: int | None) -> None:
    if revision is not None and match.revision != revision:
        raise Stale(_("Somebody else changed this match meanwhile: look at it again, then change it."))


def _plan(match: TeamMatch) -> dict[str, str]:
    day = match.played_on.isoformat() if match.played_on else ""
    at = f"{match.starts_at:%H:%M}" if match.starts_at else ""
    return {"day": day, "time": at, "venue": match.venue}


def _ruling(match: TeamMatch) -> dict[str, object]:
    games = {"home_game_points": match.ruled_home_games, "away_game_points": match.ruled_away_games}
    named = games if match.ruled_home_games is not None else {}
    return {"home": match.ruled_home, "away": match.ruled_away, **named}
