"""Two phones and a desk: enter by the letter, the waiting list, an officer's word, and out again."""

from urllib.parse import urlsplit

import pytest
from django.core import mail
from playwright.sync_api import Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from tests import factory
from tests.browser.conftest import DESK, PHONE, Opened, sign_in
from tests.browser.judging import broken_rules, too_wide
from tests.tournaments.admin_pages import url
from tests.tournaments.event_pages import page_cases
from tournaments.models import Tournament
from tournaments.registrations.services.rules import NewRules, set_entry_rules

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
PAGE = "/tournaments/cup/enter/"


@pytest.fixture(scope="module")
def cup(world: None) -> Tournament:
    factory.make_club()
    factory.make_list()
    factory.make_players(6)
    event = page_cases.make_event([], "dutch", rounds=5)
    terms = NewRules(places=1, born_until=2015, byes=True, fee="5 €", words="Bring a clock.\nWe begin at seven.")
    set_entry_rules(event, terms, by=None)
    return event


def opens_letter(page: Page) -> None:
    (link,) = (line for line in str(mail.outbox[-1].body).splitlines() if "/enter/" in line)
    page.goto(urlsplit(link).path)


def test_two_phones_and_a_desk(cup: Tournament, open_context: Opened, server: LiveServer, settings: Settings) -> None:
    settings.MAIL = factory.MAIL
    ada, nora, desk = open_context(viewport=PHONE), open_context(viewport=PHONE), open_context(viewport=DESK)

    # A device that knows its reader begins with that player.
    ada.goto("/players/1-ada-alvarez/")
    ada.get_by_role("link", name="This is me").click()
    ada.goto("/tournaments/cup/")
    ada.get_by_role("link", name="Enter this event").click()
    expect(ada.get_by_role("heading", name="Ada Alvarez")).to_be_visible()
    ada.get_by_label("Year of birth").fill("1990")
    ada.get_by_label("E-mail address").fill("ada@example.org")
    ada.get_by_label("round 2").check()
    assert not broken_rules(ada) + too_wide(ada)
    ada.get_by_role("button", name="Enter").click()
    expect(ada.get_by_text("A letter is on its way")).to_be_visible()
    opens_letter(ada)
    ada.get_by_role("button", name="Confirm my entry").click()
    expect(ada.get_by_text("a place is kept")).to_be_visible()
    assert not broken_rules(ada) + too_wide(ada)

    # A newcomer comes too late for the only place.
    nora.goto(PAGE)
    nora.get_by_role("textbox", name="Your name", exact=True).fill("Nora New")
    nora.get_by_label("Year of birth").fill("1985")
    nora.get_by_label("E-mail address").fill("nora@example.org")
    nora.get_by_role("button", name="Onto the waiting list").click()
    opens_letter(nora)
    nora.get_by_role("button", name="Confirm my entry").click()
    expect(nora.get_by_text("You are number 1 on the waiting list")).to_be_visible()

    # The desk approves one; that one withdraws; the other moves up, is added and approved.
    sign_in(desk, server, factory.make_arbiter())
    desk.goto(url("requests", cup.pk))
    assert not broken_rules(desk) + too_wide(desk)
    desk.locator("section", has_text="To be decided").get_by_role("button", name="Approve", exact=True).first.click()
    expect(desk.get_by_text("The player is entered.")).to_be_visible()
    ada.get_by_role("button", name="Withdraw my entry").click()
    expect(ada.get_by_text("This entry is withdrawn.")).to_be_visible()
    desk.goto(url("requests", cup.pk))
    desk.get_by_role("button", name="Add as a new player").click()
    desk.get_by_role("button", name="Approve", exact=True).click()
    expect(desk.get_by_text("The player is entered.")).to_be_visible()
    nora.reload()
    expect(nora.get_by_text("You are entered.")).to_be_visible()
    nora.goto("/tournaments/cup/entries/")
    expect(
        nora.get_by_role("cell", name="Nora New").or_(nora.get_by_role("rowheader", name="Nora New"))
    ).to_be_visible()
