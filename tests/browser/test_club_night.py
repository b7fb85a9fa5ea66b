"""A club night in a real browser: an arbiter enters a round, a member on a phone sees the leaderboard change."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from ratings.lists.services import NewStart
from ratings.models import PlayerRating, RatingList
from tests import factory
from tests.browser.conftest import DESK, PHONE, sign_in, undisturbed
from tournaments.models import Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
OF_DJANGO = ("tournaments/tournament/", "tournaments/tournament/add/", "players/player/", "players/player/add/")


@pytest.fixture(scope="module")
def cup(world: None) -> Tournament:
    """Five players, two of them established, after the first round."""
    factory.make_club()
    standard = factory.make_list()
    players = factory.make_players(5)
    starts = [NewStart(player.pk, factory.MONDAY, 1800.0 - player.number, 60) for player in players[:2]]
    bring_starting_ratings(standard, starts, by=None)
    cup = factory.make_round_robin(players)
    game, _ = factory.play_round(cup, 1, [Result.BLACK_WINS, Result.DRAW])
    correct_result(game=game.pk, result=Result.WHITE_WINS, by=factory.make_arbiter())
    return cup


def fill_in_the_sign_in(page: Page) -> None:
    page.goto("/admin/")
    page.get_by_label("Username").fill("arbiter")
    page.get_by_label("Password").fill("pass-for-tests")
    page.get_by_role("button", name="Sign in").click()


def test_an_arbiter_enters_a_round_and_a_member_sees_the_leaderboard_change(
    page: Page, phone_page: Page, cup: Tournament
) -> None:
    phone_page.goto("/ratings/")
    rows = phone_page.locator("tbody tr")
    before = rows.all_inner_texts()
    assert len(before) == 5

    fill_in_the_sign_in(page)
    page.get_by_role("link", name="Winter Cup, round 2").click()
    expect(page.locator("#sitting.live")).to_be_visible()  # a click does not wait for the next page
    page.keyboard.type("10")
    expect(page.locator("#count")).to_have_text("2/2")

    phone_page.reload()
    after = rows.all_inner_texts()
    assert len(set(after) - set(before)) == 4, "four ratings have moved, the bye's has not"
    assert "on probation" in " ".join(after)
    with undisturbed():
        assert check_list(RatingList.objects.get()) == []


def test_results_can_be_entered_with_the_keyboard_alone(page: Page, server: LiveServer, cup: Tournament) -> None:
    sign_in(page, server, User.objects.get(username="arbiter")).goto("/admin/")
    page.get_by_role("link", name="Winter Cup, round 2").click()
    expect(page.locator("#sitting.live")).to_be_visible()
    page.locator("#board-1 input[type=radio]").first.focus()
    page.keyboard.press("Space")
    expect(page.locator("#board-1 .state")).to_contain_text("✓ saved")
    assert PlayerRating.objects.filter(games__gt=0).count() == 5


def test_the_desk_keeps_the_content_policy(page: Page, server: LiveServer, cup: Tournament) -> None:
    """Django's own pages and scripts too: the watched page fails the test on the first complaint."""
    sign_in(page, server, User.objects.get(username="arbiter"))
    for window in (DESK, PHONE):
        page.set_viewport_size(window)  # type: ignore[arg-type]
        for address in (*OF_DJANGO, f"tournaments/tournament/{cup.pk}/change/"):
            page.goto(f"/admin/{address}")
            expect(page.locator("h1").first).to_be_visible()
        expect(page.get_by_text("Enter results of round 2").first).to_be_visible()
