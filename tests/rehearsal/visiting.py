"""A browser that knows the site by its name and trusts its certificate, and what it may expect of a site of ours."""

import http.client
import re
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode

from tests.rehearsal.stand_in import RehearsalError, wait_until

A_YEAR = 365 * 24 * 3600
# More than a proxy lets through.
TOO_LARGE = 7_000_000  # bytes


@dataclass(frozen=True)
class Answer:
    """What came back; header names in small letters, one said twice with both values, cookies as they were set."""

    status: int
    headers: Mapping[str, str]
    cookies: tuple[str, ...]
    text: str


def demand(so: object, what: str) -> None:
    """Raises RehearsalError with that sentence where it is not so."""
    if not so:
        raise RehearsalError(what)


class _Line(http.client.HTTPSConnection):
    """To a port of this machine, under the site's name."""

    def __init__(self, name: str, port: int, context: ssl.SSLContext) -> None:
        super().__init__(name, port, timeout=60, context=context)
        self.trust = context

    def connect(self) -> None:
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=self.timeout)
        self.sock = self.trust.wrap_socket(plain, server_hostname=self.host)


@dataclass
class Visitor:
    """`certificate` is the one trusted; `admin` is the port of the proxy's own door, where it has one."""

    site: str
    http_port: int
    https_port: int
    certificate: Path
    admin: int = 0
    cookies: dict[str, str] = field(default_factory=dict)

    def waiting(self) -> "Visitor":
        """Itself, as soon as the proxy answers at all."""
        wait_until(self._answers, "the proxy answers", 30)
        return self

    def _answers(self) -> bool:
        try:
            return bool(self.ask("/healthz").status)
        except (OSError, http.client.HTTPException):
            return False

    def ask(self, path: str, values: Mapping[str, str] | None = None, **headers: str) -> Answer:
        """A page over TLS; a form where there are values. Cookies are kept as a browser keeps them."""
        line = _Line(self.site, self.https_port, ssl.create_default_context(cafile=str(self.certificate)))
        found = {"Host": self.site, "Referer": f"https://{self.site}/", **headers}
        if self.cookies:
            found["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        body = None
        if values is not None:
            body = urlencode({**values, "csrfmiddlewaretoken": self.cookies.get("csrftoken", "")})
            found["Content-Type"] = "application/x-www-form-urlencoded"
        return self._answer(line, "POST" if body else "GET", path, body, found)

    def ask_plainly(self, path: str) -> Answer:
        """The same page without encryption."""
        line = http.client.HTTPConnection("127.0.0.1", self.http_port, timeout=30)
        return self._answer(line, "GET", path, None, {"Host": self.site})

    def ask_the_proxy(self, path: str) -> int:
        """The status of the proxy's own door."""
        line = http.client.HTTPConnection("127.0.0.1", self.admin, timeout=30)
        return self._answer(line, "GET", path, None, {"Host": f"localhost:{self.admin}"}).status

    def _answer(
        self, line: http.client.HTTPConnection, method: str, path: str, body: str | None, values: Mapping[str, str]
    ) -> Answer:
        try:
            line.request(method, path, body, dict(values))
            answer = line.getresponse()
            set_now = tuple(answer.headers.get_all("Set-Cookie") or ())
            for text in set_now:
                self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(text).items()}
            small = {name.lower(): ", ".join(answer.headers.get_all(name) or ()) for name in answer.headers}
            return Answer(answer.status, small, set_now, answer.read().decode(errors="replace"))
        finally:
            line.close()


# --- what every site of ours does -----------------------------------------------------------------------------
def site_answers(visitor: Visitor) -> None:
    """Alive, ready, only encrypted, with the headers that keep it so."""
    alive, ready = visitor.ask("/healthz"), visitor.ask("/readyz")
    demand(alive.status == 200, f"/healthz: {alive.status} {alive.text[:200]}")
    demand(ready.status == 200, f"/readyz: {ready.status} {ready.text[:300]}")
    named = visitor.ask("/healthz", **{"X-Request-ID": "a-visitors-own"}).headers["x-request-id"]
    demand(named != "a-visitors-own", "a visitor may write into the log")
    led = visitor.ask_plainly("/ratings/")
    demand(led.status in (301, 308), f"http is not led to https: {led.status}")
    demand(led.headers["location"] == f"https://{visitor.site}/ratings/", f"http leads to {led.headers['location']}")
    page = visitor.ask("/about/glossary/")
    demand(page.status in (200, 302), f"a page: {page.status}")
    _keeps_to_https(page, "a page")
    demand("default-src 'none'" in page.headers.get("content-security-policy", ""), "a page goes out without its CSP")


def _keeps_to_https(answer: Answer, what: str) -> None:
    found = answer.headers.get("strict-transport-security", "")
    span = re.fullmatch(r"max-age=(\d+); includeSubDomains; preload", found)
    demand(span and int(span[1]) >= A_YEAR, f"{what} goes out without HSTS of a year: {found!r}")


def is_too_large(visitor: Visitor) -> None:
    """What the proxy turns away by itself it turns away as the site would."""
    found = visitor.ask("/", {"x": "x" * TOO_LARGE})
    demand(found.status == 413, f"a body that is too large: {found.status}")
    _keeps_to_https(found, "a refusal")


def tells_its_own_figures(port: int, name: str, word: str) -> None:
    """A web server asked past the proxy, under that name, as whoever watches it asks."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        line.request("GET", "/metrics", headers={"Host": name, "Authorization": f"Bearer {word}"})
        answer = line.getresponse()
        text = answer.read().decode(errors="replace")
    finally:
        line.close()
    demand(answer.status == 200 and "club_part_status" in text, f"{name}/metrics: {answer.status} {text[:200]}")


def club_is_set_up(visitor: Visitor, path: str, password: str) -> None:
    """The first officer's account, as a browser makes it; `path` is the one `welcome_link` printed."""
    form = visitor.ask(path)
    demand(form.status == 200, f"the welcome page: {form.status}")
    values = {"name": "Rehearsal Club", "time_zone": "Europe/Berlin", "username": "first", "list_name": "Standard"}
    names = set(re.findall(r'name="(\w+)"', form.text)) - {"csrfmiddlewaretoken"}
    demand(set(values) | {"password"} <= names, f"the welcome form asks for {sorted(names)}")
    values |= {name: password for name in names if name.startswith("password")}
    done = visitor.ask(path, values)
    demand(done.status == 302, f"the club could not be set up: {done.status}")
    cookie = next((text for text in done.cookies if text.startswith("sessionid=")), "")
    for word in ("Secure", "HttpOnly", "SameSite=Lax"):
        demand(word in cookie, f"the session's cookie is not {word}")
    desk = visitor.ask("/admin/")
    demand(desk.status == 200, f"the officer does not see the desk: {desk.status}")


def counters_lie_on_memory(root: Path) -> None:
    """Below `/run`, which is memory, and not beside the data, whose disk may be full."""
    demand(list((root / "run/club-web").glob("*/counter_*.db")), "no counters lie in /run/club-web")
    demand(not (root / "srv/club-data/metrics").exists(), "counters lie beside the data")


def front_page_is_whole(visitor: Visitor) -> None:
    """The club's name is there, and its style comes from a file that browsers keep."""
    page = visitor.ask("/")
    demand(page.status == 200 and "Rehearsal Club" in page.text, f"the front page: {page.status}")
    style = re.search(r'href="(/static/[^"]+\.css)"', page.text)
    if style is None:
        raise RehearsalError("the front page names no style")
    file = visitor.ask(style[1])
    span = re.search(r"max-age=(\d+)", file.headers.get("cache-control", ""))
    demand(file.status == 200 and span and int(span[1]) >= A_YEAR, f"{style[1]}: not kept for a year")


def word_while_closed(visitor: Visitor) -> None:
    """While nobody answers behind the proxy, it says when to come back."""
    found = visitor.ask("/")
    demand(found.status == 503, f"while the site stands still: {found.status}")
    demand(found.headers.get("retry-after") == "60", "nobody is told when to come back")
    demand("in a minute" in found.text and "Сайт" in found.text, f"while the site stands still: {found.text[:100]}")
    _keeps_to_https(found, "the proxy's own page")


def never_refused(visitor: Visitor, times: int) -> None:
    """So many pages, every one answered."""
    for _ in range(times):
        found = visitor.ask("/healthz")
        demand(found.status == 200, f"a visitor was refused: {found.status} {found.text[:100]}")
        time.sleep(0.05)
