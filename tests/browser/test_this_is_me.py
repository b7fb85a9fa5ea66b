"""A device that knows its reader: rows marked, *Tonight* begins with the board, pages without a line, all forgotten."""

import gzip
import json
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from players.links.services.personal_links import make_personal_link
from players.models import Player, Subscription
from tests import factory
from tests.browser.conftest import Opened, undisturbed
from tests.browser.judging import broken_rules, too_wide
from tests.players.links.link_cases import switch_links_on
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
EVENT = "/tournaments/winter-cup/"


@pytest.fixture(scope="module")
def cup(world: None) -> Tournament:
    factory.make_club()
    factory.make_list()
    people = factory.make_players(6)
    factory.play_all(factory.make_round_robin(people, name="Autumn Cup"))
    return factory.make_round_robin(people, first_day=factory.today())


@pytest.fixture
def known_page(page: Page, cup: Tournament) -> Page:
    """A page of somebody who said who it is, and follows another."""
    page.goto("/players/2-bo-brandt/")
    page.get_by_role("button", name="Follow").click()
    expect(page.get_by_role("button", name="Follow")).to_have_attribute("aria-pressed", "true")
    page.goto("/players/1-ada-alvarez/")
    page.get_by_role("link", name="This is me").click()
    expect(page.get_by_role("button", name="This is you: forget it")).to_be_visible()
    expect(page.get_by_role("link", name="This is me")).to_be_hidden()
    return page


def forget(page: Page) -> None:
    page.goto("/players/1-ada-alvarez/")
    page.get_by_role("button", name="This is you: forget it").click()
    expect(page.get_by_role("link", name="This is me")).to_be_visible()


@pytest.mark.parametrize(
    "address", ["/ratings/standard/", "/players/", EVENT + "standings/", EVENT + "crosstable/", EVENT + "rounds/1/"]
)
def test_my_row_is_marked_and_nobody_elses(known_page: Page, address: str) -> None:
    known_page.goto(address)
    rows = known_page.locator("tr.me")
    expect(rows).to_have_count(1)
    expect(rows.locator("a.name", has_text="Ada Alvarez")).to_have_text("Ada Alvarez, you")
    forget(known_page)
    known_page.goto(address)
    expect(known_page.locator(".me, .you")).to_have_count(0)


def test_tonight_begins_with_my_board(known_page: Page) -> None:
    known_page.goto("/")
    mine = known_page.locator("#mine")
    expect(mine).to_contain_text("Board 1:")
    expect(mine).to_contain_text("So far between you:")
    expect(mine.locator("li", has_text="Bo Brandt")).to_be_visible()
    assert not broken_rules(known_page) + too_wide(known_page)
    known_page.evaluate(
        "localStorage['club-me'] = JSON.stringify({...JSON.parse(localStorage['club-me']),"
        " seen: {list: 'standard', day: '2026-01-02', rating: 1400}})"
    )
    known_page.reload()
    expect(mine).to_contain_text("since")
    mine.get_by_role("button", name="Forget me on this device").click()
    expect(mine).to_be_hidden()
    assert known_page.evaluate("localStorage.length") == 0


def test_without_a_script_the_same_stands_under_an_address(open_context: Opened, cup: Tournament) -> None:
    page = open_context(java_script_enabled=False)
    page.goto("/players/1-ada-alvarez/")
    page.get_by_role("link", name="This is me").click()
    expect(page.locator("#mine")).to_contain_text("Board 1:")


def test_what_was_seen_can_be_read_without_a_line_and_nothing_private(known_page: Page, page_faults: list[str]) -> None:
    page, context = known_page, known_page.context
    page.evaluate("navigator.serviceWorker.ready.then(() => new Promise((done) => setTimeout(done, 300)))")
    for address in (EVENT + "rounds/1/", "/members/", "/mine/?player=1", "/tools/elo/"):
        page.goto(address)
    page.wait_for_function("caches.open('club-pages').then((c) => c.keys()).then((keys) => keys.length === 2)")
    kept = page.evaluate("caches.open('club-pages').then((c) => c.keys()).then((k) => k.map((each) => each.url))")
    assert not [url for url in kept if "/members/" in url or "/mine/" in url]

    context.set_offline(True)
    page.goto("/ratings/standard/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    page.locator("#kept").get_by_role("link").first.click()
    expect(page).to_have_url(f"{page.url.split('/tournaments')[0]}{EVENT}rounds/1/")
    expect(page.locator("#main > [role=status]").first).to_contain_text("No connection. This page is as it was then:")
    expect(page.locator("tr.me")).to_have_count(1)
    page_faults.clear()

    context.set_offline(False)
    forget(page)
    page.wait_for_function("caches.keys().then((names) => names.length === 0)")
    assert page.evaluate("navigator.serviceWorker.getRegistration().then((found) => !found)")


# A browser of a test has no push service: what one would give is put in its place.
PUSH = """
const made = { endpoint: "https://fcm.googleapis.com/fcm/send/1", unsubscribe: async () => (globalThis.isOn = false) };
made.toJSON = () => ({ endpoint: made.endpoint, keys: { p256dh: "B".repeat(87), auth: "a".repeat(22) } });
PushManager.prototype.subscribe = async () => (sessionStorage.on = 1, made);
PushManager.prototype.getSubscription = async () => (sessionStorage.on ? made : null);
Notification.requestPermission = async () => "granted";
"""


def test_notices_are_switched_on_and_forgotten_with_the_rest(
    known_page: Page, settings: Settings, page_faults: list[str]
) -> None:
    settings.PUSH_KEY, settings.PUSH_PUBLIC_KEY = "k" * 43, "tests.clubrating.site.notices.test_notices.public"
    page = known_page
    page.add_init_script(PUSH)
    page.goto("/mine/?player=1")
    page.get_by_role("link", name="Notices on this device").click()
    page.get_by_label("a new rating list").uncheck()
    page.get_by_role("button", name="Switch on").click()
    expect(page.locator("#notices [role=status]")).to_have_text("Notices are on on this device.")
    assert not broken_rules(page) + too_wide(page)
    with undisturbed():
        row = Subscription.objects.get()
    assert (row.player.number, row.paired, row.new_list) == (1, True, False)

    with page.expect_response(lambda answer: answer.request.method == "POST"):
        forget(page)
    with undisturbed():
        assert not Subscription.objects.exists()


def test_a_stranger_keeps_nothing(page: Page, cup: Tournament) -> None:
    page.goto(EVENT + "rounds/1/")
    page.goto("/")
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    assert json.loads(page.evaluate("JSON.stringify(localStorage)")) == {}


def test_all_scripts_together_stay_small() -> None:
    scripts = Path(settings.BASE_DIR, "static", "js").glob("*.js")
    assert sum(len(gzip.compress(script.read_bytes())) for script in scripts) <= 20_000


# --- an officer proves it by a passkey --------------------------------------------------------------------------------
KEY = {"protocol": "ctap2", "transport": "usb", "automaticPresenceSimulation": True}
OWNER = {"transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
SEND = "(answer) => { const form = document.forms[0]; form.elements.answer.value = answer; form.submit(); }"


def test_an_officer_signs_in_and_a_member_opens_the_link_by_a_passkey(
    page: Page, cup: Tournament, server: LiveServer, settings: Settings, page_faults: list[str]
) -> None:
    pytest.importorskip("fido2", reason="requirements-passkeys.txt is not installed")
    settings.PASSKEY_SITE = server.url
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    made = devices.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})
    factory.make_arbiter("petra")

    def enter_password() -> None:
        page.goto("/admin/login/?next=/account/")
        page.get_by_label("Username").fill("petra")
        page.get_by_label("Password").fill("pass-for-tests")
        page.get_by_role("button", name="Sign in").click()

    enter_password()
    page.get_by_role("link", name="Passkeys").click()
    page.get_by_label("Name of the passkey").fill("key ring")
    page.get_by_label("Password").fill("pass-for-tests")
    assert not broken_rules(page) + too_wide(page)
    page.get_by_role("button", name="Add a passkey").click()
    page.get_by_role("button", name="Make the passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.goto("/account/passkeys/")
    expect(page.get_by_text("key ring", exact=True)).to_be_visible()
    page.get_by_role("button", name="Log out").click()

    enter_password()
    use = page.get_by_role("button", name="Use a passkey")
    expect(use).to_be_visible()
    assert not broken_rules(page) + too_wide(page)
    with page.expect_request(lambda asked: asked.method == "POST") as sent:
        use.click()
    expect(page.get_by_role("heading", name="My account")).to_be_visible()
    page.get_by_role("button", name="Log out").click()

    enter_password()
    (answer,) = parse_qs(sent.value.post_data or "")["answer"]
    page.evaluate(SEND, answer)
    expect(page.get_by_text("That was no passkey of this account")).to_be_visible()
    assert page_faults.pop().startswith("console: Failed to load resource: the server responded with a status of 400")

    devices.send("WebAuthn.removeVirtualAuthenticator", made)
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": KEY | OWNER})
    with undisturbed():
        switch_links_on()
        link, secret = make_personal_link(Player.objects.get(number=1).pk, by=None, devices=2)
    page.goto(f"/mine/link/#{secret}")
    page.get_by_role("button", name="This device is mine").click()
    page.get_by_text("What this device may do").click()
    page.get_by_role("link", name="Passkeys").click()
    page.get_by_label("Name of the passkey").fill("finger")
    assert not broken_rules(page) + too_wide(page)
    page.get_by_role("button", name="Add a passkey").click()
    page.get_by_role("button", name="Make the passkey").click()
    expect(page.get_by_text("finger", exact=True)).to_be_visible()
    page.context.clear_cookies()  # a new device, with the same key
    page.goto("/mine/link/")
    assert not broken_rules(page) + too_wide(page)
    page.get_by_role("button", name="Open with my passkey").click()
    expect(page.get_by_text("known on this device since")).to_be_visible()
    with undisturbed():
        assert link.devices.count() == 2
