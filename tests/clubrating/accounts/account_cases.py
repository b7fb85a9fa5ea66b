"""Short ways to the situations of accounts: a factor that is on, its present code, somebody signing in."""

import base64
import re

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from players.officers.services.credentials import begin_factor, confirm_factor
from tests.visitor import Visitor

PASSWORD = "pass-for-tests"
NEW = "four knights are enough"


def code_now(device: TOTPDevice) -> str:
    """What the app shows now; that one was used a moment ago is forgotten."""
    TOTPDevice.objects.filter(pk=device.pk).update(last_t=-1, drift=0)
    return f"{totp(device.bin_key):06d}"


def turn_factor_on(user: User) -> list[str]:
    """The recovery codes of the factor that is now on."""
    return confirm_factor(user, code_now(begin_factor(user)))[1]


def factor_of(user: User) -> TOTPDevice:
    return TOTPDevice.objects.get(user=user, confirmed=True)


def wrong_code(user: User) -> str:
    return f"{(int(code_now(factor_of(user))) + 1) % 10**6:06d}"


def give_password(client: Client, username: str, password: str = PASSWORD, target: str = "") -> object:
    address = f"/admin/login/?next={target}" if target else "/admin/login/"
    return client.post(address, {"username": username, "password": password})


def signed_in(user: User) -> Visitor:
    """At the browser, through the front door."""
    visitor = Visitor()
    visitor.open("/admin/login/")
    visitor.send("Sign in", username=user.get_username(), password=PASSWORD)
    return visitor


def is_signed_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def link_on(visitor: Visitor) -> str:
    """The path of the one-time link that stands on the page."""
    found = re.search(r"http://testserver(/account/link/\S+/)", visitor.page.words + str(visitor.page.forms))
    assert found, visitor.page.words
    return found[1]


def key_on(words: str) -> bytes:
    """The key to type into an app, as it stands on the page."""
    found = re.search(r"((?:[A-Z2-7]{4} ){7}[A-Z2-7]{4})", " ".join(words.split()))
    assert found, words
    return base64.b32decode(found[1].replace(" ", ""))


def proved(client: Client, user: User) -> None:
    """Signed in with password and code."""
    give_password(client, user.get_username())
    client.post("/account/code/", {"code": code_now(factor_of(user))})
    assert is_signed_in(client)


def browsers_of_one_session() -> tuple[Client, Client]:
    """Two browsers that know one and the same session, begun before anybody signed in."""
    session = SessionStore()
    session["begun"] = True
    session.save()
    browsers = Client(), Client()
    for browser in browsers:
        browser.cookies[settings.SESSION_COOKIE_NAME] = str(session.session_key)
    return browsers
