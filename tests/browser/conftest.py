"""A real browser on the live server. Every page is watched: a test fails when its page logs an error, throws one,
or asks any other host for anything."""

import os
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.browser.support import find_browser

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


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests; a test sees only its own context."""
    arguments = [*ARGUMENTS, "--no-sandbox"] if os.geteuid() == 0 else ARGUMENTS
    # Playwright's event loop stays in this thread, and Django would take it for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
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


@pytest.fixture
def open_context(browser: Browser, live_server: LiveServer, page_faults: list[str]) -> Iterator[Callable[..., Page]]:
    """A page of a new, watched visitor: `open_context(viewport={…})`. For tests in which two people meet."""
    contexts: list[BrowserContext] = []

    def open_one(**options: object) -> Page:
        context = browser.new_context(base_url=live_server.url, **options)  # type: ignore[arg-type]
        contexts.append(context)
        watch(context, urlsplit(live_server.url).netloc, page_faults)
        return context.new_page()

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture
def page(open_context: Callable[..., Page]) -> Page:
    """A page at a desk, 1280 × 900."""
    return open_context(viewport=DESK)


@pytest.fixture
def phone_page(open_context: Callable[..., Page]) -> Page:
    """A page on a phone held upright, 390 × 844, touched instead of clicked."""
    return open_context(viewport=PHONE, is_mobile=True, has_touch=True)


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
