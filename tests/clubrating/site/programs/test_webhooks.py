"""Webhooks: told after the fact, signed, as the public sees it; tried again, given up in the end; and no way inward."""

import json
import re
import socket
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.utils import timezone

from clubrating.site.programs import sending, services
from clubrating.site.programs.sending import Outcome, is_public, send, signature
from clubrating.site.programs.services import deliver, message_of, requeue_deliveries, send_now, switch_on
from players.models import AuditEvent, Player, Visibility, Webhook, WebhookDelivery
from players.programs.services import (
    KINDS,
    MOST_TRIES,
    NOT_PUBLIC,
    REDIRECTED,
    UNKNOWN_HOST,
    UNREACHABLE,
    forget_old_deliveries,
    make_webhook,
    note_end,
    note_failure,
    renew_secret,
    secret_of,
    switch_webhook,
)
from players.refusals import Refused
from ratings.models import RatingList
from tests import ROOT, factory
from tests.tournaments.swiss_events import make_swiss, play_rounds
from tournaments.models import Pairing, Round
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
URL = "https://results.example/club?x=1"
State = WebhookDelivery.State


@pytest.fixture(scope="module", autouse=True)
def scene(world: None) -> None:
    factory.make_club()
    factory.make_list()
    factory.make_administrator()


@pytest.fixture
def hook(settings: Any) -> Webhook:
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}
    cache.clear()
    return make_webhook(name="Site", url=URL, kinds=KINDS, by=User.objects.get())


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the other side got, which takes everything."""
    found: list[dict[str, Any]] = []

    def note(url: str, body: bytes, headers: dict[str, str], *, local: bool) -> Outcome:
        assert headers["Club-Signature"].startswith("t=")
        found.append(json.loads(body))
        return Outcome(204)

    monkeypatch.setattr(services, "send", note)
    return found


def tell(*actions: str) -> None:
    """What the workers do with the lines of those actions."""
    for event in AuditEvent.objects.filter(action__in=actions).order_by("pk"):
        services.tell_programs.func(event.pk)
    for row in WebhookDelivery.objects.order_by("pk"):
        deliver.func(row.pk)


# --- what is told ---------------------------------------------------------------------------------------------------
def test_a_round_a_result_a_correction_and_a_list_are_told(hook: Webhook, taken: list[dict[str, Any]]) -> None:
    cup = factory.make_round_robin(factory.make_players(4))
    game, _other = factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    correct_result(game=game.pk, result=Result.DRAW, by=None, reason="appeal", note="on file")
    for days in (1, 0):
        publish_list(RatingList.objects.get(), factory.MONDAY + timedelta(days), by=None)
    tell("rounds.paired", "result.recorded", "result.corrected", "list.published")
    assert [each["kind"] for each in taken] == ["paired", "result", "result", "correction", "list", "list"]
    paired, result, _second, correction, *ratings = taken
    assert (paired["rounds"], paired["path"]) == ([1, 2, 3], "/api/v1/tournaments/winter-cup/rounds/")
    assert (result["round"], result["board"], result["white"]) == (1, 1, game.white.name)
    assert (correction["result"], correction["reason"], "on file" in str(taken)) == ("1/2-1/2", "appeal", False)
    assert [(row["list"], row["on"]) for row in ratings] == [("standard", f"2026-01-0{day}") for day in (6, 5)]
    assert set(WebhookDelivery.objects.values_list("state", flat=True)) == {State.SENT}
    services.tell_programs.func(0)
    tell("result.recorded")
    assert len(taken) == 6


def test_an_event_of_one_round_is_told_too(hook: Webhook, taken: list[dict[str, Any]]) -> None:
    factory.make_round_robin(factory.make_players(2))
    play_rounds(make_swiss(factory.make_players(4)), 2)
    tell("rounds.paired", "round.paired")
    told = [(each["tournament"], each["rounds"]) for each in taken]
    assert told == [("winter-cup", [1]), ("open", [1]), ("open", [2])]


def test_the_hidden_are_not_named_and_what_is_not_public_is_not_told(hook: Webhook, taken: list[Any]) -> None:
    cup = factory.make_round_robin(factory.make_players(4))
    game, _other = factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    Player.objects.filter(pk=game.white_id).update(visibility=Visibility.HIDDEN)
    publish_list(RatingList.objects.get(), factory.MONDAY, by=None)
    RatingList.objects.update(public=False)
    Round.objects.filter(number=3).update(state=Round.State.DRAFT)
    tell("rounds.paired", "result.recorded", "list.published")
    assert game.white.name not in str(taken)
    assert [each["kind"] for each in taken] == ["paired", "result", "result"]
    assert taken[0]["rounds"] == [1, 2], "not the draft"
    assert WebhookDelivery.objects.filter(state=State.DROPPED).count() == 1


def test_a_game_that_is_gone_is_not_told(hook: Webhook) -> None:
    cup = factory.make_round_robin(factory.make_players(4))
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    event = AuditEvent.objects.filter(action="result.recorded")[0]
    Round.objects.update(state=Round.State.DRAFT)
    assert message_of(WebhookDelivery(webhook=hook, event=event.pk, kind="result")) is None
    Round.objects.update(state=Round.State.PUBLISHED)
    assert message_of(WebhookDelivery(webhook=hook, event=event.pk, kind="result"))
    Pairing.objects.filter(games=event.subject_key).update(superseded=True)
    assert message_of(WebhookDelivery(webhook=hook, event=event.pk, kind="result")) is None


def test_whoever_wants_only_lists_is_told_of_lists_only(hook: Webhook, taken: list[Any]) -> None:
    Webhook.objects.update(paired=False, result=False, correction=False)
    factory.play_round(factory.make_round_robin(factory.make_players(4)), 1, [Result.DRAW] * 2)
    tell("rounds.paired", "result.recorded")
    assert not taken


# --- not taken ------------------------------------------------------------------------------------------------------
def failing(hook: Webhook, monkeypatch: pytest.MonkeyPatch) -> WebhookDelivery:
    """A message, and an other side that never takes it."""
    monkeypatch.setattr(services, "send", lambda *_args, **_how: Outcome(503, UNREACHABLE))
    factory.play_round(factory.make_round_robin(factory.make_players(4)), 1, [Result.DRAW] * 2)
    row = publish_list(RatingList.objects.get(), factory.MONDAY, by=None)
    line = AuditEvent.objects.filter(action="list.published", subject_key=row.pk).latest("pk")
    return WebhookDelivery.objects.create(webhook=hook, event=line.pk, kind="new_list", due_at=timezone.now())


def test_it_is_tried_again_after_growing_waits_and_given_up_in_the_end(
    hook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, other = failing(hook, monkeypatch), make_webhook(name="Other", url=URL, kinds=KINDS, by=User.objects.get())
    beside = WebhookDelivery.objects.filter(webhook=other)
    beside.create(webhook=other, event=row.event, kind=row.kind, due_at=timezone.now())
    sent = WebhookDelivery.objects.create(webhook=hook, event=0, kind="result", due_at=timezone.now(), state=State.SENT)
    waiting = list(beside.values())
    waits = []
    for _ in range(MOST_TRIES - 1):
        deliver.func(row.pk)
        row.refresh_from_db()
        waits.append(round((row.due_at - timezone.now()) / timedelta(minutes=1)))
    assert waits == [4**each for each in range(MOST_TRIES - 1)]
    deliver.func(row.pk)
    row.refresh_from_db()
    assert (row.state, row.status) == (State.DEAD, 503)
    assert set(Webhook.objects.values_list("pk", "active")) == {(hook.pk, False), (other.pk, True)}
    assert AuditEvent.objects.latest("pk").action == "webhook.switched-off"
    with pytest.raises(Refused):
        send_now(row.pk, by=User.objects.get())
    switch_on(hook.pk, by=User.objects.get())
    row.refresh_from_db()
    assert (row.state, row.tries) == (State.WAITING, 0)
    assert list(beside.values()) == waiting, "a message to another is left alone"
    sent.refresh_from_db()
    assert sent.state == State.SENT


def test_a_silent_host_is_asked_once_for_all_that_waits(hook: Webhook, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it holds up nobody else's work; one that answers is asked for each."""
    asked: list[str] = []
    answers = iter([Outcome(503, UNREACHABLE), Outcome(0, UNKNOWN_HOST)])
    factory.play_round(factory.make_round_robin(factory.make_players(6)), 1, [Result.DRAW] * 3)
    monkeypatch.setattr(services, "send", lambda url, *_args, **_how: asked.append(url) or next(answers))
    tell("result.recorded")
    rows = WebhookDelivery.objects.order_by("pk").values_list("status", "problem", "tries")
    assert list(rows) == [(503, UNREACHABLE, 1), (0, UNKNOWN_HOST, 1), (0, UNKNOWN_HOST, 1)]
    assert len(asked) == 2


def test_one_that_was_given_up_can_be_sent_again(hook: Webhook, monkeypatch: pytest.MonkeyPatch) -> None:
    first, messages = failing(hook, monkeypatch), WebhookDelivery.objects
    row, waits = [
        messages.create(webhook=hook, event=event.pk, kind="result", due_at=timezone.now())
        for event in AuditEvent.objects.filter(action="result.recorded")
    ]
    messages.exclude(pk=waits.pk).update(state=State.DEAD)
    send_now(row.pk, by=User.objects.get())
    monkeypatch.setattr(services, "send", lambda *_args, **_how: Outcome(200))
    deliver.func(row.pk)
    row.refresh_from_db()
    assert row.state == State.SENT
    with pytest.raises(Refused, match="no longer among"):
        send_now(row.pk, by=User.objects.get())
    others = messages.exclude(pk=row.pk).values_list("pk", "state")
    assert dict(others) == {first.pk: State.DEAD, waits.pk: State.WAITING}


def test_what_is_off_sends_nothing_and_what_the_queue_lost_is_found(
    hook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = failing(hook, monkeypatch)
    assert requeue_deliveries() == 0
    WebhookDelivery.objects.update(due_at=timezone.now() - timedelta(hours=2))
    assert requeue_deliveries() == 1
    WebhookDelivery.objects.update(state=State.SENT)
    assert requeue_deliveries() == 0, "nothing is sent twice"
    note_failure(row, status=503, problem=UNREACHABLE)
    note_end(row, State.DROPPED)
    assert list(WebhookDelivery.objects.values_list("state", "tries")) == [(State.SENT, 0)], "sent meanwhile"
    WebhookDelivery.objects.update(state=State.WAITING)
    switch_webhook(hook.pk, on=False, by=None)
    deliver.func(row.pk)
    row.refresh_from_db()
    assert (row.tries, requeue_deliveries()) == (0, 0)
    WebhookDelivery.objects.update(state=State.SENT, made_at=timezone.now() - timedelta(days=31))
    lately, waits = (
        WebhookDelivery.objects.create(webhook=hook, event=event, kind="result", due_at=timezone.now(), state=state)
        for event, state in enumerate((State.SENT, State.WAITING))
    )
    WebhookDelivery.objects.filter(pk=waits.pk).update(made_at=timezone.now() - timedelta(days=31))
    assert forget_old_deliveries() == 1
    assert set(WebhookDelivery.objects.values_list("pk", flat=True)) == {lately.pk, waits.pk}


# --- where to -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "url",
    [
        *("http://example.org/", "ftp://example.org/", "https://", "https://a b/", "https://u@example.org/"),
        *("https://x:y/", "https://example.org:0/", "https://example.org/#club", f"https://example.org/{'x' * 481}"),
        *("https://exämple.org/", "https://example.org/\x7f"),
    ],
)
def test_an_address_that_is_none_is_refused(hook: Webhook, url: str) -> None:
    with pytest.raises(Refused):
        make_webhook(name="Other", url=url, kinds=KINDS, by=User.objects.get())


def test_an_address_may_be_five_hundred_letters_long_and_a_name_sixty(hook: Webhook) -> None:
    url = f"https://example.org/{'x' * 480}"
    assert make_webhook(name="x" * 60, url=url, kinds=KINDS, by=User.objects.get()).url == url


def test_a_setting_allows_addresses_without_tls(settings: Any) -> None:
    settings.WEBHOOKS_LOCAL = True
    assert make_webhook(name="Inside", url="http://inside.example/", kinds=KINDS, by=User.objects.get()).active


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "10.1.2.3",
            "192.168.0.1",
            "172.16.0.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
        ),
        *(
            "::1",
            "::",
            "fe80::1%eth0",
            "fc00::1",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "::127.0.0.1",
            "fec0::1",
            "::ffff:0:7f00:1",
        ),
        "255.255.255.255",
    ],
)
def test_an_address_inside_is_not_called_even_beside_a_public_one(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not is_public(address)
    found = [(0, 0, 0, "", (each, 443)) for each in ("93.184.215.14", address)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_how: found)
    monkeypatch.setattr(socket, "create_connection", lambda *_args, **_how: pytest.fail("it was called"))
    assert send("https://rebound.example/", b"{}", {}) == Outcome(0, NOT_PUBLIC)


def test_public_ones_are_called_by_the_address_that_was_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_public("93.184.215.14")
    assert is_public("2606:2800:21f:cb07:6820:80da:af6b:8b2c")
    called = []

    def refuse(where: Any, **_how: Any) -> None:
        called.append(where)
        raise OSError

    both = ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", "93.184.215.14"]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_h: [(0, 0, 0, "", (each, 443)) for each in both])
    monkeypatch.setattr(socket, "create_connection", refuse)
    assert send("https://results.example/", b"{}", {}) == Outcome(0, UNREACHABLE)
    assert called == [(each, 443) for each in both]  # a server without IPv6 reaches the other


def test_one_that_sends_a_letter_now_and_then_is_cut_off_under_tls_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "LONGEST", 0.2)
    ended: list[str] = []

    def drip(server: socket.socket) -> None:
        line, _address = server.accept()
        with line:
            line.recv(4096)
            line.settimeout(0.05)
            for letter in b"\x16\x03\x03\x40\x00" + bytes(35):
                line.send(bytes([letter]))
                try:
                    ended.append("cut" if not line.recv(1) else "heard")
                    return
                except TimeoutError:
                    continue
            ended.append("waited for")

    with socket.create_server(("127.0.0.1", 0)) as server:
        other = Thread(target=drip, args=[server])
        other.start()
        assert send(f"https://127.0.0.1:{server.getsockname()[1]}/", b"{}", {}, local=True) == Outcome(0, UNREACHABLE)
        other.join()
    assert ended == ["cut"]


class Other(BaseHTTPRequestHandler):
    """Another program: takes what is sent to /ok, sends elsewhere from any other address."""

    got: list[tuple[str, bytes]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.got.append((self.headers["Club-Signature"], body))
        self.send_response(200 if self.path == "/ok?a=b" else 302)
        self.send_header("Location", "/ok?a=b")
        self.end_headers()

    def log_message(self, *_args: Any) -> None:
        """Says nothing."""


@pytest.fixture
def other() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Other) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_it_comes_as_signed_and_no_redirect_is_followed(other: str) -> None:
    """Checked by the function that docs/api.md shows."""
    body, space = "{“½”}".encode(), {}
    exec(re.search(r"```python\n(.+?)```", (ROOT / "docs/api.md").read_text(), re.S)[1], space)  # type: ignore[index]
    is_ours: Any = space["is_ours"]
    Other.got.clear()
    headers = {"Club-Signature": signature("secret", body)}
    assert send(f"{other}/ok?a=b", body, headers, local=True) == Outcome(200)
    assert send(f"{other}/else", body, headers, local=True) == Outcome(302, REDIRECTED)
    assert len(Other.got) == 2
    (signed, got), _elsewhere = Other.got
    assert is_ours("secret", signed, got)
    assert not is_ours("other", signed, got)
    assert not is_ours("secret", signed, got + b" ")
    assert not is_ours("secret", signature("secret", got, at=1_700_000_000), got)
    assert send(f"{other}/ok?a=b", body, headers) == Outcome(0, NOT_PUBLIC)
    assert send("https://no-such-host.invalid/", body, headers) == Outcome(0, UNKNOWN_HOST)


def test_the_secret_stands_in_no_table_and_a_new_one_ends_the_old(hook: Webhook) -> None:
    other = make_webhook(name="Other", url=URL, kinds=KINDS, by=User.objects.get())
    secret, own = secret_of(other), secret_of(hook)
    assert secret not in str(Webhook.objects.values())
    assert secret_of(renew_secret(other.pk, by=User.objects.get())) != secret
    hook.refresh_from_db()
    assert secret_of(hook) == own
