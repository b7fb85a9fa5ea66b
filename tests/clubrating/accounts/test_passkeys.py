"""Passkeys: added with the password, proved beside it, bound to question, session, site and account, and removed."""

import json
import os
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

pytest.importorskip("fido2", reason="requirements-passkeys.txt is not installed")
from fido2.cose import CoseKey
from fido2.utils import websafe_encode
from fido2.webauthn import Aaguid, AttestedCredentialData

from clubrating.accounts.passkeys import LIMIT
from clubrating.web import passkeys
from clubrating.web.webauthn import Checks, WrongAnswerError
from players.models import AuditEvent, Passkey
from players.officers.services.credentials import codes_left, has_factor, reset_factor
from players.officers.services.passkeys import add_passkey, remove_passkey, use_passkey
from players.refusals import Refused
from tests import factory
from tests.choosing import examples
from tests.clubrating.accounts.account_cases import (
    PASSWORD,
    code_now,
    factor_of,
    give_password,
    is_signed_in,
    proved,
    turn_factor_on,
)
from tests.clubrating.accounts.passkey_cases import SITE, Key, asked_on

pytestmark = pytest.mark.django_db
LIST, ADD, CODE = "/account/passkeys/", "/account/passkeys/add/", "/account/code/"


@pytest.fixture(autouse=True)
def _with_passkeys(settings: Settings) -> None:
    settings.PASSKEY_SITE = SITE


def with_key(client: Client, user: User, key: Key, **code: str) -> Any:
    """A signed-in officer adds that key."""
    page = client.post(LIST, {"name": "key ring", "password": PASSWORD, **code})
    return client.post(ADD, {"answer": json.dumps(key.make(asked_on(page.text)))})


@pytest.fixture
def key(arbiter: User) -> Key:
    """The arbiter's only second factor."""
    client, key = Client(), Key()
    give_password(client, arbiter.username)
    assert "Recovery codes" in with_key(client, arbiter, key).text
    assert is_signed_in(client)
    return key


def halfway(client: Client, user: User) -> dict[str, Any]:
    """Past the password: what the browser is asked."""
    give_password(client, user.username)
    return asked_on(client.get(CODE).text)


def send(client: Client, answer: object) -> int:
    return client.post(CODE, {"answer": json.dumps(answer)}).status_code


def test_the_first_passkey_ends_every_other_session(client: Client, arbiter: User) -> None:
    elsewhere = Client()
    for browser in (client, elsewhere):
        give_password(browser, arbiter.username)
    with_key(client, arbiter, Key())
    assert is_signed_in(client)
    assert not Session.objects.filter(session_key=elsewhere.session.session_key).exists()


def test_password_and_passkey_sign_in_and_each_answer_counts_once(client: Client, arbiter: User, key: Key) -> None:
    options = halfway(client, arbiter)
    assert not is_signed_in(client), "the password alone opens nothing"
    answer = key.prove(options)
    other = Client()
    halfway(other, arbiter)
    assert send(other, answer) == 400, "the question of another session"
    assert (send(client, answer), is_signed_in(client)) == (302, True)
    again = Client()
    halfway(again, arbiter)
    assert (send(again, answer), is_signed_in(again)) == (400, False), "sent again"
    halfway(again, arbiter)
    assert again.post(CODE, {"answer": "{"}).status_code == 400, "no answer at all"


def test_whoever_removes_the_key_of_a_session_stays_signed_in_by_another(
    client: Client, arbiter: User, key: Key
) -> None:
    send(client, key.prove(halfway(client, arbiter)))
    with_key(client, arbiter, Key())
    first, second = Passkey.objects.order_by("pk")
    assert client.post(f"/account/passkey/{first.pk}/remove/", {"password": PASSWORD}).status_code == 302
    assert (is_signed_in(client), list(Passkey.objects.all())) == (True, [second])


@pytest.mark.extended
@pytest.mark.parametrize(
    "what", ["signature", "origin", "challenge", "user", "old", "question", "garbage", "asked before"]
)
def test_what_is_refused(client: Client, arbiter: User, key: Key, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    options = halfway(client, arbiter)
    answer: Any = key.prove(options, "https://club.test.evil.example" if what == "origin" else SITE)
    if what == "signature":
        answer["response"]["signature"] = websafe_encode(b"0" * 70)
    elif what == "challenge":
        answer = key.prove({**options, "challenge": websafe_encode(os.urandom(32))})
    elif what == "user":
        answer = Key().prove(options)
    elif what == "old":
        monkeypatch.setattr(passkeys, "LASTS", -1)
    elif what == "question":
        answer = key.make({**options, "rp": {"id": "club.test"}})
    elif what == "garbage":
        answer = ["x"]
    else:
        client.get(CODE) if what == "asked before" else None
    assert send(client, answer) == 400
    assert not is_signed_in(client)
    options = asked_on(client.get(CODE).text)
    assert send(client, key.prove(options)) == (400 if what == "old" else 302), "the next try is open"


def test_a_key_of_a_kind_that_cannot_be_checked_is_not_kept_and_opens_nothing(client: Client, arbiter: User) -> None:
    strange = Key()
    strange.data = AttestedCredentialData.create(Aaguid.NONE, strange.handle, CoseKey({1: 2, 3: -999}))
    give_password(client, arbiter.username)
    assert with_key(client, arbiter, strange).status_code == 302
    assert not has_factor(arbiter)
    client.logout()
    add_passkey(arbiter, "of the past", handle=strange.handle, credential=bytes(strange.data), counter=0)
    assert send(client, strange.prove(halfway(client, arbiter))) == 400


@pytest.mark.extended
def test_many_wrong_answers_are_braked_and_a_recovery_code_still_opens(client: Client, arbiter: User, key: Key) -> None:
    for _try in range(LIMIT.tries):
        halfway(client, arbiter)
        send(client, {})
    assert "Too many tries" in client.post(CODE, {"answer": json.dumps(key.prove(halfway(client, arbiter)))}).text
    assert codes_left(arbiter) == 10


def test_a_copied_key_is_refused_and_noted(client: Client, arbiter: User, key: Key) -> None:
    assert send(client, key.prove(halfway(client, arbiter))) == 302
    key.counter = 0
    copy = Client()
    page = copy.post(CODE, {"answer": json.dumps(key.prove(halfway(copy, arbiter)))})
    assert (page.status_code, "may have been copied" in page.text) == (400, True)
    noted = AuditEvent.objects.get(action="passkey.went-back")
    assert (noted.before["counter"], noted.after["counter"]) == (1, 1)


def test_a_removed_key_opens_nothing_and_the_last_one_takes_the_factor_along(
    client: Client, arbiter: User, key: Key
) -> None:
    send(client, key.prove(halfway(client, arbiter)))
    (row,) = Passkey.objects.all()
    address = f"/account/passkey/{row.pk}/remove/"
    assert client.post(address, {"password": "a guess"}).status_code == 400
    waiting = Client()
    answer = key.prove(halfway(waiting, arbiter))
    assert client.post(address, {"password": PASSWORD}).status_code == 302
    assert send(waiting, answer) == 400
    assert (has_factor(arbiter), codes_left(arbiter), is_signed_in(client)) == (False, 0, True)
    assert client.get(address).status_code == 404


def test_beside_an_app_its_code_is_asked_for_and_either_signs_in(client: Client, arbiter: User) -> None:
    turn_factor_on(arbiter)
    proved(client, arbiter)
    first, second = Key(), Key()
    assert client.post(LIST, {"name": "phone", "password": PASSWORD, "code": "no code"}).status_code == 400
    code_now(factor_of(arbiter))
    factor_of(arbiter).throttle_reset()
    for made in (first, second):
        assert with_key(client, arbiter, made, code=code_now(factor_of(arbiter))).status_code == 302
    assert "known already" in client.get(with_key(client, arbiter, first, code=code_now(factor_of(arbiter))).url).text
    for browser, made in ((Client(), first), (Client(), second)):
        assert send(browser, made.prove(halfway(browser, arbiter))) == 302
    again = Client()
    proved(again, arbiter)
    assert "off removes your passkeys too" in again.get("/account/second-factor/").text
    row = Passkey.objects.earliest("pk")
    proof = {"password": PASSWORD, "code": code_now(factor_of(arbiter))}
    assert again.post(f"/account/passkey/{row.pk}/remove/", proof).status_code == 302
    assert [each.action for each in AuditEvent.objects.filter(action__startswith="passkey.").order_by("pk")] == [
        *["passkey.added"] * 2,
        "passkey.removed",
    ]


def test_lost_keys_are_reset_by_an_administrator_and_a_strangers_key_is_not_there(
    client: Client, arbiter: User, key: Key
) -> None:
    boss = factory.make_administrator()
    give_password(client, boss.username)
    assert client.get(f"/account/passkey/{Passkey.objects.get().pk}/remove/").status_code == 404
    with pytest.raises(Refused, match="does not belong to the account"):
        use_passkey(boss, handle=key.handle, counter=9)
    assert not remove_passkey(boss, Passkey.objects.get().pk)
    assert Passkey.objects.get().last_used_at is None
    reset_factor(arbiter, by=boss)
    assert not Passkey.objects.exists()
    give_password(other := Client(), arbiter.username)
    assert is_signed_in(other)


def test_where_the_site_has_none_nobody_is_asked(client: Client, arbiter: User, key: Key, settings: Settings) -> None:
    answer = key.prove(halfway(client, arbiter))
    settings.PASSKEY_SITE = ""
    assert "data-passkey" not in client.get(CODE).text
    assert send(client, answer) == 400
    client.force_login(factory.make_administrator())
    assert client.get(LIST).status_code == 404


PARTS = ("clientDataJSON", "attestationObject", "authenticatorData", "signature")
CLIENT = st.sampled_from(["webauthn.get", "webauthn.create", 1]).map(
    lambda kind: {"type": kind, "challenge": "", "origin": SITE}
)
PART = (
    st.none()
    | st.integers()
    | st.text()
    | st.binary().map(websafe_encode)
    | CLIENT.map(lambda told: websafe_encode(json.dumps(told).encode()))
)
TOLD = st.dictionaries(st.sampled_from(PARTS), PART) | PART
ANSWERS = st.fixed_dictionaries(
    {"id": PART, "rawId": PART, "type": st.just("public-key"), "response": TOLD}
) | st.dictionaries(st.text(), PART)


@pytest.mark.extended
@examples(200)
@given(answer=ANSWERS)
def test_whatever_a_browser_sends_is_an_answer_or_none(answer: Any) -> None:
    checks, data = Checks(SITE, "Club"), bytes(Key().data)
    with pytest.raises(WrongAnswerError):
        checks.read_new(checks.ask_new("1", "a", [])[1], answer)
    with pytest.raises(WrongAnswerError):
        checks.read(checks.ask([data])[1], [data], answer)
