"""A player's page and two players' page in a real browser: the chart is read by keyboard, nothing scrolls sideways, no
accessibility rule is broken, by day and in the dark."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ratings.models import RatingList
from ratings.services.lists import NewStart
from tests import factory
from tests.browser.test_club_night import complaints
from tournaments.services.events import update_tournament
from tournaments.services.rating import bring_starting_ratings
from tournaments.standings.points import Result

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PAGES = ("/players/1-ada-alvarez/", "/players/1-ada-alvarez/vs/3-cleo-costa/", "/about/ratings/", "/about/privacy/")


def play(standard: RatingList) -> None:
    """Two cups in two lists; the first of four players is established in one of them."""
    factory.make_list("rapid", pool="rapid", primary=False)
    players = factory.make_players(4)
    bring_starting_ratings(standard, [NewStart(players[0].pk, factory.MONDAY, 1800, 40)], by=None)
    for name, pool in (("A Winter Cup with a rather long name", "standard"), ("Rapid Cup", "rapid")):
        cup = factory.make_round_robin(players, name=name)
        update_tournament(cup.pk, {"pool": pool}, by=None)
        factory.play_all(cup, Result.WHITE_WINS)


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (390, "dark")])
def test_the_pages_are_read_at_any_width_by_any_means(
    standard: RatingList, open_context: Callable[..., Page], width: int, theme: str
) -> None:
    play(standard)
    page = open_context(viewport={"width": width, "height": 900}, color_scheme=theme)
    assert complaints(page, PAGES) == []
    page.goto(PAGES[0])
    point = page.locator("svg:visible .point").last
    tip = point.locator(".tip")
    expect(tip).not_to_be_visible()
    point.focus()
    expect(tip).to_be_visible()
    page.get_by_text("The same as a table").click()
    expect(page.get_by_role("cell", name="Rapid", exact=True)).to_be_visible()
