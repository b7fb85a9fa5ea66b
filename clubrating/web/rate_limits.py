"""Patience with wrong tries: so many within so long, then the door is closed for a while.

Counted by each web process for itself, so with N of them a guesser has N times the tries: enough against guessing,
and nothing to store. Where CLUB_CACHE_URL says so, all processes count together (docs/databases.md). Names are guarded
by the login guard (`AXES_…` in the settings), codes by the device that checks them.

Where the count stands, `CACHES` in the settings say: at a door a count may be written into the club's database, for
whoever knocks is writing anyway; who only reads pages is counted in memory and never stands in the writers' queue.
"""

import ipaddress
import logging
from dataclasses import dataclass

from django.core.cache import caches
from django.db import DatabaseError
from django.http import HttpRequest

DOORS, READERS = "doors", "readers"  # of `CACHES`

_log = logging.getLogger(__name__)
_HOST_BITS = 64  # of an IPv6 address: what its owner chooses himself


def address_of(request: HttpRequest) -> str:
    """Where the request comes from (`ProxyAddressMiddleware` sees through our own proxies). An IPv6 address counts as
    the network it is in: whoever has one of those has them all, and could try from a new one each time."""
    text = str(request.META.get("REMOTE_ADDR", ""))
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv4Address):
        return text
    network = ipaddress.IPv6Address(int(address) >> _HOST_BITS << _HOST_BITS)
    return str(address.ipv4_mapped or network)


def guarded_address(request: HttpRequest) -> str | None:
    """The same for the login guard, which stores addresses only."""
    return address_of(request) or None


@dataclass(frozen=True, slots=True)
class Throttle:
    """One door: what is tried there, how often, for how many seconds it then stays closed, and where that is kept."""

    door: str
    tries: int
    seconds: int
    kept_in: str = DOORS

    def is_closed_to(self, who: str) -> bool:
        """Whether too many tries came from there lately."""
        return int(caches[self.kept_in].get(self._key(who), 0)) >= self.tries

    def count(self, who: str) -> None:
        """One more. While the database takes nothing, the try stays uncounted, and a line in the log says so."""
        cache = caches[self.kept_in]
        try:
            cache.add(self._key(who), 0, timeout=self.seconds)
            try:
                cache.incr(self._key(who))
            except ValueError:  # it ran out between the two lines
                cache.set(self._key(who), 1, timeout=self.seconds)
        except DatabaseError:
            _log.warning("A try at the door “%s” stays uncounted: the database took nothing.", self.door)

    def _key(self, who: str) -> str:
        return f"{self.door}:{who}"
