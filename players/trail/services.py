"""The audit trail: where a change comes from, writing an entry, taking a name out of one.

Origin: the name of a page, a command or a background job. Code that acts for somebody names it with `acting_from`; the
trail reads it with `origin` (a context variable).

A service that changes a fact calls `write_audit` once, inside its transaction. Entries are only added
(`players.models.Trail`). The only thing that can be removed is the name of somebody who is to be forgotten: a `note` as
a whole (`redact_notes`), single texts within `before`, `after` and `effect` (`redact_events`). Both add an entry that
says so.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models, transaction
from django.utils.module_loading import import_string

from players.models import AuditEvent, MailSubscription, Subscription, Webhook
from players.officers.roles import role_of

# --- where a change comes from ---------------------------------------------------------------------------------------
LONGEST = 80
BY_PROGRAM = "token:"  # then the key of an `ApiToken`
_origin: ContextVar[str] = ContextVar("origin", default="")


def origin() -> str:
    """Where the present change comes from; empty where nobody said."""
    return _origin.get()


@contextmanager
def acting_from(place: str) -> Iterator[None]:
    """Within, changes come from that place."""
    token = _origin.set(place[:LONGEST])
    try:
        yield
    finally:
        _origin.reset(token)


# --- entries ---------------------------------------------------------------------------------------------------------
_Reason = AuditEvent.Reason
# Which reasons a form offers, by what it is about. Services take any of them.
RESULT_REASONS = (
    _Reason.ENTRY_ERROR,
    _Reason.WRONG_COLOURS,
    _Reason.APPEAL,
    _Reason.LATE_REPORT,
    _Reason.DUPLICATE,
    _Reason.WRONG_PLAYER,
    _Reason.OTHER,
)
PAIRING_REASONS = (_Reason.PAIRED_WRONGLY, _Reason.WRONG_PLAYER, _Reason.LEFT, _Reason.OTHER)
RULING_REASONS = (_Reason.DID_NOT_COME, _Reason.LEFT, _Reason.APPEAL, _Reason.OTHER)
_DETAILS = ("before", "after", "effect")
# Of these readers can have notices (`clubrating.site.notices`). The settings name the task that sends them; a worker
# sees it once the fact is committed.
RESULT, LIST = "result.recorded", "list.published"
ROUNDS = ("round.published", "round.paired", "rounds.paired")
NOTICED = (RESULT, LIST, *ROUNDS)
# These concern one reader, who has shown whose device it is: no other program is told.
CLAIMED = "result.claimed"
ENTRIES = ("entry-request.moved-up", "entry-request.approved", "entry-request.refused")
CHALLENGES = ("challenge.made", "challenge.accepted", "challenge.declined", "challenge.reminded")
NOTICED_BY_ONE = (CLAIMED, *ENTRIES, *CHALLENGES)
# Corrections of games. Of these and of what is noticed, other programs are told (`clubrating.site.programs.services`).
CORRECTIONS = (
    *("result.corrected", "colours.swapped", "handicap.corrected", "seats.exchanged", "game.removed"),
    "game.inserted",
)


def write_audit(
    action: str,
    subject: models.Model,
    *,
    by: User | None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    effect: dict[str, Any] | None = None,
    reason: str = "",
    note: str = "",
    role: str = "",
) -> AuditEvent:
    """Write what happened to `subject`, and from where in the app (`origin`). `by` is empty for commands; `role` names
    somebody without an account (visitor, member). Where somebody wants notices of it they are queued with it.
    `before`, `after` and `effect` (what a correction moved downstream, known once it is rated) must hold no names."""
    event = AuditEvent.objects.create(
        actor=by,
        role=role or role_of(by),
        origin=origin(),
        action=action,
        subject_kind=str(subject._meta.model_name),
        subject_key=subject.pk,
        before=before or {},
        after=after or {},
        effect=effect or {},
        reason=reason,
        note=note,
    )
    if action in (*NOTICED, *NOTICED_BY_ONE) and _somebody_wants_notices():
        import_string(settings.NOTICE_TASK).enqueue(event.pk)
    if action in (*NOTICED, *CORRECTIONS) and Webhook.objects.filter(active=True).exists():
        import_string(settings.WEBHOOK_TASK).enqueue(event.pk)
    return event


def _somebody_wants_notices() -> bool:
    if settings.PUSH_KEY and Subscription.objects.exists():
        return True
    return bool(settings.MAIL) and MailSubscription.objects.filter(confirmed_at__isnull=False).exists()


@transaction.atomic
def redact_notes(events: Iterable[AuditEvent], *, by: User | None) -> int:
    """Blank the notes of those lines, each with a line of its own that says so; how many there were."""
    lines = [event for event in events if event.note]
    for event in lines:
        _past_the_guard(event, {"note": ""})
        write_audit("note.redacted", event, by=by)
    return len(lines)


@transaction.atomic
def redact_events(texts: Mapping[int, Mapping[str, Any]], *, by: User | None) -> int:
    """Put in place of what lines (by key) say in `before`, `after` or `effect` the same without a name: of each its
    columns, and a line of its own that says which; how many there were. Raises ValueError for any other column, and
    where more than texts would change: figures, days and keys stay what they were."""
    events = AuditEvent.objects.in_bulk(list(texts))
    for key, columns in texts.items():
        for name, said in columns.items():
            if name not in _DETAILS or not _differ_in_texts_only(getattr(events[key], name), said):
                raise ValueError(f"only a name can be taken out of line {key}, not {name} be changed")
        _past_the_guard(events[key], columns)
        write_audit("texts.redacted", events[key], by=by, after={"fields": sorted(columns)})
    return len(texts)


def _past_the_guard(event: AuditEvent, columns: Mapping[str, Any]) -> None:
    # The only place that bypasses the manager which forbids changing entries.
    AuditEvent._base_manager.filter(pk=event.pk).update(**columns)


def _differ_in_texts_only(was: object, now: object) -> bool:
    if isinstance(was, str) and isinstance(now, str):
        return True
    if isinstance(was, list) and isinstance(now, list):
        return len(was) == len(now) and all(map(_differ_in_texts_only, was, now))
    if isinstance(was, dict) and isinstance(now, dict):
        # Two spellings of one name may have been two keys.
        matches = (any(_differ_in_texts_only(one, other) for one in was.values()) for other in now.values())
        return len(now) <= len(was) and all(matches)
    return type(was) is type(now) and was == now
