"""The second factor of officers who want one: a code from an app (TOTP, RFC 6238), and ten recovery codes for the day
the phone is lost.

Wrong codes are throttled per account: 1, 2, 4, 8 … seconds until the next try. A recovery code works once and is kept
only as a seal. Not done here: asking for the code (`clubrating.accounts`).
"""

import math
import secrets
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from players.officers.services.sign_in import end_sessions
from players.refusals import Refused
from players.trail.services import write_audit

RECOVERY_CODES = 10
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that reads like another
_GROUP = 5


def has_factor(user: User) -> bool:
    """Whether that user signs in with a code besides the password."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def waiting_factor(user: User) -> TOTPDevice | None:
    """The factor that user has begun to set up and not confirmed."""
    return TOTPDevice.objects.filter(user=user, confirmed=False).first()


def codes_left(user: User) -> int:
    """How many recovery codes that user still has."""
    return int(StaticToken.objects.filter(device__user=user).count())


@transaction.atomic
def begin_factor(user: User) -> TOTPDevice:
    """A new key, to be scanned and confirmed; one begun before is forgotten. Raises Refused where a factor is on."""
    User.objects.select_for_update().get(pk=user.pk)
    if has_factor(user):
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
        codes = _new_codes(user)
        end_sessions(user, keep=session)
        write_audit("second-factor.on", user, by=user)
    return device, codes


def verify_code(user: User, code: str) -> TOTPDevice:
    """The factor of that user, proved by a code of the app or by a recovery code, which is used up. Raises Refused for
    a wrong code and for one that comes too soon after a wrong one."""
    factor = TOTPDevice.objects.filter(user=user, confirmed=True).first()
    written = "".join(code.split()).replace("-", "").lower()
    is_recovery = len(written) > factor.digits if factor else False
    device = StaticDevice.objects.filter(user=user).first() if is_recovery else factor
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
    codes = _new_codes(user)
    write_audit("second-factor.codes", user, by=user)
    return codes


@transaction.atomic
def turn_factor_off(user: User) -> None:
    """Sign in with the password alone from now on; whoever asks has proved both."""
    User.objects.select_for_update().get(pk=user.pk)
    _forget(user)
    write_audit("second-factor.off", user, by=user)


@transaction.atomic
def reset_factor(user: User, *, by: User | None) -> None:
    """Somebody lost phone and codes: an administrator turns the factor off, and all sessions end. Raises Refused for
    one's own, which is turned off with its code."""
    if by is not None and by.pk == user.pk:
        raise Refused(_("Your own second factor is turned off under “My account”, with a code."))
    User.objects.select_for_update().get(pk=user.pk)
    _forget(user)
    end_sessions(user)
    write_audit("second-factor.reset", user, by=by)


def _forget(user: User) -> None:
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()


def _new_codes(user: User) -> list[str]:
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name="recovery codes")
    codes = ["".join(secrets.choice(_LETTERS) for _place in range(2 * _GROUP)) for _code in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=_seal(user, code)) for code in codes)
    return [f"{code[:_GROUP]}-{code[_GROUP:]}" for code in codes]


def _seal(user: User, code: str) -> str:
    """What is kept of a recovery code: whoever reads the database, or a backup, cannot sign in with it."""
    return salted_hmac(f"recovery-code {user.pk}", code, algorithm="sha256").hexdigest()[:16]
