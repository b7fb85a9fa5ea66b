"""Every page of the administration, opened by an administrator in a real browser: the accessibility rules hold, it fits
the window, and it has a heading and a title of its own. In light at a desk, in the dark on a phone."""

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests import desk_scene, factory
from tests.browser.conftest import DESK, PHONE
from tests.browser.test_club_night import RULES
from tests.tournaments import page_cases
from tests.tournaments.admin_pages import url
from tournaments.standings.points import Result

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Not pages: an answer to a script, a file, a way on, and signing out.
NO_PAGES = ("jsi18n", "autocomplete", "logout", "view_on_site")


def sign_in(page: Page, live_server: LiveServer, user: User) -> None:
    cookie = desk_scene.client_of(user).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])


def look_at(page: Page, path: str, seen: set[str]) -> list[str]:
    """What is wrong with the page at that address; nothing where there is no page, or one that was seen already."""
    answer = page.request.get(path)
    landed = urlsplit(answer.url).path
    if answer.status != 200 or "text/html" not in answer.headers["content-type"] or landed in seen:
        return []
    seen.add(landed)
    page.goto(path)
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    faults = [f"{wide} px too wide"] if wide else []
    if page.locator("h1:visible").count() != 1:
        faults.append(f"{page.locator('h1:visible').count()} headings of the first level")
    if not page.title().split("·")[0].strip():
        faults.append("no title")
    found = Axe().run(page, options=RULES).response
    assert found["passes"], "axe looked at nothing"
    return faults + [f"{fault['id']}: {node['html'][:200]}" for fault in found["violations"] for node in fault["nodes"]]


@pytest.mark.parametrize(("scheme", "window"), [("light", DESK), ("dark", PHONE)], ids=["light", "dark"])
def test_every_page_of_the_administration_can_be_used(
    open_context: Callable[..., Page],
    live_server: LiveServer,
    page_faults: list[str],
    scheme: str,
    window: dict[str, int],
) -> None:
    desk_scene.build()
    page = open_context(color_scheme=scheme, viewport=window)
    sign_in(page, live_server, User.objects.get(username="founder"))
    faults: list[str] = []
    seen: set[str] = set()
    for address in desk_scene.addresses("admin/"):
        if not address.name.endswith(NO_PAGES):
            faults += [f"{address}: {fault}" for fault in look_at(page, address.path, seen)]
    assert len(seen) > 60, "the administration has more pages than that"
    assert not faults, "\n".join(faults)
    # axe measures some of the admin's fields by styling them, which the content policy forbids to everybody.
    page_faults[:] = [fault for fault in page_faults if "style" not in fault]


def test_entries_that_can_be_removed_fit_a_phone(open_context: Callable[..., Page], live_server: LiveServer) -> None:
    factory.make_club()
    factory.make_list()
    event = page_cases.make_event(factory.make_players(8), "dutch", name="Open", rounds=3)
    page = open_context(viewport=PHONE)
    sign_in(page, live_server, factory.make_arbiter())
    page.goto(url("entries", event.pk))
    expect(page.get_by_role("button", name="Remove Ada Alvarez")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_a_round_is_read_a_second_time_by_keys(open_context: Callable[..., Page], live_server: LiveServer) -> None:
    factory.make_club()
    factory.make_list()
    cup = factory.make_round_robin(factory.make_players(6))
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.BLACK_WINS, Result.DRAW])
    page = open_context(viewport=DESK)
    sign_in(page, live_server, factory.make_arbiter())
    page.goto(url("read", factory.round_of(cup, 1).pk))
    page.keyboard.type("11")
    page.keyboard.press("Shift+Tab")  # back from board 3: the slip is put right
    page.keyboard.type("0=")
    expect(page.get_by_role("button", name="Save what was read")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("3/3 read")).to_be_visible()
