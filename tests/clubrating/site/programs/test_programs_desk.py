"""The desk's pages for tokens and webhooks: made with the password, shown once, taken back by whose they are."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubrating.site.programs.views import desk as desk_pages
from players.models import ApiToken, AuditEvent, Webhook, WebhookDelivery
from players.programs.services import (
    KINDS,
    SCOPES,
    delete_webhook,
    make_token,
    make_webhook,
    renew_secret,
    revoke_token,
    secret_of,
    switch_webhook,
    token_of,
)
from players.refusals import Refused
from tests import desk_scene, factory
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
TOKENS, WEBHOOKS = "/account/programs/", "/account/webhooks/"
NEW = {"name": "Door", "scopes": ["results"], "days": 30, "password": "pass-for-tests"}
HOOK = {"name": "Site", "url": "https://a.example/", "kinds": ["result"], "password": "pass-for-tests"}


@pytest.fixture(scope="module", autouse=True)
def scene(world: None) -> None:
    factory.make_club()
    factory.make_administrator("founder")
    factory.make_arbiter()
    factory.make_assistant()


def client_of(name: str) -> Client:
    return desk_scene.client_of(User.objects.get(username=name))


def test_a_token_is_made_shown_once_and_taken_back() -> None:
    desk = client_of("arbiter")
    page = desk.post(TOKENS, NEW)
    secret = page.context["secret"]
    assert secret in page.text
    assert token_of(secret) == ApiToken.objects.get()
    assert secret not in desk.get(TOKENS).text
    assert "no-store" in page["Cache-Control"]
    row, arbiter = ApiToken.objects.get(), User.objects.get(username="arbiter")
    assert factory.told("token.made", row, arbiter).after == {"scopes": "results", "days": 30, "event": None}
    desk.post(TOKENS, {"revoke": row.pk})
    assert token_of(secret) is None
    assert factory.told("token.revoked", row, arbiter)


def test_a_token_for_one_event_is_for_that_one_and_none_of_others_and_none_that_is_over_is_offered() -> None:
    own, others, over = (create_tournament(NewTournament(name), by=None) for name in ("Own", "Others", "Over"))
    others.officers.add(User.objects.get(username="founder"))
    Tournament.objects.filter(pk=over.pk).update(closed=True)
    desk = client_of("arbiter")
    for event in (others, over):
        assert desk.post(TOKENS, {**NEW, "event": event.pk}).status_code == 400
    assert desk.post(TOKENS, {**NEW, "event": own.pk}).status_code == 200
    assert ApiToken.objects.get().event == own.pk


@pytest.mark.parametrize(
    "wrong",
    [{"password": "guess"}, {"scopes": ["entries"]}, {"scopes": []}, {"days": 0}, {"days": 367}, {"name": "\u202e"}],
)
def test_what_is_wrong_makes_none(wrong: dict[str, Any]) -> None:
    assert client_of("assistant").post(TOKENS, {**NEW, **wrong}).status_code == 400
    assert not ApiToken.objects.exists()


def test_a_token_is_taken_back_by_its_officer_or_an_administrator_only() -> None:
    for officer, name in (("founder", "Away"), ("arbiter", "Way out"), ("arbiter", "Door")):
        row, _secret = make_token(officer=User.objects.get(username=officer), name=name, scopes=SCOPES, days=1)
    client_of("assistant").post(TOKENS, {"revoke": row.pk})
    assert "Door" not in client_of("assistant").get(TOKENS).text
    assert not ApiToken.objects.exclude(revoked_at=None)
    shown = client_of("founder").get(TOKENS).context["tokens"]
    assert [each.name for each, *_more in shown] == ["Door", "Way out", "Away"], "by officer, then by name"
    client_of("founder").post(TOKENS, {"revoke": row.pk})
    assert ApiToken.objects.get(name="Door").revoked_at


def test_webhooks_are_the_administrators() -> None:
    for name in ("arbiter", "assistant"):
        assert [client_of(name).get(WEBHOOKS).status_code, client_of(name).post(WEBHOOKS, HOOK).status_code] == [
            403
        ] * 2
    assert not Webhook.objects.exists()
    desk = client_of("founder")
    first = desk.post(WEBHOOKS, HOOK).context["secret"]
    again = desk.post(WEBHOOKS, HOOK).context["secret"]
    assert len(first) == 64
    assert factory.told("webhook.secret-made", Webhook.objects.get(), User.objects.get(username="founder"))
    assert (again != first, Webhook.objects.count()) == (True, 1)
    wrongs: list[dict[str, Any]] = [{"url": "http://a.example/"}, {"kinds": []}, {"password": "guess"}]
    for wrong in wrongs:
        assert desk.post(WEBHOOKS, {**HOOK, **wrong}).status_code == 400
    assert Webhook.objects.count() == 1
    for another in ({"url": "https://b.example/"}, {"name": "Other"}):
        desk.post(WEBHOOKS, {**HOOK, **another})
    assert secret_of(Webhook.objects.earliest("pk")) == again
    assert Webhook.objects.count() == 3


def test_what_was_given_up_is_shown_with_why_and_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = client_of("founder")
    desk.post(WEBHOOKS, HOOK)
    values = {"kind": "result", "state": "dead", "tries": 8, "due_at": "2026-01-05T20:00Z"}
    row = WebhookDelivery.objects.create(webhook=Webhook.objects.get(), event=1, problem="not-public", **values)
    other = Webhook.objects.create(name="Other", url="https://b.example/")
    for hook, more in (
        (other, {"status": 503}),
        (row.webhook, {"state": "sent"}),
        (row.webhook, {"state": "waiting", "tries": 0}),
        *[(row.webhook, {"problem": "not-public"})] * 2,
    ):
        WebhookDelivery.objects.create(webhook=hook, event=WebhookDelivery.objects.count() + 1, **{**values, **more})
    monkeypatch.setattr(desk_pages, "MOST_SHOWN", 2)
    page = desk.get(WEBHOOKS)
    assert "its address is not a public one" in page.text
    assert "it answered with status 503" in page.text
    shown = {hook: [each.event for each, _why in messages] for hook, _told, messages in page.context["rows"]}
    assert shown == {row.webhook: [6, 5], other: [2]}, "of each what it did not take, the newest first"
    other.delete()
    desk.post(WEBHOOKS, {"again": row.pk})
    row.refresh_from_db()
    assert row.state == "dropped"  # sent at once here, and there is no such line
    hook = Webhook.objects.get()
    for button in ("switch-off", "switch-on", "delete"):
        assert desk.post(WEBHOOKS, {button: hook.pk}).status_code == 302
    assert not Webhook.objects.exists()
    by_buttons = ("webhook.sent-again", "webhook.switched-off", "webhook.switched-on", "webhook.deleted")
    for line in ("webhook.made", *by_buttons):
        assert factory.told(line, hook, User.objects.get(username="founder"))
    for nonsense in ("x", "9" * 30, "-1"):
        assert desk.post(WEBHOOKS, {"again": nonsense}).status_code == 302


def test_the_number_of_queries_does_not_grow_with_tokens() -> None:
    desk, arbiter = client_of("arbiter"), User.objects.get(username="arbiter")
    counts = []
    for _ in range(3):
        make_token(officer=arbiter, name="Door", scopes=SCOPES, days=1)
        with CaptureQueriesContext(connection) as queries:
            desk.get(TOKENS)
        counts.append(len(queries))
    assert counts[1] == counts[2]


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"scopes": []}, "at least one thing"),
        ({"scopes": ["entries"]}, "nothing its officer may not"),
        ({"scopes": ["everything"]}, "nothing its officer may not"),
        ({"days": 0}, "1 to 366 days"),
        ({"days": 367}, "1 to 366 days"),
        *(({"name": name}, "a name of at most 60") for name in (" ", "x" * 61)),
    ],
)
def test_a_token_that_may_not_be_is_not_made(terms: dict[str, Any], words: str) -> None:
    officer = User.objects.get(username="assistant")
    with pytest.raises(Refused, match=words):
        make_token(**{"officer": officer, "name": "Door", "scopes": ["results"], "days": 366, **terms})
    assert not ApiToken.objects.exists()


def test_an_officer_has_twenty_tokens_and_a_club_ten_webhooks_at_most() -> None:
    boss = User.objects.get(username="founder")
    made = [make_token(officer=boss, name="Door", scopes=SCOPES, days=1) for _each in range(20)]
    for number in range(10):
        make_webhook(name="Site", url=f"https://a.example/{number}", kinds=KINDS, by=boss)
    page = client_of("founder").post(TOKENS, {**NEW, "scopes": ["results"]})
    assert (page.status_code, "20 tokens already" in page.text) == (400, True)
    page = client_of("founder").post(WEBHOOKS, HOOK)
    assert (page.status_code, "10 webhooks already" in page.text) == (400, True)
    assert (ApiToken.objects.count(), Webhook.objects.count()) == (20, 10)
    make_token(officer=User.objects.get(username="arbiter"), name="Door", scopes=SCOPES, days=1)
    used, secret = made[-1]
    assert token_of(secret) == used
    assert [row.pk for row in ApiToken.objects.exclude(last_used_at=None)] == [used.pk], "no other was used"
    for ago, is_noted in ((30, False), (90, True)):
        before = timezone.now() - timedelta(seconds=ago)
        ApiToken.objects.filter(pk=used.pk).update(last_used_at=before)
        token_of(secret)
        used.refresh_from_db()
        assert (used.last_used_at != before) is is_noted
    revoke_token(made[0][0].pk, by=boss)
    make_token(officer=boss, name="Door", scopes=SCOPES, days=1)


def test_a_webhook_is_told_something_that_there_is() -> None:
    boss = User.objects.get(username="founder")
    for kinds in ([], ["result", "gossip"]):
        with pytest.raises(Refused, match="at least one thing it is told"):
            make_webhook(name="Site", url="https://a.example/", kinds=kinds, by=boss)
    assert not Webhook.objects.exists()


def test_a_webhook_that_is_gone_is_neither_switched_nor_deleted_again() -> None:
    boss = User.objects.get(username="founder")
    row = make_webhook(name="Site", url="https://a.example/", kinds=KINDS, by=boss)
    delete_webhook(row.pk, by=boss)
    lines = AuditEvent.objects.count()
    deeds = (lambda: delete_webhook(row.pk, by=boss), lambda: renew_secret(row.pk, by=boss))
    for deed in (*deeds, lambda: switch_webhook(row.pk, on=True, by=boss)):
        with pytest.raises(Refused, match="not there any more"):
            deed()
    assert AuditEvent.objects.count() == lines
