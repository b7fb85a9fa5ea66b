"""Two phones and a desk: links are opened, results reported, confirmed, disputed, kept without a line, and entered."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from players.links.services.personal_links import make_personal_link
from players.models import PersonalLink, Player
from tests import factory
from tests.browser.conftest import DESK, PHONE, Opened, sign_in, undisturbed
from tests.browser.judging import broken_rules, too_wide
from tests.players.links.link_cases import switch_links_on
from tournaments.models import Game, PlayerResult, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db]


@pytest.fixture(scope="module")
def games(world: None) -> list[Game]:
    """Two boards; Black of the first is a child whose mother has the link."""
    factory.make_club()
    factory.make_list()
    switch_links_on()
    cup = factory.make_round_robin(factory.make_players(4), first_day=factory.today())
    Tournament.objects.filter(pk=cup.pk).update(player_results="agreed")
    rows = Game.objects.filter(pairing__round__number=1).order_by("pairing__board")
    Player.objects.filter(pk=rows[0].black_id).update(birth_year=factory.today().year - 9)
    return list(rows.select_related("white", "black", "pairing"))


def path_of(game: Game) -> str:
    return f"/tournaments/winter-cup/games/{game.pk}/"


def opened_link(page: Page, player: Player, guardian: str = "") -> str:
    """The page pressed the button on a fresh link; its secret."""
    with undisturbed():
        _link, secret = make_personal_link(player.pk, by=None, guardian=guardian)
    page.goto(f"/mine/link/#{secret}")
    expect(page.get_by_label("The letters and digits of your link")).to_be_hidden()
    assert secret not in page.url, "out of the address before anything is pressed"
    page.get_by_role("button", name="This device is mine").click()
    expect(page.get_by_text("known on this device since")).to_be_visible()
    return secret


def result_of(game: Game) -> str:
    with undisturbed():
        return Game.objects.get(pk=game.pk).result


def test_an_evening_of_two_phones_and_a_desk(
    open_context: Opened, server: LiveServer, games: list[Game], page_faults: list[str]
) -> None:
    one, other = games
    white, mother = open_context(viewport=PHONE), open_context(viewport=PHONE)
    secret = opened_link(white, one.white)
    opened_link(mother, one.black, guardian="mother")
    assert not broken_rules(white) + too_wide(white)

    # A link in the group chat opens on no second phone.
    stranger = open_context(viewport=PHONE)
    stranger.goto(f"/mine/link/#{secret}")
    stranger.get_by_role("button", name="This device is mine").click()
    expect(stranger.get_by_role("alert")).to_contain_text("another device already")
    page_faults.clear()

    # No line for a while: the tap is kept on the phone, also over a reload, and sent once.
    white.goto(path_of(one))
    assert not broken_rules(white) + too_wide(white)
    white.context.set_offline(True)
    white.get_by_role("button", name="I won").click()
    expect(white.get_by_text("It is kept on this device and sent by itself.")).to_be_visible()
    with undisturbed():
        assert not PlayerResult.objects.exists()
    page_faults.clear()
    white.context.set_offline(False)
    expect(white.get_by_text("It counts when your opponent says the same.").last).to_be_visible()
    assert white.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('own-result')).length") == 0

    # The mother confirms with two quick taps, and it is entered once.
    mother.goto("/mine/")
    expect(mother.get_by_text("Your opponent says 1–0.")).to_be_visible()
    mother.get_by_role("button", name="That is right: I lost (1–0)").dblclick()
    expect(mother).to_have_url(f"{mother.url.split('/mine')[0].split('/tournaments')[0]}{path_of(one)}")
    expect(mother.locator("#main")).to_contain_text("1–0")
    assert result_of(one) == "1-0"

    # The other board is disputed, from a phone without scripts too; the desk has it on top and decides.
    plain = open_context(java_script_enabled=False, viewport=PHONE)
    with undisturbed():
        _link, typed = make_personal_link(other.white_id, by=None)
    plain.goto("/mine/link/")
    plain.get_by_label("The letters and digits of your link").fill(f" {typed[:4].upper()}-{typed[4:]}")
    plain.get_by_role("button", name="This device is mine").click()
    plain.get_by_role("button", name="I won").click()
    expect(plain.get_by_text("You said 1–0 at")).to_be_visible()
    opened_link(stranger, other.black)
    stranger.goto(path_of(other))
    stranger.get_by_role("button", name="Draw").click()
    expect(stranger.get_by_text("You say ½–½, your opponent says 1–0.")).to_be_visible()
    with undisturbed():
        arbiter = factory.make_arbiter()
    desk = sign_in(open_context(viewport=DESK), server, arbiter)
    desk.goto(f"/admin/tournaments/tournament/round/{other.pairing.round_id}/results/")
    expect(desk.locator("section", has_text="They disagree").first).to_contain_text("White says 1–0, Black says ½–½")
    assert not broken_rules(desk) + too_wide(desk)
    desk.locator("#jump-to").fill("2")
    desk.locator("#jump-to").press("Enter")
    desk.keyboard.press("=")
    expect(desk.locator("#count")).to_have_text("2/2")
    stranger.reload()
    expect(stranger.locator("#main")).to_contain_text("½–½")
    plain.reload()
    expect(plain.locator("#main")).to_contain_text("You had said 1–0. Another result was entered, and that stands.")

    # A link that was taken back: its phone is a stranger's.
    with undisturbed():
        PersonalLink.objects.all().delete()
    white.goto("/mine/")
    expect(white.get_by_text("known on this device since")).to_have_count(0)
