"""Somebody with a browser, on this machine alone: asks, keeps tags of unchanged pages, writes down how long it took."""

import http.client
import json
import select
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

from tests.live import TOKEN
from tests.stress.figures import FIRST_ERROR, NO_ANSWER, Sample

GONE = (OSError, http.client.HTTPException)
PATIENCE = 60  # seconds
Tell = Callable[[Sample], None]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; status 0 is nothing."""

    status: int
    text: str = ""
    location: str = ""
    date: str = ""

    @property
    def is_error(self) -> bool:
        return self.status == NO_ANSWER or self.status >= FIRST_ERROR

    @property
    def is_rude(self) -> bool:
        """The server's own failure shown as one, and not as a page with words."""
        return self.status >= FIRST_ERROR and ("Traceback" in self.text or "<h1" not in self.text)


@dataclass
class Guest:
    """`session` is asked for anew at every request: whoever had to sign in again goes on."""

    port: int
    tell: Tell
    session: Callable[[], str] = str
    rude: list[str] = field(default_factory=list)
    _tags: dict[str, str] = field(default_factory=dict)
    _line: http.client.HTTPConnection | None = None

    def get(self, kind: str, path: str) -> Answer:
        """A page; where it is unchanged since it was last read, its kind is told as “… again”."""
        return self._ask(kind, "GET", path, None, {"If-None-Match": self._tags.get(path, "")})

    def post(self, kind: str, path: str, values: Mapping[str, object]) -> Answer:
        body = urlencode([*values.items(), ("csrfmiddlewaretoken", TOKEN)], doseq=True)
        return self._ask(kind, "POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"})

    def send(self, kind: str, path: str, values: Mapping[str, object]) -> Answer:
        """What a script of the page sends."""
        found = {"Content-Type": "application/json", "X-CSRFToken": TOKEN}
        return self._ask(kind, "POST", path, json.dumps(values), found)

    def hang_up(self) -> None:
        if self._line is not None:
            self._line.close()
        self._line = None

    def _is_dead(self) -> bool:
        """Whether an idle line was hung up at the other end: nobody sends a form down such a line."""
        idle = self._line.sock if self._line is not None else None
        return idle is not None and bool(select.select([idle], [], [], 0)[0])

    def _ask(self, kind: str, method: str, path: str, body: str | None, values: dict[str, str]) -> Answer:
        begun = time.monotonic()
        try:
            answer = self._ask_patiently(method, path, body, values)
        except GONE:
            self.hang_up()
            answer = Answer(NO_ANSWER)
        kind = f"{kind} again" if answer.status == http.HTTPStatus.NOT_MODIFIED else kind
        self.tell(Sample(kind, begun, time.monotonic() - begun, answer.status))
        if answer.is_rude:
            self.rude.append(f"{kind}: {answer.status} {answer.text[:200]}")
        return answer

    def _ask_patiently(self, method: str, path: str, body: str | None, values: dict[str, str]) -> Answer:
        """A page is asked for once more where an idle line had been hung up, as browsers do (RFC 9110, 9.2.2)."""
        idle = self._line is not None
        try:
            return self._ask_once(method, path, body, values)
        except (ConnectionError, http.client.BadStatusLine):
            self.hang_up()
            if not idle or method != "GET":
                raise
        return self._ask_once(method, path, body, values)

    def _ask_once(self, method: str, path: str, body: str | None, values: dict[str, str]) -> Answer:
        if self._is_dead():
            self.hang_up()
        if self._line is None:
            self._line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        session = self.session()
        cookies = [f"csrftoken={TOKEN}" if body else "", f"sessionid={session}" if session else ""]
        headers = {**values, "Cookie": "; ".join(filter(None, cookies))}
        self._line.request(method, path, body, {name: value for name, value in headers.items() if value})
        response = self._line.getresponse()
        text = response.read().decode(errors="replace")
        if tag := response.headers.get("ETag"):
            self._tags[path] = tag
        location = urlsplit(response.headers.get("Location", "")).path
        return Answer(response.status, text, location, response.headers.get("Date", ""))
