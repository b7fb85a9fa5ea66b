"""A team leaves an event, and may come back. What it had not played is lost by default; in an all-play-all that it left
before half of its matches nothing of it counts, unless the event says that all does. Games that were played stay rated.
"""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from players.models import AuditEvent
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.models import Round, Team, TeamMatch, TeamRules
from tournaments.pairing.team_base import Kind
from tournaments.standings.points import DECIDED_RESULTS
from tournaments.teams.selectors.facts import kind_of, was_absent
from tournaments.teams.services.teams import lock_team

LEFT, RETURNED = "team.left", "team.returned"
Absent = TeamMatch.Absent


def matches_left(team: Team) -> list[TeamMatch]:
    """Its matches that nothing decided yet, in order: neither boards with a result, nor the arbiter."""
    rows = TeamMatch.objects.filter(Q(home=team) | Q(away=team), away__isnull=False, ruled_home=None)
    begun = rows.filter(boards__games__result__in=DECIDED_RESULTS).values("pk")
    found = rows.exclude(pk__in=begun).select_related("home", "away", "round").order_by("round__number", "number")
    return [match for match in found if not was_absent(match, team.pk)]


@transaction.atomic
def take_team_out(team_key: int, *, by: User | None, note: str = "", revision: int | None = None) -> Team:
    """The team plays no more: each match it had not begun is lost by default, and drafts with it cannot be published.
    Raises Stale, Refused where it has left, or where a board of a match of it is made and open."""
    lock_lists()
    team = lock_team(team_key)
    _check(team, revision, left=False)
    rows = list(TeamMatch.objects.select_for_update(of=("self",)).filter(pk__in=[row.pk for row in matches_left(team)]))
    opened = next((row for row in rows if row.boards.exists()), None)
    if opened is not None:
        text = _("Boards of the match in round %(number)s are made: enter what became of them first.")
        raise Refused(text % {"number": Round.objects.get(pk=opened.round_id).number})
    for row in rows:
        row.absent = Absent.BOTH if row.absent else _side(row, team)
        row.revision += 1
        row.save(update_fields=["absent", "revision"])
    played = Round.objects.filter(Q(matches__home=team) | Q(matches__away=team)).exclude(matches__in=rows)
    team.left_before = max(played.values_list("number", flat=True), default=0) + 1
    _save(team)
    after = {"number": team.number, "matches": [row.pk for row in rows], "before": team.left_before}
    write_audit(LEFT, team, by=by, after=after, reason=AuditEvent.Reason.LEFT, note=note)
    return team


@transaction.atomic
def bring_team_back(team_key: int, *, by: User | None, note: str = "", revision: int | None = None) -> Team:
    """The team plays on: matches it lost by leaving are open again. Raises Stale, and Refused where it has not left."""
    lock_lists()
    team = lock_team(team_key)
    _check(team, revision, left=True)
    opened = list(_lost_by_leaving(team))
    for row in opened:
        other = Absent.AWAY if row.home_id == team.pk else Absent.HOME
        row.absent = other if row.absent == Absent.BOTH else ""
        row.revision += 1
        row.save(update_fields=["absent", "revision"])
    team.left_before = None
    _save(team)
    after = {"number": team.number, "matches": [row.pk for row in opened]}
    write_audit(RETURNED, team, by=by, after=after, note=note)
    return team


def counts_for_nothing(team: Team) -> bool:
    """Whether a team that leaves now had played less than half of an all-play-all."""
    rules = TeamRules.objects.get(tournament=team.tournament_id)
    rows = TeamMatch.objects.filter(Q(home=team) | Q(away=team), away__isnull=False)
    left = len(matches_left(team))
    return kind_of(rules) is Kind.SCHEDULE and 2 * (rows.count() - left) < rows.count()


def _lost_by_leaving(team: Team) -> Iterable[TeamMatch]:
    event = AuditEvent.objects.filter(action=LEFT, subject_kind="team", subject_key=team.pk).first()
    keys = event.after["matches"] if event else []
    rows = TeamMatch.objects.select_for_update(of=("self",)).filter(pk__in=keys)
    return (row for row in rows if was_absent(row, team.pk))


def _side(match: TeamMatch, team: Team) -> str:
    return str(Absent.HOME if match.home_id == team.pk else Absent.AWAY)


def _check(team: Team, revision: int | None, *, left: bool) -> None:
    if revision is not None and team.revision != revision:
        raise Stale(_("Somebody else changed this team meanwhile: look at it again, then change it."))
    if left and team.left_before is None:
        raise Refused(_("“%(team)s” is in the event.") % {"team": team.name})
    if not left and team.left_before is not None:
        raise Refused(_("“%(team)s” has left the event.") % {"team": team.name})


def _save(team: Team) -> None:
    team.revision += 1
    team.save(update_fields=["left_before", "revision"])
