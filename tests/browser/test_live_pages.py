"""A round followed in a real browser: results come in by themselves, quietly, and the hall's screen turns its pages."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests import factory
from tests.browser.conftest import Opened, undisturbed
from tests.browser.judging import complaints_both_ways
from tests.tournaments.event_pages.page_cases import BLACK, DRAW, WHITE, first_stage, make_event
from tournaments.event_pages.views import live
from tournaments.models import Game, Tournament
from tournaments.results.services.results import record_result
from tournaments.rounds.services.clock import remove_clock, set_clock
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result

pytestmark = [pytest.mark.browser, pytest.mark.django_db]


@pytest.fixture(scope="module")
def cup(world: None) -> Tournament:
    """Six players, the first of three boards of round 1 with its result; beside it an event of fifty in the hall."""
    factory.make_club()
    factory.make_list()
    people = factory.make_players(50)
    pair_next_round(first_stage(make_event(people, "keizer", name="Hall")), by=None, day=factory.MONDAY, publish=True)
    cup = factory.make_round_robin(people[:6])
    enter(cup, 1, WHITE)
    return cup


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages ask every third of a second."""
    monkeypatch.setattr(live, "EVERY", 0.3)


def enter(cup: Tournament, board: int, result: Result) -> None:
    game = Game.objects.get(tournament=cup, pairing__round__number=1, pairing__board=board)
    with undisturbed():
        record_result(game=game.pk, result=result, played_on=factory.MONDAY, by=None)


def test_a_round_is_followed_to_its_end_without_a_hand_on_the_page(page: Page, cup: Tournament) -> None:
    asked: list[int] = []
    page.on("response", lambda answer: asked.append(answer.status) if "part=live" in answer.url else None)
    page.goto("/tournaments/winter-cup/rounds/1/")
    said = page.locator("#live [role=status]")
    expect(said).to_contain_text("Round 1: 1 of 3 results are in.")
    expect(page.get_by_text("This page keeps itself up to date.")).to_be_visible()

    held = page.locator("#live tbody tr").nth(2).get_by_role("link").first
    held.focus()
    page.evaluate("scrollTo(0, 120)")
    scrolled, where = page.evaluate("scrollY"), page.evaluate("document.activeElement.href")

    with page.expect_response(lambda answer: "part=live" in answer.url and answer.status == 304):
        pass
    enter(cup, 2, BLACK)
    expect(said).to_contain_text("Round 1: 2 of 3 results are in.")
    expect(page.locator("#live tbody tr").nth(1).locator(".result")).to_have_text("01")
    assert page.evaluate("scrollY") == scrolled
    assert page.evaluate("document.activeElement.href") == where

    enter(cup, 3, DRAW)
    expect(said).to_have_count(0)
    page.wait_for_timeout(700)
    count = len(asked)
    page.wait_for_timeout(900)
    assert len(asked) == count, "the round is over: nobody asks any more"


def test_the_rounds_clock_counts_down_by_the_servers_time_and_says_the_last_minutes(
    page: Page, cup: Tournament
) -> None:
    """The phone's own clock is a day wrong, and the page may be old: neither matters."""
    row = cup.stages.get().rounds.get(number=2)
    with undisturbed():
        set_clock(row.pk, minutes=8, starts_at=timezone.now() + timedelta(seconds=4), by=None)
    page.clock.install(time=timezone.now() + timedelta(days=1))
    page.goto("/tournaments/winter-cup/rounds/2/")
    clock = page.locator(".clock")
    expect(clock).to_contain_text("The round starts at")
    page.clock.run_for(8_000)
    expect(clock.get_by_role("timer")).to_have_text(re.compile(r"^7:5\d$"))
    expect(clock.get_by_role("status")).to_be_empty()
    page.clock.run_for(175_000)
    expect(clock.get_by_role("status")).to_have_text("5 minutes left in the round.")
    page.emulate_media(reduced_motion="reduce")
    page.clock.run_for(2_000)
    expect(clock.get_by_role("timer")).to_have_text("≈ 5 min")
    page.clock.run_for(300_000)
    expect(clock.get_by_role("status")).to_have_text("The time of the round is over.")
    with undisturbed():
        remove_clock(row.pk, by=None)


def test_who_cannot_reach_the_club_is_told(page: Page, page_faults: list[str], cup: Tournament) -> None:
    page.goto("/tournaments/winter-cup/standings/")
    page.route("**/*part=live*", lambda route: route.abort())
    expect(page.locator("#live-lost")).to_be_visible()
    page.unroute("**/*part=live*")
    expect(page.locator("#live-lost")).to_be_hidden()
    page_faults.clear()


def test_the_halls_screen_turns_by_itself_and_everything_fits(open_context: Opened, cup: Tournament) -> None:
    tv = open_context(viewport={"width": 1920, "height": 1080}, java_script_enabled=False)
    tv.goto("/tournaments/hall/tv/?seconds=5")
    expect(tv.locator("h1")).to_contain_text("page 1 of 3")
    tv.wait_for_url("**/tv/?screen=2&seconds=5")
    expect(tv.locator("h1")).to_contain_text("page 2 of 3")
    for width, height in ((1920, 1080), (1280, 720), (3840, 2160)):
        tv.set_viewport_size({"width": width, "height": height})
        foot = tv.locator(".tv-foot").bounding_box()
        assert foot is not None
        assert foot["y"] + foot["height"] <= height, (width, height)


def test_no_page_breaks_a_rule(open_context: Opened, cup: Tournament) -> None:
    parts = ("?q=ada", "rounds/1/", "statistics/", "tv/?seconds=0", "tv/?screen=2&seconds=0")
    assert complaints_both_ways(open_context, [f"/tournaments/winter-cup/{part}" for part in parts]) == []
