"""The list and a player's page in a real browser: search as you type, its count, its address; the chart is read by
keyboard."""

import pytest
from playwright.sync_api import Page, expect

from ratings.lists.services import NewStart
from tests import factory
from tests.browser.conftest import Opened
from tests.browser.judging import DARK_PHONE, LIGHT_DESK, complaints_both_ways
from tournaments.events.services.events import update_tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.standings.points import Result

pytestmark = [pytest.mark.browser, pytest.mark.django_db, pytest.mark.usefixtures("field")]
ADA = "/players/1-ada-alvarez/"


@pytest.fixture(scope="module")
def field(world: None) -> None:
    """Sixty players with trends, every seventh on probation; cups in two lists."""
    factory.make_club()
    standard = factory.make_list()
    factory.make_list("rapid", pool="rapid", primary=False)
    players = factory.make_players(60)
    starts = [
        NewStart(player.pk, factory.MONDAY, 2000.0 - player.number, 5 if player.number % 7 == 0 else 60)
        for player in players
    ]
    bring_starting_ratings(standard, starts, by=None)
    for name, pool in (("A Winter Cup with a rather long name", "standard"), ("Rapid Cup", "rapid")):
        cup = factory.make_round_robin(players[:4], name=name)
        update_tournament(cup.pk, {"pool": pool}, by=None)
        factory.play_all(cup, Result.WHITE_WINS)


def test_the_list_follows_the_typing_and_keeps_its_address(page: Page) -> None:
    lines: list[str] = []
    page.on("console", lambda message: lines.append(message.text))
    page.on("pageerror", lambda error: lines.append(str(error)))
    page.goto("/ratings/standard/?show=ranked")
    expect(page.locator("tbody tr")).to_have_count(50)
    box = page.locator("main").get_by_role("searchbox")
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
    assert lines == []


def test_list_wall_and_players_keep_the_rules(open_context: Opened) -> None:
    addresses = ["/ratings/standard/", "/ratings/standard/?around=7", "/ratings/standard/wall/", "/", ADA]
    assert complaints_both_ways(open_context, [*addresses, f"{ADA}vs/3-cleo-costa/"]) == []


@pytest.mark.parametrize("screen", [LIGHT_DESK, DARK_PHONE], ids=["desk", "phone"])
def test_the_chart_is_read_by_keyboard_and_stands_as_a_table(open_context: Opened, screen: dict[str, object]) -> None:
    page = open_context(**screen)
    page.goto(ADA)
    point = page.locator("svg:visible .point").last
    tip = point.locator(".tip")
    expect(tip).not_to_be_visible()
    point.focus()
    expect(tip).to_be_visible()
    page.get_by_text("Show as a table").click()
    expect(page.get_by_role("row").filter(has_text="Rapid Cup").first).to_be_visible()
    page.get_by_role("checkbox", name="Rapid").uncheck()
    expect(page.locator("svg:visible .point.s2").first).not_to_be_visible()
    expect(page.locator("svg:visible .point.s1").first).to_be_visible()
