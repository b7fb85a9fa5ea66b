"""What a browser is told with every kind of answer: what may be run, framed, remembered and told to others."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client, override_settings
from django.utils import timezone
from pytest_django import Settings

from clubrating.ops.maintenance import close, reopen
from players.models import Club
from ratings.models import RatingList
from tests import factory
from tests.desk_scene import client_of
from tests.live import Site

pytestmark = pytest.mark.django_db

# As behind TLS (CLUB_HTTPS=1); that the settings switch exactly this on is `test_what_https_switches_on`.
TLS = {
    "SECURE_SSL_REDIRECT": True,
    "SECURE_REDIRECT_EXEMPT": [r"^(healthz|readyz)/?$", "^metrics$"],
    "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https"),
    "SECURE_HSTS_SECONDS": 31_536_000,
    "SECURE_HSTS_INCLUDE_SUBDOMAINS": True,
    "SECURE_HSTS_PRELOAD": True,
    "SESSION_COOKIE_SECURE": True,
    "CSRF_COOKIE_SECURE": True,
}
POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
}
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=()"


def kept(client: Client) -> HttpResponse:
    client.get("/about/glossary/")
    return client.get("/about/glossary/")


def unchanged(client: Client) -> HttpResponse:
    tag = client.get("/about/glossary/").headers["ETag"]
    return client.get("/about/glossary/", headers={"If-None-Match": tag})


def broken(client: Client) -> HttpResponse:
    client.raise_request_exception = False
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr("clubrating.site.glossary.views.chapters", None)
        return client.get("/about/glossary/?broken")


def closed(client: Client) -> HttpResponse:
    close("", 5, timezone.now())
    try:
        return client.get("/")
    finally:
        reopen()


ANSWERS: dict[str, tuple[int, Callable[[Client], HttpResponse]]] = {
    "a page": (200, lambda client: client.get("/about/glossary/")),
    "a page that was kept": (200, kept),
    "a page the browser has": (304, unchanged),
    "a redirect": (302, lambda client: client.get("/admin/")),
    "a missing slash": (301, lambda client: client.get("/players")),
    "a form that came from elsewhere": (403, lambda client: client.post("/members/", {"pass_phrase": "x"})),
    "no such page": (404, lambda client: client.get("/no/such/")),
    "no such noun": (404, lambda client: client.get("/api/v1/no/such/")),
    "a body too large": (413, lambda client: client.post("/members/", {"x": "x" * 600_000})),
    "an error": (500, broken),
    "a closed site": (503, closed),
    "a file": (200, lambda client: client.get("/static/club.css")),
    "no such file": (404, lambda client: client.get("/static/no-such.css")),
    "a probe": (200, lambda client: client.get("/healthz")),
    "data": (200, lambda client: client.get("/api/v1/")),
    "a table": (200, lambda client: client.get("/ratings/standard/list.csv")),
    "the door of officers": (200, lambda client: client.get("/admin/login/")),
}


@pytest.fixture(autouse=True)
def _site(settings: Settings, tmp_path: Path, standard: RatingList) -> None:
    """With a file to be served, and pages that are kept."""
    root = tmp_path / "static"
    root.mkdir()
    (root / "club.css").write_text("body {}")
    settings.STATIC_ROOT, settings.DATA_DIR = root, tmp_path
    locmem = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": str(tmp_path)}
    settings.CACHES = {**settings.CACHES, "pages": locmem}


def secure(**given: object) -> Client:
    return Client(headers={"X-Forwarded-Proto": "https"}, **given)  # type: ignore[arg-type]


@pytest.mark.extended
@pytest.mark.parametrize("kind", ANSWERS)
def test_every_answer_says_what_a_browser_may_do(kind: str) -> None:
    status, ask = ANSWERS[kind]
    with override_settings(**TLS):
        answer = ask(secure(enforce_csrf_checks=status == 403))
    assert answer.status_code == status
    found = answer.headers
    assert set(found["Content-Security-Policy"].split("; ")) == POLICY
    assert found["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains; preload"
    assert found["Referrer-Policy"] == "same-origin"
    assert found["Permissions-Policy"] == PERMISSIONS
    assert found["X-Content-Type-Options"] == "nosniff"
    assert found["X-Frame-Options"] == "DENY"
    assert found["Cross-Origin-Opener-Policy"] == "same-origin"
    assert len(found["X-Request-ID"]) == 32
    assert "Server" not in found
    assert "X-Powered-By" not in found


def test_http_is_sent_on_with_its_headers() -> None:
    with override_settings(**TLS):
        answer = Client().get("/players/", SERVER_NAME="club.example")
    assert (answer.status_code, answer.headers["Location"]) == (301, "https://club.example/players/")
    assert set(answer.headers["Content-Security-Policy"].split("; ")) == POLICY
    assert "Strict-Transport-Security" not in answer.headers  # over http nobody may believe it


@pytest.mark.extended
@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/readyz/", "/metrics"])
def test_who_watches_a_web_server_asks_it_past_the_proxy(settings: Settings, path: str) -> None:
    """Over the inner network, by a name that is one of its hosts; everything else belongs to the proxy."""
    settings.METRICS_TOKEN, settings.ALLOWED_HOSTS = "a word that is long enough to be one", ["club.example", "web-1"]
    word = {"Authorization": f"Bearer {settings.METRICS_TOKEN}"}
    with override_settings(**TLS):
        assert Client(headers=word).get(path, SERVER_NAME="web-1", SERVER_PORT="8000").status_code == 200
        for other in (f"{path.rstrip('/')}foo", f"/players{path}", "/"):
            assert Client(headers=word).get(other, SERVER_NAME="web-1").status_code == 301


def test_cookies_are_for_this_site_for_no_script_and_for_tls(club: Club) -> None:
    factory.make_administrator()
    with override_settings(**TLS):
        client = secure()
        client.get("/admin/login/")
        client.post("/admin/login/", {"username": "admin", "password": "pass-for-tests"})
    session, token = client.cookies["sessionid"], client.cookies["csrftoken"]
    for cookie in (session, token):
        assert cookie["secure"]
        assert cookie["samesite"] == "Lax"
        assert not cookie["domain"]
    assert session["httponly"]


def test_what_is_an_officers_is_stored_nowhere(club: Club) -> None:
    found = client_of(factory.make_administrator()).get("/players/").headers
    assert {"no-store", "private"} <= set(found["Cache-Control"].replace(" ", "").split(","))


def test_what_https_switches_on(tmp_path: Path) -> None:
    code = f"from django.conf import settings as s; print({{n: getattr(s, n) for n in {list(TLS)!r}}} == {TLS!r})"
    assert Site(tmp_path, extra={"CLUB_HTTPS": "1"}).run("-c", code).strip() == "True"
