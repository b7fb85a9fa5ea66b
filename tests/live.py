"""The club's site as it runs for a club: processes of their own on a database of their own, spoken to over HTTP.

For tests of what the test client cannot show: many at once, and a server that dies.
"""

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User, update_last_login

from tests.databases import copy_template
from tests.visitor import Page

ROOT = Path(__file__).resolve().parent.parent
TOKEN = "c" * 32  # a cookie and a field of the same value: what the site asks of a form of its own

# What a site in English needs before it is served; then what a test puts into it, and accounts signed in beforehand:
# hashing a password takes longer than an evening's results. All in one process: each further one costs a second more.
PREPARE = """
import django, json, sys
django.setup()
from django.core.management import call_command
from tests import factory
from tests.live import cookie_of
call_command("migrate", verbosity=0)
call_command("collectstatic", interactive=False, verbosity=0)
exec(sys.argv[1])
print(json.dumps([cookie_of(factory.make_arbiter(f"arbiter-{number}")) for number in range(int(sys.argv[2]))]))
"""


def cookie_of(user: User) -> str:
    """The cookie of a new session of that user's."""
    update_last_login(None, user)
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.OFFICERS
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)


@dataclass(frozen=True)
class Site:
    """A database of the test's own: the folder it lies in, and its address where it is not SQLite. `extra`: further
    variables of its environment."""

    data: Path
    database: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        own = {name: value for name, value in os.environ.items() if not name.startswith(("CLUB_", "DATABASE_"))}
        own |= {"CLUB_DATA": str(self.data), "DJANGO_SETTINGS_MODULE": "clubrating.settings"}
        own |= {"CLUB_FORECASTS": "0", "CLUB_LAB_PICTURES": "0"}  # no work is waiting but what a test asks for
        own |= {"CLUB_SECRET_KEY": "live tests only: long enough to pass, worth nothing anywhere else"}
        return {**own, **({"DATABASE_URL": self.database} if self.database else {}), **self.extra}

    def run(self, *arguments: str) -> str:
        """A Python program of the project, to its end; what it printed. Fails the test with what it complained of."""
        done = subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, env=self.environment(), capture_output=True, text=True, timeout=600
        )
        assert done.returncode == 0, f"{arguments[:2]}: {done.stdout[-500:]} {done.stderr[-2000:]}"
        return done.stdout

    def prepare(self, code: str, arbiters: int) -> list[str]:
        """A migrated database filled by that code; session cookies of so many arbiters."""
        if not self.database:
            copy_template(self.data)
        printed = self.run("-c", PREPARE, code, str(arbiters))
        return list(json.loads(printed.splitlines()[-1]))

    def start(self, *arguments: str, **options: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment(),
            text=True,
            **options,  # type: ignore[call-overload]
        )


@dataclass
class Answer:
    """What came back."""

    status: int
    text: str
    location: str = ""


@dataclass
class Browser:
    """Somebody with a browser: nobody in particular, or whoever owns the session cookie; `also`: a further cookie."""

    port: int
    session: str = ""
    also: str = ""
    gone: bool = False
    _line: http.client.HTTPConnection | None = field(default=None, repr=False)

    def get(self, path: str) -> Answer:
        return self._ask("GET", path)

    def post(self, path: str, values: Mapping[str, object] | Sequence[tuple[str, object]]) -> Answer:
        pairs = list(values.items()) if isinstance(values, Mapping) else list(values)
        return self._ask("POST", path, urlencode([*pairs, ("csrfmiddlewaretoken", TOKEN)], doseq=True))

    def send(self, path: str, values: Mapping[str, object]) -> Answer:
        """What a script of the page sends: JSON, with the token in a header."""
        return self._ask("POST", path, json.dumps(values), {"Content-Type": "application/json", "X-CSRFToken": TOKEN})

    def page(self, path: str) -> Page:
        """The page's forms and words. Fails the test for anything but a page."""
        answer = self.get(path)
        assert answer.status == 200, f"{path}: {answer.status}"
        return Page(answer.text)

    def cut(self) -> None:
        """From another thread: whatever is waited for comes to nothing, and nothing more is asked before `close`."""
        self.gone = True
        line = self._line.sock if self._line is not None else None
        if line is not None:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Hang up; the next question opens a new line."""
        if self._line is not None:
            self._line.close()
        self._line, self.gone = None, False

    def _ask(self, method: str, path: str, body: str = "", values: Mapping[str, str] | None = None) -> Answer:
        """Raises OSError or http.client.HTTPException where the server is not there, or goes away meanwhile.

        As every browser does (RFC 9110, 9.2.2), a page is asked for once more where a line that had been idle was hung
        up just then: that is no fault of the site, which may do so at any time.
        """
        idle = self._line is not None
        try:
            return self._ask_once(method, path, body, values)
        except (ConnectionError, http.client.BadStatusLine):
            if not idle or method != "GET" or self.gone:
                raise
        return self._ask_once(method, path, body, values)

    def _ask_once(self, method: str, path: str, body: str, values: Mapping[str, str] | None) -> Answer:
        if self._line is None:
            self._line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
            self._line.connect()
        if self.gone:
            raise ConnectionAbortedError
        own = [*([f"sessionid={self.session}"] if self.session else []), *filter(None, [self.also])]
        headers = {"Cookie": "; ".join([f"csrftoken={TOKEN}", *own]) if method == "POST" or own else ""}
        if body:
            headers |= values or {"Content-Type": "application/x-www-form-urlencoded"}
        try:
            self._line.request(method, path, body or None, {name: value for name, value in headers.items() if value})
            if self.gone:  # cut while this very request opened its line: nobody will ever answer it
                raise ConnectionAbortedError
            response = self._line.getresponse()
            text = response.read().decode(errors="replace")
            if self.gone:  # cut while it came: without the line that gives its length, the first half looks whole
                raise ConnectionAbortedError
        except (OSError, http.client.HTTPException):
            self._line = None
            raise
        led_to = urlsplit(response.headers.get("Location", ""))._replace(scheme="", netloc="", fragment="").geturl()
        return Answer(response.status, text, led_to)


def wait_for(port: int, seconds: float = 600) -> None:
    """Until somebody listens there."""
    until = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            assert time.monotonic() < until, "the server does not start"
            time.sleep(0.05)
