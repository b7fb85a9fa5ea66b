"""The search of every page: shows what it finds while somebody types, and is gone through without a mouse."""

import pytest
from playwright.sync_api import Page, expect

from players.people.services import NewPlayer, create_players
from tests import factory

pytestmark = [pytest.mark.browser, pytest.mark.django_db, pytest.mark.usefixtures("people")]


@pytest.fixture(scope="module")
def people(world: None) -> None:
    factory.make_club()
    create_players([NewPlayer("佐藤はるか", reading="Satō Haruka"), NewPlayer("Bo Brandt")], by=None)


def test_a_name_is_found_as_it_is_typed_and_opened_by_keys(page: Page) -> None:
    page.goto("/about/glossary/")
    box, found = page.locator("#find-words"), page.locator("#found")
    expect(found).to_be_hidden()
    box.press_sequentially("satp")
    expect(found).to_contain_text("佐藤はるか")
    box.press("Escape")
    expect(found).to_be_hidden()
    box.press_sequentially("xq")
    expect(found).to_contain_text("Nothing found")
    box.fill("haruka")
    expect(found).to_contain_text("Satō Haruka")
    box.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/players/1-sato-haruka/")
    expect(page.locator("h1")).to_contain_text("佐藤はるか · Satō Haruka")


def test_a_phone_has_a_sign_that_leads_to_the_search(phone_page: Page) -> None:
    phone_page.goto("/")
    expect(phone_page.locator("#find-words")).to_be_hidden()
    phone_page.get_by_role("link", name="Search the site").click()
    phone_page.locator("main").get_by_role("searchbox").fill("brandt")
    phone_page.keyboard.press("Enter")
    expect(phone_page.locator("main")).to_contain_text("Bo Brandt")
