"""Passwords: changed by their owner, set by an administrator, or chosen by whoever holds a one-time link.

A link holds for PASSWORD_RESET_TIMEOUT seconds and works once: its token is sealed with the present password and the
last sign-in, and with the newest `password.link-made` in the audit trail, so that a newer link ends an older one. The
link itself is kept nowhere. No password and no token ever reaches the trail.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode
from django.utils.translation import gettext as _

from players.models import AuditEvent
from players.officers.services.sign_in import lift_lock
from players.refusals import Refused
from players.trail.services import write_audit

LINK_MADE = "password.link-made"


class _LinkTokens(PasswordResetTokenGenerator):
    key_salt = "players.officers.services.passwords"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        links = AuditEvent.objects.filter(action=LINK_MADE, subject_kind="user", subject_key=user.pk)
        newest = links.values_list("pk", flat=True).first()
        return f"{super()._make_hash_value(user, timestamp)}{newest}"


_TOKENS = _LinkTokens()


@dataclass(frozen=True, slots=True)
class PasswordLink:
    """What the address of a link is made of, and until when it holds."""

    owner: str
    token: str
    until: datetime


@transaction.atomic
def make_link(user: User, *, by: User | None, mailed: bool = False) -> PasswordLink:
    """A one-time link with which that officer chooses a password. Raises Refused for a closed account."""
    if not (user.is_active and user.is_staff):
        raise Refused(_("This account is closed: open it again first, then make the link."))
    write_audit(LINK_MADE, user, by=by, after={"mailed": mailed})
    until = timezone.now() + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)
    return PasswordLink(urlsafe_base64_encode(force_bytes(user.pk)), _TOKENS.make_token(user), until)


def owner_of(owner: str, token: str) -> User | None:
    """Whose link that is; None for one that was used, replaced, is too old or was never made."""
    try:
        key = int(urlsafe_base64_decode(owner).decode())
    except (ValueError, OverflowError):
        return None
    user = User.objects.filter(pk=key, is_active=True, is_staff=True).first() if 0 < key < 2**31 else None
    return user if user and _TOKENS.check_token(user, token) else None


@transaction.atomic
def set_by_link(owner: str, token: str, password: str) -> User:
    """Use the link: set the password, and let the name sign in again where guessing had closed it. Raises Refused for a
    link that no longer holds, or a password against the rules."""
    user = owner_of(owner, token)
    if user:
        # Whoever was here first has used the link: look again with the row in hand.
        User.objects.select_for_update().get(pk=user.pk)
        user = owner_of(owner, token)
    if user is None:
        raise Refused(_("This link was used already or is too old: ask an administrator for a new one."))
    set_password(user, password, by=user, how="link")
    lift_lock(user, by=user)
    return user


@transaction.atomic
def set_password(user: User, password: str, *, by: User | None, how: str = "typed") -> None:
    """Set the password, by the rules. It ends every session that knows the old one. Raises Refused with everything that
    is wrong with it."""
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from None
    user.set_password(password)
    user.save(update_fields=["password"])
    write_audit("password.set", user, by=by, after={"how": how})
