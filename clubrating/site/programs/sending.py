"""Sending to an address that somebody named: signed, bounded in time and size, and only to public hosts.

The host's addresses are looked up once, every one must be public, and the connection goes to one of those looked up: a
name that means another machine a moment later leads nowhere else. No redirect is followed, so none leads inward.
"""

import hashlib
import hmac
import ipaddress
import socket
import ssl
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection, HTTPException
from threading import Timer
from urllib.parse import urlsplit

from players.programs.services import NOT_PUBLIC, REDIRECTED, UNKNOWN_HOST, UNREACHABLE

TIMEOUT, LONGEST = 10, 20  # seconds of one step, and of everything
# Of IPv6, what is given out on the open internet; what carries another address inside, which may be any, is not called.
_OPEN = ipaddress.ip_network("2000::/3")
_CARRIERS = tuple(map(ipaddress.ip_network, ("2002::/16", "2001::/32")))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The status answered, 0 where there was none; and the problem, empty where it was taken."""

    status: int
    problem: str = ""


def send(url: str, body: bytes, headers: dict[str, str], *, local: bool = False) -> Outcome:
    """Send it by POST. `local`: hosts that are not public too."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return Outcome(0, UNKNOWN_HOST)
    found = list(dict.fromkeys(str(row[4][0]) for row in rows))
    if not local and not all(map(is_public, found)):
        return Outcome(0, NOT_PUBLIC)
    path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    try:
        status = _post(found, host, port, path, body, headers, secure=parts.scheme == "https")
    except (OSError, HTTPException, ValueError):
        return Outcome(0, UNREACHABLE)
    if 200 <= status < 300:
        return Outcome(status)
    return Outcome(status, REDIRECTED if 300 <= status < 400 else UNREACHABLE)


def is_public(text: str) -> bool:
    """Whether an address is one of the open internet, and carries no other inside."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return is_public(str(address.ipv4_mapped))
        if address not in _OPEN or any(address in each for each in _CARRIERS):
            return False
    return address.is_global and not address.is_multicast


def _post(
    found: list[str], host: str, port: int, path: str, body: bytes, headers: dict[str, str], *, secure: bool
) -> int:
    connection = HTTPConnection(host, port, timeout=TIMEOUT)
    connection.default_port = 443 if secure else 80  # such a port is not named in the Host header
    connection.sock = line = _line_to(found, host, port, secure=secure)
    # Whoever answers a letter a second holds no worker: after that time the line is cut.
    timer = Timer(LONGEST, _cut, [line])
    timer.start()
    try:
        if isinstance(line, ssl.SSLSocket):
            line.do_handshake()
        connection.request("POST", path, body, headers)
        return connection.getresponse().status  # the body is not read
    finally:
        timer.cancel()
        connection.close()
        line.close()


def _line_to(found: list[str], host: str, port: int, *, secure: bool) -> socket.socket:
    """To the first address that answers, in the order the system prefers; two are tried. Raises OSError."""
    raw = None
    for address in found[:2]:
        with suppress(OSError):
            raw = socket.create_connection((address, port), timeout=TIMEOUT / 2)
            break
    if raw is None:
        raise OSError("none of the addresses answers")
    raw.settimeout(TIMEOUT)
    if not secure:
        return raw
    return _trusted().wrap_socket(raw, server_hostname=host, do_handshake_on_connect=False)


def _cut(line: socket.socket) -> None:
    # Of the socket itself: that of TLS would first drop what the other thread reads from.
    with suppress(OSError):
        socket.socket.shutdown(line, socket.SHUT_RDWR)


@cache
def _trusted() -> ssl.SSLContext:
    return ssl.create_default_context()


def signature(secret: str, body: bytes, at: int | None = None) -> str:
    """The header that shows whose it is, and when it was sent."""
    moment = int(time.time()) if at is None else at
    digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"
