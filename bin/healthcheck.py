"""Asks the site for one address, as its proxy would: is it alive (/healthz), is it ready for visitors (/readyz)?

    python bin/healthcheck.py http://127.0.0.1:8000/healthz
    python bin/healthcheck.py https://club.example.org/readyz
    python bin/healthcheck.py /run/club/web.sock /readyz --wait 30

Status 0 where it answers 200 (within so many seconds), else 1 and what it said. Over https it asks the proxy as
visitors do, and the certificate has to be good. Needs nothing but Python.
"""

import argparse
import http.client
import socket
import sys
import time
from urllib.parse import urlsplit

# The site always answers to this name, and behind TLS only to whom a proxy says that he came encrypted.
HEADERS = {"Host": "localhost", "X-Forwarded-Proto": "https", "X-Forwarded-For": "127.0.0.1"}
SECONDS = 8


class SocketConnection(http.client.HTTPConnection):
    """HTTP over a socket in the file system."""

    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=SECONDS)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(SECONDS)
        self.sock.connect(self.path)


def ask(where: str, path: str) -> tuple[int, str]:
    """Status and text of the answer; 0 and the reason where none comes."""
    parts = urlsplit(where)
    line: http.client.HTTPConnection
    if parts.scheme == "https":
        line = http.client.HTTPSConnection(parts.hostname or "", parts.port, timeout=SECONDS)
    elif parts.scheme == "http":
        line = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=SECONDS)
    else:
        line = SocketConnection(where)
    try:
        line.request("GET", path or parts.path or "/", headers={} if parts.scheme == "https" else HEADERS)
        answer = line.getresponse()
        return answer.status, answer.read().decode(errors="replace").strip()
    except (OSError, http.client.HTTPException) as error:
        return 0, f"no answer ({error})"
    finally:
        line.close()


def main(arguments: list[str]) -> int:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("where", help="http(s)://address:port/path, or the path of a socket")
    reader.add_argument("path", nargs="?", default="", help="the address to ask a socket for")
    reader.add_argument("--wait", type=float, default=0, metavar="SECONDS", help="how long to try")
    asked = reader.parse_args(arguments)
    if "://" in asked.where and not asked.where.startswith(("http://", "https://")):
        reader.error(f"{asked.where} is no address: write http://… or https://…, or the path of a socket.")
    until = time.monotonic() + asked.wait
    while True:
        status, text = ask(asked.where, asked.path)
        if status == http.HTTPStatus.OK:
            return 0
        if time.monotonic() >= until:
            sys.stderr.write(f"{asked.where} {asked.path}: {status or ''} {text}\n")
            return 1
        time.sleep(0.3)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
