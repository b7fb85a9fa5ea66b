"""A real browser on a live server. Every page is watched: a test fails when its page logs an error, throws one, or asks
any other host for anything.

The server sees what stands in the test's own transaction: a file's pages are looked at in one `world` made once, and
what a test does there is gone after it. For that it shares the test's connection, answers one request at a time, and
none outside a test. A test that writes to the database while a page is open does so within `undisturbed()`.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.cache import cache
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests import desk_scene, factory
from tests.browser.support import find_browser
from tests.demo_site import Demo
from tests.tournaments.admin_pages import url
from tournaments.models import Round

# No GPU, no QUIC and none of the calls home Chromium makes by itself: a test machine may have no way out at all.
ARGUMENTS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
Opened = Callable[..., Page]


class OneAtATime:
    """The site, for one request after the other, while its doors are open."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.is_open = False
        self.application: Any = None

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        with self.lock:
            if not self.is_open:
                start_response("503 Service Unavailable", [])
                return []
            answer = self.application(environ, start_response)
            try:
                return [b"".join(answer)]
            finally:
                getattr(answer, "close", lambda: None)()

    def serve(self, application: Any) -> StaticFilesHandler:
        self.application = application
        return StaticFilesHandler(self)


DOOR = OneAtATime()


@contextmanager
def undisturbed() -> Iterator[None]:
    """No page asks the server for anything meanwhile."""
    with DOOR.lock:
        yield


@pytest.fixture(scope="session")
def server(django_db_setup: None) -> Iterator[LiveServer]:
    running = LiveServer("localhost", start=False)
    running.thread.static_handler = DOOR.serve
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests; a test sees only its own context."""
    arguments = [*ARGUMENTS, "--no-sandbox"] if os.geteuid() == 0 else ARGUMENTS
    # Playwright's event loop stays in this thread, and Django would take it for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=30_000)  # the machine may be busy
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=find_browser(), args=arguments)
        yield running
        running.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def page_faults() -> Iterator[list[str]]:
    """What went wrong in the test's pages. It must be empty at the end: a test that provokes a fault, say a page
    refused with status 409, looks at the list and clears it."""
    faults: list[str] = []
    yield faults
    assert not faults, "the page is not clean:\n" + "\n".join(faults)


@contextmanager
def visitors_of(browser: Browser, address: str, faults: list[str]) -> Iterator[Opened]:
    """New, watched visitors of a site, each at a page of a context of its own; all are gone at the end."""
    contexts: list[BrowserContext] = []

    def open_one(**options: object) -> Page:
        context = browser.new_context(base_url=address, **options)  # type: ignore[arg-type]
        contexts.append(context)
        watch(context, urlsplit(address).netloc, faults)
        return context.new_page()

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture
def open_context(browser: Browser, server: LiveServer, page_faults: list[str]) -> Iterator[Opened]:
    """A page of a new, watched visitor: `open_context(viewport={…})`. For tests in which two people meet.

    What the site remembers outside the database is forgotten: the next test's rows bear the same numbers."""
    DOOR.is_open = True
    with visitors_of(browser, server.url, page_faults) as opened:
        yield opened
    with undisturbed():
        DOOR.is_open = False
        cache.clear()


@pytest.fixture
def visit(browser: Browser, demo: Demo, page_faults: list[str]) -> Iterator[Opened]:
    """A page of a new, watched visitor of the demo club: `visit(viewport=PHONE)`."""
    with visitors_of(browser, demo.url, page_faults) as opened:
        yield opened


@pytest.fixture
def page(open_context: Opened) -> Page:
    """A page at a desk, 1280 × 900."""
    return open_context(viewport=DESK)


@pytest.fixture
def phone_page(open_context: Opened) -> Page:
    """A page on a phone held upright, 390 × 844, touched instead of clicked."""
    return open_context(viewport=PHONE, is_mobile=True, has_touch=True)


def sign_in(page: Page, server: LiveServer, user: User) -> Page:
    """The page of somebody who is signed in, without filling in the form."""
    with undisturbed():
        cookie = desk_scene.client_of(user).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": server.url}])
    return page


def watch(context: BrowserContext, own_host: str, faults: list[str]) -> None:
    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            faults.append(f"console: {message.text} ({message.location.get('url', '')})")

    def on_request(request: Request) -> None:
        address = urlsplit(request.url)  # data: and blob: addresses have no host
        if address.netloc and address.netloc != own_host:
            faults.append(f"request to another host: {request.url}")

    context.on("console", on_console)
    context.on("weberror", lambda error: faults.append(f"page error: {error.error}"))
    context.on("request", on_request)


# --- result entry ---------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def row(world: None) -> Round:
    """Five boards, played today."""
    factory.make_club()
    factory.make_list()
    for name in ("petra", "otto"):
        factory.make_arbiter(name)
    cup = factory.make_round_robin(factory.make_players(10), first_day=factory.today())
    return factory.round_of(cup, 1)


@pytest.fixture
def dashboard_of(open_context: Opened, server: LiveServer, row: Round) -> Opened:
    """The page of the round before an arbiter of that name: `dashboard_of("petra")`."""

    def sit(username: str, **options: object) -> Page:
        page = open_context(**({"viewport": DESK} | options))
        sign_in(page, server, User.objects.get(username=username)).goto(url("results", row.pk))
        return page

    return sit


def in_hand(page: Page) -> str | None:
    """The number of the board that has the focus."""
    number: str | None = page.evaluate("document.activeElement.closest('.board')?.dataset.board ?? null")
    return number


def saved(page: Page, *boards: int) -> None:
    for board in boards:
        expect(page.locator(f"#board-{board} .state")).to_contain_text("✓ saved")
