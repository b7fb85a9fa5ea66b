"""What the web server itself refuses, before anything of ours is asked: as it runs for a club."""

import http.client

import pytest

from tests.demo_site import Demo

pytestmark = pytest.mark.slow  # a server with a whole club, for six requests


def status(demo: Demo, path: str, headers: dict[str, str]) -> int:
    line = http.client.HTTPConnection("127.0.0.1", demo.port, timeout=600)
    try:
        line.request("GET", path, headers=headers)
        return line.getresponse().status
    finally:
        line.close()


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/healthz?" + "x" * 4096, {}),
        ("/healthz", {"X-Long": "x" * 8200}),
        ("/healthz", {f"X-{number}": "1" for number in range(101)}),
    ],
    ids=["address", "header", "headers"],
)
def test_what_is_too_long_is_refused_by_the_server(demo: Demo, path: str, headers: dict[str, str]) -> None:
    assert 400 <= status(demo, path, headers) < 500


@pytest.mark.parametrize(
    ("path", "headers"),
    [("/healthz?" + "x" * 3900, {}), ("/healthz", {"X-Long": "x" * 8000}), ("/healthz", {"X-1": "1"})],
    ids=["address", "header", "headers"],
)
def test_what_is_just_short_enough_is_answered(demo: Demo, path: str, headers: dict[str, str]) -> None:
    assert status(demo, path, headers) == 200
