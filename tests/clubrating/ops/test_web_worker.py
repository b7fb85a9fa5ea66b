"""The web process keeps no thread waiting for somebody who sends slowly: as it runs for a club."""

import http.client
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import Mock

import pytest
from waitress.adjustments import Adjustments

from clubrating.ops import web_worker
from clubrating.ops.limits import LARGEST_OF_OFFICERS, is_expensive
from clubrating.ops.web_worker import LARGEST_BODY, MOST_HEADERS, Request, WebWorker
from tests.demo_site import Demo

SLOW = {
    "silent": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half",
    "half a body": b"POST /account/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\nname=",
    "half a chunk": b"POST /account/login/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nna",
    "an answer nobody reads": b"GET /ratings/standard/ HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20,
    "files nobody reads": b"GET /static/admin/js/vendor/select2/select2.full.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    * 90,
}


@contextmanager
def slow_clients(port: int, sent: bytes, number: int = 200) -> Iterator[None]:
    with ExitStack() as stack:
        for _ in range(number):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
            line.sendall(sent)
        yield


@pytest.mark.slow
@pytest.mark.parametrize("sent", SLOW.values(), ids=SLOW)
def test_two_hundred_who_send_or_read_slowly_stop_nobody(demo: Demo, sent: bytes) -> None:
    with slow_clients(demo.port, sent):
        for path in ("/healthz", "/ratings/standard/"):
            line = http.client.HTTPConnection("127.0.0.1", demo.port, timeout=60)
            line.request("GET", path)
            assert line.getresponse().status == 200
            line.close()


@pytest.mark.slow
def test_a_line_stays_open_after_what_has_no_body(demo: Demo) -> None:
    line = http.client.HTTPConnection("127.0.0.1", demo.port, timeout=60)
    line.request("GET", "/ratings/standard/")
    first = line.getresponse()
    first.read()
    kept = line.sock
    for method, path, headers, status in (
        ("HEAD", "/ratings/standard/", {}, 200),
        ("HEAD", "/static/favicon.ico", {}, None),
        ("GET", "/ratings/standard/", {"If-None-Match": first.headers["ETag"]}, 304),
        ("GET", "/healthz", {}, 200),
    ):
        line.request(method, path, headers=headers)
        answer = line.getresponse()
        answer.read()
        assert status in (answer.status, None)
        assert line.sock is kept
    line.close()


# --- what is kept of a request --------------------------------------------------------------------------------
def received(text: bytes) -> Request:
    request = Request(Adjustments(listen="127.0.0.1:0"))
    while text and not request.completed:
        text = text[request.received(text) :]
    return request


@pytest.mark.parametrize(
    ("head", "body", "kept"),
    [
        (b"Content-Length: 5", b"hello", b"hello"),
        (b"Content-Length: %d" % LARGEST_BODY, b"x" * LARGEST_BODY, b"x" * LARGEST_BODY),
        (b"Content-Length: %d" % (LARGEST_BODY + 1), b"x" * (LARGEST_BODY + 1), b""),
        (b"Transfer-Encoding: chunked", b"5\r\nhello\r\n0\r\n\r\n", b""),
    ],
    ids=["usual", "just not too large", "too large", "of unknown length"],
)
def test_a_body_is_kept_where_the_site_will_read_it(head: bytes, body: bytes, kept: bytes) -> None:
    request = received(b"POST / HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n\r\n" + body)
    assert request.completed
    assert request.error is None
    assert request.get_body_stream().read() == kept


def test_no_more_is_kept_than_an_officer_may_send() -> None:
    assert LARGEST_BODY == LARGEST_OF_OFFICERS


@pytest.mark.parametrize("over", [0, 1])
@pytest.mark.parametrize(
    ("first", "more", "most"),
    [
        (b"GET /%s HTTP/1.1", b"x", web_worker.LONGEST_ADDRESS - len("GET / HTTP/1.1")),
        (b"GET / HTTP/1.1\r\nX-Long: %s", b"x", web_worker.LONGEST_HEADER - len("X-Long: ")),
        (b"GET / HTTP/1.1%s", b"\r\nX-1: 1", MOST_HEADERS),
    ],
    ids=["address", "header", "headers"],
)
def test_what_is_too_long_is_refused(first: bytes, more: bytes, most: int, over: int) -> None:
    error = received(first % (more * (most + over)) + b"\r\n\r\n").error
    assert (error and error.code) == (400 if over else None)


@pytest.mark.parametrize(
    ("sent", "seconds", "late"),
    [
        (b"GET / HTTP/1.1\r\nX-Half", web_worker.TO_SEND_A_HEAD, False),
        (b"GET / HTTP/1.1\r\nX-Half", web_worker.TO_SEND_A_HEAD + 1, True),
        (b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf", web_worker.TO_SEND_ALL, False),
        (b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf", web_worker.TO_SEND_ALL + 1, True),
    ],
)
def test_nobody_sends_for_ever(monkeypatch: pytest.MonkeyPatch, sent: bytes, seconds: int, late: bool) -> None:
    monkeypatch.setattr(web_worker.time, "monotonic", lambda: 0)
    request = received(sent)
    monkeypatch.setattr(web_worker.time, "monotonic", lambda: seconds)
    assert request.is_late is late


# --- what becomes of an answer ----------------------------------------------------------------------------------
ANSWER = b"x" * 5_000_000  # more than the two sockets hold


class Served:
    """A listener as the web process has it, with one thread; what it does is done in `turn`."""

    def __init__(self) -> None:
        self.port_of = socket.create_server(("127.0.0.1", 0))
        worker = WebWorker.__new__(WebWorker)
        worker.cfg = Mock(threads=1, keepalive=75, backlog=8, worker_connections=50)
        worker.sockets, worker.wsgi, worker.connections = [Mock(sock=self.port_of)], self._answer, {}
        (self.listener,) = worker._listen()
        self.turn = lambda: worker._turn(0.05)
        worker.notify = lambda: None

    def _answer(self, _environ: object, start_response: Any) -> list[bytes]:
        start_response("200 OK", [("Content-Length", str(len(ANSWER)))])
        return [ANSWER]

    def asks(self, sent: bytes) -> socket.socket:
        """Somebody who has sent that, and for whom an answer was begun."""
        line = socket.create_connection(self.port_of.getsockname()[:2])
        line.sendall(sent)
        while not any(each.total_outbufs_len for each in self.listener.active_channels.values()):
            self.turn()
        return line

    def close(self) -> None:
        for channel in list(self.listener.active_channels.values()):
            channel.handle_close()
        for threads in (self.listener.task_dispatcher, self.listener.expensive):
            threads.shutdown()
        self.listener.close()


@pytest.fixture
def served() -> Iterator[Served]:
    made = Served()
    yield made
    made.close()


@pytest.mark.parametrize("number", [1, 100])
def test_one_request_of_many_sent_at_once_is_answered(served: Served, number: int) -> None:
    """Answers that nobody takes used to pile up until all threads waited."""
    with served.asks(b"GET / HTTP/1.1\r\nHost: x\r\nX-Last: 1\r\n\r\n" * number):
        (channel,) = served.listener.active_channels.values()
        while channel.requests and len(ANSWER) * 2 > channel.total_outbufs_len:
            served.turn()
        assert len(ANSWER) >= channel.total_outbufs_len
        assert channel.close_when_flushed is (number > 1)


@pytest.mark.parametrize(("seconds", "left"), [(70, 1), (80, 0)])
def test_whoever_takes_nothing_of_an_answer_is_hung_up_on(served: Served, seconds: int, left: int) -> None:
    with served.asks(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"):
        for _ in range(3):
            served.turn()
        served.listener.maintenance(time.time() + seconds)
        served.turn()
        assert len(served.listener.active_channels) == left


# --- expensive pages have threads of their own ------------------------------------------------------------------
@pytest.mark.parametrize(
    ("path", "own"), [("/lab/diary/", True), ("/ru/lab/diary/", True), ("/ratings/standard/", False), ("/\xff", False)]
)
def test_expensive_pages_wait_for_one_another_only(path: str, own: bool) -> None:
    assert is_expensive(path) is own
    listener = web_worker._Listener()
    listener.expensive, listener.task_dispatcher, listener.is_expensive = Mock(), Mock(), is_expensive
    channel = Mock(requests=[Mock(error=None, path=path)])
    listener.add_task(channel)
    assert listener.expensive.add_task.called is own
    assert listener.task_dispatcher.add_task.called is not own
