"""Rate limits: so many tries of one kind from one address, then none for a while, or few.

A club sits behind one address, so one phone in the hall could use up everybody's tries. A device that has signed in
before is therefore counted for itself (`clubrating.web.devices`).

Each web process counts for itself, so with N of them a guesser has N times the tries, unless CLUB_CACHE_URL makes them
count together (docs/databases.md). Passwords are guarded by django-axes (`AXES_…` in the settings), codes by the device
that checks them.

Tries may be counted in the club's database, since whoever sends a form writes there anyway; readers of pages are not,
and so never wait for a writer.
"""

import ipaddress
import logging
from dataclasses import dataclass

from django.core.cache import caches
from django.db import DatabaseError
from django.http import HttpRequest

TRIES, READERS = "tries", "readers"  # of `CACHES`

_log = logging.getLogger(__name__)
_HOST_BITS = 64  # of an IPv6 address: what its owner chooses himself


def address_of(request: HttpRequest) -> str:
    """Where the request comes from (`RequestMiddleware` looks behind our own proxies). An IPv6 address counts as its
    network: whoever has one address of it could try from a new one each time."""
    text = str(request.META.get("REMOTE_ADDR", ""))
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv4Address):
        return text
    network = ipaddress.IPv6Address(int(address) >> _HOST_BITS << _HOST_BITS)
    return str(address.ipv4_mapped or network)


def network_of(request: HttpRequest) -> str:
    """The network the request comes from, as one owner usually has it: the first 24 bits of an IPv4 address, 48 of an
    IPv6 one."""
    text = address_of(request)
    try:
        bits = 24 if ipaddress.ip_address(text).version == 4 else 48
    except ValueError:
        return text
    return str(ipaddress.ip_network(f"{text}/{bits}", strict=False))


@dataclass(frozen=True, slots=True)
class RateLimit:
    """What is limited, to how many tries, for how many seconds, and in which cache that is counted. `pace`: beyond the
    limit one try is taken every so many seconds, instead of none."""

    name: str
    tries: int
    seconds: int
    kept_in: str = TRIES
    pace: int = 0

    def is_exceeded_by(self, who: str) -> bool:
        """Whether too many tries came from there lately; asked once for each try."""
        cache = caches[self.kept_in]
        if int(cache.get(self._key(who), 0)) < self.tries:
            return False
        return not (self.pace and cache.add(f"{self._key(who)}:pace", 1, timeout=self.pace))

    def count(self, who: str) -> None:
        """One more. While the database takes nothing, the try stays uncounted, and a line in the log says so."""
        cache = caches[self.kept_in]
        try:
            cache.add(self._key(who), 0, timeout=self.seconds)
            try:
                count = cache.incr(self._key(who))
            except ValueError:  # it ran out between the two lines
                cache.set(self._key(who), 1, timeout=self.seconds)
            else:
                if self.pace and count >= self.tries:
                    cache.set(f"{self._key(who)}:pace", 1, timeout=self.pace)
        except DatabaseError:
            _log.warning("A try of “%s” stays uncounted: the database took nothing.", self.name)

    def _key(self, who: str) -> str:
        return f"{self.name}:{who}"
