"""Two codes of an officer's app, one after the other: proof of the second factor that needs no count of wrong tries.

A count could be used up by somebody else. Of a pair there are 10^12, three of which are good at any moment, so guessing
at a thousand a second finds one in ten years. A pair is good once, and so is every code before it (RFC 6238, 5.2).
"""

import time

from django.utils.crypto import constant_time_compare
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from players.officers.roles import accounts


def use_two_codes(username: str, first: str, second: str) -> TOTPDevice | None:
    """The factor of that officer, where the app showed `first` and then `second` just now; the pair is used up. None
    where it did not, was used before, or there is no such officer."""
    devices = TOTPDevice.objects.filter(user__in=accounts().filter(username=username), confirmed=True)
    factor = devices.select_related("user").first()
    moment = _moment_of(factor, "".join(first.split()), "".join(second.split())) if factor else None
    if factor is None or moment is None:
        return None
    # Of two that send the same pair at once one is let in.
    used = TOTPDevice.objects.filter(pk=factor.pk, last_t__lt=moment).update(last_t=moment)
    return factor if used else None


def _moment_of(factor: TOTPDevice, first: str, second: str) -> int | None:
    """The time step of `second`, within the tolerance a single code has; None where the two are no such pair."""
    for offset in range(-factor.tolerance, factor.tolerance + 1):
        codes = []
        for step in (offset - 1, offset):
            totp = TOTP(factor.bin_key, factor.step, factor.t0, factor.digits, factor.drift + step)
            totp.time = time.time()
            codes.append(f"{totp.token():0{factor.digits}d}")
        if constant_time_compare(" ".join(codes), f"{first} {second}"):
            return int(totp.t())
    return None
