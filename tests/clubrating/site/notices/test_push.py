"""Web push as a push service and a browser see it: signed as the club's, readable by that browser alone."""

import base64
import json
from collections.abc import Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

http_ece = pytest.importorskip("http_ece", reason="requirements-push.txt is not installed")
from cryptography.hazmat.primitives import serialization  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec  # noqa: E402
from py_vapid import Vapid02  # noqa: E402

from clubrating.site.notices import push  # noqa: E402

SECRET = b"sixteen bytes ok"


class Service(BaseHTTPRequestHandler):
    """A push service: keeps what it was sent and answers with the status of its server."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append((self.path, dict(self.headers), body))  # type: ignore[attr-defined]
        self.send_response(self.server.status)  # type: ignore[attr-defined]
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    server: Any = HTTPServer(("127.0.0.1", 0), Service)
    server.seen, server.status = [], 201
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    monkeypatch.setattr(push, "connect", lambda host: HTTPConnection("127.0.0.1", server.server_port, timeout=5))
    yield server
    server.shutdown()
    server.server_close()


def text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def test_the_browser_reads_it_and_the_push_service_knows_the_club(service: Any) -> None:
    browser, key = ec.generate_private_key(ec.SECP256R1()), push.new_key()
    point = browser.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    address = "https://updates.push.services.mozilla.com/wpush/v2/abc"
    status = push.send(
        *(address, text(point), text(SECRET), b'{"title": "You are paired"}', "club-7"),
        key=key,
        contact="mailto:club@example.org",
    )
    assert status == 201
    ((path, headers, body),) = service.seen
    assert path == "/wpush/v2/abc"
    assert b"paired" not in body
    opened = http_ece.decrypt(body, private_key=browser, auth_secret=SECRET, version="aes128gcm")
    assert opened == b'{"title": "You are paired"}'
    assert (headers["Content-Encoding"], headers["Topic"]) == ("aes128gcm", "club-7")
    token, public = (part.split("=", 1)[1] for part in headers["Authorization"].removeprefix("vapid ").split(","))
    assert public == push.public_key(key)
    claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    assert (claims["aud"], claims["sub"]) == ("https://updates.push.services.mozilla.com", "mailto:club@example.org")
    assert Vapid02.verify(headers["Authorization"])


@pytest.mark.parametrize("status", [302, 410, 503])
def test_the_status_is_told_and_no_redirect_followed(service: Any, status: int) -> None:
    service.status = status
    point = base64.urlsafe_b64decode(push.public_key(push.new_key()) + "=")
    sent = push.send(
        "https://x.push.apple.com/a", text(point), text(SECRET), b"{}", "t", key=push.new_key(), contact="mailto:a@b.c"
    )
    assert sent == status
    assert len(service.seen) == 1


def test_a_made_up_key_is_no_browsers_and_nothing_is_sent(service: Any) -> None:
    address, key = "https://x.push.apple.com/a", push.new_key()
    sent = push.send(address, "B" * 87, text(SECRET), b"{}", "t", key=key, contact="mailto:a@b.c")
    assert (sent, service.seen) == (410, [])


def test_whoever_cannot_be_reached_is_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push, "connect", lambda host: HTTPConnection("127.0.0.1", 9, timeout=1))
    key = push.new_key()
    sent = push.send(
        "https://x.push.apple.com/a", push.public_key(key), text(SECRET), b"{}", "t", key=key, contact="mailto:a@b.c"
    )
    assert sent == 0
