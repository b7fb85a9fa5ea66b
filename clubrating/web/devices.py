"""Devices that have signed in before, which limits of tries count for themselves.

Whoever signs in as an officer or enters the pass-phrase gets a signed cookie: a random key of the device, and seals of
the names that were proved there. Wrong tries for that name from that device are counted by the key instead of the
address, so nobody else behind the address can use them up. For any other name the device is as unknown as all others:
whoever may sign in gains nothing for guessing others' passwords. A seal is of the present password or pass-phrase:
whoever gathered devices while knowing an older one gains nothing for guessing the new one. The cookie lets nobody in.

It is taken out of the request before anything else looks at it, so pages are kept for such a device as for all others.
"""

import ipaddress
from dataclasses import dataclass
from datetime import timedelta
from secrets import token_hex
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from clubrating.web.rate_limits import address_of

COOKIE, LASTS = "club-device", timedelta(days=365)
MEMBER = ""  # what the pass-phrase proves; nobody's user name
MOST = 10  # officers at one device
_SALT = "clubrating.web.devices"
_UNIQUE_LOCAL = 0xFD << 120


@dataclass(frozen=True, slots=True)
class Device:
    """The key of a device, 30 hexadecimal digits, and the seals of those who signed in there, the last one last."""

    key: str
    seals: tuple[str, ...]


def note_device(request: HttpRequest) -> None:
    """Which device the request comes from, for `counted_as`; None where it is unknown or the cookie is not ours."""
    token, device = request.COOKIES.pop(COOKIE, ""), None
    if token:
        try:
            key, *seals = signing.loads(token, salt=_SALT, max_age=LASTS)
            device = Device(key, tuple(seals))
        except (signing.BadSignature, ValueError, TypeError):
            pass
    request.device = device  # type: ignore[attr-defined]


def known_device(request: HttpRequest, name: str) -> Device | None:
    """The device, where that officer has signed in on it before, or a member for `MEMBER`."""
    device: Device | None = getattr(request, "device", None)
    if device is None or "\0" in name:  # which nobody's name has, and no database looks up
        return None
    return device if _seal(request, name) in device.seals else None


def counted_as(request: HttpRequest, name: str) -> str:
    """By what tries for that name are counted: the device where it is known, else the address."""
    device = known_device(request, name)
    return f"device:{device.key}" if device else address_of(request)


def guarded_address(request: HttpRequest) -> str | None:
    """The same for django-axes, which stores addresses only: a known device has one of its own, of those that are never
    routed (fd00::/8, RFC 4193). None where there is no address."""
    device = known_device(request, str(request.POST.get("username", "")).strip())
    if device:
        return str(ipaddress.IPv6Address(_UNIQUE_LOCAL | int(device.key, 16)))
    return address_of(request) or None


def remember_device(request: HttpRequest, response: HttpResponse, name: str) -> None:
    """That officer, or a member, has just signed in here, or chosen a new password."""
    device: Device | None = getattr(request, "device", None)
    own = _seal(request, name)
    seals = [*(seal for seal in (device.seals if device else ()) if seal != own), own][-MOST:]
    content: list[Any] = [device.key if device else token_hex(15), *seals]
    response.set_cookie(
        COOKIE,
        signing.dumps(content, salt=_SALT),
        max_age=LASTS,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def _seal(request: HttpRequest, name: str) -> str:
    """Of the name and what was proved with it: the present pass-phrase, or the password of an account that is open."""
    if name == MEMBER:
        proved = str(request.club.pass_phrase_version)  # type: ignore[attr-defined]
    else:
        passwords = User.objects.filter(username=name, is_active=True).values_list("password", flat=True)
        proved = passwords.first() or ""
    return salted_hmac(_SALT, f"{name}\n{proved}", algorithm="sha256").hexdigest()[:16]
