"""The leaderboard in a real browser: search as you type, its count, its address; the sheet for the wall."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from ratings.services.lists import NewStart
from tests import factory
from tests.browser.test_club_night import complaints
from tournaments.services.rating import bring_starting_ratings
from tournaments.standings.points import Result

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def field(live_server: LiveServer) -> None:
    """Sixty players with trends, every seventh on probation."""
    factory.make_club()
    standard = factory.make_list()
    players = factory.make_players(60)
    starts = [
        NewStart(player.pk, factory.MONDAY, 2000.0 - player.number, 5 if player.number % 7 == 0 else 60)
        for player in players
    ]
    bring_starting_ratings(standard, starts, by=None)
    factory.play_all(factory.make_round_robin(players[:8]), Result.WHITE_WINS)


def test_the_list_follows_the_typing_and_keeps_its_address(page: Page, live_server: LiveServer, field: None) -> None:
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.on("pageerror", lambda error: told.append(str(error)))
    page.goto(f"{live_server.url}/ratings/standard/?show=ranked")
    expect(page.locator("tbody tr")).to_have_count(50)
    box = page.get_by_role("searchbox")
    box.press_sequentially("brandt")
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.get_by_role("status")).to_contain_text("1 player found for “brandt”")
    assert "show=ranked" in page.url
    assert "q=brandt" in page.url
    expect(box).to_be_focused()
    page.reload()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(box).to_have_value("brandt")
    # Nothing of the list stays in the browser: no snapshot, only the tab's own address.
    assert page.evaluate("localStorage.length") == 0
    assert "<" not in page.evaluate("Object.values(sessionStorage).join()")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("tr[aria-current]")).to_contain_text("Bo Brandt")
    assert told == []


@pytest.mark.parametrize("width", [390, 1280])
def test_list_and_wall_fit_every_width(page: Page, live_server: LiveServer, field: None, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    addresses = ["/ratings/standard/", "/ratings/standard/?around=7", "/ratings/standard/wall/", "/"]
    assert complaints(page, [live_server.url + address for address in addresses]) == []
