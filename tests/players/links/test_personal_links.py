"""Personal links: a device is known by one until it ends, is taken back or forgotten; the secret stands nowhere."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from players.club.services import update_club
from players.links.selectors import devices_known_by, have_links, links_of, player_of
from players.links.services.personal_links import (
    allow_device,
    forget_devices,
    make_personal_link,
    open_personal_link,
    revoke_personal_link,
)
from players.models import AuditEvent, LinkDevice, PersonalLink, Player
from players.privacy.services import NewGuardian, forget_guardians, set_guardians
from players.refusals import Refused, Stale
from ratings.models import RatingList
from tests import factory
from tests.players.links.link_cases import phone_of, switch_links_on
from tests.tournaments.pairs.pair_cases import make_event
from tournaments.erasure.services.erasure import anonymise_player
from tournaments.merging.services import merge_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(standard: RatingList) -> Player:
    switch_links_on()
    return factory.make_players(2)[0]


def opened(secret: str, device: str = "") -> str:
    found = open_personal_link(secret, device)
    assert found is not None
    return found[1]


def test_a_link_is_bound_to_the_first_device_that_opens_it(ada: Player) -> None:
    other, theirs = make_personal_link(Player.objects.get(number=2).pk, by=None)
    link, secret = make_personal_link(ada.pk, by=None)
    key = opened(secret.upper()[:4] + "-" + secret[4:])
    assert opened(secret, key) == key, "the same device opens it again"
    assert [device.link for device in devices_known_by(key)] == [link]
    assert opened(theirs, key) == key, "a device may know two links"
    assert [device.link for device in devices_known_by(key)] == [link, other]
    with pytest.raises(Refused, match="another device"):
        open_personal_link(secret)
    allow_device(link.pk, by=None)
    assert opened(secret) != key


def test_to_forget_a_device_gives_no_place_back(ada: Player) -> None:
    _link, secret = make_personal_link(ada.pk, by=None)
    key = opened(secret)
    forget_devices([LinkDevice.objects.get().pk], by=None)
    assert not devices_known_by(key)
    with pytest.raises(Refused, match="another device"):
        open_personal_link(secret, key)


def _over(link: PersonalLink) -> None:
    PersonalLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


def _off(link: PersonalLink) -> None:
    update_club({"personal_links": False}, by=None)


def _back(link: PersonalLink) -> None:
    revoke_personal_link(link.pk, by=None)


@pytest.mark.parametrize("end", [_over, _off, _back])
def test_a_link_that_ended_opens_nothing_and_its_devices_are_strangers(
    ada: Player, end: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, secret = make_personal_link(ada.pk, by=None, devices=2)
    client = Client()
    client.post("/mine/link/", {"secret": secret})
    assert "known on this device" in client.get("/mine/").text
    with monkeypatch.context() as at_its_end:
        at_its_end.setattr(timezone, "now", lambda: link.expires_at)
        with pytest.raises(Refused, match="over"):
            open_personal_link(secret)
    end(link)
    assert Client().post("/mine/link/", {"secret": secret}).status_code == 409
    assert "known on this device" not in client.get("/mine/").text


def test_the_secret_stands_in_no_row_and_no_line(ada: Player) -> None:
    link, secret = make_personal_link(ada.pk, by=None)
    key = opened(secret)
    values = [*AuditEvent.objects.values(), *PersonalLink.objects.values(), *LinkDevice.objects.values()]
    assert secret not in str(values)
    assert key not in str(values)
    assert len(link.digest) == 64
    assert set(secret) <= set("abcdefghjkmnpqrstuvwxyz23456789")


def test_a_guardian_speaks_for_a_minor_until_the_minor_is_of_age(ada: Player) -> None:
    with pytest.raises(Refused, match="minor"):
        make_personal_link(ada.pk, by=None, guardian="mother")
    year = factory.today().year
    bo = Player.objects.get(number=2)
    Player.objects.update(birth_year=year - 10)
    for child in (ada, bo):
        set_guardians(child.pk, [NewGuardian("Gudrun")], by=None)
    make_personal_link(bo.pk, by=None, guardian="father")
    make_personal_link(ada.pk, by=None)
    _link, secret = make_personal_link(ada.pk, by=None, guardian="mother", devices=2)
    key = opened(secret)
    assert [player_of(device) for device in devices_known_by(key)] == [ada]
    Player.objects.filter(pk=ada.pk).update(birth_year=year - 20)
    assert not devices_known_by(key)
    with pytest.raises(Refused, match="This link is over"):
        open_personal_link(secret)
    forget_guardians(factory.today())
    assert set(PersonalLink.objects.values_list("player", "guardian")) == {(ada.pk, ""), (bo.pk, "father")}


def test_an_erased_person_has_no_link_and_a_merged_one_is_the_one_kept(ada: Player) -> None:
    bo = Player.objects.get(number=2)
    key = opened(make_personal_link(ada.pk, by=None)[1])
    merge_players(keep=bo.pk, gone=ada.pk, by=None, reason="duplicate")
    assert [player_of(device) for device in devices_known_by(key)] == [bo]
    with pytest.raises(Refused, match="not in the list"):
        make_personal_link(ada.pk, by=None)
    anonymise_player(bo.pk, by=factory.make_administrator())
    with pytest.raises(Refused, match="not in the list"):
        make_personal_link(bo.pk, by=None)
    assert not PersonalLink.objects.exists()


@pytest.mark.parametrize(
    ("terms", "words"),
    [({"days": 0}, "366"), ({"days": 367}, "366"), ({"devices": 0}, "1 to 5"), ({"devices": 6}, "1 to 5")],
)
def test_terms_that_no_link_has_are_refused(ada: Player, terms: dict[str, int], words: str) -> None:
    with pytest.raises(Refused, match=words):
        make_personal_link(ada.pk, by=None, **terms)
    assert not PersonalLink.objects.exists()


def test_a_player_has_ten_links_and_a_link_five_devices_at_most(ada: Player) -> None:
    make_personal_link(Player.objects.get(number=2).pk, by=None)
    for _link in range(9):
        make_personal_link(ada.pk, by=None)
    link, secret = make_personal_link(ada.pk, by=None, devices=4)
    opened(secret)
    allow_device(link.pk, by=None)
    with pytest.raises(Refused, match="1 to 5"):
        allow_device(link.pk, by=None)
    with pytest.raises(Refused, match="10 links already"):
        make_personal_link(ada.pk, by=None)
    link.refresh_from_db()
    assert (link.devices_left, PersonalLink.objects.filter(player=ada).count()) == (4, 10)
    revoke_personal_link(link.pk, by=None)
    make_personal_link(ada.pk, by=None)


def test_a_club_without_links_makes_none(ada: Player) -> None:
    update_club({"personal_links": False}, by=None)
    with pytest.raises(Refused, match="switched off"):
        make_personal_link(ada.pk, by=None)


def test_a_link_is_taken_back_once(ada: Player) -> None:
    link, secret = make_personal_link(ada.pk, by=None)
    other = phone_of(ada)
    opened(secret)
    revoke_personal_link(link.pk, by=None)
    assert "known on this device" in other.get("/mine/").text, "by another link"
    make_personal_link(Player.objects.get(number=2).pk, by=None)
    assert (link in links_of(ada), have_links([ada.pk])) == (False, {ada.pk})
    assert not link.devices.exists()
    PersonalLink.objects.exclude(pk=link.pk).update(expires_at=timezone.now())
    assert (links_of(ada), have_links([ada.pk])) == ([], set())
    with pytest.raises(Stale):
        revoke_personal_link(link.pk, by=None)


def test_after_a_merge_the_kept_record_has_the_links_and_the_age(ada: Player, client: Client) -> None:
    bo, year = Player.objects.get(number=2), factory.today().year
    Player.objects.filter(pk=ada.pk).update(birth_year=year - 10)
    key = opened(make_personal_link(ada.pk, by=None, guardian="mother")[1])
    merge_players(keep=bo.pk, gone=ada.pk, by=None, reason="duplicate")
    assert devices_known_by(key)
    assert have_links([bo.pk]) == {bo.pk}
    Player.objects.filter(pk=bo.pk).update(birth_year=year - 20)
    assert not devices_known_by(key)
    client.force_login(factory.make_arbiter())
    link = PersonalLink.objects.get()
    assert client.post(f"/admin/players/player/{bo.pk}/links/", {"revoke": link.pk}).status_code == 302


# --- pages --------------------------------------------------------------------------------------------------------
def test_looking_at_a_link_opens_nothing(ada: Player) -> None:
    make_personal_link(ada.pk, by=None)
    answer = Client().get("/mine/link/")
    assert answer.status_code == 200
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert "no-store" in answer.headers["Cache-Control"]
    assert not LinkDevice.objects.exists()


def test_a_device_knows_what_it_may_do_and_forgets_itself(ada: Player) -> None:
    phone, other = phone_of(ada), phone_of(ada)
    cookie = phone.cookies["club-link"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    page = phone.get("/mine/").text
    assert "What this device may do" in page
    devices = list(LinkDevice.objects.order_by("pk"))
    phone.post("/mine/forget/", {"device": devices[1].pk})
    assert LinkDevice.objects.count() == 2, "not another’s"
    assert phone.post("/mine/forget/", {"device": devices[0].pk}).status_code == 302
    assert "known on this device" not in phone.get("/mine/").text
    assert factory.told("personal-link.forgotten", ada, "player").after["device"] == devices[0].pk
    assert "known on this device" in other.get("/mine/").text


def test_a_device_that_forgets_one_of_two_links_is_known_by_the_other(ada: Player) -> None:
    phone = phone_of(Player.objects.get(number=2), client=phone_of(ada))
    for device, is_known in zip(LinkDevice.objects.order_by("pk"), (True, False), strict=True):
        phone.post("/mine/forget/", {"device": device.pk})
        assert ("known on this device" in phone.get("/mine/").text) is is_known
        assert bool(phone.cookies["club-link"].value) is is_known


def test_a_cookie_that_is_not_ours_is_nobodys(ada: Player) -> None:
    phone = phone_of(ada)
    phone.cookies["club-link"] = phone.cookies["club-link"].value[:-2] + "xx"
    assert "known on this device" not in phone.get("/mine/").text


def test_a_copied_key_is_not_known_again_with_the_next_link(ada: Player) -> None:
    phone, thief = phone_of(ada), Client()
    thief.cookies["club-link"] = phone.cookies["club-link"].value
    revoke_personal_link(PersonalLink.objects.get().pk, by=None)
    phone_of(ada, client=phone)
    assert "known on this device" in phone.get("/mine/").text
    assert "known on this device" not in thief.get("/mine/").text


def test_public_pages_are_the_same_and_kept_for_a_known_device(ada: Player) -> None:
    client = phone_of(ada)
    del client.cookies["messages"]  # shown on the page it is led to
    stranger, phone = Client().get("/players/"), client.get("/players/")
    assert "ETag" in phone.headers
    assert stranger.headers["Cache-Control"] == phone.headers["Cache-Control"]


def test_who_guesses_is_slowed_down(ada: Player) -> None:
    make_personal_link(ada.pk, by=None)
    client = Client(REMOTE_ADDR="203.0.113.9")
    statuses = [client.post("/mine/link/", {"secret": f"guess{number}"}).status_code for number in range(22)]
    assert set(statuses[:20]) == {404}
    assert statuses[-1] == 429


# --- the desk -----------------------------------------------------------------------------------------------------
@pytest.fixture
def desk(ada: Player, client: Client) -> Client:
    client.force_login(factory.make_arbiter())
    return client


def test_an_officer_makes_a_link_that_is_shown_once(desk: Client, ada: Player) -> None:
    path = f"/admin/players/player/{ada.pk}/links/"
    answer = desk.post(path, {"days": 30, "devices": 1, "guardian": ""})
    address = answer.context["made"].address
    secret = address.partition("#")[2]
    assert address.endswith(f"/mine/link/#{secret}")
    assert answer.text.count(secret) == 1
    assert secret not in desk.get(path).text
    assert open_personal_link(secret)
    device, link, officer = LinkDevice.objects.get(), PersonalLink.objects.get(), User.objects.get()
    values = {"link": link.pk, "days": 30, "devices": 1, "guardian": False}
    assert factory.told("personal-link.made", ada, officer).after == values
    assert factory.told("personal-link.opened", ada, "player").after == {"link": link.pk, "device": device.pk}
    assert desk.post(path, {"allow": PersonalLink.objects.get().pk}).status_code == 302
    assert desk.post(path, {"forget": device.pk}).status_code == 302
    assert desk.post(path, {"revoke": PersonalLink.objects.get().pk}).status_code == 302
    assert desk.post(path, {"revoke": PersonalLink.objects.get().pk}).status_code == 409
    forgotten = factory.told("personal-link.forgotten", ada, officer)
    assert (forgotten.role, forgotten.after) == ("arbiter", {"link": link.pk, "device": device.pk})
    assert factory.told("personal-link.allowed", ada, officer).after == {"link": link.pk}
    assert factory.told("personal-link.revoked", ada, officer).after == {"link": link.pk}
    assert desk.post(f"/admin/players/player/{ada.pk}/links/", {"days": "0", "devices": "1"}).status_code == 400


def test_a_link_for_who_speaks_for_a_minor_is_noted_as_theirs(desk: Client, ada: Player) -> None:
    Player.objects.filter(pk=ada.pk).update(birth_year=factory.today().year - 10)
    desk.post(f"/admin/players/player/{ada.pk}/links/", {"days": 30, "devices": 1, "guardian": "mother"})
    assert PersonalLink.objects.get().guardian == "mother"


def test_nothing_of_another_players_link_is_changed_on_ones_page(desk: Client, ada: Player) -> None:
    link, secret = make_personal_link(ada.pk, by=None, devices=2)
    opened(secret)
    device, other = LinkDevice.objects.get(), Player.objects.get(number=2)
    for deed, key in (("allow", link.pk), ("revoke", link.pk), ("forget", device.pk)):
        assert desk.post(f"/admin/players/player/{other.pk}/links/", {deed: key}).status_code == 409
    assert PersonalLink.objects.filter(revoked_at=None, devices_left=1, devices=device).exists()


def test_a_sheet_has_a_slip_for_everybody_who_has_no_link(desk: Client, ada: Player) -> None:
    left, erased = factory.make_players(2)
    event = factory.make_round_robin([*Player.objects.order_by("number")])
    event.entries.filter(player=left).update(withdrawn=True)
    Player.objects.filter(pk=erased.pk).update(name="")
    make_personal_link(ada.pk, by=None)
    form = {"event": event.pk, "days": 100, "devices": 2}
    answer = desk.post("/admin/players/player/links/", form)
    assert [each.player.number for each in answer.context["made"]] == [2]
    assert PersonalLink.objects.count() == 2
    assert desk.post("/admin/players/player/links/", form).status_code == 409
    assert PersonalLink.objects.count() == 2


def test_a_sheet_has_a_slip_for_both_of_a_pair(desk: Client, ada: Player) -> None:
    people = [*Player.objects.order_by("number")]
    event, *_turned = [make_event(each) for each in (people, people[::-1], people[::-1])]
    answer = desk.post("/admin/players/player/links/", {"event": event.pk, "days": 100, "devices": 1})
    assert len(answer.context["made"]) == 2
