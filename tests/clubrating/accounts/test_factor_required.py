"""A club that asks every officer for a second factor: nobody gets past turning it on."""

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django_otp.oath import totp

from players.models import Player
from tests import factory
from tests.clubrating.accounts.account_cases import (
    NEW,
    PASSWORD,
    give_password,
    key_on,
    proved,
    signed_in,
    turn_factor_on,
)
from tests.visitor import Visitor

pytestmark = pytest.mark.django_db

FACTOR = "/account/second-factor/"
asked_for = override_settings(SECOND_FACTOR_REQUIRED=True)


@asked_for
def test_without_a_factor_every_page_of_the_desk_leads_to_turning_it_on_and_nothing_is_changed(
    client: Client, arbiter: User
) -> None:
    give_password(client, arbiter.username)
    form = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    answers = [client.post("/account/password/", form)]
    for page in ("/admin/", "/admin/tournaments/tournament/", "/account/", "/account/password/"):
        answers.append(client.get(page))
    assert {(answer.status_code, answer.headers["Location"]) for answer in answers} == {(302, FACTOR)}
    assert "Here every officer has a second factor" in client.get(FACTOR).text
    arbiter.refresh_from_db()
    assert arbiter.check_password(PASSWORD)
    with override_settings(PASSKEY_SITE="https://club.test"):
        assert client.get("/account/passkeys/").status_code == 200, "a passkey is one too"
    client.post("/admin/logout/")
    assert client.get("/admin/").headers["Location"].startswith("/admin/login/"), "the way out is open"


@asked_for
def test_without_a_factor_he_is_nobody_to_the_publics_pages_too(client: Client, arbiter: User) -> None:
    hidden = factory.make_players(1, visibility="hidden")[0]
    give_password(client, arbiter.username)
    assert client.get(hidden.get_absolute_url()).status_code == 404
    assert client.get("/").status_code == 200, "nobody is led away from a page for everybody"
    with override_settings(SECOND_FACTOR_REQUIRED=False):
        assert client.get(Player.objects.get(pk=hidden.pk).get_absolute_url()).status_code == 200


@asked_for
def test_he_turns_it_on_and_goes_on(arbiter: User) -> None:
    visitor: Visitor = signed_in(arbiter)
    assert visitor.sees("Here every officer has a second factor")
    visitor.send("Begin")
    visitor.send("Turn it on", password=PASSWORD, code=f"{totp(key_on(visitor.page.words)):06d}")
    assert visitor.sees("The second factor is on")
    visitor.open("/account/")
    assert visitor.sees("My account")


@asked_for
def test_with_a_factor_nothing_is_different(client: Client, arbiter: User) -> None:
    turn_factor_on(arbiter)
    proved(client, arbiter)
    assert client.get("/admin/").status_code == 200


def test_where_nobody_asks_for_it_the_password_is_enough(client: Client, arbiter: User) -> None:
    give_password(client, arbiter.username)
    assert client.get("/admin/").status_code == 200
