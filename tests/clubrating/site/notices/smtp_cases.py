"""A mail server that keeps what it hears and answers as it is told."""

import socketserver
from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest


class Conversation(socketserver.StreamRequestHandler):
    """A mail server that knows the few words smtplib says, and answers RCPT as its server was told."""

    def handle(self) -> None:
        self._say("220 mail.test")
        for line in self.rfile:
            word = line.split()[0].upper()
            self.server.heard.append(line.decode())  # type: ignore[attr-defined]
            if word == b"RCPT":
                self._say(self.server.answer)  # type: ignore[attr-defined]
            elif word == b"DATA":
                self._say("354 go on")
                for text in self.rfile:
                    if text == b".\r\n":
                        break
                    self.server.heard.append(text.decode())  # type: ignore[attr-defined]
                self._say("250 taken")
            else:
                self._say("221 bye" if word == b"QUIT" else "250 yes")

    def _say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


@pytest.fixture
def server() -> Iterator[Any]:
    """For a file that says `server = smtp_cases.server`."""
    with socketserver.TCPServer(("127.0.0.1", 0), Conversation) as server:
        server.heard, server.answer = [], "250 yes"  # type: ignore[attr-defined]
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()
