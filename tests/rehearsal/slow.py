"""Two hundred visitors who send slowly, through a proxy, while others go on reading: nobody else waits for them."""

import socket
import ssl
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

from tests.rehearsal.places import Say
from tests.rehearsal.visiting import Visitor, demand

CLIENTS, READERS, PAGES = 200, 10, 50
SECONDS = 1.0  # that nobody waits longer for a page
HALF = (
    "GET / HTTP/1.1\r\nHost: {site}\r\nX-Half",
    "POST /account/login/ HTTP/1.1\r\nHost: {site}\r\nContent-Length: 5000\r\n\r\nname=",
    "POST /account/login/ HTTP/1.1\r\nHost: {site}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nna",
)


@contextmanager
def slow_clients(visitor: Visitor) -> Iterator[None]:
    """They have sent half of a head, of a body or of a chunk, and send nothing more until the block is left."""
    trust = ssl.create_default_context(cafile=str(visitor.certificate))
    with ExitStack() as stack:
        for number in range(CLIENTS):
            plain = stack.enter_context(socket.create_connection(("127.0.0.1", visitor.https_port), timeout=60))
            line = stack.enter_context(trust.wrap_socket(plain, server_hostname=visitor.site))
            line.sendall(HALF[number % len(HALF)].format(site=visitor.site).encode())
        yield


def nobody_waits_for_slow_clients(visitor: Visitor, say: Say) -> None:
    """Raises RehearsalError where somebody is not answered, or waits longer than a second and than before."""
    before = _longest_wait(visitor)
    with slow_clients(visitor):
        wait = _longest_wait(visitor)
    say(f"{CLIENTS} slow clients: the longest wait of others was {wait:.2f} s, without them {before:.2f} s")
    # A machine that is busy with something else makes everybody wait.
    demand(wait < max(SECONDS, 2 * before), f"somebody waited {wait:.2f} s for slow clients, {before:.2f} s without")


def _longest_wait(visitor: Visitor) -> float:
    def ask(number: int) -> float:
        began = time.monotonic()
        found = visitor.ask(("/healthz", "/", "/ratings/standard/")[number % 3])
        demand(found.status == 200, f"a visitor was refused: {found.status} {found.text[:100]}")
        return time.monotonic() - began

    with ThreadPoolExecutor(READERS) as readers:
        return max(readers.map(ask, range(PAGES)))
