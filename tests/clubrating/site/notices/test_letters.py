"""Notices by e-mail: nothing before the owner of the address said yes, one step to stop, only what is public, and no
address where it does not belong."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import DjangoAssertNumQueries, Settings

from clubrating.site.export.selectors import own_data
from clubrating.site.notices import services as sending
from clubrating.site.notices import views
from clubrating.site.notices.letters import Outcome
from clubrating.site.notices.services import ask_reader, send_notices, tell
from players.models import AuditEvent, DueNotice, MailSubscription, Player
from players.notices.services import readers as services
from players.notices.services.due import MOST_TRIES
from players.notices.services.readers import LASTS, forget_old_mail
from ratings.models import RatingList
from tests import factory
from tests.clubrating.site.notices import smtp_cases
from tournaments.erasure.services.erasure import anonymise_player
from tournaments.models import Game, Tournament
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.people import change_player
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
ADA = "Ada.Reader@example.org"
ALL = ["paired", "result", "new_list"]
server = smtp_cases.server


@pytest.fixture(autouse=True)
def mail_server(settings: Settings) -> None:
    settings.MAIL = factory.MAIL
    settings.HOSTS = ["club.example"]


@pytest.fixture
def cup(standard: RatingList) -> Tournament:
    return factory.make_round_robin(factory.make_players(4), first_day=factory.today())


def ask(client: Client, number: int, address: str, *, prefix: str = "", kind: list[str] = ALL) -> Any:
    return client.post(f"{prefix}/mine/mail/?player={number}", {"address": address, "kind": kind, "often": "now"})


def link_in(letter: Any) -> str:
    (link,) = (line for line in letter.body.splitlines() if "/mine/mail/" in line and "/off/" not in line)
    assert letter.extra_headers["List-Unsubscribe"] == f"<{link}>"
    return urlsplit(str(link)).path


def game_of(number: int) -> Game:
    games = Game.objects.filter(pairing__round__number=1).order_by("pk")
    return games.filter(white__number=number).first() or games.get(black__number=number)


def subscribed(client: Client, number: int, address: str = ADA, **asked: Any) -> MailSubscription:
    """Confirmed, with an empty box."""
    ask(client, number, address, **asked)
    client.post(link_in(mail.outbox[-1]), {"kind": asked.get("kind", ALL), "often": "now"})
    mail.outbox.clear()
    return MailSubscription.objects.get(player__number=number, address=address)


def enter(game: Game) -> None:
    record_result(game=game.pk, result=Result.DRAW, played_on=factory.today(), by=None)


# --- asking -----------------------------------------------------------------------------------------------------------
def test_nothing_but_the_question_is_sent_before_the_owner_says_yes(client: Client, cup: Tournament) -> None:
    subscribed(client, 1, "other@example.org")
    assert "A letter is on its way" in ask(client, 1, ADA).text
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == ([ADA], "Confirm: letters from Test Club")
    assert "http://club.example/mine/mail/" in letter.body
    assert "ada" not in link_in(letter).lower()
    for _ in range(2):  # a scanner opens links, too
        assert client.get(link_in(letter)).status_code == 200
    enter(game_of(1))
    assert [each.to for each in mail.outbox[1:]] == [["other@example.org"]]
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.post(link_in(letter), {"kind": ["result"], "often": "now"}).status_code == 200
    assert not stranger.cookies
    row = MailSubscription.objects.get(address=ADA)
    assert row.confirmed_at
    assert [row.paired, row.result, row.new_list] == [False, True, False]


def test_the_answer_is_the_same_for_every_address_and_each_gets_one_letter_a_day(
    client: Client, cup: Tournament
) -> None:
    subscribed(client, 1, kind=["result"])
    known, other, again, stranger = (
        ask(client, number, address).text.replace(f"player={number}", "").replace(name, "")
        for number, address, name in (
            (1, ADA.lower(), game_of(1).white.name),
            (2, ADA, game_of(2).white.name),
            (1, ADA, game_of(1).white.name),
            (1, "new@example.org", game_of(1).white.name),
        )
    )
    assert known == again == stranger
    assert "A letter is on its way" in other
    assert [letter.to for letter in mail.outbox] == [["new@example.org"]]
    MailSubscription.objects.update(asked_at=timezone.now() - timedelta(days=1, minutes=1))
    ask(client, 1, ADA.lower())
    assert mail.outbox[-1].subject == "Your letters from Test Club"
    for _day in range(2):
        MailSubscription.objects.update(asked_at=timezone.now() - timedelta(days=1, minutes=1))
        ask(client, 2, ADA, kind=["paired"])
    rows = MailSubscription.objects.filter(address=ADA).order_by("player__number")
    assert [(row.player.number, row.result, row.paired) for row in rows] == [(1, True, False), (2, False, True)]


@pytest.mark.parametrize(
    ("outcome", "tries", "kept", "again"),
    [
        (Outcome.GONE, 1, False, False),
        (Outcome.FAILED, 3, True, True),
        (Outcome.FAILED, MOST_TRIES, True, False),
    ],
)
def test_a_question_that_was_not_taken_is_asked_again_and_an_address_that_is_gone_forgotten(
    client: Client, cup: Tournament, settings: Settings, monkeypatch: pytest.MonkeyPatch, *,
    outcome: Outcome, tries: int, kept: bool, again: bool,
) -> None:  # fmt: skip
    ask(client, 1, ADA)
    settings.TASKS = factory.QUEUE
    row = MailSubscription.objects.get()
    monkeypatch.setattr(sending, "deliver", lambda _letter: outcome)
    ask_reader.call(row.pk, tries)
    assert MailSubscription.objects.exists() is kept
    waits = [each.run_after - timezone.now() for each in DBTaskResult.objects.all()]
    assert [round(wait / timedelta(minutes=1)) for wait in waits] == [16] * again
    change_player(row.player_id, {"visibility": "hidden"}, by=None)
    monkeypatch.undo()
    mail.outbox.clear()
    ask_reader.call(row.pk, 1)
    tell.call(0)
    assert not mail.outbox, "nothing about whoever has no page"


@pytest.mark.extended
@pytest.mark.parametrize(
    "address",
    [
        "nobody",
        "a@localhost",
        "a@[127.0.0.1]",
        '"a b"@example.org',
        "a@example.org\nBcc: b@example.org",
        "a@example.org, b@example.org",
        "a[b@example.org",
        f"{'a' * 243}@example.org",
    ],
)
def test_what_is_no_address_is_refused(client: Client, cup: Tournament, address: str) -> None:
    assert ask(client, 1, address).status_code == 400
    assert not mail.outbox
    assert not MailSubscription.objects.exists()
    assert ask(client, 1, f"{'a' * 242}@example.org").status_code == 200


def test_strangers_cannot_have_many_letters_written(
    client: Client, cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (
        Client(enforce_csrf_checks=True)
        .post("/mine/mail/?player=1", {"address": ADA, "kind": ALL, "often": "now"})
        .status_code
        == 403
    )
    subscribed(client, 1, "confirmed@example.org")
    ask(client, 1, "never@example.org")
    long_ago = timezone.now() - services.CONFIRMED_WITHIN
    MailSubscription.objects.filter(address__startswith="never").update(asked_at=long_ago)
    mail.outbox.clear()
    monkeypatch.setattr(services, "MOST_UNCONFIRMED", 1)
    assert [ask(client, 1, f"{each}@example.org").status_code for each in "ab"] == [200, 400]
    monkeypatch.setattr(views, "ASKING", views.RateLimit("asking-test", 1, 60))
    assert [ask(client, 1, f"{each}@example.org").status_code for each in "cd"] == [400, 429]
    assert len(mail.outbox) == 1


def test_nobody_is_written_to_about_whoever_has_no_page(client: Client, cup: Tournament) -> None:
    change_player(Player.objects.get(number=1).pk, {"visibility": "hidden"}, by=None)
    assert [ask(client, number, ADA).status_code for number in (1, 777)] == [404, 404]


# --- letters ----------------------------------------------------------------------------------------------------------
def test_a_letter_tells_the_news_in_the_readers_language_and_leads_to_where_the_site_is_now(
    client: Client, cup: Tournament, settings: Settings
) -> None:
    game = game_of(1)
    subscribed(client, game.white.number)
    subscribed(client, game.black.number, "ru@example.org", prefix="/ru")
    settings.HOSTS = ["moved.example"]
    enter(game)
    english, russian = mail.outbox
    assert english.subject == "Your result was entered"
    assert f"Winter Cup: your game with {game.black.name}" in english.body
    assert "http://moved.example/tournaments/winter-cup/rounds/1/" in english.body
    assert "http://moved.example/ru/tournaments/winter-cup/rounds/1/" in russian.body
    assert russian.subject != english.subject
    for letter in mail.outbox:
        assert letter.from_email == "Chess Club <club@example.org>"
        assert letter.message().get_content_type() == "text/plain"
        assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert client.get(link_in(letter)).status_code == 200


def test_a_round_and_a_list_are_told_and_what_is_not_wanted_is_not(client: Client, standard: RatingList) -> None:
    people = factory.make_players(4)
    subscribed(client, 1, kind=["paired", "new_list"])
    cup = factory.make_round_robin(people, first_day=factory.today())
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    publish_list(standard, factory.today(), by=None)
    assert [letter.subject for letter in mail.outbox] == ["You are paired: Winter Cup", "New list: Standard"]


def test_what_was_told_already_is_not_told_again(client: Client, cup: Tournament) -> None:
    row = subscribed(client, 1)
    enter(game_of(1))
    event = AuditEvent.objects.get(action="result.recorded")
    tell.call(event.pk)
    assert len(mail.outbox) == 1
    assert row.due.get().sent_at


def test_a_line_break_in_a_name_forges_no_header(client: Client, standard: RatingList, cup: Tournament) -> None:
    subscribed(client, 1)
    RatingList.objects.update(name="Standard\r\nBcc: victim@example.org")
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    mail.outbox.clear()
    publish_list(standard, factory.today(), by=None)
    (letter,) = mail.outbox
    assert letter.subject == "New list: Standard Bcc: victim@example.org"
    assert letter.recipients() == [ADA]
    assert letter.message()["Bcc"] is None


def test_names_are_as_the_public_sees_them_and_the_hidden_are_silent(client: Client, cup: Tournament) -> None:
    game = game_of(1)
    rows = [subscribed(client, each.number, f"{each.number}@example.org") for each in (game.white, game.black)]
    change_player(game.white_id, {"visibility": "initials"}, by=None)
    change_player(game.black_id, {"visibility": "hidden"}, by=None)
    enter(game)
    (letter,) = mail.outbox
    assert letter.to == [f"{game.white.number}@example.org"]
    assert f"Winter Cup: your game with Player {game.black.number}" in letter.body
    shown = letter.body + "".join(client.get(f"/mine/mail/{row.key}/").text for row in rows)
    assert not any(name in shown for name in (game.white.name, game.black.name))


# --- stopping ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("sent", [{"stop": "1"}, {"List-Unsubscribe": "One-Click"}])
@pytest.mark.parametrize("is_confirmed", [True, False])
def test_one_step_stops_it_without_a_cookie(
    client: Client, cup: Tournament, sent: dict[str, str], is_confirmed: bool
) -> None:
    other = subscribed(client, 2, "other@example.org")
    ask(client, 1, ADA)
    (letter,) = mail.outbox
    if is_confirmed:
        client.post(link_in(letter), {"kind": ALL, "often": "now"})
    program = Client(enforce_csrf_checks=True)
    stopped = program.post(link_in(letter), sent)
    assert (stopped.status_code, program.cookies) == (200, {})
    assert MailSubscription.objects.get() == other
    assert [ask(link_in(letter)).status_code for ask in (program.get, program.post)] == [410, 410]
    assert client.get("/mine/mail/%00/").status_code == 404  # a character PostgreSQL has no room for
    enter(game_of(1))
    assert len(mail.outbox) == 1


def test_what_is_not_confirmed_goes_after_three_days_and_the_rest_after_a_year(client: Client, cup: Tournament) -> None:
    subscribed(client, 1)
    ask(client, 1, "late@example.org")
    MailSubscription.objects.filter(confirmed_at=None).update(asked_at=timezone.now() - timedelta(days=3))
    assert client.post(link_in(mail.outbox[0]), {"kind": ALL, "often": "now"}).status_code == 410
    assert forget_old_mail() == 1
    assert MailSubscription.objects.get().address == ADA
    MailSubscription.objects.update(confirmed_at=timezone.now() - LASTS)
    assert forget_old_mail() == 1


def test_an_erased_person_has_no_letters_and_the_reader_is_in_no_copy(client: Client, cup: Tournament) -> None:
    row = subscribed(client, 1)
    copy = str(own_data(row.player))
    assert "players.MailSubscription" in copy
    assert not {ADA, row.key} & set(copy.split("'"))
    anonymise_player(row.player_id, by=None)
    assert not MailSubscription.objects.exists()


def test_the_pages_are_one_readers_and_cost_little(
    client: Client, cup: Tournament, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    row = subscribed(client, 1)
    # From a page without a referrer browsers send no form that has a token.
    for path, referrer in (("/mine/mail/?player=1", "same-origin"), (f"/mine/mail/{row.key}/", "no-referrer")):
        with django_assert_num_queries(2):
            page = client.get(path)
        assert [page.headers[each] for each in ("Cache-Control", "X-Robots-Tag", "Referrer-Policy")] == [
            "private, no-store",
            "noindex",
            referrer,
        ]
        assert ADA not in page.text


def test_without_a_mail_server_there_is_nothing(client: Client, cup: Tournament, settings: Settings) -> None:
    row = subscribed(client, 1)
    pages = {"/mine/?player=1": "e-mail", "/about/privacy/": "notices by e-mail"}
    assert all(words in client.get(page).text for page, words in pages.items())
    settings.MAIL = None
    assert not any(words in client.get(page).text for page, words in pages.items())
    assert ask(client, 1, "new@example.org").status_code == 404
    assert client.post(f"/mine/mail/{row.key}/", {"stop": 1}).status_code == 410
    ask_reader.call(row.pk, 1)
    enter(game_of(1))
    assert not mail.outbox


# --- the mail server --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("answer", "tries", "kept", "again"),
    [
        ("250 yes", 1, True, False),
        ("550 5.1.1 <Ada.Reader@example.org> unknown", 1, False, False),
        ("554 5.7.1 relay access denied for Ada.Reader@example.org", 1, True, True),
        ("451 4.7.1 Ada.Reader@example.org: later", MOST_TRIES - 1, True, True),
        ("451 4.7.1 Ada.Reader@example.org: later", MOST_TRIES, True, False),
        ("unreachable", 1, True, True),
    ],
)
def test_a_mail_server_takes_refuses_and_fails(
    client: Client,
    cup: Tournament,
    settings: Settings,
    server: Any,
    caplog: pytest.LogCaptureFixture,
    *,
    answer: str,
    tries: int,
    kept: bool,
    again: bool,
) -> None:
    row = subscribed(client, 1)
    settings.TASKS, server.answer = factory.QUEUE, answer
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_USE_TLS = "127.0.0.1", False
    settings.EMAIL_PORT = 9 if answer == "unreachable" else server.server_address[1]
    enter(game_of(1))
    tell.call(AuditEvent.objects.get(action="result.recorded").pk)
    DBTaskResult.objects.all().delete()
    DueNotice.objects.update(due_at=timezone.now(), tries=tries - 1)
    tomorrow = timezone.now() + timedelta(days=1)
    DueNotice.objects.create(mail=row, event=0, kind="result", due_at=tomorrow)
    send_notices(timezone.now())
    assert MailSubscription.objects.exists() is kept
    assert [each.run_after > timezone.now() for each in DBTaskResult.objects.all()] == [True] * again
    assert row.due.filter(sent_at=None, tries=tries).exists() is again
    assert row.due.filter(event=0, due_at=tomorrow).exists() is kept, "what is due tomorrow stays so"
    heard = "".join(server.heard)
    assert (f"To: {ADA}" in heard and "Subject: Your result was entered" in heard) is (answer == "250 yes")
    assert "example.org" not in caplog.text
    assert bool(caplog.records) is (answer != "250 yes")
