"""The privacy page says what the code does: levels, cookies, minors."""

import pytest
from django.conf import settings
from django.test import Client

from players.club.services import update_club
from players.models import Club, Visibility
from players.privacy.views import cookies, levels
from tests import factory
from tests.visitor import Visitor

pytestmark = pytest.mark.django_db


def test_the_levels_are_those_of_the_code(club: Club) -> None:
    rows = levels()
    assert [row.words for row in rows] == [level.label for level in Visibility]
    assert [row.seen for row in rows] == [
        ("Robin Example",) * 3,
        ("R. E.", "Robin Example", "Robin Example"),
        ("Player 17", "Robin Example", "Robin Example"),
        ("Player 17", "Player 17", "Robin Example"),
    ]
    assert [row.pages for row in rows] == [(True,) * 3, (True,) * 3, (False, True, True), (False, False, True)]


def test_the_footer_leads_there_from_every_page(club: Club) -> None:
    visitor = Visitor()
    visitor.open("/")
    visitor.click("Privacy")
    assert visitor.address == "/about/privacy/"
    assert visitor.sees("no tracking", "Minors are shown by initials", "Ask an officer of the club")


def test_whoever_only_reads_gets_no_cookie(client: Client, club: Club) -> None:
    for page in ("/", "/about/privacy/", "/about/ratings/", "/players/", "/tournaments/"):
        client.get(page)
    assert not client.cookies


def test_every_cookie_that_is_set_stands_on_the_page(client: Client, club: Club) -> None:
    update_club({"pass_phrase": "open sesame"}, by=None)
    client.post("/members/", {"pass_phrase": "open sesame"})
    client.post("/members/", {"leave": "1"})
    client.force_login(factory.make_arbiter())
    client.get("/admin/")
    found = {row.name for row in cookies()}
    assert set(client.cookies) <= found
    assert {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME} <= found
    text = client.get("/about/privacy/").text
    assert all(name in text for name in found)


def test_nothing_on_the_page_comes_from_elsewhere(client: Client, club: Club) -> None:
    page = client.get("/about/privacy/")
    assert "https://" not in page.text
    assert page.text.count("http://") == page.text.count("http://testserver") + page.text.count("http://www.w3.org")


@pytest.mark.parametrize("language", ["ru", "zh-hans", "zh-hant"])
def test_it_is_there_in_every_language(client: Client, club: Club, language: str) -> None:
    assert client.get(f"/{language}/about/privacy/").status_code == 200
