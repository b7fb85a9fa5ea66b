"""Challenges on a ladder: made and answered by members from their own devices, or by an arbiter for them.

Everything happens behind the lock of the event, so two phones at once are one after the other. The same said again
changes nothing. Days are those of the club's clocks, whatever a phone shows.
"""

from datetime import date, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.links.services.personal_links import PLAYER
from players.models import AuditEvent
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.challenges.selectors import (
    LadderNow,
    due_reminders,
    ladder_now,
    open_challenges,
    rules_with_challenges,
    seated_already,
)
from tournaments.free_boards.services.boards import board_between, lock_event, set_board, take_off
from tournaments.models import Challenge, Entry, FreeRules, Tournament

_State = Challenge.State
REMINDED = "challenge.reminded"


@transaction.atomic
def challenge(tournament: Tournament, player: int, other: int, *, by: User | None = None) -> Challenge:
    """Let a player (by key) challenge an entry (by key) of the ladder. Raises Refused where the event or the ladder
    does not let him."""
    event = lock_event(tournament.pk)
    rules, ladder, today = *_ladder(event), timezone.localdate()
    own = ladder.entry_of(player)
    if own is None:
        raise Refused(_("You are not on this ladder: ask the arbiter to enter you at its foot."))
    again = open_challenges(event.pk, today).filter(challenger=own, challenged=other).first()
    if again is not None:
        return again
    wanted = next((each for each in ladder.order if each.pk == other), None)
    if wanted is None:
        raise Refused(_("This player is not on the ladder any more."))
    if problem := ladder.why_not(own, wanted):
        raise Refused(problem)
    answer_by = _in(rules.answer_days, today)
    row = Challenge.objects.create(
        tournament=event, challenger=own, challenged=wanted, made_on=today, answer_by=answer_by
    )
    _write("challenge.made", row, own, by, {"opponent": other, "answer_by": answer_by.isoformat()})
    return row


@transaction.atomic
def accept(key: int, player: int | None, *, by: User | None = None) -> Challenge:
    """Take a challenge (by key) up: a board is set for the two, the challenged with White. `player`: who says so, the
    challenged alone; None for an arbiter. Raises Stale where it is settled or has lapsed, Refused for anybody else."""
    row = _locked(key)
    _check_side(row.challenged, player)
    if row.state == _State.ACCEPTED:
        return row
    rules, _ladder_now = _ladder(row.tournament)
    _check_waits(row)
    white, black = row.challenged, row.challenger
    if board_between(row.tournament, white.player_id, black.player_id) is not None:
        raise Refused(seated_already())
    row.game = set_board(row.tournament, white.player_id, black.player_id, by=by, role="" if by else PLAYER)
    row.state, row.play_by = _State.ACCEPTED, _in(rules.play_days, timezone.localdate())
    row.save(update_fields=["game", "state", "play_by"])
    _write("challenge.accepted", row, row.challenged, by, {"play_by": row.play_by.isoformat()})
    return row


@transaction.atomic
def decline(key: int, player: int) -> None:
    """The challenged does not play; nothing follows from it. Raises Stale and Refused as `accept` does."""
    row = _locked(key)
    _check_side(row.challenged, player)
    if _settle(row, _State.DECLINED):
        _write("challenge.declined", row, row.challenged, None, {})


@transaction.atomic
def withdraw(key: int, player: int) -> None:
    """The challenger takes it back while it waits. Raises Stale and Refused as `accept` does."""
    row = _locked(key)
    _check_side(row.challenger, player)
    if _settle(row, _State.WITHDRAWN):
        _write("challenge.withdrawn", row, row.challenger, None, {})


@transaction.atomic
def cancel(key: int, *, by: User) -> None:
    """An arbiter ends a challenge, with its board where that is not played. Raises Stale where it is settled."""
    lock_lists()  # a board is taken off behind them, and they are locked before anything else
    row = _locked(key)
    if row.state == _State.ACCEPTED and row.game_id is not None:
        take_off(row.game_id, by=by)
    elif row.state != _State.WAITING:
        raise Stale(_settled(row))
    row.state = _State.CANCELLED
    row.save(update_fields=["state"])
    _write("challenge.cancelled", row, row.challenger, by, {})


@transaction.atomic
def remind(today: date) -> int:
    """Have the sides of what is due tomorrow reminded (`tournaments.notices`), once a day however often it is called;
    how many challenges. Two queries, and those of each line."""
    due = {each.challenge.pk: each for each in due_reminders(today)}
    sides = [each.challenge.challenged_id for each in due.values()]
    lines = AuditEvent.objects.filter(action=REMINDED, subject_kind="entry", subject_key__in=sides)
    told = set(lines.values_list("after__challenge", "after__due_on"))
    wanted = [each for key, each in due.items() if (key, each.due_on.isoformat()) not in told]
    for each in wanted:
        after = {"challenge": each.challenge.pk, "due_on": each.due_on.isoformat()}
        write_audit(REMINDED, each.challenge.challenged, by=None, after=after)
    return len(wanted)


def _settle(row: Challenge, state: str) -> bool:
    """Whether that is new."""
    if row.state == state:
        return False
    _check_waits(row)
    row.state = state
    row.save(update_fields=["state"])
    return True


def _ladder(event: Tournament) -> tuple[FreeRules, LadderNow]:
    """Raises Refused where nobody challenges anybody."""
    rules = rules_with_challenges(event.pk)
    ladder = ladder_now(rules, timezone.localdate()) if rules else None
    if rules is None or ladder is None:
        raise Refused(_("Members challenge nobody in this event at the moment: ask the arbiter."))
    return rules, ladder


def _locked(key: int) -> Challenge:
    """The challenge behind the lock of its event. Raises Stale where it is gone."""
    event = Challenge.objects.filter(pk=key).values_list("tournament", flat=True).first()
    if event is None:
        raise Stale(_("This challenge is not there any more: look at the page again."))
    lock_event(event)
    rows = Challenge.objects.select_related("tournament", "challenger__player", "challenged__player")
    return rows.get(pk=key)


def _check_side(side: Entry, player: int | None) -> None:
    if player is not None and side.player_id != player:
        raise Refused(_("This is not for you to say: the other side or the arbiter does."))


def _check_waits(row: Challenge) -> None:
    if row.state != _State.WAITING:
        raise Stale(_settled(row))
    if row.answer_by < timezone.localdate():
        raise Stale(_("This challenge was not answered in time and has lapsed."))
    if row.challenger.withdrawn or row.challenged.withdrawn:
        raise Stale(_("One of the two has left the ladder: the challenge is over."))


def _settled(row: Challenge) -> str:
    return _("This challenge is settled by now: %(state)s.") % {"state": row.get_state_display()}


def _in(days: int, today: date) -> date:
    return today + timedelta(days=days)


def _write(action: str, row: Challenge, side: Entry, by: User | None, after: dict[str, object]) -> None:
    write_audit(action, side, by=by, role="" if by else PLAYER, after={"challenge": row.pk, **after})
