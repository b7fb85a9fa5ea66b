"""The clock of a round: set, paused, let go on, extended, taken away. One row changes, with one line in the trail that
keeps what was there before; so it is undone as other steps of an event are (`tournaments.undo.services.stack`)."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.refusals import Refused, Stale
from players.trail.services import write_audit
from tournaments.events.selectors.clock import COLUMNS, Clock, clock_of
from tournaments.models import Round
from tournaments.rounds.services.rounds import lock_round

LONGEST = 24 * 60  # minutes
FURTHEST = timedelta(days=2)  # from now to the start
# The time control as it is written: figures, signs and units, so that no name comes into the trail.
_CONTROL = re.compile(r"(?!.{61})(?:[\d\s+×*/.,:;'′″()–-]|x|min|sec|s|h|мин|сек|с|ч|分钟|分鐘|分|秒|小时|小時)*")
SET, PAUSED, RESUMED, EXTENDED = "clock.set", "clock.paused", "clock.resumed", "clock.extended"
REMOVED = "clock.removed"


@transaction.atomic
def set_clock(
    round_key: int,
    *,
    minutes: int,
    by: User | None,
    starts_at: datetime | None = None,
    note: str = "",
    revision: int | None = None,
) -> Round:
    """The round lasts so many minutes from `starts_at` (now) on. Raises Refused for a length or a start that is none,
    Stale where the round has another `revision`."""
    row = _lock(round_key, revision)
    now = timezone.now()
    if not 1 <= minutes <= LONGEST:
        raise Refused(_("A round lasts 1 to %(most)s minutes.") % {"most": LONGEST})
    at = (starts_at or now).replace(microsecond=0)
    if abs(at - now) > FURTHEST:
        raise Refused(_("The clock starts within two days of now: plan the round for a later day."))
    control = " ".join(note.split())
    if not _CONTROL.fullmatch(control):
        raise Refused(_("Write the time control in figures and units only, e.g. 90 + 30 s × 40."))
    return _write(row, Clock(at, minutes, control), SET, by)


@transaction.atomic
def pause_clock(round_key: int, *, by: User | None, revision: int | None = None) -> Round:
    """The clock stands until it goes on. Raises Refused where it does not run, Stale as `set_clock`."""
    row = _lock(round_key, revision)
    clock, now = _running(row), timezone.now().replace(microsecond=0)
    if clock.paused_at or now < clock.starts_at or not clock.seconds_left(now):
        raise Refused(_("The clock does not run: there is nothing to pause."))
    return _write(row, replace(clock, paused_at=now), PAUSED, by)


@transaction.atomic
def resume_clock(round_key: int, *, by: User | None, revision: int | None = None) -> Round:
    """The clock goes on, and ends so much later as it stood. Raises Refused where it is not paused, Stale as above."""
    row = _lock(round_key, revision)
    clock = _running(row)
    if clock.paused_at is None:
        raise Refused(_("The clock is not paused."))
    stood = max(0, int((timezone.now() - clock.paused_at).total_seconds()))
    return _write(row, replace(clock, paused_at=None, paused=clock.paused + stood), RESUMED, by)


@transaction.atomic
def extend_clock(round_key: int, *, minutes: int, by: User | None, revision: int | None = None) -> Round:
    """The round lasts so many minutes longer, or shorter below 0. Raises Refused for a length that is none."""
    row = _lock(round_key, revision)
    clock = _running(row)
    if not minutes or not 1 <= clock.minutes + minutes <= LONGEST:
        raise Refused(_("A round lasts 1 to %(most)s minutes.") % {"most": LONGEST})
    return _write(row, replace(clock, minutes=clock.minutes + minutes), EXTENDED, by)


@transaction.atomic
def remove_clock(round_key: int, *, by: User | None, revision: int | None = None) -> Round:
    """The round has no clock any more. Raises Refused where it has none."""
    row = _lock(round_key, revision)
    _running(row)
    return _write(row, None, REMOVED, by)


@transaction.atomic
def put_clock_back(round_key: int, before: dict[str, Any], after: dict[str, Any], *, by: User | None) -> Round:
    """The clock as the trail says it was `before`. Raises Stale where it is no longer as it was left."""
    row = lock_round(round_key)
    if _image(clock_of(row)) != after:
        raise Stale(_("The clock was changed meanwhile: look at it again."))
    return _write(row, _read(before), SET if before else REMOVED, by)


def _lock(round_key: int, revision: int | None) -> Round:
    row = lock_round(round_key)
    if row.stage.tournament.closed:
        raise Refused(_("The event is over: no round is played any more."))
    if row.state == Round.State.DRAFT:
        raise Refused(_("Round %(number)s is a draft: publish it first.") % {"number": row.number})
    if revision is not None and row.revision != revision:
        raise Stale(_("The clock was changed meanwhile: look at it again."))
    return row


def _running(row: Round) -> Clock:
    clock = clock_of(row)
    if clock is None:
        raise Refused(_("This round has no clock yet: set it first."))
    return clock


def _write(row: Round, clock: Clock | None, action: str, by: User | None) -> Round:
    before = _image(clock_of(row))
    row.clock_starts_at, row.clock_minutes = (clock.starts_at, clock.minutes) if clock else (None, None)
    row.clock_note = clock.note if clock else ""
    row.clock_paused_at, row.clock_paused = (clock.paused_at, clock.paused) if clock else (None, 0)
    row.revision += 1
    row.save(update_fields=[*COLUMNS, "revision"])
    write_audit(action, row, by=by, before=before, after=_image(clock))
    return row


def _image(clock: Clock | None) -> dict[str, Any]:
    if clock is None:
        return {}
    paused_at = clock.paused_at.isoformat() if clock.paused_at else ""
    begin = {"begin": clock.starts_at.isoformat(), "minutes": clock.minutes, "control": clock.note}
    return {**begin, "paused_at": paused_at, "paused": clock.paused}


def _read(image: dict[str, Any]) -> Clock | None:
    if not image:
        return None
    paused_at = datetime.fromisoformat(image["paused_at"]) if image["paused_at"] else None
    begin = datetime.fromisoformat(image["begin"])
    return Clock(begin, image["minutes"], image["control"], paused_at, image["paused"])
