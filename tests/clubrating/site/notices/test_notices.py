"""Notices to browsers: who is told what, once, only what is public; who may subscribe; who is forgotten."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import DjangoAssertNumQueries, Settings

from clubrating.site.notices import views
from clubrating.site.notices.services import note_readers, send, send_notices, tell
from players.models import AuditEvent, DueNotice, Player, Subscription
from players.notices.services.due import MOST_TRIES
from players.notices.services.readers import (
    LASTS,
    MOST_A_PLAYER,
    NewMailSubscription,
    NewSubscription,
    ask_for_mail,
    forget_old_subscriptions,
    is_push_service,
    subscribe,
)
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tournaments.erasure.services.erasure import anonymise_player
from tournaments.models import Game, Tournament
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.people import change_player
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
PUSH = "https://updates.push.services.mozilla.com/wpush/v2/"
KEYS = {"p256dh": "B" * 87, "auth": "a" * 22}


class Sender:
    """A push service's stand-in: what it was given, and the status it answers."""

    sent: list[tuple[str, dict[str, str]]] = []
    status = 201


def deliver(endpoint: str, _p256dh: str, _auth: str, message: bytes, topic: str, **_club: str) -> int:
    if endpoint.endswith("broken"):
        raise UnicodeError("a name that nobody can ask for")
    Sender.sent.append((endpoint.rpartition("/")[2], json.loads(message)))
    assert topic.startswith("club-")
    return Sender.status


@pytest.fixture(autouse=True)
def notices(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.PUSH_KEY, settings.PUSH_CONTACT = "k" * 43, "mailto:club@example.org"
    settings.PUSH_SENDER = f"{__name__}.deliver"
    settings.PUSH_PUBLIC_KEY = f"{__name__}.public"
    monkeypatch.setattr(Sender, "sent", [])
    monkeypatch.setattr(Sender, "status", 201)


def public(_key: str) -> str:
    return "the club’s key"


@pytest.fixture
def cup(standard: RatingList) -> Tournament:
    return factory.make_round_robin(factory.make_players(4), first_day=factory.today())


def ask(client: Client, number: int, endpoint: str, **changed: Any) -> int:
    sent = {"player": number, "endpoint": endpoint, **KEYS, "kind": ["paired", "result", "new_list"]}
    prefix = changed.pop("prefix", "")
    return client.post(f"{prefix}/mine/notices/", sent | changed).status_code


def game_of(number: int) -> Game:
    games = Game.objects.filter(pairing__round__number=1)
    return games.get(white__number=number) if games.filter(white__number=number) else games.get(black__number=number)


def test_both_players_of_a_result_are_told_once_in_their_language(client: Client, cup: Tournament) -> None:
    game = game_of(1)
    assert ask(client, game.white.number, PUSH + "white") == 200
    assert ask(client, game.black.number, PUSH + "black", prefix="/ru") == 200
    others = {1, 2, 3, 4} - {game.white.number, game.black.number}
    assert ask(client, others.pop(), PUSH + "other") == 200
    record_result(game=game.pk, result=Result.DRAW, played_on=factory.today(), by=None)
    assert [who for who, _said in Sender.sent] == ["white", "black"]
    said, russian = (content for _who, content in Sender.sent)
    assert said["title"] == "Your result was entered"
    assert said["body"] == f"Winter Cup: your game with {game.black.name}"
    assert (said["url"], russian["url"]) == (
        "/tournaments/winter-cup/rounds/1/",
        "/ru/tournaments/winter-cup/rounds/1/",
    )
    assert russian["title"] != said["title"]


def test_a_round_that_is_published_tells_board_and_colour(client: Client, standard: RatingList) -> None:
    people = factory.make_players(4)
    assert ask(client, 1, PUSH + "one") == 200
    factory.make_round_robin(people, first_day=factory.today())
    ((_who, said),) = Sender.sent
    assert said["title"] == "You are paired: Winter Cup"
    assert said["body"].startswith("Board ")


def test_a_new_list_tells_the_rating(client: Client, standard: RatingList, cup: Tournament) -> None:
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    assert ask(client, 1, PUSH + "one", kind=["new_list"]) == 200
    publish_list(standard, factory.today(), by=None)
    ((_who, said),) = Sender.sent
    assert said["title"] == "New list: Standard"
    assert said["body"].removeprefix("Your rating: ").isdigit()


def test_a_browser_that_breaks_something_keeps_no_notice_from_others(client: Client, cup: Tournament) -> None:
    game = game_of(1)
    assert [ask(client, game.white.number, PUSH + name) for name in ("broken", "whole")] == [200, 200]
    record_result(game=game.pk, result=Result.DRAW, played_on=factory.today(), by=None)
    assert [who for who, _said in Sender.sent] == ["whole"]
    assert DueNotice.objects.get(sent_at=None).due_at > timezone.now(), "tried again"


@pytest.mark.django_db(transaction=True)
def test_a_reader_who_leaves_at_that_moment_keeps_no_notice_from_others(client: Client, cup: Tournament) -> None:
    game = game_of(1)
    record_result(game=game.pk, result=Result.DRAW, played_on=factory.today(), by=None)
    assert [ask(client, game.white.number, PUSH + name) for name in ("leaves", "stays")] == [200, 200]
    left = []

    def leave(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("INSERT") and "duenotice" in sql and not left:
            left.append(Subscription.objects.filter(endpoint=PUSH + "leaves")._raw_delete("default"))
        return execute(sql, params, many, context)

    event = AuditEvent.objects.get(action="result.recorded")
    AuditEvent.objects.create(action="round.published", subject_kind="round", subject_key=game.pairing.round_id)
    with connection.execute_wrapper(leave):
        tell.call(event.pk)
    assert left == [1]
    assert DueNotice.objects.get(browser__endpoint=PUSH + "stays").event == event.pk, "not the newest line"


def test_what_an_older_version_queued_for_a_browser_goes_to_no_other(client: Client, cup: Tournament) -> None:
    game = game_of(1)
    record_result(game=game.pk, result=Result.DRAW, played_on=factory.today(), by=None)
    assert [ask(client, game.white.number, PUSH + name) for name in ("one", "other")] == [200, 200]
    event = AuditEvent.objects.get(action="result.recorded")
    send.call(Subscription.objects.get(endpoint=PUSH + "one").pk, event.pk, 1)
    assert [who for who, _said in Sender.sent] == ["one"]


@pytest.mark.parametrize("kind", ["paired", "new_list"])
def test_nobody_is_told_what_was_not_wanted(client: Client, cup: Tournament, settings: Settings, kind: str) -> None:
    assert ask(client, 1, PUSH + "one", kind=[kind]) == 200
    record_result(game=game_of(1).pk, result=Result.DRAW, played_on=factory.today(), by=None)
    assert Sender.sent == []
    settings.TASKS = factory.QUEUE
    note_readers(AuditEvent.objects.get(action="result.recorded"), timezone.now())
    assert ask(client, 1, PUSH + "one", kind=["result"]) == 200
    send_notices(timezone.now())
    assert Sender.sent == [], "it was not wanted when it happened"


def test_an_old_result_is_no_news(client: Client, cup: Tournament) -> None:
    assert ask(client, 1, PUSH + "one") == 200
    record_result(game=game_of(1).pk, result=Result.DRAW, played_on=factory.today() - timedelta(days=9), by=None)
    assert Sender.sent == []


def test_of_two_with_one_tag_the_later_is_sent_and_the_rest_one_by_one(
    client: Client, cup: Tournament, settings: Settings
) -> None:
    assert ask(client, 1, PUSH + "one") == 200
    settings.TASKS = factory.QUEUE
    row = game_of(1).pairing.round_id
    for _twice in range(2):
        event = AuditEvent.objects.create(action="round.published", subject_kind="round", subject_key=row)
        note_readers(event, timezone.now())
    factory.play_round(factory.make_round_robin(list(Player.objects.all()), name="Autumn Cup"), 1, [Result.DRAW] * 2)
    publish_list(RatingList.objects.get(), factory.today(), by=None)
    note_readers(AuditEvent.objects.get(action="list.published"), timezone.now())
    send_notices(timezone.now())
    assert [said["title"] for _who, said in Sender.sent] == ["You are paired: Winter Cup", "New list: Standard"]
    assert not DueNotice.objects.filter(sent_at=None).exists()


# --- privacy ----------------------------------------------------------------------------------------------------------
def test_a_hidden_opponent_is_not_named_and_the_hidden_have_no_notices(client: Client, cup: Tournament) -> None:
    game = game_of(1)
    assert ask(client, game.white.number, PUSH + "white") == 200
    assert ask(client, game.black.number, PUSH + "black") == 200
    change_player(game.black_id, {"visibility": "hidden"}, by=None)
    assert ask(client, game.black.number, PUSH + "black") == 400
    assert ask(client, 777, PUSH + "black") == 400
    hidden = Player.objects.get(pk=game.black_id)
    with pytest.raises(Refused, match="no public page"):
        subscribe(hidden, NewSubscription(PUSH + "black", **KEYS, language="en", kinds=frozenset({"result"})))
    with pytest.raises(Refused, match="no public page"):
        ask_for_mail(hidden, NewMailSubscription("a@example.org", "en", "https://club.example", frozenset({"result"})))
    record_result(game=game.pk, result=Result.DRAW, played_on=factory.today(), by=None)
    ((who, said),) = Sender.sent
    assert (who, said["body"]) == ("white", f"Winter Cup: your game with Player {game.black.number}")
    assert not Subscription.objects.filter(player=game.black).exists()


def test_whoever_is_erased_has_no_browser_left(client: Client, cup: Tournament) -> None:
    assert ask(client, 1, PUSH + "one") == 200
    anonymise_player(Player.objects.get(number=1).pk, by=None)
    assert not Subscription.objects.exists()


# --- subscribing ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("address", "known"),
    [
        ("https://fcm.googleapis.com/fcm/send/x", True),
        ("https://web.push.apple.com/x", True),
        ("https://fcm.googleapis.com:443/x", True),
        ("http://fcm.googleapis.com/x", False),
        ("https://fcm.googleapis.com:22/x", False),
        ("https://127.0.0.1/x", False),
        ("https://[::1]/x", False),
        ("https://localhost/x", False),
        ("https://push.apple.com.example/x", False),
        ("https://evilfcm.googleapis.com/x", False),
        ("https://fcm.googleapis.com@example.org/x", False),
        ("https://example.org\\@fcm.googleapis.com/x", False),
        ("https://fcm.googleapis.com/x y", False),
        ("https://[", False),
        ("https://a..push.apple.com/x", False),
        (f"https://{'a' * 64}.push.apple.com/x", False),
    ],
)
def test_only_push_services_of_browsers_are_called(address: str, known: bool) -> None:
    assert is_push_service(address) is known


@pytest.mark.parametrize("changed", [{"p256dh": "x"}, {"auth": "x" * 99}, {"kind": []}])
def test_what_is_no_subscription_is_refused(client: Client, cup: Tournament, changed: dict[str, Any]) -> None:
    assert ask(client, 1, PUSH + "one", **changed) == 400
    longest = PUSH.ljust(500, "x")
    assert ask(client, 1, longest + "x") == 400
    assert not Subscription.objects.exists()
    assert ask(client, 1, longest) == 200


def test_a_browser_has_one_player_and_a_player_ten_browsers(client: Client, cup: Tournament) -> None:
    for number in (1, 2):
        assert ask(client, number, PUSH + "same") == 200
    assert Subscription.objects.get().player.number == 2
    for number in range(MOST_A_PLAYER + 2):
        assert ask(client, 1, f"{PUSH}{number}") == 200
    assert Subscription.objects.filter(player__number=1).count() == MOST_A_PLAYER
    assert Subscription.objects.filter(player__number=2).count() == 1, "not another's"
    assert not Subscription.objects.filter(endpoint=PUSH + "0").exists()
    Subscription.objects.filter(endpoint=PUSH + "5").update(made_at=timezone.now() - timedelta(days=1))
    assert ask(client, 1, PUSH + "more") == 200
    assert not Subscription.objects.filter(endpoint=PUSH + "5").exists(), "the oldest goes"


def test_made_up_browsers_push_out_none_that_has_had_a_notice(client: Client, cup: Tournament) -> None:
    assert ask(client, 1, PUSH + "real") == 200
    record_result(game=game_of(1).pk, result=Result.DRAW, played_on=factory.today(), by=None)
    idle = {1, 2, 3, 4} - {game_of(1).white.number, game_of(1).black.number}
    assert ask(client, idle.pop(), PUSH + "idle") == 200
    event = AuditEvent.objects.get(action="result.recorded").pk
    for status, reached in ((403, False), (201, True)):
        Subscription.objects.update(reached=False)
        Sender.status = status
        DueNotice.objects.all().delete()
        tell.call(event)
        assert Subscription.objects.get(endpoint=PUSH + "real").reached is reached
        assert not Subscription.objects.get(endpoint=PUSH + "idle").reached
    own = Subscription.objects.filter(player__number=1)
    for number in range(MOST_A_PLAYER + 2):
        assert ask(client, 1, f"{PUSH}{number}") == 200
    assert own.count() == MOST_A_PLAYER
    assert Subscription.objects.filter(endpoint=PUSH + "real").exists()
    Subscription.objects.update(reached=True)
    assert ask(client, 1, PUSH + "one-too-many") == 400
    assert ask(client, 1, PUSH + "real") == 200, "one that is there may change what it wants"
    assert own.count() == MOST_A_PLAYER


def test_switched_off_it_is_forgotten_and_after_a_year(client: Client, cup: Tournament) -> None:
    assert ask(client, 1, PUSH + "one") == ask(client, 1, PUSH + "two") == 200
    assert ask(client, 1, PUSH + "one", off=1) == 200
    assert Subscription.objects.get().endpoint == PUSH + "two"
    Subscription.objects.update(made_at=timezone.now() - LASTS - timedelta(days=1))
    assert ask(client, 1, PUSH + "three") == 200
    assert forget_old_subscriptions() == 1
    assert Subscription.objects.get().endpoint == PUSH + "three"


def test_no_address_but_a_push_services_is_looked_up(
    client: Client, cup: Tournament, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """PostgreSQL breaks off at a character without a code."""
    with django_assert_num_queries(1):  # the club
        assert ask(client, 1, f"{PUSH}\0", off=1) == 200


def test_too_many_wait_and_another_site_sends_nothing(
    client: Client, cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask(Client(enforce_csrf_checks=True), 1, PUSH + "one") == 403
    monkeypatch.setattr(views, "SUBSCRIBING", views.RateLimit("subscribing-test", 2, 60))
    assert [ask(client, 1, PUSH + "one") for _ in range(3)] == [200, 200, 429]


def test_without_a_key_there_is_nothing(client: Client, cup: Tournament, settings: Settings) -> None:
    assert client.get("/mine/notices/?player=1").status_code == 200
    assert "/mine/notices/" in client.get("/mine/?player=1").text
    settings.PUSH_KEY = ""
    assert client.get("/mine/notices/?player=1").status_code == 404
    assert "/mine/notices/" not in client.get("/mine/?player=1").text
    assert ask(client, 1, PUSH + "one") == 404


# --- sending ----------------------------------------------------------------------------------------------------------
@pytest.fixture
def row(client: Client, cup: Tournament) -> Subscription:
    assert ask(client, 1, PUSH + "one") == 200
    record_result(game=game_of(1).pk, result=Result.DRAW, played_on=factory.today(), by=None)
    return Subscription.objects.get()


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(row: Subscription, status: int) -> None:
    Sender.status = status
    DueNotice.objects.update(sent_at=None, due_at=timezone.now())
    send_notices(timezone.now())
    assert not Subscription.objects.exists()


@pytest.mark.parametrize(
    ("status", "tries", "again"), [(0, 1, True), (500, MOST_TRIES - 1, True), (429, MOST_TRIES, False), (400, 1, False)]
)
def test_a_push_service_that_fails_is_asked_again_so_often(
    row: Subscription, settings: Settings, status: int, tries: int, again: bool
) -> None:
    settings.TASKS = factory.QUEUE
    Sender.status = status
    DueNotice.objects.update(sent_at=None, due_at=timezone.now(), tries=tries - 1)
    tomorrow = timezone.now() + timedelta(days=1)
    DueNotice.objects.create(browser=row, event=-1, kind="result", due_at=tomorrow)
    send_notices(timezone.now())
    assert DueNotice.objects.filter(event=-1, due_at=tomorrow, tries=0).exists(), "what is due later stays"
    assert [each.run_after > timezone.now() for each in DBTaskResult.objects.all()] == [True] * again
    assert list(DueNotice.objects.exclude(event=-1).values_list("tries", flat=True)) == [tries] * again
    assert Subscription.objects.exists()
