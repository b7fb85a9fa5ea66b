"""The web process: gunicorn starts and supervises it, Waitress reads the requests (decision 27).

A request is handed to a thread when all of it is here, and its answer is sent from memory. So whoever sends or reads
slowly holds a place in the list of connections and never a thread. Requests for pages of `EXPENSIVE` have threads of
their own, half as many as all others together: they wait for one another, and nobody else waits for them.

Imported by gunicorn before there are any settings: nothing of ours is imported here.
"""

import os
import resource
import socket
import time
from collections.abc import Callable
from typing import Any

from django.utils.module_loading import import_string
from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.buffers import OverflowableBuffer
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.receiver import FixedStreamReceiver
from waitress.server import TcpWSGIServer, UnixWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask

# Seconds within which a request has to be here: its head, and all of it. 6 MB from a telephone take a minute.
TO_SEND_A_HEAD, TO_SEND_ALL = 20, 120
# Seconds for which a stopping process still answers on connections that are open.
LINGER = 2
# Bytes: of the first line, of a line of the head, of the head, of a body that is kept for the site.
LONGEST_ADDRESS, LONGEST_HEADER, LONGEST_HEAD, LARGEST_BODY = 4094, 8190, 65_536, 6_000_000
MOST_HEADERS = 100
FILES = 4  # open files of a connection at most (itself, what it sends, what is sent to it), and some for the site


class Nowhere(OverflowableBuffer):
    """Takes a body that nobody will read."""

    def append(self, _data: bytes) -> None:
        """Keeps nothing."""


class Request(HTTPRequestParser):
    """A request that is being received; `since`: when its first bytes came."""

    body_rcv: Any

    def __init__(self, adj: Adjustments) -> None:
        super().__init__(adj)
        self.since = time.monotonic()

    def parse_header(self, header_plus: bytes) -> None:
        """Refuses what is too long; a body that is too large, or of unknown length, is received and not kept."""
        lines = header_plus.removesuffix(b"\r\n\r\n").split(b"\r\n")
        if len(lines) > MOST_HEADERS + 1 or len(lines[0]) > LONGEST_ADDRESS or max(map(len, lines)) > LONGEST_HEADER:
            raise ParsingError("Address or headers are too long")
        super().parse_header(header_plus)
        if self.chunked:
            self.body_rcv.buf = Nowhere(0)
        elif self.content_length > LARGEST_BODY:
            self.body_rcv = FixedStreamReceiver(self.content_length, Nowhere(0))

    @property
    def is_late(self) -> bool:
        return time.monotonic() - self.since > (TO_SEND_ALL if self.headers_finished else TO_SEND_A_HEAD)


class Answer(WSGITask):
    """Waitress hangs up after what has no body: here the connection stays open, and HEAD has no body either."""

    logged_write_no_body = True  # what Django says to HEAD is left out without a word

    @property
    def has_body(self) -> bool:
        return self.request.command != "HEAD" and super().has_body

    def start(self) -> None:
        super().start()
        # This process stops; or more was asked before this is answered, which no browser and no proxy does: what nobody
        # takes would pile up until the thread has to wait.
        if not self.channel.server.accepting or len(self.channel.requests) > 1:
            self.request.headers["CONNECTION"] = "close"
            self.request.connection_close = True

    def set_close_on_finish(self) -> None:
        asked = self.request.connection_close or self.version != "1.1"
        if self.has_body or asked:
            super().set_close_on_finish()

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        if not self.has_body:
            environ.pop("wsgi.file_wrapper", None)  # sends the file whatever was asked
        return environ


class Connection(HTTPChannel):
    task_class = Answer
    parser_class = Request

    @property
    def is_answered(self) -> bool:
        """Whether an answer is being made or sent."""
        return bool(self.requests or self.total_outbufs_len)


class _Listener:
    """What both kinds of listening sockets have in addition."""

    channel_class = Connection
    expensive: ThreadedTaskDispatcher
    is_expensive: Callable[[str], bool]

    def add_task(self, channel: Connection) -> None:
        request = channel.requests[0]
        own = request.error is None and self.is_expensive(request.path)
        (self.expensive if own else self.task_dispatcher).add_task(channel)  # type: ignore[attr-defined]

    def maintenance(self, now: float) -> None:
        """Hangs up on who is silent (Waitress), sends too slowly, or takes nothing of an answer."""
        super().maintenance(now)  # type: ignore[misc]
        silent_since = now - self.adj.channel_timeout  # type: ignore[attr-defined]
        for channel in list(self.active_channels.values()):  # type: ignore[attr-defined]
            if channel.request is not None and channel.request.is_late:
                channel.will_close = True
            if channel.total_outbufs_len and channel.last_activity < silent_since:
                channel.handle_close()  # at once: Waitress would first wait until something can be sent


class TcpListener(_Listener, TcpWSGIServer):
    """A port."""


class UnixListener(_Listener, UnixWSGIServer):
    """A socket of the file system; nobody's address is known there."""

    def fix_addr(self, addr: object) -> tuple[str, None]:
        return "", None


class WebWorker(Worker):
    """A process of gunicorn's, with Waitress inside. Of gunicorn's settings it knows threads, keepalive, backlog,
    worker_connections and graceful_timeout."""

    def run(self) -> None:
        _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, FILES * self.cfg.worker_connections), hard))
        self.connections: dict[int, Any] = {}
        self.listeners = self._listen()
        while self.alive and self.ppid == os.getppid():
            self._turn(1.0)
        self._stop()

    def handle_exit(self, sig: int, frame: object) -> None:
        super().handle_exit(sig, frame)
        for listener in getattr(self, "listeners", ()):
            listener.pull_trigger()  # wakes `_turn`

    def _listen(self) -> list[Any]:
        settings = Adjustments(
            sockets=[each.sock for each in self.sockets],
            channel_timeout=self.cfg.keepalive,
            cleanup_interval=5,
            connection_limit=self.cfg.worker_connections,
            backlog=self.cfg.backlog,
            max_request_header_size=LONGEST_HEAD,
            inbuf_overflow=65_536,
            clear_untrusted_proxy_headers=False,  # the site reads them itself (CLUB_PROXIES)
            log_socket_errors=False,
            ident="",
        )
        threads, expensive = _threads(self.cfg.threads), _threads(max(1, self.cfg.threads // 2))
        is_expensive = import_string("clubrating.ops.limits.is_expensive")
        listeners: list[Any] = []
        for each in settings.sockets:
            kind = UnixListener if each.family == socket.AF_UNIX else TcpListener
            about = (each.family, each.type, each.proto, each.getsockname())
            listener = kind(
                self.wsgi,
                self.connections,
                _sock=each,
                dispatcher=threads,
                adj=settings,
                sockinfo=about,
                bind_socket=False,
            )
            listener.expensive, listener.is_expensive = expensive, is_expensive
            listeners.append(listener)
        return listeners

    def _turn(self, seconds: float) -> None:
        self.notify()
        wasyncore.poll2(seconds, self.connections)

    def _stop(self) -> None:
        """Takes no new connection, ends what is under way, and for a moment answers who is asking already."""
        for listener in self.listeners:
            listener.accepting = False
        now = time.monotonic()
        linger, until = now + LINGER, now + self.cfg.graceful_timeout
        while (now := time.monotonic()) < until:
            left = [channel for listener in self.listeners for channel in listener.active_channels.values()]
            if not (any(channel.is_answered for channel in left) or (left and now < linger)):
                break
            self._turn(0.1)


def _threads(count: int) -> ThreadedTaskDispatcher:
    threads = ThreadedTaskDispatcher()
    threads.set_thread_count(count)
    return threads
