"""The result entry screen in a real browser: one key a board, two arbiters at once, a line that breaks, no script, and
a phone."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from players.models import AuditEvent, Player
from tests import factory
from tests.browser.conftest import PHONE, Opened, in_hand, saved, undisturbed
from tests.browser.judging import broken_rules
from tests.tournaments.admin_pages import games_of, url
from tournaments.models import Game, Round
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result

pytestmark = [pytest.mark.browser, pytest.mark.django_db, pytest.mark.usefixtures("club_time")]


def record(game: Game, result: Result) -> None:
    with undisturbed():
        record_result(game=game.pk, result=result, played_on=factory.today(), by=None)


def state(page: Page, board: int) -> str:
    return page.locator(f"#board-{board} .state").inner_text()


def results(row: Round) -> list[str]:
    return [game.result for game in games_of(row)]


def refresh(page: Page) -> None:
    """What the page does every ten seconds."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_three_keys_save_three_boards_and_the_last_one_says_what_comes_next(dashboard_of: Opened, row: Round) -> None:
    page = dashboard_of("petra")
    assert in_hand(page) == "1"
    page.keyboard.type("1=0")
    saved(page, 1, 2, 3)
    assert in_hand(page) == "4"
    assert results(row) == ["1-0", "1/2", "0-1", "", ""]
    expect(page.locator("#count")).to_have_text("3/5")
    expect(page.locator("#told")).to_have_text("3 of 5 results entered")
    page.keyboard.type("11")
    saved(page, 5)
    expect(page.locator("#todo")).to_be_visible()
    assert in_hand(page) == "5", "the last board says what comes next"


KEYS = (
    ("1", "Numpad1", "1-0"),
    ("0", "Digit0", "0-1"),
    ("5", "Digit5", "1/2"),
    ("-", "Minus", "-+"),
    ("½", "Backquote", "1/2"),
    ("+", "NumpadAdd", "+-"),
    ("=", "Equal", "1/2"),
    ("&", "Digit1", "1-0"),  # on a French keyboard digits need Shift
)


def test_each_key_means_its_result(dashboard_of: Opened, row: Round) -> None:
    page = dashboard_of("petra")
    press = "event => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {...event, bubbles: true}))"
    for key, code, result in KEYS:
        assert in_hand(page) == "1"
        page.evaluate(press, {"key": key, "code": code})
        expect(page.locator(f"#board-1[data-result='{result}']:not([data-state])")).to_be_visible()
        assert results(row)[0] == result, key
        page.keyboard.press("ArrowUp")


def test_the_last_of_several_keys_stands_and_backspace_clears_it(dashboard_of: Opened, row: Round) -> None:
    page = dashboard_of("petra")
    page.keyboard.type("1")
    page.keyboard.press("ArrowUp")
    page.keyboard.type("0")
    expect(page.locator("#board-1")).to_have_attribute("data-result", "0-1")
    assert in_hand(page) == "2", "back to where the entering was"
    events = AuditEvent.objects.filter(subject_kind="game").order_by("id")
    trace = [(event.action, event.actor.username if event.actor else "") for event in events]
    assert trace == [("result.recorded", "petra"), ("result.corrected", "petra")], "every key leaves its trace"
    page.keyboard.press("k")
    page.keyboard.press("Backspace")
    expect(page.locator("#board-1 .state")).to_have_text("open")
    assert in_hand(page) == "1", "the cleared board waits for its result"
    assert results(row)[0] == ""
    expect(page.locator("#count")).to_have_text("0/5")
    for key in "101010":  # typed over each other
        page.keyboard.type(key)
        page.keyboard.press("ArrowUp")
    expect(page.locator("#board-1[data-result='0-1']:not([data-state])")).to_be_visible()
    assert results(row)[0] == "0-1"


def test_the_keyboard_finds_every_board_and_every_result(dashboard_of: Opened, row: Round) -> None:
    page = dashboard_of("petra")
    page.keyboard.press("Tab")
    assert in_hand(page) == "2", "a board is one stop"
    page.keyboard.type("g5")
    page.keyboard.press("Enter")
    assert in_hand(page) == "5"
    page.keyboard.type("#9")
    page.keyboard.press("Enter")
    assert in_hand(page) is None, "there is no board 9"
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    page.keyboard.type("m")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#board-3")).to_have_attribute("data-result", "--")
    assert in_hand(page) == "4", "also one of the other results leads on"
    page.keyboard.type("m")
    page.keyboard.press("Space")
    expect(page.locator("#board-4")).to_have_attribute("data-result", "adj")
    assert in_hand(page) == "5"
    page.locator("#board-1 summary").click()
    page.locator("#board-1 details label").first.click()
    expect(page.locator("#board-1")).to_have_attribute("data-result", "adj")
    assert in_hand(page) == "2", "and so with the mouse"


def test_a_link_to_a_board_leads_into_it_also_where_only_open_ones_are_shown(dashboard_of: Opened, row: Round) -> None:
    record(games_of(row)[1], Result.DRAW)
    page = dashboard_of("petra")
    page.goto(f"{url('results', row.pk)}#board-4")
    page.reload()
    assert in_hand(page) == "4"
    page.goto(f"{url('results', row.pk)}?show=open")
    page.keyboard.type("g2")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#board-2$"))
    expect(page.locator("#board-2 input:focus")).to_have_count(1)  # a board the short page lacks
    page.keyboard.press("ArrowDown")
    page.keyboard.press("o")
    expect(page.locator("#board-2")).to_be_hidden()
    page.keyboard.type("g2")
    page.keyboard.press("Enter")
    assert in_hand(page) == "2"


def test_a_key_too_many_never_enters_the_next_game_of_a_match(
    dashboard_of: Opened, row: Round, page_faults: list[str]
) -> None:
    cup = factory.make_knockout(Player.objects.order_by("number")[:2], first_day=factory.today(), games=2)
    page = dashboard_of("petra")
    page.goto(url("results", factory.round_of(cup, 1).pk))
    with undisturbed():  # both keys before the first answer
        page.keyboard.type("1=")
    expect(page.locator("#board-1 [role=alert]")).to_contain_text("game 1 has 1–0")
    assert results(factory.round_of(cup, 1)) == ["1-0", ""]
    page.get_by_role("button", name="Keep 1–0").click()
    expect(page.locator("#board-1 [role=alert]")).to_have_count(0)
    page.keyboard.type("=")
    saved(page, 1)
    assert results(factory.round_of(cup, 1)) == ["1-0", "1/2"]
    assert len(page_faults) == 1
    page_faults.clear()


def test_keys_mean_nothing_outside_the_boards(dashboard_of: Opened, row: Round) -> None:
    page = dashboard_of("petra")
    page.get_by_role("link", name="View on site").focus()
    page.keyboard.type("1o0")
    page.get_by_label("Played on").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#board-1 .state")).to_have_text("open")
    expect(page.locator("[data-show=all]")).to_have_attribute("aria-current", "true")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.type("1")
    page.keyboard.press("ArrowDown")
    assert in_hand(page) == "1"
    page.keyboard.type("0")
    saved(page, 1)
    assert results(row)[0] == "0-1"


@pytest.mark.parametrize(("button", "stands"), [("Keep 1–0", "1-0"), ("Enter 0–1 instead", "0-1")])
def test_the_second_of_two_arbiters_sees_whose_result_stands_and_chooses(
    dashboard_of: Opened, row: Round, page_faults: list[str], button: str, stands: str
) -> None:
    petra, otto = dashboard_of("petra"), dashboard_of("otto")
    petra.keyboard.type("1")
    saved(petra, 1)
    otto.keyboard.type("0")
    expect(otto.locator("#board-1")).to_contain_text("petra entered 1–0")
    assert results(row)[0] == "1-0", "nothing is overwritten unseen"
    assert "409" in page_faults.pop()
    otto.keyboard.press("ArrowUp")
    otto.keyboard.press("Tab")
    assert otto.locator(":focus").inner_text() == "Keep 1–0", "the choice is the next stop"
    otto.get_by_role("button", name=button).press("Enter")
    expect(otto.locator("#board-1 .choice")).to_have_count(0)
    expect(otto.locator("#board-1")).to_have_attribute("data-result", stands)
    assert results(row)[0] == stands


def test_what_another_arbiter_enters_comes_in_by_itself_but_never_under_the_hand(
    dashboard_of: Opened, row: Round
) -> None:
    petra, otto = dashboard_of("petra"), dashboard_of("otto")
    petra.keyboard.type("10")
    saved(petra, 1, 2)
    refresh(otto)
    expect(otto.locator("#board-2 .state")).to_contain_text("entered by petra")
    assert state(otto, 1) == "open", "the board in hand is left alone"
    otto.keyboard.press("ArrowDown")
    refresh(otto)
    expect(otto.locator("#board-1 .state")).to_contain_text("entered by petra")
    expect(otto.locator("#count")).to_have_text("2/5")


def test_without_a_connection_results_wait_and_are_sent_again(
    dashboard_of: Opened, row: Round, page_faults: list[str]
) -> None:
    page = dashboard_of("petra")
    page.context.set_offline(True)
    page.keyboard.type("10")
    expect(page.locator("#board-1 .state")).to_contain_text("! not saved")
    expect(page.locator("#unsent")).to_contain_text("not sent yet: 1, 2.")
    page.evaluate("document.body.click()")
    with page.expect_event("dialog") as warned:
        page.close(run_before_unload=True)
    assert warned.value.type == "beforeunload"
    warned.value.dismiss()
    assert results(row)[:2] == ["", ""]
    page.context.set_offline(False)
    saved(page, 1, 2)
    assert results(row)[:2] == ["1-0", "0-1"]
    expect(page.locator("#unsent")).to_be_hidden()
    page_faults[:] = [fault for fault in page_faults if "ERR_INTERNET_DISCONNECTED" not in fault]


def test_what_was_refused_is_told_on_the_board_and_sent_again(
    dashboard_of: Opened, row: Round, page_faults: list[str]
) -> None:
    page = dashboard_of("petra")
    page.get_by_label("Played on").fill("2190-01-01")
    page.locator("#board-1 input[type=radio]").first.focus()
    page.keyboard.type("1")
    expect(page.locator("#board-1 .state")).to_contain_text("lies in the future")
    assert "400" in page_faults.pop()
    page.get_by_label("Played on").fill(factory.today().isoformat())
    page.locator("#board-1").get_by_role("button", name="Retry").click()
    saved(page, 1)
    cookies = page.context.cookies()
    page.context.clear_cookies()
    page.locator("#board-2 input[type=radio]").first.focus()
    page.keyboard.type("1")
    expect(page.locator("#board-2 .state")).to_contain_text("signed out")
    page_faults[:] = [fault for fault in page_faults if "403" not in fault]
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    page.locator("#unsent").get_by_role("button").click()
    saved(page, 2)


def test_what_rests_on_a_result_is_told_with_the_way_to_its_preview(
    dashboard_of: Opened, row: Round, page_faults: list[str]
) -> None:
    game = games_of(row)[0]
    record(game, Result.DRAW)
    later = games_of(factory.round_of(row.stage.tournament, 2))[0]
    record(later, Result.DRAW)
    page = dashboard_of("petra")
    page.keyboard.press("ArrowUp")
    page.keyboard.type("1")
    expect(page.locator("#board-1")).to_contain_text("Round 2 has results already.")
    assert "409" in page_faults.pop()
    page.get_by_role("link", name="See what it would move").click()
    expect(page.locator("h1")).to_have_text("Correct a result")


def test_without_script_the_form_saves_as_ever(dashboard_of: Opened, row: Round) -> None:
    page = dashboard_of("petra", java_script_enabled=False)
    page.locator("#board-1").get_by_role("radio", name="1–0").check(force=True)
    page.locator("#board-2").get_by_role("radio", name="½–½").check(force=True)
    page.get_by_role("button", name="Save results").click()
    page.get_by_text("2 boards are saved.").wait_for()
    page.get_by_role("link", name="Open 3").click()
    assert page.locator("fieldset.board").count() == 3
    page.get_by_label("Board", exact=True).fill("4")
    page.get_by_role("button", name="Go").click()
    assert page.url.endswith("#board-4")


def test_what_was_chosen_before_the_script_came_is_saved(dashboard_of: Opened, row: Round) -> None:
    page, held = dashboard_of("petra"), list[Route]()
    page.route("**/results*.js", lambda route: held.append(route))
    with page.expect_request("**/results*.js"):
        page.reload(wait_until="commit")
    page.locator("#board-1").get_by_role("radio", name="½–½").dispatch_event("click")
    held.pop().continue_()
    saved(page, 1)
    assert results(row) == ["1/2", "", "", "", ""]


def test_on_a_phone_a_name_is_the_key(dashboard_of: Opened, row: Round) -> None:
    page = dashboard_of("petra", viewport=PHONE, is_mobile=True, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    key = page.locator("#board-2 .key").filter(has_text="Bo Brandt wins")
    assert (box := key.bounding_box()) is not None
    assert min(box["width"], box["height"]) >= 48
    key.tap()
    saved(page, 2)
    assert results(row)[1] in ("1-0", "0-1")


def test_the_page_breaks_no_rule_while_it_is_used(dashboard_of: Opened, row: Round, page_faults: list[str]) -> None:
    record(games_of(row)[4], Result.DRAW)
    page = dashboard_of("petra", bypass_csp=True)
    record(games_of(row)[1], Result.DRAW)
    page.keyboard.type("11?")
    expect(page.locator("#board-2 .choice")).to_be_visible()
    page_faults.clear()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert broken_rules(page) == [], scheme


TABLET = {"viewport": {"width": 820, "height": 1180}, "is_mobile": True, "has_touch": True}


def test_the_first_key_lands_on_the_first_open_board_of_a_tablet_too(dashboard_of: Opened, row: Round) -> None:
    record(games_of(row)[0], Result.DRAW)
    page = dashboard_of("petra", **TABLET)
    assert in_hand(page) is None, "a finger needs no board in hand"
    page.keyboard.press("1")
    saved(page, 2)
    assert in_hand(page) == "3"
    page.keyboard.press("=")
    saved(page, 3)
    assert results(row) == ["1/2", "1-0", "1/2", "", ""]
    page.goto(url("read", row.pk))
    for _held_down in range(3):
        page.keyboard.down("0")
    page.keyboard.up("0")
    expect(page.locator("#board-1 [value='0-1']")).to_be_checked()
    expect(page.locator("#reading input:checked")).to_have_count(1)


def test_what_went_wrong_on_a_board_is_one_key_and_one_step(dashboard_of: Opened, row: Round) -> None:
    page = dashboard_of("petra")
    page.keyboard.press("w")
    menu = page.locator("#wrong-1")
    expect(menu).to_be_visible()
    assert page.evaluate("document.activeElement.textContent") == "Colours were the other way round"
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    assert results(row)[0] == "", "a figure in the menu is no result"
    page.locator("#board-2").get_by_role("button", name="Wrong?").click()
    page.locator("#wrong-2").get_by_role("button", name="It is played tomorrow or later").click()
    expect(page.locator("#board-2 .state")).to_have_text("adjourned")
    assert results(row)[1] == "adj"
    page.keyboard.press("w")
    page.get_by_role("link", name="They played other opponents").locator("visible=true").click()
    expect(page.get_by_label("White")).to_be_visible()
