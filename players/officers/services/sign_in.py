"""Names closed to guessing: until when, and opening one before its time.

The counting itself is the login guard's (`AXES_…` in the settings): so many wrong passwords for one name from one
address close that name to that address for a while.

Ending what is signed in: an officer's sessions in other browsers.

A changed password ends them by itself (each session carries a seal of the password). Members' sessions belong to no
account and are ended by changing the pass-phrase.
"""

from datetime import datetime

from axes.helpers import get_cool_off
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Max, Sum
from django.utils import timezone

from players.trail.services import write_audit


def locked_until(username: str, address: str | None = None) -> datetime | None:
    """When the last of the addresses this name is closed to (or that one) may try again; None where it is open."""
    pause = get_cool_off()
    attempts = AccessAttempt.objects.filter(username=username, attempt_time__gt=timezone.now() - pause)
    if address:
        attempts = attempts.filter(ip_address=address)
    by_address = attempts.values("ip_address").annotate(wrong=Sum("failures_since_start"), last=Max("attempt_time"))
    closed = [row["last"] for row in by_address.order_by() if row["wrong"] >= settings.AXES_FAILURE_LIMIT]
    return max(closed) + pause if closed else None


@transaction.atomic
def lift_lock(user: User, *, by: User | None) -> bool:
    """Let that name try again from everywhere; whether there was anything to forget."""
    forgotten, _rows = AccessAttempt.objects.filter(username=user.get_username()).delete()
    if forgotten:
        write_audit("officer.unlocked", user, by=by)
    return bool(forgotten)


def closed_names() -> list[str]:
    """The accounts that are closed to some address at present, by name. One query. What else was typed for a name
    closes nobody's account, and may be a password in the wrong field."""
    accounts = User.objects.values("username")
    attempts = AccessAttempt.objects.filter(username__in=accounts, attempt_time__gt=timezone.now() - get_cool_off())
    by_address = attempts.order_by().values("username", "ip_address").annotate(wrong=Sum("failures_since_start"))
    closed = by_address.filter(wrong__gte=settings.AXES_FAILURE_LIMIT).values_list("username", flat=True)
    return sorted(set(closed))


def end_sessions(user: User, *, keep: str | None = None) -> int:
    """Sign that user out everywhere, but for the session of the key `keep`; how many were ended. A session tells whose
    it is only when opened, so all are read: some thousands take a fraction of a second."""
    ended = [
        session.session_key
        for session in Session.objects.filter(expire_date__gt=timezone.now()).exclude(session_key=keep).iterator()
        if session.get_decoded().get(SESSION_KEY) == str(user.pk)
    ]
    Session.objects.filter(session_key__in=ended).delete()
    return len(ended)


@transaction.atomic
def sign_out_everywhere(user: User, *, by: User | None, keep: str | None = None) -> int:
    """The same as a wish of its own, told in the trail."""
    ended = end_sessions(user, keep=keep)
    write_audit("officer.signed-out", user, by=by, after={"sessions": ended})
    return ended
