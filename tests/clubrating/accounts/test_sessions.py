"""How long an officer stays signed in, what ends it at once, and what happens to a form sent just after."""

from datetime import timedelta
from time import time
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from clubrating.accounts import middleware, resume
from clubrating.accounts.middleware import SEEN, SEEN_EVERY, SINCE
from clubrating.accounts.resume import KEPT, KEPT_FOR, MOST
from players.officers.roles import ARBITER
from players.officers.services.credentials import sign_out_everywhere
from players.officers.services.officers import set_role
from tests import factory
from tests.clubrating.accounts.account_cases import NEW, PASSWORD, give_password, is_signed_in, signed_in
from tests.visitor import Visitor
from tournaments.models import Game, Round
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_second_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time()
    for module in (middleware, resume):
        monkeypatch.setattr(module, "time", lambda: now)


def age(client: Client, *, since: timedelta = timedelta(), seen: timedelta = timedelta()) -> None:
    session = client.session
    session[SINCE] -= int(since.total_seconds())
    session[SEEN] -= int(seen.total_seconds())
    session.save()


@pytest.mark.parametrize(("since", "seen", "goes_on"), [(43200, 18000, True), (43201, 0, False), (18001, 18001, False)])
def test_a_session_lasts_an_evening_and_a_long_game(
    client: Client, arbiter: User, since: int, seen: int, goes_on: bool
) -> None:
    give_password(client, "arbiter")
    age(client, since=timedelta(seconds=since), seen=timedelta(seconds=seen))
    assert is_signed_in(client) is goes_on
    if not goes_on:
        assert "You were signed out after a long time" in client.get("/admin/login/").text


def test_a_session_not_begun_at_our_door_is_as_old_as_the_last_sign_in(client: Client, arbiter: User) -> None:
    client.force_login(arbiter)
    assert is_signed_in(client)
    User.objects.update(last_login=timezone.now() - settings.OFFICER_SESSION_LASTS - timedelta(minutes=1))
    assert not is_signed_in(client)


def test_being_there_is_noted_now_and_then_not_on_every_page(client: Client, arbiter: User) -> None:
    give_password(client, "arbiter")
    first = client.session[SEEN]
    for more, noted in ((SEEN_EVERY, first - SEEN_EVERY), (1, first)):
        age(client, seen=timedelta(seconds=more))
        is_signed_in(client)
        assert client.session[SEEN] == noted


@pytest.fixture
def late(client: Client, arbiter: User) -> Client:
    """An arbiter whose evening ended an hour ago."""
    give_password(client, "arbiter")
    age(client, since=timedelta(hours=13))
    return client


@pytest.fixture
def at_the_boards(arbiter: User) -> Visitor:
    """An arbiter with the sheet of a round before him."""
    factory.make_round_robin(factory.make_players(4))
    visitor = signed_in(arbiter)
    visitor.open(f"/admin/tournaments/tournament/round/{Round.objects.get(number=1).pk}/results/")
    return visitor


def enter_first_board(visitor: Visitor) -> Game:
    """White wins on board 1, typed into the form as it stands there."""
    visitor.send("Save results", **{"board-1": Result.WHITE_WINS.value})
    return Game.objects.filter(pairing__round__number=1, pairing__board=1).get()


def test_a_result_sent_too_late_waits_for_the_login_and_nothing_is_half_done(at_the_boards: Visitor) -> None:
    sheet = at_the_boards.address
    age(at_the_boards.client, since=timedelta(hours=13))
    assert enter_first_board(at_the_boards).result == ""
    assert at_the_boards.address == f"/admin/login/?next={sheet}"
    at_the_boards.send("Sign in", username="arbiter", password=PASSWORD)
    assert at_the_boards.sees("What you had entered", "nothing is lost", sheet)
    at_the_boards.send("Send it now")
    assert Game.objects.get(pairing__round__number=1, pairing__board=1).result == Result.WHITE_WINS
    assert at_the_boards.status == 200


def test_what_was_kept_can_be_left(at_the_boards: Visitor) -> None:
    age(at_the_boards.client, since=timedelta(hours=13))
    enter_first_board(at_the_boards)
    at_the_boards.send("Sign in", username="arbiter", password=PASSWORD)
    at_the_boards.send("Leave it")
    assert KEPT not in at_the_boards.client.session
    assert not Game.objects.exclude(result="").exists()


def test_what_was_kept_is_nobody_elses(at_the_boards: Visitor) -> None:
    factory.make_assistant()
    age(at_the_boards.client, since=timedelta(hours=13))
    enter_first_board(at_the_boards)
    at_the_boards.send("Sign in", username="assistant", password=PASSWORD)
    assert "What you had entered" not in at_the_boards.page.words
    assert KEPT not in at_the_boards.client.session


@pytest.mark.parametrize(("seconds", "waits"), [(KEPT_FOR, True), (KEPT_FOR + 1, False)])
def test_what_was_kept_waits_for_an_hour(at_the_boards: Visitor, seconds: int, waits: bool) -> None:
    age(at_the_boards.client, since=timedelta(hours=13))
    enter_first_board(at_the_boards)
    session = at_the_boards.client.session
    session[KEPT] |= {"at": session[KEPT]["at"] - seconds}
    session.save()
    at_the_boards.send("Sign in", username="arbiter", password=PASSWORD)
    assert ("What you had entered" in at_the_boards.page.words) is waits
    assert (KEPT in at_the_boards.client.session) is waits


@pytest.mark.parametrize(
    "data",
    [
        {"old_password": PASSWORD, "password1": NEW, "password2": NEW},
        {"code": "123456"},
        {"new_phrase": "sesame"},
        {"on": "2026-01-05", "file": SimpleUploadedFile("members.csv", b"name")},
        {},
    ],
)
def test_no_secret_and_no_file_is_kept(late: Client, arbiter: User, data: dict[str, Any]) -> None:
    late.post("/account/password/", data)
    assert KEPT not in late.session
    arbiter.refresh_from_db()
    assert arbiter.check_password(PASSWORD)


@pytest.mark.parametrize("over", [0, 1])
def test_nothing_is_kept_of_what_nobody_sent(late: Client, over: int) -> None:
    """A form from somebody who was never signed in, or of a size nobody fills in."""
    for client, name, kept in ((Client(), "Ada", False), (late, "x" * (MOST - len("name") + over), not over)):
        client.post("/admin/players/player/add/", {"name": name})
        assert (KEPT in client.session) is kept


def test_what_a_script_sent_is_kept_by_the_script(late: Client) -> None:
    late.post("/admin/players/player/add/", {"name": "Ada"}, headers={"Sec-Fetch-Mode": "cors"})
    assert KEPT not in late.session


def test_a_public_form_that_was_carried_out_is_not_kept_to_be_sent_again(late: Client) -> None:
    answer = late.post("/lab/backtest/", {"list": "standard"})
    assert answer.status_code == 302
    assert not answer.headers["Location"].startswith("/admin/login/")
    assert KEPT not in late.session


def two_browsers() -> tuple[Client, Client]:
    here, there = Client(), Client()
    for browser in (here, there):
        give_password(browser, "arbiter")
        assert is_signed_in(browser)
    return here, there


def test_a_new_password_ends_every_other_session_at_once(arbiter: User) -> None:
    here, there = two_browsers()
    done = here.post("/account/password/", {"old_password": PASSWORD, "password1": NEW, "password2": NEW})
    assert done.headers["Location"] == "/account/"
    assert (is_signed_in(here), is_signed_in(there)) == (True, False)


def test_signing_out_everywhere_else_leaves_this_one(arbiter: User) -> None:
    here, there = two_browsers()
    for page in ("sign-out", "sign-out-elsewhere"):
        assert here.get(f"/account/{page}/").status_code == 405, "a link on some page signs nobody out"
    assert (is_signed_in(here), is_signed_in(there)) == (True, True)
    here.post("/account/sign-out-elsewhere/")
    assert (is_signed_in(here), is_signed_in(there)) == (True, False)


def test_a_closed_account_is_out_at_once_and_stays_out_when_opened_again(arbiter: User) -> None:
    here, there = two_browsers()
    set_role(arbiter, ARBITER, active=False, by=None)
    assert (is_signed_in(here), is_signed_in(there)) == (False, False)
    set_role(arbiter, ARBITER, active=True, by=None)
    assert (is_signed_in(here), is_signed_in(there)) == (False, False)


def test_a_session_that_outlived_its_account_is_nobodys(client: Client, arbiter: User) -> None:
    give_password(client, "arbiter")
    User.objects.update(is_active=False)
    assert not is_signed_in(client)


def test_ending_an_officers_sessions_leaves_everybody_elses_and_counts_none_that_is_over(arbiter: User) -> None:
    here, _ = two_browsers()
    old, other = Client(), Client()
    give_password(old, "arbiter")
    Session.objects.filter(pk=old.session.session_key).update(expire_date=timezone.now() - timedelta(days=1))
    factory.make_assistant()
    give_password(other, "assistant")
    assert sign_out_everywhere(arbiter, by=(boss := factory.make_administrator())) == 2
    assert factory.told("officer.signed-out", arbiter, boss).after == {"sessions": 2}
    assert (is_signed_in(here), is_signed_in(other)) == (False, True)


def test_logging_out_says_so(arbiter: User) -> None:
    visitor = signed_in(arbiter)
    visitor.open("/account/")
    visitor.send("Log out")
    assert visitor.sees("Logged out", "Sign in again")
    assert not is_signed_in(visitor.client)
