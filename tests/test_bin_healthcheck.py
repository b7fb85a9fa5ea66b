"""bin/healthcheck.py from outside: whether a site answers, over a port or a socket."""

import http.server
import shutil
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bin_cases import ROOT, Done, run


class Site(http.server.BaseHTTPRequestHandler):
    """Answers 200 to /healthz where the question came as the site's proxy sends it, else 503."""

    def do_GET(self) -> None:
        well = self.path == "/healthz" and self.headers["X-Forwarded-Proto"] == "https"
        self.send_response(200 if well and self.headers["Host"] == "localhost" else 503)
        self.end_headers()
        self.wfile.write(b"no database")

    def log_message(self, *args: object) -> None:
        """Nothing."""


@pytest.fixture
def site() -> Iterator[int]:
    with http.server.HTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server.server_port
        server.shutdown()


def healthcheck(*words: object) -> Done:
    return run(sys.executable, ROOT / "bin/healthcheck.py", *words)


def test_a_site_that_answers_is_well(site: int) -> None:
    done = healthcheck(f"http://127.0.0.1:{site}/healthz")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_is_wrong_is_said(site: int) -> None:
    done = healthcheck(f"http://127.0.0.1:{site}/readyz")
    assert done.returncode == 1
    assert "503 no database" in done.stderr


@pytest.mark.extended
def test_a_site_that_is_not_there_is_waited_for(tmp_path: Path, free_port: int) -> None:
    for where in (f"http://127.0.0.1:{free_port}/healthz", tmp_path / "web.sock"):
        done = healthcheck(where, "--wait", "0.5")
        assert done.returncode == 1
        assert "no answer" in done.stderr


def test_a_socket_is_asked_like_an_address(tmp_path: Path) -> None:
    class SocketServer(http.server.HTTPServer):
        address_family = socket.AF_UNIX

        def server_bind(self) -> None:
            self.socket.bind(self.server_address)
            self.server_name, self.server_port = "localhost", 0

        def get_request(self) -> tuple[socket.socket, tuple[str, int]]:
            return self.socket.accept()[0], ("socket", 0)

    path = str(tmp_path / "web.sock")
    with SocketServer(path, Site) as server:  # type: ignore[arg-type]
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        assert healthcheck(path, "/healthz").returncode == 0
        assert healthcheck(path, "/readyz").returncode == 1
        server.shutdown()


def certificate(folder: Path) -> Path:
    """Of 127.0.0.1, signed by itself."""
    words = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1")
    names = ("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / "key.pem", "-out", folder / "chain.pem")
    subprocess.run(["openssl", *words, *names], check=True, capture_output=True)
    return folder / "chain.pem"


@pytest.mark.extended
@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes its certificate with openssl")
def test_an_https_address_is_asked_as_a_visitor_asks_it(tmp_path: Path) -> None:
    """By its own name, which the proxy looks for, and only where the certificate is good."""

    class Proxied(Site):
        def do_GET(self) -> None:
            ours = self.headers["Host"].startswith("127.0.0.1:") and self.headers["X-Forwarded-For"] is None
            self.send_response(200 if ours and self.path == "/healthz" else 503)
            self.end_headers()

    chain = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, tmp_path / "key.pem")
    with http.server.HTTPServer(("127.0.0.1", 0), Proxied) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        where = f"https://127.0.0.1:{server.server_port}"
        good = {"SSL_CERT_FILE": chain}
        script = ROOT / "bin/healthcheck.py"
        assert run(sys.executable, script, f"{where}/healthz", **good).returncode == 0
        assert run(sys.executable, script, f"{where}/readyz", **good).returncode == 1
        unknown = run(sys.executable, script, f"{where}/healthz")
        assert (unknown.returncode, "certificate" in unknown.stderr) == (1, True)
        server.shutdown()


def test_an_address_of_another_kind_is_no_socket() -> None:
    done = healthcheck("ftp://127.0.0.1/healthz")
    assert (done.returncode, "is no address: write http://" in done.stderr) == (2, True)


@pytest.mark.extended
def test_the_name_of_earlier_versions_still_answers() -> None:
    """Units and compose files that a club wrote for them call `bin/knock.py`."""
    now, before = (
        run(sys.executable, ROOT / "bin" / name, "http://127.0.0.1:1/healthz")
        for name in ("healthcheck.py", "knock.py")
    )
    assert (before.returncode, before.stderr.replace("knock", "healthcheck")) == (now.returncode, now.stderr)
    assert before.returncode == 1
