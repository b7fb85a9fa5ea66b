"""A personal link by e-mail: once, to an address its owner has confirmed for that player, and kept nowhere."""

import logging
import re
from datetime import timedelta
from smtplib import SMTPServerDisconnected
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from players.links.services.personal_links import open_personal_link
from players.models import MailSubscription, PersonalLink, Player
from tests import factory
from tests.desk_scene import client_of, facts
from tests.players.links.link_cases import switch_links_on
from tournaments.models import EntryRequest

pytestmark = pytest.mark.django_db
ADA = "Ada@example.org"
NOW = timezone.now()


@pytest.fixture(scope="module")
def ada(world: None) -> Player:
    factory.make_club()
    factory.make_list()
    switch_links_on()
    people = factory.make_players(4)
    asked = {"language": "ru", "site": "", "asked_at": NOW}
    for player, address, key, confirmed in (
        (0, ADA, "a", NOW),
        (1, "bo@example.org", "b", NOW),
        (0, "new@x.org", "c", None),
    ):
        MailSubscription.objects.create(
            player=people[player], address=address, key=key, confirmed_at=confirmed, **asked
        )
    return people[0]


@pytest.fixture(autouse=True)
def mail_server(settings: Settings) -> None:
    settings.MAIL = factory.MAIL


@pytest.fixture
def desk(ada: Player) -> Client:
    return client_of(factory.make_arbiter())


def send(desk: Client, player: Player, address: str) -> Any:
    wish = {"days": 30, "devices": 1, "guardian": "", "address": address}
    return desk.post(f"/admin/players/player/{player.pk}/links/", wish)


def test_the_letter_has_the_link_once_and_nothing_else_has_it(
    desk: Client, ada: Player, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    Player.objects.filter(pk=ada.pk).update(visibility="initials")
    answer = send(desk, ada, ADA.lower())
    assert answer.status_code == 302
    (letter,) = mail.outbox
    whole = str(letter.message())
    (secret,) = re.findall(r"/ru/mine/link/#(\w+)", letter.body)
    assert (letter.to, letter.body.count(secret), letter.subject.count("ссылка")) == ([ADA.lower()], 1, 1)
    assert "List-Unsubscribe" not in whole
    assert (ada.name in letter.body, "A. A." in letter.body) == (False, True)
    assert secret not in desk.get(answer.headers["Location"]).text + caplog.text + str(facts())
    assert ADA.lower() not in caplog.text + str(facts())
    assert open_personal_link(secret)


def test_a_confirmed_entry_names_an_address_too(desk: Client, ada: Player) -> None:
    cup = factory.make_round_robin(factory.first_players(4))
    asked = {"tournament": cup, "player": ada, "address": "entry@example.org", "asked_at": NOW}
    row = EntryRequest.objects.create(**asked)
    assert send(desk, ada, "entry@example.org").status_code == 409
    EntryRequest.objects.filter(pk=row.pk).update(confirmed_at=NOW, turn=1)
    other = factory.make_round_robin(factory.first_players(4), name="Earlier")
    EntryRequest.objects.create(**{**asked, "tournament": other}, language="ru", confirmed_at=NOW - timedelta(1))
    assert send(desk, ada, "entry@example.org").status_code == 302
    assert [letter.to for letter in mail.outbox].count(["entry@example.org"]) == 1
    assert "ссылка" not in mail.outbox[-1].subject, "the language of the last confirmed"
    EntryRequest.objects.update(state=EntryRequest.State.REFUSED)
    assert send(desk, ada, "entry@example.org").status_code == 409


@pytest.mark.parametrize("address", ["bo@example.org", "new@x.org", "stranger@example.org"])
def test_nobody_elses_and_no_unconfirmed_address_gets_it(desk: Client, ada: Player, address: str) -> None:
    answer = send(desk, ada, address)
    assert (answer.status_code, mail.outbox, PersonalLink.objects.exists()) == (409, [], False)
    assert "This address was not confirmed for this player." in answer.text


def test_without_mail_or_without_a_server_that_takes_it_no_link_is_left(
    desk: Client, ada: Player, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_args: object) -> int:
        raise SMTPServerDisconnected

    monkeypatch.setattr(EmailBackend, "send_messages", lost)
    assert "The mail server did not take the letter" in send(desk, ada, ADA).text
    assert not PersonalLink.objects.filter(revoked_at=None).exists()
    settings.MAIL = None
    assert "The club sends no mail" in send(desk, ada, ADA).text
    assert not PersonalLink.objects.filter(revoked_at=None).exists()
