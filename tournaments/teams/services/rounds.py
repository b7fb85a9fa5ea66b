"""Rounds of a team event: who meets whom. The boards come later, from the line-ups (`line_ups`).

Formats that know their fixtures make them all at once, a Scheveningen with its boards; a team Swiss and a knockout make
one round from those before it; single matches are added by hand. Teams meet by their numbers; home is who stands first
in a pair.
"""

from collections.abc import Mapping, Sequence
from datetime import date, time, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.refusals import Refused, said
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.events.services.unplayed import played_among
from tournaments.models import (
    ByeKind,
    Entry,
    FirstWhite,
    Game,
    Pairing,
    Round,
    Stage,
    Team,
    TeamMatch,
    TeamPenalty,
    TeamRules,
    Tournament,
)
from tournaments.pairing.base import PairingError
from tournaments.pairing.team_base import Matches, TeamPair, TeamSchedule, check_size
from tournaments.pairing.team_formats import team_format
from tournaments.pairing.team_scheveningen import Seat, TeamScheveningen
from tournaments.rounds.services.rounds import lock_open_event, lock_round
from tournaments.teams.selectors.eligibility import order_of_list
from tournaments.teams.services.line_ups import seat_boards

Pair = tuple[Team, Team | None]  # home and guests; nobody: a bye


@transaction.atomic
def make_fixtures(
    tournament_key: int,
    *,
    by: User | None,
    first_day: date | None = None,
    days_between: int = 7,
    at: time | None = None,
) -> list[Round]:
    """All rounds of a format that knows them beforehand, published: who is at home stands first in its schedule.
    `first_day` plans round 1, the others follow `days_between` apart. Raises Refused."""
    lock_lists()
    tournament, stage, rules = lock_team_event(tournament_key)
    if stage.rounds.exists():
        raise Refused(_("The matches are made already: delete them to make them anew."))
    teams = {team.number: team for team in Team.objects.filter(tournament=tournament)}
    made, seats = [], _seats(teams, rules)
    schedule = (((TeamPair(1, 2),),) * len(seats)) if seats else _schedule(len(teams), rules)
    for index, pairs in enumerate(schedule):
        planned = first_day + timedelta(days=days_between * index) if first_day else None
        drawn = [(teams[pair.white], None if pair.black is None else teams[pair.black]) for pair in pairs]
        made.append(write_round(stage, rules, index + 1, drawn, day=planned, at=at))
    if seats:
        _seat(teams, rules, made, seats)
    write_audit("matches.made", tournament, by=by, after={"rounds": len(made), "teams": len(teams)})
    return made


def _seats(teams: Mapping[int, Team], rules: TeamRules) -> tuple[tuple[Seat, ...], ...]:
    """The boards of all rounds of a Scheveningen, nothing for another format. Raises Refused."""
    system = team_format(rules.format)
    if not isinstance(system, TeamScheveningen):
        return ()
    try:
        check_size(system, len(teams))
        return system.seats(rules.boards, rules.settings)
    except PairingError as refusal:
        raise Refused(said(refusal)) from None


def _seat(
    teams: Mapping[int, Team], rules: TeamRules, rounds: Sequence[Round], seats: tuple[tuple[Seat, ...], ...]
) -> None:
    """Make the boards of a Scheveningen from both lists, in their order."""
    for row, boards in zip(rounds, seats, strict=True):
        match = TeamMatch.objects.select_related("round__stage__tournament", "home", "away").get(round=row)
        match.first_white = FirstWhite.HOME if boards[0].first_has_white else FirstWhite.AWAY
        match.save(update_fields=["first_white"])
        home, away = (_players(match, teams[number], rules) for number in (1, 2))
        opposite = {board: away[seat.opponent] for board, seat in enumerate(boards, start=1)}
        seat_boards(match, rules, home, opposite)


def _players(match: TeamMatch, team: Team, rules: TeamRules) -> dict[int, Entry]:
    """The first of a team's list by place from 1. Raises Refused where they are too few."""
    rows = order_of_list(match, team, rules)
    if len(rows) < rules.boards:
        text = _(
            "“%(team)s” has %(count)s players on its list, and everybody plays every round: %(boards)s are needed."
        )
        raise Refused(text % {"team": team.name, "count": len(rows), "boards": rules.boards})
    return {place: row.entry for place, row in enumerate(rows, start=1)}


def _schedule(teams: int, rules: TeamRules) -> tuple[Matches, ...]:
    system = team_format(rules.format)
    if not isinstance(system, TeamSchedule):
        raise Refused(_("This format makes its rounds one by one."))
    try:
        return system.schedule(teams, rules.settings)
    except PairingError as refusal:
        raise Refused(said(refusal)) from None


@transaction.atomic
def add_round(
    tournament_key: int,
    pairs: Sequence[Pair],
    *,
    by: User | None,
    day: date | None = None,
    at: time | None = None,
    publish: bool = True,
) -> Round:
    """The next round with these matches. Raises Refused where a team stands in two, or is none of the event."""
    tournament, stage, rules = lock_team_event(tournament_key)
    teams = [team for pair in pairs for team in pair if team is not None]
    if isinstance(team_format(rules.format), TeamScheveningen):
        raise Refused(_("All rounds of this format are made together."))
    if not pairs:
        raise Refused(_("A round needs at least one match: choose who meets whom."))
    for team in teams:
        if team.tournament_id != tournament.pk:
            raise Refused(_("“%(team)s” is not in this event.") % {"team": team.name})
        if teams.count(team) > 1:
            raise Refused(
                _("“%(team)s” stands in the round twice: a team plays one match a round.") % {"team": team.name}
            )
        if team.left_before is not None:
            raise Refused(_("“%(team)s” has left the event.") % {"team": team.name})
    last = stage.rounds.order_by("number").last()
    row = write_round(stage, rules, last.number + 1 if last else 1, pairs, day=day, at=at, publish=publish)
    write_audit("matches.made", tournament, by=by, after={"round": row.number, "matches": len(pairs)})
    return row


def write_round(
    stage: Stage,
    rules: TeamRules,
    number: int,
    pairs: Sequence[Pair],
    *,
    day: date | None = None,
    at: time | None = None,
    publish: bool = True,
) -> Round:
    """Write a round and its matches in order, for a locked event."""
    state = Round.State.PUBLISHED if publish else Round.State.DRAFT
    row = Round.objects.create(stage=stage, number=number, planned_on=day, planned_at=at if day else None, state=state)
    white = "" if rules.first_white == FirstWhite.TOSS else rules.first_white
    TeamMatch.objects.bulk_create(
        TeamMatch(
            round=row,
            number=place,
            home=home,
            away=away,
            bye="" if away else ByeKind.ALLOCATED,
            first_white=white,
            played_on=day,
            starts_at=at if day else None,
            venue=home.venue,
        )
        for place, (home, away) in enumerate(pairs, start=1)
    )
    return row


@transaction.atomic
def delete_last_round(tournament_key: int, *, by: User | None, reason: str = "") -> None:
    """Take the last round back. Raises Refused where a board has a result, or the arbiter ruled on a match."""
    lock_lists()
    tournament, stage, _rules = lock_team_event(tournament_key)
    row = stage.rounds.order_by("number").last()
    if row is None:
        raise Refused(_("There is no round to take back."))
    _delete(lock_round(row.pk))
    write_audit("matches.deleted", tournament, by=by, before={"round": row.number}, reason=reason)


@transaction.atomic
def delete_fixtures(tournament_key: int, *, by: User | None, reason: str = "") -> None:
    """Take all rounds back while nothing is played. Raises Refused as `delete_last_round`."""
    lock_lists()
    tournament, stage, _rules = lock_team_event(tournament_key)
    rounds = list(stage.rounds.order_by("number"))
    for row in rounds:
        _delete(row)
    write_audit("matches.deleted", tournament, by=by, before={"rounds": len(rounds)}, reason=reason)


def _delete(row: Round) -> None:
    games = Game.objects.filter(pairing__round=row)
    if played := played_among(games):
        figures = {"number": row.number, "count": played}
        raise Refused(_("Round %(number)s has %(count)s results: clear them first.") % figures)
    ruled = row.matches.exclude(absent="", ruled_home=None).exists()
    if ruled or TeamPenalty.objects.filter(match__round=row).exists():
        text = _("In round %(number)s the arbiter ruled on a match: take that back first.")
        raise Refused(text % {"number": row.number})
    games.delete()
    Pairing.objects.filter(round=row).delete()
    row.delete()


def lock_team_event(tournament_key: int) -> tuple[Tournament, Stage, TeamRules]:
    """A team event that is not over, locked, with its stage and rules. Raises Refused."""
    stage = Stage.objects.filter(tournament=tournament_key).order_by("order").first()
    rules = TeamRules.objects.filter(tournament=tournament_key).first()
    if stage is None or rules is None:
        raise Refused(_("This is no event of teams."))
    return lock_open_event(stage), stage, rules
