"""The account pages: links, forgotten passwords, one's own password and second factor, and whatever is typed there."""

import re

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.test import Client, override_settings
from django_otp.oath import totp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from players.models import AuditEvent
from players.officers.services.credentials import has_factor, make_link, turn_factor_off
from tests import factory
from tests.clubrating.accounts.account_cases import (
    NEW,
    PASSWORD,
    browsers_of_one_session,
    code_now,
    factor_of,
    give_password,
    is_signed_in,
    key_on,
    link_on,
    proved,
    signed_in,
    turn_factor_on,
)
from tests.visitor import Visitor

pytestmark = pytest.mark.django_db

BY_MAIL = override_settings(MAIL=factory.MAIL)


# --- links -------------------------------------------------------------------------------------------------------


def test_a_new_officer_gets_a_link_chooses_a_password_and_signs_in(boss: Visitor) -> None:
    boss.open("/admin/auth/user/add/")
    boss.send("Save", username="petra", role="assistant", password1="", password2="")
    assert boss.sees("Nobody can sign in with this account yet")
    boss.send("Make a one-time link")
    assert boss.sees("It is shown only now", "It works once, until")
    petra = Visitor()
    petra.open(link_on(boss))
    assert petra.sees("Choose a password", "petra")
    petra.send("Set the password", password1=NEW, password2=NEW)
    assert petra.sees("The password is set. Sign in with it.")
    petra.send("Sign in", username="petra", password=NEW)
    petra.open("/account/")
    assert petra.sees("petra · assistant")


def test_the_token_leaves_the_address_and_is_told_to_nobody(client: Client, arbiter: User) -> None:
    link = make_link(arbiter, by=None)
    answer = client.get(f"/account/link/{link.owner}/{link.token}/")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer.headers["Cache-Control"]
    form = client.get(answer.headers["Location"])
    assert link.token not in answer.headers["Location"] + form.text
    assert "no-store" in form.headers["Cache-Control"]
    assert form.headers["Referrer-Policy"] == "same-origin"


def test_the_page_with_the_link_is_not_kept_and_not_fetched_by_an_address(boss: Visitor, arbiter: User) -> None:
    answer = boss.client.post(f"/admin/auth/user/{arbiter.pk}/link/")
    assert "no-store" in answer.headers["Cache-Control"]
    assert boss.client.get(f"/admin/auth/user/{arbiter.pk}/link/").status_code == 405


def test_a_link_that_is_no_more_says_whom_to_ask(client: Client, arbiter: User) -> None:
    link = make_link(arbiter, by=None)
    address = f"/account/link/{link.owner}/{link.token}/"
    form = client.get(address).headers["Location"]
    assert client.post(form, {"password1": NEW, "password2": NEW}).status_code == 302
    for again in (client.get(address), client.get(form), client.post(form, {"password1": NEW, "password2": NEW})):
        assert again.status_code == 410
        assert "ask an administrator for a new link" in again.text


@pytest.mark.parametrize(("first", "second", "words"), [
    ("short", "short", "at least 10 characters"),
    ("1234567890123", "1234567890123", "entirely numeric"),
    (NEW, NEW + "!", "not the same"),
    ("my-arbiter", "my-arbiter", "too similar"),
])  # fmt: skip
def test_a_bad_password_comes_back_and_the_link_still_holds(
    client: Client, arbiter: User, first: str, second: str, words: str
) -> None:
    link = make_link(arbiter, by=None)
    form = client.get(f"/account/link/{link.owner}/{link.token}/").headers["Location"]
    assert words in client.post(form, {"password1": first, "password2": second}).text
    assert client.post(form, {"password1": NEW, "password2": NEW}).status_code == 302
    arbiter.refresh_from_db()
    assert arbiter.check_password(NEW)


@pytest.mark.parametrize("address", ["x/y", "MQ/choose", "!!!/abc-def", "%00/choose", "MQ/1-" + "f" * 200])
def test_an_address_nobody_made_is_no_link(client: Client, arbiter: User, address: str) -> None:
    assert client.get(f"/account/link/{address}/").status_code == 410


# --- forgotten ---------------------------------------------------------------------------------------------------


def test_without_mail_the_page_says_whom_to_ask(client: Client, arbiter: User) -> None:
    answer = client.get("/account/forgotten/")
    assert "Ask an administrator of the club" in answer.text
    assert client.post("/account/forgotten/", {"email": "x@example.org"}).status_code == 200
    assert not mail.outbox


@BY_MAIL
def test_a_mailed_link_sets_the_password(arbiter: User) -> None:
    for user, address in ((arbiter, "Ada@example.org"), (factory.make_assistant(), "bo@example.org")):
        User.objects.filter(pk=user.pk).update(email=address)
    visitor = Visitor()
    visitor.open("/admin/login/")
    visitor.click("Forgotten your password?")
    visitor.send("Send me a link", email="ada@example.org")
    assert visitor.sees("If an officer has this address")
    (letter,) = mail.outbox
    known = AuditEvent.objects.get(action="password.link-made")
    assert (known.actor, known.after, known.origin) == (None, {"mailed": True}, "account-forgotten")
    assert letter.to == ["Ada@example.org"]
    assert letter.from_email == "Chess Club <club@example.org>"
    found = re.search(r"http://testserver(/account/link/\S+)", letter.body)
    assert found
    visitor.open(found[1])
    visitor.send("Set the password", password1=NEW, password2=NEW)
    arbiter.refresh_from_db()
    assert arbiter.check_password(NEW)


@BY_MAIL
@pytest.mark.parametrize("kind", ["nobody", "closed", "no officer"])
def test_the_answer_is_the_same_for_an_address_nobody_has(client: Client, arbiter: User, kind: str) -> None:
    if kind != "nobody":
        closed = {"is_active": False} if kind == "closed" else {"is_staff": False}
        User.objects.create_user("other", email="other@example.org", **{"is_staff": True, **closed})
    User.objects.filter(pk=arbiter.pk).update(email="arbiter@example.org")
    answers = [
        re.sub(r'value="\w{64}"', "", client.post("/account/forgotten/", {"email": email}).text)
        for email in ("arbiter@example.org", "other@example.org")
    ]
    assert answers[0] == answers[1]
    assert [letter.to for letter in mail.outbox] == [["arbiter@example.org"]]


@BY_MAIL
@pytest.mark.parametrize(
    ("asked", "names", "site"),
    [
        ("localhost:81", ["club.example", "chess.example"], "http://club.example/"),
        ("chess.example:8000", ["club.example", "chess.example"], "http://chess.example:8000/"),
        ("a.club.example", [".club.example"], "http://a.club.example/"),
        ("localhost:8000", [], "http://localhost:8000/"),
    ],
)
@pytest.mark.parametrize(("prefix", "subject"), [("", "Your password at Test Club"), ("ru/", "Ваш пароль, Test Club")])
def test_a_mailed_link_leads_to_the_club_whatever_host_was_asked_in_the_readers_language(
    client: Client, arbiter: User, asked: str, names: list[str], site: str, prefix: str, subject: str
) -> None:
    User.objects.filter(pk=arbiter.pk).update(email="arbiter@example.org")
    with override_settings(HOSTS=names):
        client.post(f"/{prefix}account/forgotten/", {"email": "arbiter@example.org"}, headers={"Host": asked})
    (letter,) = mail.outbox
    assert letter.subject == subject
    assert f"{site}{prefix}account/link/" in letter.body


def test_whoever_knew_the_session_before_has_not_the_link_too(arbiter: User) -> None:
    made, (victim, stranger) = make_link(arbiter, by=None), browsers_of_one_session()
    assert victim.get(f"/account/link/{made.owner}/{made.token}/").status_code == 302
    assert victim.get(f"/account/link/{made.owner}/choose/").status_code == 200
    assert stranger.get(f"/account/link/{made.owner}/choose/").status_code == 410


@BY_MAIL
def test_asking_for_links_ends_after_five_from_an_address_and_three_for_an_officer(
    client: Client, arbiter: User
) -> None:
    User.objects.filter(pk=arbiter.pk).update(email="arbiter@example.org")
    asked = [client.post("/account/forgotten/", {"email": "arbiter@example.org"}).status_code for _ in range(6)]
    assert asked == [200] * 5 + [429]
    assert len(mail.outbox) == 3


# --- changing one's own password ---------------------------------------------------------------------------------


def test_changing_the_password_asks_for_the_present_one_and_ends_after_ten_guesses(arbiter: User) -> None:
    visitor = signed_in(arbiter)
    right = {"old_password": PASSWORD, "password1": NEW, "password2": NEW}
    for _ in range(10):
        guessed = visitor.client.post("/account/password/", right | {"old_password": "a guess"})
        assert "not your present password" in guessed.text
    assert "Too many wrong tries" in visitor.client.post("/account/password/", right).text
    arbiter.refresh_from_db()
    assert arbiter.check_password(PASSWORD)


def test_the_rules_hold_for_changing_too(arbiter: User) -> None:
    visitor = signed_in(arbiter)
    visitor.open("/admin/password_change/")
    visitor.send("Set the password", old_password=PASSWORD, password1="too short", password2="too short")
    assert visitor.sees("at least 10 characters")
    visitor.send("Set the password", old_password=PASSWORD, password1=NEW, password2=NEW)
    assert visitor.sees("Your password is changed")
    event = AuditEvent.objects.get(action="password.set")
    assert (event.actor, event.subject_key, event.origin) == (arbiter, arbiter.pk, "account-password")


# --- the second factor -------------------------------------------------------------------------------------------


def test_turning_it_on_shows_a_key_takes_a_code_and_shows_ten_codes_once(arbiter: User) -> None:
    visitor = signed_in(arbiter)
    visitor.open("/account/")
    visitor.click("Turn on")
    visitor.send("Begin")
    page = visitor.client.get("/account/second-factor/").text
    assert re.search(r'<svg [^>]*viewBox="0 0 (\d+) \1"', page), "the whole code, whatever its size on the page"
    assert "style=" not in page
    key = key_on(visitor.page.words)
    visitor.send("Turn it on", password=PASSWORD, code=f"{totp(key):06d}")
    codes = re.findall(r"\b[a-z2-9]{5}-[a-z2-9]{5}\b", visitor.page.words)
    assert len(set(codes)) == 10
    assert any(href.startswith("data:text/plain") and codes[9] in href for href, _ in visitor.page.links)
    assert has_factor(arbiter)
    assert is_signed_in(visitor.client), "this session has just proved it"
    visitor.open("/account/second-factor/")
    assert not any(code in visitor.page.words for code in codes)


def test_a_wrong_first_code_turns_nothing_on(arbiter: User) -> None:
    visitor = signed_in(arbiter)
    visitor.client.post("/account/second-factor/")
    answer = visitor.client.post("/account/second-factor/", {"password": PASSWORD, "code": "no code"})
    assert answer.status_code == 400
    assert not has_factor(arbiter)


@pytest.mark.parametrize(("password", "words"), [("a guess", "That is not your password"), ("", "required")])
def test_a_desk_left_open_takes_no_strangers_factor(arbiter: User, password: str, words: str) -> None:
    """Somebody with a phone of his own and the officer's session, but without the password."""
    here, elsewhere = signed_in(arbiter), signed_in(arbiter)
    here.client.post("/account/second-factor/")
    here.open("/account/second-factor/")
    code = f"{totp(key_on(here.page.words)):06d}"
    here.send("Turn it on", password=password, code=code)
    assert here.sees(words)
    assert not has_factor(arbiter)
    assert is_signed_in(elsewhere.client)
    assert not AuditEvent.objects.filter(action="second-factor.on").exists()
    here.send("Turn it on", password=PASSWORD, code=code)
    assert has_factor(arbiter), "the wrong password used no code up"
    assert not is_signed_in(elsewhere.client), "a session that did not prove it ends"
    turn_factor_off(arbiter)
    assert not is_signed_in(elsewhere.client), "for good"


def test_at_a_desk_left_open_the_password_is_not_guessed_by_the_factor(arbiter: User) -> None:
    visitor = signed_in(arbiter)
    visitor.client.post("/account/second-factor/")
    visitor.open("/account/second-factor/")
    for number in range(10):
        visitor.send("Turn it on", password=f"guess {number}", code="123456")
    visitor.send("Turn it on", password=PASSWORD, code=f"{totp(key_on(visitor.page.words)):06d}")
    assert visitor.sees("Too many wrong tries")
    assert not has_factor(arbiter)


@pytest.mark.parametrize(
    ("password", "right_code", "off"), [(PASSWORD, True, True), ("a guess", True, False), (PASSWORD, False, False)]
)
def test_turning_it_off_takes_password_and_code(
    client: Client, arbiter: User, password: str, right_code: bool, off: bool
) -> None:
    turn_factor_on(arbiter)
    proved(client, arbiter)
    code = code_now(factor_of(arbiter)) if right_code else "no code"
    answer = client.post("/account/second-factor/", {"password": password, "code": code, "off": "1"})
    assert answer.status_code == (302 if off else 400)
    assert has_factor(arbiter) is not off
    assert is_signed_in(client)


# --- whatever is typed -------------------------------------------------------------------------------------------

FIELDS = ("username", "password", "old_password", "password1", "password2", "code", "email", "off", "renew", "next")
PAGES = (
    "/admin/login/",
    "/account/code/",
    "/account/forgotten/",
    "/account/password/",
    "/account/second-factor/",
    "/account/kept/",
)


class TestAnythingTyped(TestCase):
    """No form here answers with an error page, and nothing typed at random lets anybody in or changes a password."""

    def setUp(self) -> None:
        cache.clear()
        factory.make_club()
        self.user = factory.make_arbiter()
        turn_factor_on(self.user)

    @pytest.mark.extended
    @BY_MAIL
    @settings(max_examples=60, deadline=None)
    @given(
        page=st.sampled_from(PAGES),
        typed=st.dictionaries(st.sampled_from(FIELDS), st.text(max_size=40), max_size=6),
        halfway=st.booleans(),
    )
    def test_it_is_answered(self, page: str, typed: dict[str, str], halfway: bool) -> None:
        client = Client()
        if halfway:
            give_password(client, "arbiter")
        assert client.post(page, typed).status_code < 500
        assert not is_signed_in(client)
        self.user.refresh_from_db()
        assert self.user.check_password(PASSWORD)
        assert has_factor(self.user)
