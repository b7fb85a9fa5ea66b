"""Every page of the administration, opened by an administrator in a real browser: the accessibility rules hold, it fits
the window, and it has a heading and a title of its own. In light at a desk, in the dark on a phone."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from players.models import Player
from tests import desk_scene, factory
from tests.browser.conftest import DESK, PHONE, Opened, sign_in
from tests.browser.judging import complaints_both_ways, too_wide
from tests.tournaments.admin_pages import url
from tournaments.models import Tournament
from tournaments.standings.points import Result

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

# Not pages: an answer to a script, a file, a way on, and signing out.
NO_PAGES = ("jsi18n", "autocomplete", "logout", "view_on_site")


@pytest.fixture(scope="module")
def scene(world: None) -> Tournament:
    return desk_scene.build()


def pages_of_the_desk() -> list[str]:
    """Where an administrator finds a page, each once: many addresses lead on to another."""
    boss, found = desk_scene.client_of(User.objects.get(username="founder")), dict[str, None]()
    for address in desk_scene.addresses("admin/"):
        if not address.name.endswith(NO_PAGES):
            answer = boss.get(address.path, follow=True)
            if answer.status_code == 200 and "text/html" in answer.headers["content-type"]:
                found[answer.request["PATH_INFO"]] = None
    return list(found)


def test_every_page_of_the_administration_can_be_used(
    open_context: Opened, server: LiveServer, page_faults: list[str], scene: Tournament
) -> None:
    def as_founder(**options: object) -> Page:
        return sign_in(open_context(**options), server, User.objects.get(username="founder"))

    pages = pages_of_the_desk()
    assert len(pages) > 60, "the administration has more pages than that"
    faults = complaints_both_ways(as_founder, pages)
    assert not faults, "\n".join(faults)
    # axe measures some of the admin's fields by styling them, which the content policy forbids to everybody.
    page_faults[:] = [fault for fault in page_faults if "style" not in fault]


def test_entries_that_can_be_removed_fit_a_phone(open_context: Opened, server: LiveServer, scene: Tournament) -> None:
    page = sign_in(open_context(viewport=PHONE), server, factory.make_arbiter())
    page.goto(url("entries", Tournament.objects.get(name="Season").pk))
    expect(page.get_by_role("button", name="Remove Ada Alvarez")).to_be_visible()
    assert too_wide(page, [PHONE["width"]]) == []


def test_a_round_is_read_a_second_time_by_keys(open_context: Opened, server: LiveServer, scene: Tournament) -> None:
    cup = factory.make_round_robin(Player.objects.order_by("number")[:6], name="Reading")
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.BLACK_WINS, Result.DRAW])
    page = sign_in(open_context(viewport=DESK), server, factory.make_arbiter())
    page.goto(url("read", factory.round_of(cup, 1).pk))
    page.keyboard.type("1")
    french = {"key": "&", "code": "Digit1", "bubbles": True, "cancelable": True}  # where digits need Shift
    page.locator(":focus").dispatch_event("keydown", french)
    page.keyboard.press("Shift+Tab")  # back from board 3: the slip is put right
    page.keyboard.type("0=")
    expect(page.get_by_role("button", name="Save what was read")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("3/3 read")).to_be_visible()
