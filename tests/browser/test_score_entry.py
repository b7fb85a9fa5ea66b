"""Both scores of a game typed in its board's field, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opened, in_hand, saved
from tests.browser.judging import broken_rules
from tests.tournaments.admin_pages import games_of
from tournaments.models import Round, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db, pytest.mark.usefixtures("club_time")]


def test_a_score_typed_saves_its_board_and_leads_to_the_next_open_one(dashboard_of: Opened, row: Round) -> None:
    Tournament.objects.filter(pk=row.stage.tournament_id).update(scores="goals")
    page = dashboard_of("petra")
    page.locator("[name=score-1]").focus()
    page.keyboard.type("21-15")
    page.keyboard.press("Enter")
    page.keyboard.type("3 3")
    page.keyboard.press("Enter")
    saved(page, 1, 2)
    assert in_hand(page) == "3"
    found = [(game.result, game.white_points, game.black_points) for game in games_of(row)]
    assert found[:3] == [("1-0", 21, 15), ("1/2", 3, 3), ("", None, None)]
    assert broken_rules(page) == []


def test_a_score_and_a_result_that_wait_for_the_connection_are_sent_together(
    dashboard_of: Opened, row: Round, page_faults: list[str]
) -> None:
    Tournament.objects.filter(pk=row.stage.tournament_id).update(scores="goals")
    page = dashboard_of("petra")
    page.context.set_offline(True)
    page.locator("[name=score-1]").fill("5-2")
    page.locator("[name=score-1]").press("Enter")
    page.locator("#board-1 [value='1-0']").check(force=True)
    page.locator("#board-2 [value='0-1']").check(force=True)
    page.locator("[name=score-2]").fill("1-4")
    page.locator("[name=score-2]").press("Enter")
    expect(page.locator("#unsent")).to_contain_text("not sent yet: 1, 2.")
    page.context.set_offline(False)
    saved(page, 1, 2)
    found = [(game.result, game.white_points, game.black_points) for game in games_of(row)]
    assert found[:2] == [("1-0", 5, 2), ("0-1", 1, 4)]
    page_faults[:] = [fault for fault in page_faults if "ERR_INTERNET_DISCONNECTED" not in fault]
