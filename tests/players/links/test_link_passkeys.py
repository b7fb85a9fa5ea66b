"""Passkeys of members: what a link does not open, its passkey does not; each question is answered once, here and by its
own key."""

import json
import os
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

pytest.importorskip("fido2", reason="requirements-passkeys.txt is not installed")
from fido2.utils import websafe_encode

from clubrating.site.mine.passkey_views import LIMIT
from clubrating.web import passkeys
from players.club.services import update_club
from players.links.services.link_passkeys import add_link_passkey, use_link_passkey
from players.links.services.personal_links import (
    allow_device,
    make_personal_link,
    open_for_passkey,
    revoke_personal_link,
)
from players.models import AuditEvent, LinkDevice, LinkPasskey, PersonalLink, Player
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.clubrating.accounts.passkey_cases import SITE, TOUCHED, VERIFIED, Key, asked_on
from tests.players.links.link_cases import phone_of, switch_links_on

pytestmark = pytest.mark.django_db
LINK, LIST, OPEN = "/mine/link/", "/mine/passkeys/", "/mine/passkey/"
KNOWN = "known on this device"


@pytest.fixture
def ada(standard: RatingList, settings: Settings) -> Player:
    settings.PASSKEY_SITE = SITE
    switch_links_on()
    return factory.make_players(1)[0]


def asked_for_new(phone: Client) -> dict[str, Any]:
    return asked_on(phone.post(LIST, {"device": LinkDevice.objects.latest("pk").pk, "name": "finger"}).text)


def add(phone: Client, key: Key, told_by: int = VERIFIED) -> Any:
    device = LinkDevice.objects.latest("pk")
    options = asked_for_new(phone)
    answer = {"answer": json.dumps(key.make(options, told_by=told_by))}
    return phone.post(f"{LIST}{device.pk}/", answer, follow=True)


def send(client: Client, answer: object) -> str:
    """The page it is led to."""
    return str(client.post(OPEN, {"answer": json.dumps(answer)}, follow=True).text)


def asked(client: Client) -> dict[str, Any]:
    return asked_on(client.get(LINK).text)


@pytest.fixture
def key(ada: Player) -> Key:
    """Of Ada's link, which opens on one device more."""
    key = Key()
    assert "finger" in add(phone_of(ada), key).text
    allow_device(PersonalLink.objects.get().pk, by=None)
    return key


def test_it_opens_the_link_on_one_device_more_without_a_session_and_a_question_once(key: Key) -> None:
    client = Client()
    options = asked(client)
    assert (options.get("allowCredentials") or [], options["userVerification"]) == ([], "required")
    cookie, answer = client.cookies["club-asked"].value, key.prove(options, told_by=VERIFIED)
    assert KNOWN in send(client, answer)
    assert "sessionid" not in client.cookies
    assert (PersonalLink.objects.get().devices_left, LinkDevice.objects.count()) == (0, 2)
    assert KNOWN in send(client, key.prove(asked(client), told_by=VERIFIED)), "once on one device"
    thief = Client()
    thief.cookies["club-asked"] = cookie
    allow_device(PersonalLink.objects.get().pk, by=None)
    assert "answered already" in send(thief, answer)
    assert "answered already" in send(Client(), answer), "another device was asked"
    assert LinkDevice.objects.count() == 2


def test_a_device_that_is_known_keeps_its_key_and_one_that_is_not_gets_a_new_one(key: Key, ada: Player) -> None:
    (bo,) = factory.make_players(1)
    phone = phone_of(bo)
    assert KNOWN in send(phone, key.prove(asked(phone), told_by=VERIFIED))
    digests = {player: LinkDevice.objects.filter(link__player=player).latest("pk").digest for player in (ada, bo)}
    assert digests[ada] == digests[bo], "one key for both links"
    copy = Client()
    copy.cookies["club-link"] = phone.cookies["club-link"].value
    LinkDevice.objects.all().delete()
    allow_device(PersonalLink.objects.get(player=ada).pk, by=None)
    assert KNOWN in send(phone, key.prove(asked(phone), told_by=VERIFIED))
    assert KNOWN not in copy.get("/mine/").text


def test_without_links_or_passkeys_there_are_no_such_pages(ada: Player, settings: Settings) -> None:
    phone = phone_of(ada)
    adding = f"{LIST}{LinkDevice.objects.get().pk}/"
    for site, has_links in ((SITE, False), ("", True)):
        settings.PASSKEY_SITE = site
        update_club({"personal_links": has_links}, by=None)
        answers = phone.get(LIST), phone.post(adding), phone.post(OPEN)
        assert [answer.status_code for answer in answers] == [404] * 3


def test_a_question_is_answered_within_five_minutes(key: Key, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    for seconds, opens in ((passkeys.LASTS + 1, False), (passkeys.LASTS, True)):
        monkeypatch.setattr(passkeys, "time", lambda: 0)
        options = asked(client)
        monkeypatch.setattr(passkeys, "time", lambda seconds=seconds: seconds)
        assert (KNOWN in send(client, key.prove(options, told_by=VERIFIED))) is opens


WRONG = ["origin", "owner", "challenge", "key", "garbage", "removed", "off"]


@pytest.mark.extended
@pytest.mark.parametrize("what", WRONG)
def test_what_opens_nothing(key: Key, what: str, settings: Settings) -> None:
    client = Client()
    options = asked(client)
    answer: Any = key.prove(options, "https://evil.test" if what == "origin" else SITE, VERIFIED)
    if what == "owner":
        answer = key.prove(options, told_by=TOUCHED)
    elif what == "challenge":
        answer = key.prove({**options, "challenge": websafe_encode(os.urandom(32))}, told_by=VERIFIED)
    elif what == "key":
        answer = Key().prove(options, told_by=VERIFIED)
    elif what == "garbage":
        answer = {"rawId": "ß"}
    elif what == "removed":
        LinkPasskey.objects.all().delete()
    elif what == "off":
        settings.PASSKEY_SITE = ""
    assert KNOWN not in send(client, answer)
    assert LinkDevice.objects.count() == 1


def _full(link: PersonalLink) -> None:
    PersonalLink.objects.update(devices_left=0)


def _over(link: PersonalLink) -> None:
    PersonalLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


def _of_age(link: PersonalLink) -> None:
    PersonalLink.objects.update(guardian="mother")


def _back(link: PersonalLink) -> None:
    revoke_personal_link(link.pk, by=None)
    make_personal_link(link.player_id, by=None)


@pytest.mark.parametrize(
    ("end", "said"), [(_full, "opened on another device"), (_over, "over"), (_of_age, "over"), (_back, "taken back")]
)
def test_a_link_that_ended_or_is_full_says_so_and_a_new_one_revives_no_passkey(key: Key, end: Any, said: str) -> None:
    end(PersonalLink.objects.get())
    before, client = LinkDevice.objects.count(), Client()
    page = send(client, key.prove(asked(client), told_by=VERIFIED))
    assert (said in page, KNOWN in page, LinkDevice.objects.count()) == (True, False, before)


def test_a_device_lists_the_passkey_by_the_name_the_public_sees(ada: Player) -> None:
    phone = phone_of(ada)
    for visibility, name in (("public", ada.name), ("initials", "A. A."), ("members", f"Player {ada.number}")):
        Player.objects.update(visibility=visibility)
        user = asked_for_new(phone)["user"]
        assert (user["name"], user["displayName"]) == (name, name)


def test_a_copy_is_refused_and_noted(key: Key) -> None:
    client, copy = Client(), Client()
    send(client, key.prove(asked(client), told_by=VERIFIED))
    key.counter = 0
    assert "may have been copied" in send(copy, key.prove(asked(copy), told_by=VERIFIED))
    assert AuditEvent.objects.filter(action="passkey.went-back").exists()


def test_many_wrong_answers_are_braked(key: Key) -> None:
    client = Client(REMOTE_ADDR="203.0.113.19")
    for _try in range(LIMIT.tries):
        asked(client)
        send(client, {})
    assert "Too many tries" in send(client, key.prove(asked(client), told_by=VERIFIED))


def test_only_a_known_device_adds_a_passkey_that_knows_its_owner_and_removes_its_own(key: Key, ada: Player) -> None:
    stranger, other = Client(), phone_of(factory.make_players(1)[0])
    assert stranger.get(LIST).status_code == 302
    first, row = LinkDevice.objects.earliest("pk"), LinkPasskey.objects.get()
    assert other.post(f"{LIST}{first.pk}/", {}).status_code == 404
    assert other.post(LIST, {"device": first.pk, "remove": row.pk}).status_code == 404
    other.post(LIST, {"device": LinkDevice.objects.latest("pk").pk, "remove": row.pk})
    assert "no passkey of this site" in add(other, Key(), TOUCHED).text
    assert "known already" in add(other, key).text
    assert list(LinkPasskey.objects.all()) == [row]
    own = phone_of(ada)
    add(own, spare := Key())
    add(own, mine := Key())
    device, client = LinkDevice.objects.latest("pk"), Client()
    allow_device(device.link_id, by=None)
    assert KNOWN in send(client, spare.prove(asked(client), told_by=VERIFIED))
    assert LinkDevice.objects.latest("pk").link_id == device.link_id, "each key opens its own link"
    gone = LinkPasskey.objects.latest("pk")
    own.post(LIST, {"device": device.pk, "remove": gone.pk})
    assert factory.told("passkey.removed", ada, "player").before == {"link": device.link_id, "passkey": gone.pk}
    client = Client()
    assert "no passkey of this site" in send(client, mine.prove(asked(client), told_by=VERIFIED))
    assert KNOWN in send(own, spare.prove(asked(own), told_by=VERIFIED)), "the others of the link stay"


def test_a_question_put_for_one_link_adds_no_passkey_to_another(ada: Player) -> None:
    phone = phone_of(ada)
    first = LinkDevice.objects.get()
    phone_of(factory.make_players(1)[0], client=phone)
    answer = json.dumps(Key().make(asked_for_new(phone), told_by=VERIFIED))
    assert "old one" in phone.post(f"{LIST}{first.pk}/", {"answer": answer}, follow=True).text
    assert not LinkPasskey.objects.exists()


@pytest.mark.parametrize(
    ("name", "handle", "words"),
    [("\u200b", b"2", "needs a name"), ("phone", b"1", "known already"), ("phone", b"2", "10 passkeys already")],
)
def test_what_no_link_keeps_as_a_passkey(ada: Player, name: str, handle: bytes, words: str) -> None:
    phone_of(ada)
    device = LinkDevice.objects.get()
    for number in range(10 if words.startswith("10") else 1):
        add_link_passkey(device, "key", handle=b"1" * (number + 1), credential=b"", counter=0)
    count = LinkPasskey.objects.count()
    with pytest.raises(Refused, match=words):
        add_link_passkey(device, name, handle=handle, credential=b"", counter=0)
    assert LinkPasskey.objects.count() == count


def test_whoever_was_quicker_to_take_back_a_device_or_a_passkey(key: Key, ada: Player) -> None:
    device, row = LinkDevice.objects.get(), LinkPasskey.objects.get()
    assert factory.told("passkey.added", ada, "player").after == {"link": row.link_id, "passkey": row.pk}
    now = timezone.now()
    use_link_passkey(row.pk, counter=row.counter + 1, asked_at=now)
    with pytest.raises(Refused, match="answered already"):
        use_link_passkey(row.pk, counter=row.counter + 2, asked_at=now)
    phone_of(ada)
    LinkDevice.objects.filter(pk=device.pk).delete()
    with pytest.raises(Refused, match="device is not known"):
        add_link_passkey(device, "phone", handle=b"2", credential=b"", counter=0)
    assert list(LinkPasskey.objects.all()) == [row]
    LinkPasskey.objects.filter(pk=row.pk).delete()
    with pytest.raises(Refused, match="was removed"):
        use_link_passkey(row.pk, counter=9, asked_at=timezone.now())
    with pytest.raises(Refused, match="was removed"):
        open_for_passkey(row)
    assert LinkDevice.objects.count() == 1, "the other one"
    other = LinkDevice.objects.get()
    PersonalLink.objects.update(revoked_at=timezone.now())
    with pytest.raises(Refused, match="link was taken back"):
        add_link_passkey(other, "phone", handle=b"3", credential=b"", counter=0)


def test_the_officer_sees_how_many(key: Key, ada: Player, client: Client) -> None:
    client.force_login(factory.make_arbiter())
    assert "1 passkey" in client.get(f"/admin/players/player/{ada.pk}/links/").text
