"""A hall behind one address: whoever uses up its tries keeps out nobody whose device is known, nor an officer with a
second factor."""

import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import caches
from django.test import Client, override_settings
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubrating.accounts.views.sign_in import SIGNING_IN
from clubrating.web import devices
from clubrating.web.devices import COOKIE
from players.club.services import update_club
from players.club.views import WRONG_PHRASES
from players.models import Club
from players.officers.services.credentials import make_link
from tests import factory
from tests.clubrating.accounts.account_cases import (
    NEW,
    PASSWORD,
    code_now,
    factor_of,
    give_password,
    is_signed_in,
    turn_factor_on,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _guarded() -> Iterator[None]:
    with override_settings(AXES_ENABLED=True, RATE_LIMITS=True):
        yield


@pytest.fixture
def careful(arbiter: User) -> User:
    turn_factor_on(arbiter)
    TOTPDevice.objects.update(last_t=-1)  # a minute later
    return arbiter


def known(*names: str) -> Client:
    """A device on which those officers have signed in; nobody is signed in there now."""
    client, device = Client(), ""
    for name in names:
        client = Client()
        if device:
            client.cookies[COOKIE] = device
        give_password(client, name)
        if (factor := TOTPDevice.objects.filter(user__username=name).first()) is not None:
            TOTPDevice.objects.filter(pk=factor.pk).update(last_t=-1)
            client.post("/account/code/", {"code": code_now(factor)})
        assert is_signed_in(client)
        device = client.cookies[COOKIE].value
    client.cookies.pop(settings.SESSION_COOKIE_NAME)
    TOTPDevice.objects.update(last_t=-1)
    return client


def use_up(names: tuple[str, ...] = ("arbiter",)) -> None:
    """A phone in the hall: ten wrong passwords for each name, and the sixty of the minute."""
    phone = Client()
    for name in names:
        for number in range(settings.AXES_FAILURE_LIMIT):
            give_password(phone, name, f"guess {number}")
    for _ in range(SIGNING_IN.tries):
        SIGNING_IN.count("127.0.0.1")
    assert give_password(Client(), "arbiter").status_code == 429


def pair(user: User, before: int = 0) -> dict[str, str]:
    """The code of the step before and this step's, so many steps ago."""
    factor = factor_of(user)
    totp = TOTP(factor.bin_key, factor.step, factor.t0, factor.digits, factor.drift - before)
    totp.time = time.time()
    second = totp.token()
    totp.drift -= 1
    return {"code": f"{totp.token():06d}", "next_code": f"{second:06d}"}


def give_two_codes(client: Client, codes: dict[str, str], password: str = PASSWORD, name: str = "arbiter") -> int:
    answer = client.post("/account/code/two/", {"username": name, "password": password, **codes})
    return int(answer.status_code)


@pytest.mark.extended
def test_a_device_that_has_signed_in_before_is_counted_for_itself(arbiter: User) -> None:
    device = known("arbiter")
    use_up()
    assert give_password(device, "arbiter", "a slip").status_code == 200
    assert give_password(device, "arbiter").status_code == 302
    assert is_signed_in(device)


@pytest.mark.extended
def test_so_is_one_with_a_second_factor_and_one_of_several_officers(careful: User) -> None:
    factory.make_assistant()
    device = known("arbiter", "assistant")
    use_up(("arbiter", "assistant"))
    give_password(device, "arbiter")
    device.post("/account/code/", {"code": code_now(factor_of(careful))})
    assert is_signed_in(device)


@pytest.mark.extended
def test_the_device_of_somebody_else_is_unknown_for_this_name(arbiter: User) -> None:
    """Nobody gains tries for others' passwords by signing in himself."""
    factory.make_assistant()
    other, forged, member = known("assistant"), Client(), Client()
    forged.cookies[COOKIE] = known("arbiter").cookies[COOKIE].value[:-2]
    update_club({"pass_phrase": "open sesame"}, by=None)
    member.post("/members/", {"pass_phrase": "open sesame"})
    assert member.cookies[COOKIE].value
    use_up()
    for device in (other, forged, member):
        assert give_password(device, "arbiter").status_code == 429
        assert not is_signed_in(device)


def test_a_name_no_database_looks_up_is_refused_on_a_known_device_too(
    arbiter: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL breaks off at a character without a code."""
    device = known("arbiter")
    monkeypatch.setattr(devices, "_seal", lambda _request, name: pytest.fail(f"looked up: {name!r}"))
    assert give_password(device, "arbiter\0").status_code == 200
    assert not is_signed_in(device)


def test_a_known_device_may_not_guess_for_ever_and_shuts_out_no_other(arbiter: User) -> None:
    device, second = known("arbiter"), known("arbiter")
    for number in range(settings.AXES_FAILURE_LIMIT):
        answer = give_password(device, "arbiter", f"guess {number}")
    assert answer.status_code == 429
    assert give_password(device, "arbiter").status_code == 429
    for client in (second, Client()):
        assert give_password(client, "arbiter").status_code == 302


def test_devices_gathered_under_an_older_password_gain_nothing(arbiter: User) -> None:
    """Neither for guessing the new one; who chose that, by link or in the account, is known by it."""
    gathered, own, by_link = known("arbiter"), known("arbiter"), Client()
    give_password(own, "arbiter")
    new = {"password1": NEW, "password2": NEW}
    assert own.post("/account/password/", {"old_password": PASSWORD, **new}).status_code == 302
    use_up()
    assert give_password(gathered, "arbiter", NEW).status_code == 429
    own.cookies.pop(settings.SESSION_COOKIE_NAME)
    assert give_password(own, "arbiter", NEW).status_code == 302
    arbiter.refresh_from_db()
    link = make_link(arbiter, by=None)
    asked = by_link.get(f"/account/link/{link.owner}/{link.token}/", follow=True)
    newer = f"{NEW} again"
    by_link.post(asked.redirect_chain[-1][0], {"password1": newer, "password2": newer})
    use_up()
    assert give_password(own, "arbiter", newer).status_code == 429
    assert give_password(by_link, "arbiter", newer).status_code == 302


def test_a_device_is_known_for_a_year(arbiter: User, monkeypatch: pytest.MonkeyPatch) -> None:
    device = known("arbiter")
    use_up()
    monkeypatch.setattr(devices, "LASTS", timedelta(seconds=-1))
    assert give_password(device, "arbiter").status_code == 429


def test_the_device_of_a_closed_account_is_unknown(arbiter: User) -> None:
    device = known("arbiter")
    for _ in range(SIGNING_IN.tries):
        SIGNING_IN.count("127.0.0.1")
    User.objects.filter(pk=arbiter.pk).update(is_active=False)
    assert give_password(device, "arbiter", "guess").status_code == 429


def test_who_is_kept_waiting_for_a_code_is_led_to_two_codes(careful: User) -> None:
    """Somebody who knows the password makes the wait between codes longer and longer."""
    TOTPDevice.objects.update(throttling_failure_count=20, throttling_failure_timestamp=timezone.now())
    client = Client()
    give_password(client, "arbiter")
    refused = client.post("/account/code/", {"code": pair(careful)["next_code"]})
    assert refused.status_code == 400
    assert "/account/code/two/" in refused.text
    assert give_two_codes(Client(), pair(careful)) == 302


def test_two_codes_let_in_on_a_device_nobody_knows(careful: User) -> None:
    other = factory.make_assistant()
    turn_factor_on(other)
    TOTPDevice.objects.update(last_t=-1)  # a minute later
    assert give_two_codes(Client(), pair(other), name="assistant") == 302, "which uses up nobody else's"
    use_up()
    client = Client()
    refused = give_password(client, "arbiter")
    assert "/account/code/two/" in refused.text
    assert 'name="next_code"' in client.get("/account/code/two/").text
    assert give_two_codes(client, pair(careful)) == 302
    assert is_signed_in(client)
    again = Client()
    again.cookies[COOKIE] = client.cookies[COOKIE].value
    TOTPDevice.objects.update(last_t=-1)
    assert give_password(again, "arbiter").status_code == 302, "from now on the device is known"


@pytest.mark.extended
def test_nobody_uses_up_the_two_codes(careful: User) -> None:
    for number in range(SIGNING_IN.tries + 1):
        assert give_two_codes(Client(), {"code": f"{number:06d}", "next_code": f"{number:06d}"}) == 400
    use_up()
    assert give_two_codes(Client(), pair(careful)) == 302


@pytest.mark.parametrize(
    "wrong", ["swapped", "twice the same", "too old", "no name", "used", "closed", "empty", "begun"]
)
def test_what_are_no_two_codes(careful: User, wrong: str) -> None:
    codes, name = pair(careful, 5 if wrong == "too old" else 0), "arbiter"
    if wrong == "swapped":
        codes = {"code": codes["next_code"], "next_code": codes["code"]}
    elif wrong == "twice the same":
        codes["code"] = codes["next_code"]
    elif wrong == "no name":
        name = "nobody"
    elif wrong == "used":
        assert give_two_codes(Client(), codes) == 302
    elif wrong == "closed":
        User.objects.filter(pk=careful.pk).update(is_active=False)
    elif wrong == "empty":
        codes["next_code"] = ""
    elif wrong == "begun":
        TOTPDevice.objects.update(confirmed=False)
    client = Client()
    assert give_two_codes(client, codes, name=name) in (200, 400)
    assert not is_signed_in(client)


def test_a_pair_of_codes_is_good_for_one_password(careful: User) -> None:
    codes = pair(careful)
    assert give_two_codes(Client(), codes, "guess") == 400
    assert give_two_codes(Client(), codes) == 400


def test_one_phone_keeps_no_member_out(club: Club) -> None:
    update_club({"pass_phrase": "open sesame"}, by=None)
    member, phone, newcomer = Client(), Client(), Client()
    assert member.post("/members/", {"pass_phrase": "open sesame"}).status_code == 302
    member.cookies.pop(settings.SESSION_COOKIE_NAME)
    for number in range(WRONG_PHRASES.tries + 1):
        answer = phone.post("/members/", {"pass_phrase": f"guess {number}"})
    assert answer.status_code == 429
    assert member.post("/members/", {"pass_phrase": "open sesame"}).status_code == 302
    assert newcomer.post("/members/", {"pass_phrase": "open sesame"}).status_code == 429
    caches["tries"].delete("wrong-pass-phrase:127.0.0.1:pace")  # a quarter of a minute later
    assert newcomer.post("/members/", {"pass_phrase": "open sesame"}).status_code == 302
    assert phone.post("/members/", {"pass_phrase": "guess"}).status_code == 429
    update_club({"pass_phrase": "another"}, by=None)
    member.cookies.pop(settings.SESSION_COOKIE_NAME)
    assert member.post("/members/", {"pass_phrase": "another"}).status_code == 429, "of an older phrase"


def test_the_cookie_names_nobody_and_pages_are_the_same_with_it(arbiter: User) -> None:
    device = known("arbiter")
    cookie = device.cookies[COOKIE]
    assert "arbiter" not in cookie.value
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    for name in [name for name in device.cookies if name != COOKIE]:
        device.cookies.pop(name)
    with_it, without = device.get("/ratings/standard/"), Client().get("/ratings/standard/")
    assert with_it.headers.get("Cache-Control") == without.headers.get("Cache-Control")
    assert with_it.headers["ETag"] == without.headers["ETag"]
    assert COOKIE in device.get("/about/privacy/").text
