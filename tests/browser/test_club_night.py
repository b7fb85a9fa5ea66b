"""A club night in a real browser: an arbiter enters a round, a member on a phone sees the leaderboard change; and no
page breaks the accessibility rules or the content policy, in light and in the dark."""

from collections.abc import Callable, Iterable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from ratings.models import PlayerRating, RatingList
from ratings.services.lists import NewStart
from tests import factory
from tournaments.models import Game, Tournament
from tournaments.services.rating import bring_starting_ratings, check_list
from tournaments.services.results import correct_result
from tournaments.standings.points import Result

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}


@pytest.fixture
def cup(live_server: LiveServer) -> Tournament:
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


def sign_in(page: Page) -> None:
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

    sign_in(page)
    page.get_by_role("link", name="Winter Cup, round 2").click()
    expect(page.locator("#sitting.live")).to_be_visible()  # a click does not wait for the next page
    page.keyboard.type("10")
    expect(page.locator("#count")).to_have_text("2/2")

    phone_page.reload()
    after = rows.all_inner_texts()
    assert len(set(after) - set(before)) == 4, "four ratings have moved, the bye's has not"
    assert "on probation" in " ".join(after)
    assert check_list(RatingList.objects.get()) == []


def test_results_can_be_entered_with_the_keyboard_alone(page: Page, cup: Tournament) -> None:
    sign_in(page)
    page.get_by_role("link", name="Winter Cup, round 2").click()
    page.locator("#board-1 input[type=radio]").first.focus()
    page.keyboard.press("Space")
    expect(page.locator("#board-1 .state")).to_contain_text("✓ saved")
    assert PlayerRating.objects.filter(games__gt=0).count() == 5


ADDRESSES = (
    "/",
    "/ratings/standard/",
    "/ratings/standard/?show=provisional",
    "/players/",
    "/players/1-ada-alvarez/",
    "/tournaments/",
    "/tournaments/winter-cup/",
    "/tournaments/winter-cup/rounds/1/",
    "/tournaments/winter-cup/entries/",
    "/ratings/corrections/",
    "/ratings/corrections/?player=1",
    "/about/ratings/",
    "/tools/elo/",
    "/tools/elo/?a=x",
    "/tools/schedule/",
    "/members/",
    "/admin/login/",
)


def complaints(page: Page, addresses: Iterable[str]) -> list[str]:
    """What axe finds on those pages, and which of them are wider than the window."""
    axe, found = Axe(), []
    for address in addresses:
        page.goto(address)
        answer = axe.run(page, options=RULES).response
        assert answer["passes"], "axe looked at nothing"
        found += [f"{address}: {fault['id']}: {fault['help']}" for fault in answer["violations"]]
        width = page.viewport_size["width"] if page.viewport_size else 0
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append(f"{address}: wider than {width}")
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_page_breaks_wcag_and_none_scrolls_sideways(
    open_context: Callable[..., Page], cup: Tournament, scheme: str, width: int
) -> None:
    page = open_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    assert complaints(page, ADDRESSES) == []


def test_the_desk_breaks_no_rule_either(open_context: Callable[..., Page], cup: Tournament) -> None:
    # axe measures some of the admin's fields by styling them, which the content policy forbids to everybody.
    page = open_context(viewport={"width": 1280, "height": 900}, bypass_csp=True)
    sign_in(page)
    row = factory.round_of(cup, 2)
    desk = "/admin/tournaments/tournament"
    pages = [f"{desk}/{cup.pk}/{name}/" for name in ("entries", "rounds", "change")]
    game = Game.objects.filter(tournament=cup).exclude(result="")[0]
    fixes = [f"/admin/tournaments/game/{name}/" for name in (f"{game.pk}/swap", f"{game.pk}/remove", "insert", "load")]
    assert complaints(page, ["/admin/", *pages, f"{desk}/round/{row.pk}/results/", *fixes]) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_the_desk_keeps_the_content_policy(open_context: Callable[..., Page], cup: Tournament, width: int) -> None:
    """Django's own pages and scripts too: the watched page fails the test on the first complaint."""
    page = open_context(viewport={"width": width, "height": 900})
    sign_in(page)
    for address in ("tournaments/tournament/", "tournaments/tournament/add/", "players/player/", "players/player/add/"):
        page.goto(f"/admin/{address}")
        expect(page.locator("h1").first).to_be_visible()
    page.goto(f"/admin/tournaments/tournament/{cup.pk}/change/")
    expect(page.get_by_text("Enter results of round 2")).to_be_visible()
