"""The pages of an evening on a phone: nothing runs out of the screen, and the keyboard reaches every field."""

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from players.people.services import NewPlayer, create_players
from ratings.models import RatingList
from tests import factory
from tests.browser.conftest import DESK, PHONE, Opened, sign_in
from tests.tournaments.admin_pages import url
from tests.tournaments.rounds.round_cases import entries, make_league, play
from tournaments.events.services.events import open_event
from tournaments.free_play.services import record_free_game
from tournaments.models import Game, Round
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result

pytestmark = [pytest.mark.browser, pytest.mark.django_db]


@pytest.fixture
def phone(open_context: Opened, server: LiveServer, standard: RatingList) -> Page:
    """An arbiter's phone."""
    return sign_in(open_context(viewport=PHONE), server, factory.make_arbiter())


def sideways(page: Page) -> int:
    """How far the page can be pushed sideways."""
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width


def test_the_pages_of_rounds_fit_a_phone(phone: Page) -> None:
    stage = make_league(14, system="keizer")
    first = pair_next_round(stage, by=None, publish=True, day=factory.MONDAY)
    phone.goto(url("rounds", stage.tournament_id))
    assert sideways(phone) == 0
    play(first, *[Result.DRAW] * 7)
    for name in ("next_round", "by_hand"):
        phone.goto(url(name, stage.pk))
        assert sideways(phone) == 0, name
    draft = pair_next_round(stage, by=None, present=entries(stage, *range(1, 12)))
    for name, key in (("rounds", stage.tournament_id), ("boards", draft.pk), ("boards", first.pk)):
        phone.goto(url(name, key))
        assert sideways(phone) == 0, name


def test_the_sheet_of_an_evening_fits_a_phone(phone: Page) -> None:
    people = factory.make_players(5)
    ladder = factory.make_ladder(people)
    for white, black in ((2, 0), (4, 0)):
        record_free_game(ladder.tournament, people[white], people[black], Result.WHITE_WINS, factory.MONDAY, by=None)
    phone.goto(url("evening", ladder.tournament_id))
    assert sideways(phone) == 0
    phone.get_by_label("White in line 1", exact=True).focus()
    for label in ("Result in line 1", "Black in line 1", "White in line 2"):
        phone.keyboard.press("Tab")
        assert phone.locator(":focus").get_attribute("aria-label") == label


def test_long_names_have_room_on_the_sheet_of_an_evening(phone: Page) -> None:
    names = (
        "Þórdís Hallgrímsdóttir",
        "Ilse Vandermeulenberghe",
        "Oluwaseun Adébáyòkùnlé",
        "Bartholomäus Schwarzenegger",
    )
    people = create_players([NewPlayer(name) for name in names], by=None)
    ladder = factory.make_ladder(people)
    thursdays = open_event("Thursdays", pool="standard", by=None).tournament
    for event in (ladder.tournament, thursdays):
        record_free_game(event, people[3], people[0], Result.DRAW, factory.MONDAY, by=None)
        record_free_game(event, people[2], people[1], Result.WHITE_WINS, factory.MONDAY, by=None)
        phone.goto(url("evening", event.pk))
        assert sideways(phone) == 0
    for label in ("White in line 1", "Black in line 1"):
        box = phone.get_by_label(label, exact=True).bounding_box()
        assert box is not None
        assert box["width"] > 200, "a name can be read while it is typed"


def test_no_word_of_a_key_is_cut(phone: Page) -> None:
    cup = factory.make_round_robin(factory.make_players(4))
    for viewport in (PHONE, DESK):
        phone.set_viewport_size(viewport)  # type: ignore[arg-type]
        phone.goto(url("results", factory.round_of(cup, 1).pk))
        phone.locator("details.more summary").first.click()
        cut = "keys => keys.filter(key => key.scrollWidth > key.clientWidth).map(key => key.innerText)"
        assert phone.locator(".more[open] .key").evaluate_all(cut) == []


def test_enter_in_a_plan_saves_the_plan_and_publishes_nothing(phone: Page) -> None:
    stage = make_league(4, system="keizer")
    pair_next_round(stage, by=None)
    phone.goto(url("rounds", stage.tournament_id))
    phone.get_by_label("Day of round 1").fill("2026-02-02")
    phone.get_by_label("Time of round 1").fill("19:30")
    phone.keyboard.press("Enter")
    phone.get_by_text("1 round is planned").wait_for()
    row = Round.objects.get()
    assert (row.state, f"{row.planned_on} {row.planned_at:%H:%M}") == ("draft", "2026-02-02 19:30")


def test_enter_on_a_result_saves_it(phone: Page) -> None:
    row = pair_next_round(make_league(4, system="keizer"), by=None, publish=True, day=factory.MONDAY)
    phone.goto(url("results", row.pk))
    phone.locator("#board-1 input[type=radio]").first.focus()
    phone.keyboard.press("Enter")
    phone.locator("#board-1 .state", has_text="✓ saved").wait_for()


def test_boards_swapped_on_the_page_are_published_as_they_stand_there(phone: Page) -> None:
    row = pair_next_round(make_league(4, system="keizer"), by=None, day=factory.MONDAY)
    phone.goto(url("boards", row.pk))
    white, black = (phone.get_by_label(f"{side} on board 1") for side in ("White", "Black"))
    was = white.input_value(), black.input_value()
    white.select_option(was[1])
    black.select_option(was[0])
    phone.get_by_role("button", name="Save and publish").first.click()
    phone.get_by_text("Round 1 is published.").wait_for()
    game = Game.objects.get(pairing__round=row, pairing__board=1)
    colours = {seat.colour: str(seat.entry_id) for seat in game.pairing.seats.all()}
    assert (colours["w"], colours["b"]) == (was[1], was[0])
