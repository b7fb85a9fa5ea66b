"""Officers' credentials: names locked after wrong passwords, sessions, passwords and one-time links, the second factor.

Locked names: django-axes (`AXES_…` in the settings) counts wrong passwords for one name from one address and closes the
name to that address for a while. Here: until when that is so, and lifting a lock before its time.

Sessions: ended in other browsers; a changed password ends them by itself. Members' sessions belong to no account and
are ended by changing the pass-phrase.

Passwords are changed by their owner, set by an administrator, or chosen with a one-time link. A link is valid for
PASSWORD_RESET_TIMEOUT seconds and works once: its token depends on the present password, on the last sign-in, and on
the newest `password.link-made` in the audit trail, so that a newer link invalidates an older one. The link itself is
stored nowhere. No password and no token is ever written to the audit trail.

Second factor, for officers who want one: a code from an app (TOTP, RFC 6238), and ten recovery codes for a lost phone.
Wrong codes are throttled per account: 1, 2, 4, 8 … seconds until the next try. A recovery code works once, and only its
hash is stored. A passkey (`passkeys.py`) does the same as the app; who has only passkeys has recovery codes too. Not
done here: asking for the code (`clubrating.accounts`).
"""

import math
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from axes.helpers import get_cool_off
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, QuerySet, Sum
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from players.models import AuditEvent, Passkey
from players.officers.roles import accounts, may_sign_in
from players.refusals import Refused
from players.trail.services import write_audit


# --- locked names ----------------------------------------------------------------------------------------------------
def _closed(**attempts: Any) -> QuerySet[AccessAttempt, Any]:
    """Pairs of name and address that are closed at present, of those attempts."""
    lately = AccessAttempt.objects.filter(attempt_time__gt=timezone.now() - get_cool_off(), **attempts)
    pairs = lately.order_by().values("username", "ip_address").annotate(wrong=Sum("failures_since_start"))
    closed: QuerySet[AccessAttempt, Any] = pairs.filter(wrong__gte=settings.AXES_FAILURE_LIMIT)
    return closed


def locked_until(username: str, address: str | None = None) -> datetime | None:
    """When the last of the addresses this name is closed to (or that one) may try again; None where it is open."""
    closed = _closed(username=username, ip_address=address) if address else _closed(username=username)
    last = max(closed.annotate(last=Max("attempt_time")).values_list("last", flat=True), default=None)
    return last + get_cool_off() if last else None


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
    return sorted(set(_closed(username__in=User.objects.values("username")).values_list("username", flat=True)))


# --- sessions --------------------------------------------------------------------------------------------------------
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
    """End the sessions on request, with an entry in the audit trail."""
    ended = end_sessions(user, keep=keep)
    write_audit("officer.signed-out", user, by=by, after={"sessions": ended})
    return ended


# --- passwords and one-time links ------------------------------------------------------------------------------------
LINK_MADE = "password.link-made"


class _LinkTokens(PasswordResetTokenGenerator):
    key_salt = "players.officers.services.credentials"

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
    if not may_sign_in(user):
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
    user = accounts().filter(pk=key).first() if 0 < key < 2**31 else None
    return user if user and _TOKENS.check_token(user, token) else None


@transaction.atomic
def set_by_link(owner: str, token: str, password: str) -> User:
    """Use the link: set the password, and let the name sign in again where guessing had closed it. Raises Refused for a
    link that no longer holds, or a password against the rules."""
    user = owner_of(owner, token)
    if user:
        # Another request may have used the link meanwhile: check it again while the row is locked.
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


# --- second factor ---------------------------------------------------------------------------------------------------
RECOVERY_CODES = 10
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that can be mistaken for another
_GROUP = 5


def has_factor(user: User) -> bool:
    """Whether that user signs in with something besides the password: codes of an app, or a passkey."""
    return has_app(user) or bool(Passkey.objects.filter(user=user).exists())


def has_app(user: User) -> bool:
    """Whether that user has codes of an app."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def waiting_factor(user: User) -> TOTPDevice | None:
    """The factor that user has begun to set up and not confirmed."""
    return TOTPDevice.objects.filter(user=user, confirmed=False).first()


def codes_left(user: User) -> int:
    """How many recovery codes that user still has."""
    return int(StaticToken.objects.filter(device__user=user).count())


@transaction.atomic
def begin_factor(user: User) -> TOTPDevice:
    """A new key, to be scanned and confirmed; one begun before is forgotten. Raises Refused where an app is on."""
    User.objects.select_for_update().get(pk=user.pk)
    if has_app(user):
        raise Refused(_("Your second factor is on already: turn it off first, then set up the new one."))
    TOTPDevice.objects.filter(user=user).delete()
    return TOTPDevice.objects.create(user=user, name="app", confirmed=False)


def confirm_factor(user: User, code: str, *, session: str | None = None) -> tuple[TOTPDevice, list[str]]:
    """Turn the begun factor on with its first code: the device and the recovery codes, to be shown once. Every session
    but that one ends. Raises Refused for a wrong code, or where nothing was begun."""
    device = waiting_factor(user)
    if device is None:
        raise Refused(_("Nothing waits to be confirmed: begin again."))
    _check(device, code)
    with transaction.atomic():
        device.confirmed = True
        device.save(update_fields=["confirmed"])
        codes = new_codes(user)
        end_sessions(user, keep=session)
        write_audit("second-factor.on", user, by=user)
    return device, codes


def verify_code(user: User, code: str) -> Device:
    """The factor of that user, proved by a code of the app or by a recovery code, which is used up. Raises Refused for
    a wrong code and for one that comes too soon after a wrong one."""
    app = TOTPDevice.objects.filter(user=user, confirmed=True).first()
    factor = app or Passkey.objects.filter(user=user).first()
    written = "".join(code.split()).replace("-", "").lower()
    is_recovery = len(written) > app.digits if app else True
    device = StaticDevice.objects.filter(user=user).first() if is_recovery else app
    if factor is None or device is None:
        raise Refused(_("That is not the right code."))
    _check(device, _seal(user, written) if is_recovery else written)
    return factor


def _check(device: Device, code: str) -> None:
    """Raises Refused unless the device takes the code. A wrong one is counted, so this commits before it refuses."""
    with transaction.atomic():
        locked = type(device).objects.select_for_update().get(pk=device.pk)
        allowed, why = locked.verify_is_allowed()
        right = allowed and locked.verify_token("".join(code.split()))
    if not allowed:
        raise Refused(_wait(why["locked_until"]))
    if not right:
        raise Refused(_("That is not the right code. The app shows a new one every half minute."))
    device.refresh_from_db()


def _wait(until: datetime) -> str:
    seconds = max(1, math.ceil((until - timezone.now()).total_seconds()))
    if seconds > 90:
        minutes = math.ceil(seconds / 60)
        return _("Too many wrong codes: the next try is possible in %(minutes)s minutes.") % {"minutes": minutes}
    return ngettext(
        "After a wrong code the next try is possible in %(count)s second.",
        "After a wrong code the next try is possible in %(count)s seconds.",
        seconds,
    ) % {"count": seconds}


@transaction.atomic
def renew_codes(user: User) -> list[str]:
    """Ten new recovery codes, to be shown once; the old ones end. Raises Refused where no factor is on."""
    User.objects.select_for_update().get(pk=user.pk)
    if not has_factor(user):
        raise Refused(_("Recovery codes belong to a second factor: turn it on first."))
    codes = new_codes(user)
    write_audit("second-factor.codes", user, by=user)
    return codes


@transaction.atomic
def turn_factor_off(user: User) -> None:
    """Sign in with the password alone from now on; the caller has checked password and code."""
    User.objects.select_for_update().get(pk=user.pk)
    forget_factor(user)
    write_audit("second-factor.off", user, by=user)


@transaction.atomic
def reset_factor(user: User, *, by: User | None) -> None:
    """Somebody lost phone, passkeys and codes: an administrator turns the factor off, and all sessions end. Raises
    Refused for one's own, which is turned off with its code."""
    if by is not None and by.pk == user.pk:
        raise Refused(_("Your own second factor is turned off under “My account”, with a code."))
    User.objects.select_for_update().get(pk=user.pk)
    forget_factor(user)
    end_sessions(user)
    write_audit("second-factor.reset", user, by=by)


def forget_factor(user: User) -> None:
    """Remove the app, the passkeys and the recovery codes; the caller writes the audit event."""
    Passkey.objects.filter(user=user).delete()
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()


def new_codes(user: User) -> list[str]:
    """Ten recovery codes in the place of those before; the caller writes the audit event."""
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name="recovery codes")
    codes = ["".join(secrets.choice(_LETTERS) for _place in range(2 * _GROUP)) for _code in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=_seal(user, code)) for code in codes)
    return [f"{code[:_GROUP]}-{code[_GROUP:]}" for code in codes]


def _seal(user: User, code: str) -> str:
    """The hash stored of a recovery code: whoever reads the database, or a backup, cannot sign in with it."""
    return salted_hmac(f"recovery-code {user.pk}", code, algorithm="sha256").hexdigest()[:16]
