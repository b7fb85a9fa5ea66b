"""Ending what is signed in: an officer's sessions in other browsers.

A changed password ends them by itself (each session carries a seal of the password). Members' sessions belong to no
account and are ended by changing the pass-phrase.
"""

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from players.trail.services import write_audit


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
