"""The web process keeps no thread waiting for somebody who sends slowly: as it runs for a club."""

import http.client
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import Mock

import pytest
from waitress.adjustments import Adjustments

from clubrating.ops import web_worker
from clubrating.ops.limits import LARGEST_OF_OFFICERS, is_expensive
from clubrating.ops.web_worker import LARGEST_BODY, MOST_HEADERS, Request
from tests.demo_site import Demo

SLOW = {
    "silent": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half",
    "half a body": b"POST /account/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\nname=",
    "half a chunk": b"POST /account/login/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nna",
    "an answer nobody reads": b"GET /ratings/standard/ HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20,
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
        (b"Content-Length: %d" % (LARGEST_BODY + 1), b"x" * (LARGEST_BODY + 1), b""),
        (b"Transfer-Encoding: chunked", b"5\r\nhello\r\n0\r\n\r\n", b""),
    ],
    ids=["usual", "too large", "of unknown length"],
)
def test_a_body_is_kept_where_the_site_will_read_it(head: bytes, body: bytes, kept: bytes) -> None:
    request = received(b"POST / HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n\r\n" + body)
    assert request.completed
    assert request.error is None
    assert request.get_body_stream().read() == kept


def test_no_more_is_kept_than_an_officer_may_send() -> None:
    assert LARGEST_BODY == LARGEST_OF_OFFICERS


@pytest.mark.parametrize(
    "head",
    [
        b"GET /" + b"x" * 4096 + b" HTTP/1.1",
        b"GET / HTTP/1.1\r\nX-Long: " + b"x" * 8200,
        b"GET / HTTP/1.1" + b"\r\nX-1: 1" * (MOST_HEADERS + 1),
    ],
    ids=["address", "header", "headers"],
)
def test_what_is_too_long_is_refused(head: bytes) -> None:
    assert received(head + b"\r\n\r\n").error.code == 400


@pytest.mark.parametrize(
    ("sent", "seconds", "late"),
    [
        (b"GET / HTTP/1.1\r\nX-Half", web_worker.TO_SEND_A_HEAD - 1, False),
        (b"GET / HTTP/1.1\r\nX-Half", web_worker.TO_SEND_A_HEAD + 1, True),
        (b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf", web_worker.TO_SEND_A_HEAD + 1, False),
        (b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf", web_worker.TO_SEND_ALL + 1, True),
    ],
)
def test_nobody_sends_for_ever(monkeypatch: pytest.MonkeyPatch, sent: bytes, seconds: int, late: bool) -> None:
    request, began = received(sent), time.monotonic()
    monkeypatch.setattr(web_worker.time, "monotonic", lambda: began + seconds)
    assert request.is_late is late


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
