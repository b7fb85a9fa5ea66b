"""Somebody leaves an event, and may come back.

What it means is found first (`tournaments.withdrawals.services.leaving`) and shown. The answer carries `seen`, and
whoever carries it out hands that back, so that nothing else happens than was shown.

- Rounds all known (round robin): the games that are left become forfeits at once
  (`tournaments.withdrawals.services.forfeits`),
  and are taken back when the player returns, as far as nobody touched them. Whether the played ones count is worked
  out in the standings, by the event's `leaver_rule`.
- Rounds paired one by one: the player is not paired any more. A draft with the player in it has to go first.
- Knockout: the match that waits for a result is a walk-over for the opponent, and is to be played after all when the
  player returns before anything was played behind it.

Source: FIDE General Regulations for Competitions (leavers of a round robin); C.04.2 (rounds after a withdrawal).
"""

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from players.models import AuditEvent
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.knockouts.services.rulings import rule_match, take_ruling_back
from tournaments.models import Entry, LeaverRule, Tournament
from tournaments.withdrawals.services.forfeits import write_forfeits
from tournaments.withdrawals.services.leaving import Consequences, find_entry, leaving, returning


@transaction.atomic
def withdraw_entry(
    entry_key: int, *, by: User | None, note: str = "", rule: str = "", seen: str | None = None
) -> Consequences:
    """The entry leaves. `rule` (a `LeaverRule`) changes the event's rule for all who leave; `seen` comes from
    `leaving`. Raises Refused, or Stale where it would mean something else by now."""
    entry = _lock(entry_key)
    change = _checked(leaving(entry), seen)
    before = {
        "last_round": entry.last_round,
        "leaver_rule": entry.tournament.leaver_rule,
        "results": {str(row.game.pk): row.game.result for row in change.forfeits},
    }
    _set_rule(entry.tournament, rule, by)
    # First: whoever is withdrawn is not sent on to a match for third place.
    _set(entry, withdrawn=True, last_round=change.last_round)
    forfeits = write_forfeits(change.forfeits, by=by)
    for row in change.walk_overs:
        reason = AuditEvent.Reason.LEFT
        rule_match(row.match.pk, advanced=row.opponent.pk, walk_over=True, by=by, reason=reason, knew=0)
    matches = [row.match.pk for row in change.walk_overs]
    after = {
        "last_round": entry.last_round,
        "forfeits": forfeits,
        "matches": matches,
        "leaver_rule": rule or entry.tournament.leaver_rule,
    }
    write_audit("entry.withdrawn", entry, by=by, before=before, after=after, note=note)
    return change


@transaction.atomic
def return_entry(entry_key: int, *, by: User | None, note: str = "", seen: str | None = None) -> Consequences:
    """The entry is back: forfeits and walk-overs that still stand as they were given are taken back. `seen` comes from
    `returning`. Raises Refused or Stale."""
    entry = _lock(entry_key)
    change = _checked(returning(entry), seen)
    before = {"last_round": entry.last_round}
    _set(entry, withdrawn=False, last_round=None)
    forfeits = write_forfeits(change.forfeits, by=by)
    for row in change.walk_overs:
        take_ruling_back(row.match.pk, by=by, reason=AuditEvent.Reason.OTHER, knew=row.opponent.pk)
    write_audit("entry.returned", entry, by=by, before=before, after={"forfeits": forfeits}, note=note)
    return change


def _lock(entry_key: int) -> Entry:
    """The entry, behind the locks of the lists and of its event."""
    lock_lists()
    Tournament.objects.select_for_update(no_key=True).get(pk=find_entry(entry_key).tournament_id)
    return find_entry(entry_key)


def _checked(change: Consequences, seen: str | None) -> Consequences:
    if change.problems:
        raise Refused(change.problems[0])
    if seen is not None and seen != change.seen:
        raise Stale(_("Results or entries moved meanwhile, and it would mean something else now: look at it again."))
    return change


def _set(entry: Entry, *, withdrawn: bool, last_round: int | None) -> None:
    entry.withdrawn, entry.last_round = withdrawn, last_round
    entry.save(update_fields=["withdrawn", "last_round"])


def _set_rule(tournament: Tournament, rule: str, by: User | None) -> None:
    if not rule or rule == tournament.leaver_rule:
        return
    if rule not in LeaverRule.values:
        raise Refused(_("There is no such rule for leavers: choose one of the list."))
    Tournament.objects.filter(pk=tournament.pk).update(leaver_rule=rule, revision=F("revision") + 1)
    before, after = {"leaver_rule": tournament.leaver_rule}, {"leaver_rule": rule}
    write_audit("tournament.changed", tournament, by=by, before=before, after=after)
