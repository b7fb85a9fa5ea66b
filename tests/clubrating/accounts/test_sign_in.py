"""Signing in end to end: the way in and back, the code, guessing, and nobody let in by half."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django.urls import resolve, reverse
from django.utils import timezone
from django.utils.translation import gettext, override
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubrating.accounts.views import sign_in
from clubrating.accounts.views.sign_in import HALF, SIGNING_IN, SignInView
from players.officers.roles import ARBITER
from players.officers.services.credentials import set_password
from players.officers.services.officers import set_role
from ratings.models import RatingList
from tests import factory
from tests.clubrating.accounts.account_cases import (
    NEW,
    PASSWORD,
    browsers_of_one_session,
    code_now,
    factor_of,
    give_password,
    is_signed_in,
    signed_in,
    turn_factor_on,
    wrong_code,
)
from tests.routes import routes
from tests.visitor import Visitor

pytestmark = pytest.mark.django_db


@pytest.fixture
def careful(arbiter: User) -> User:
    """An arbiter with a second factor."""
    turn_factor_on(arbiter)
    return arbiter


def desk_addresses() -> list[str]:
    """Every address of the desk and of one's own account, with 1 for whatever it is about."""
    ours = [route.path for route in routes() if route.path.startswith(("admin/", "account/"))]
    plain = [route for route in ours if "(?P" not in route and "^" not in route]
    filled = {"/" + "".join(_cut(route)) for route in plain}
    open_to_all = ("/admin/login/", "/admin/logout/", "/account/code/", "/account/forgotten/", "/account/link/")
    return sorted(address for address in filled if not address.startswith(open_to_all))


def _cut(route: str) -> Iterator[str]:
    first, *rest = route.split("<")
    yield first
    for part in rest:
        yield "1" + part.partition(">")[2]


# --- in, and to where one wanted ---------------------------------------------------------------------------------


def test_the_login_page_wears_the_clubs_name_and_helps_the_password_keeper(client: Client, arbiter: User) -> None:
    text = client.get("/admin/login/").text
    assert "<title>Sign in · Test Club: administration</title>" in text
    assert 'autocomplete="username"' in text
    assert 'autocomplete="current-password"' in text
    assert "<script" not in text
    assert "style=" not in text


def test_after_signing_in_one_is_where_one_wanted_to_go(client: Client, arbiter: User) -> None:
    wanted = "/admin/tournaments/tournament/?rated__exact=1"
    asked = client.get(wanted)
    assert asked.headers["Location"].startswith("/admin/login/?next=")
    back = client.post(asked.headers["Location"], {"username": "arbiter", "password": PASSWORD})
    assert back.headers["Location"] == wanted


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example"]
)
def test_no_other_site_is_where_one_wanted_to_go(client: Client, arbiter: User, target: str) -> None:
    assert give_password(client, "arbiter", target=target).headers["Location"] == "/admin/"
    turn_factor_on(arbiter)
    other = Client()
    give_password(other, "arbiter", target=target)
    done = other.post("/account/code/", {"code": code_now(factor_of(arbiter))})
    assert done.headers["Location"] == "/admin/"


def test_somebody_signed_in_is_not_asked_again(client: Client, arbiter: User) -> None:
    give_password(client, "arbiter")
    assert client.get("/admin/login/?next=/account/").headers["Location"] == "/account/"


@pytest.mark.parametrize("role", ["assistant", "rating-officer"])
def test_every_role_signs_in_and_sees_its_own_desk(standard: RatingList, role: str) -> None:
    visitor = signed_in(factory.make_officer(role, "somebody"))
    visitor.open("/admin/")
    assert visitor.status == 200
    assert not [href for href, _ in visitor.page.links if "/auth/" in href]
    visitor.open("/admin/auth/user/")
    assert visitor.status == 403


def test_somebody_who_is_no_officer_gets_nowhere(client: Client, standard: RatingList) -> None:
    User.objects.create_user("guest", password=PASSWORD)
    assert "do not belong together" in give_password(client, "guest").text
    assert not is_signed_in(client)


# --- the code ----------------------------------------------------------------------------------------------------


def test_password_then_code_and_back_to_where_one_wanted(client: Client, careful: User) -> None:
    answer = give_password(client, "arbiter", target="/admin/players/player/")
    assert answer.headers["Location"] == "/account/code/"
    assert 'autocomplete="one-time-code"' in client.get("/account/code/").text
    done = client.post("/account/code/", {"code": code_now(factor_of(careful))})
    assert done.headers["Location"] == "/admin/players/player/"
    assert client.get("/admin/players/player/").status_code == 200
    assert HALF not in client.session


@pytest.mark.extended
def test_with_the_password_alone_every_page_of_the_desk_leads_to_the_code(client: Client, careful: User) -> None:
    give_password(client, "arbiter")
    addresses = desk_addresses()
    assert len(addresses) > 80
    for address in addresses:
        for answer in (client.get(address), client.post(address, {"post": "yes"})):
            assert answer.status_code in (301, 302), address
            leads_to = answer.headers["Location"]
        assert leads_to.startswith(("/admin/login/", "/account/password/")) or leads_to == "/account/", address
    assert client.get("/admin/", follow=True).redirect_chain[-1][0] == "/account/code/"


def test_a_session_made_without_the_code_is_nobodys_on_any_page(client: Client, careful: User) -> None:
    """However it was made: the public pages show it no officers' names either."""
    hidden = factory.make_players(1, visibility="hidden")[0]
    client.force_login(careful)
    assert not is_signed_in(client)
    assert hidden.name not in client.get("/players/").text
    assert client.get("/admin/").status_code == 302


def test_a_wrong_code_is_answered_with_a_sentence_and_then_with_a_pause(client: Client, careful: User) -> None:
    give_password(client, "arbiter")
    wrong = client.post("/account/code/", {"code": wrong_code(careful)})
    assert wrong.status_code == 400
    assert "not the right code" in wrong.text
    right = client.post("/account/code/", {"code": code_now(factor_of(careful))})
    assert right.status_code == 400
    assert "next try is possible" in right.text
    assert not is_signed_in(client)


def test_a_recovery_code_lets_in_and_new_codes_do_not_end_that_session(client: Client, arbiter: User) -> None:
    codes = turn_factor_on(arbiter)
    give_password(client, "arbiter")
    client.post("/account/code/", {"code": codes[3]})
    assert is_signed_in(client)
    proof = {"password": PASSWORD, "code": code_now(factor_of(arbiter)), "renew": "1"}
    assert client.post("/account/second-factor/", proof).status_code == 200
    assert is_signed_in(client)


@pytest.mark.parametrize(
    "meanwhile", ["ten minutes", "no second more", "a new password", "a closed account", "a reset factor"]
)
def test_what_ends_the_way_between_password_and_code(
    client: Client, careful: User, meanwhile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    factory.make_administrator()
    give_password(client, "arbiter")
    code = code_now(factor_of(careful))
    if meanwhile in ("ten minutes", "no second more"):
        began, over = client.session[HALF]["at"], meanwhile == "ten minutes"
        monkeypatch.setattr(sign_in, "time", lambda: began + 600 + over)
    elif meanwhile == "a new password":
        set_password(careful, NEW, by=None)
    elif meanwhile == "a closed account":
        set_role(careful, ARBITER, active=False, by=None)
    else:
        TOTPDevice.objects.all().delete()
    client.post("/account/code/", {"code": code})
    assert is_signed_in(client) is (meanwhile == "no second more")


def test_the_code_page_is_nothing_without_the_password(client: Client, careful: User) -> None:
    answer = client.post("/account/code/", {"code": code_now(factor_of(careful))})
    assert answer.headers["Location"] == "/admin/login/"
    assert not is_signed_in(client)


def test_one_can_sign_in_as_somebody_else_instead(careful: User) -> None:
    visitor = Visitor()
    visitor.open("/admin/login/")
    visitor.send("Sign in", username="arbiter", password=PASSWORD)
    factory.make_assistant()
    visitor.click("somebody else")
    visitor.send("Sign in", username="assistant", password=PASSWORD)
    visitor.open("/account/")
    assert visitor.sees("assistant · assistant")


# --- guessing ----------------------------------------------------------------------------------------------------


@override_settings(AXES_ENABLED=True)
def test_the_lock_page_tells_until_when_and_who_helps(client: Client, arbiter: User) -> None:
    elsewhere = {"username": "arbiter", "ip_address": "192.0.2.9", "failures_since_start": 10}
    AccessAttempt.objects.create(**elsewhere)
    AccessAttempt.objects.update(attempt_time=timezone.now() + timedelta(minutes=20))
    for number in range(10):
        answer = give_password(client, "arbiter", f"guess {number}")
    assert answer.status_code == 429
    until = timezone.localtime(timezone=ZoneInfo("Europe/Berlin")) + timedelta(hours=1)
    assert any(f"{until - timedelta(minutes=late):%H:%M}" in answer.text for late in (0, 1))
    assert "An administrator can open it at once" in answer.text
    assert give_password(client, "arbiter").status_code == 429
    assert not is_signed_in(client)


@pytest.mark.extended
@override_settings(AXES_ENABLED=True)
def test_a_closed_name_gets_the_lock_page_at_the_one_door_there_is_in_every_language(arbiter: User) -> None:
    """Axes refuses the password; that its own middleware is not there to answer (axes.W002) changes nothing."""
    assert "axes.middleware.AxesMiddleware" not in settings.MIDDLEWARE
    for _ in range(9):
        give_password(Client(), "arbiter", "guess")
    for code, _name in settings.LANGUAGES:
        with override(code):
            door, words = reverse("admin:login"), gettext("Too many attempts")
            assert resolve(door).func.view_class is SignInView  # type: ignore[attr-defined]
        for password in ("guess", PASSWORD):
            client = Client()
            answer = client.post(door, {"username": "arbiter", "password": password})
            assert answer.status_code == 429
            assert words in answer.text
            assert not is_signed_in(client)
        assert client.get(door).status_code == 200
        assert client.post(door, {"username": "another", "password": "guess"}).status_code == 200


@override_settings(AXES_ENABLED=True)
def test_the_right_password_without_the_code_forgives_no_guesses(client: Client, careful: User) -> None:
    for number in range(9):
        give_password(client, "arbiter", f"guess {number}")
    assert give_password(client, "arbiter").status_code == 302
    assert give_password(client, "arbiter", "the tenth").status_code == 429


@override_settings(AXES_ENABLED=True, PROXIES=1)
def test_behind_a_proxy_nobody_changes_his_address_by_writing_headers(arbiter: User) -> None:
    guesser = Client(REMOTE_ADDR="127.0.0.1")
    for number in range(10):
        forged = {"X-Forwarded-For": f"198.51.100.{number}, 192.0.2.7"}
        answer = guesser.post("/admin/login/", {"username": "arbiter", "password": "guess"}, headers=forged)
    assert answer.status_code == 429
    right = {"username": "arbiter", "password": PASSWORD}
    elsewhere = guesser.post("/admin/login/", right, headers={"X-Forwarded-For": "192.0.2.8"})
    assert elsewhere.status_code == 302


@override_settings(AXES_ENABLED=True)
def test_without_a_proxy_the_header_is_not_believed(arbiter: User) -> None:
    guesser = Client(REMOTE_ADDR="192.0.2.7")
    for number in range(10):
        forged = {"X-Forwarded-For": f"198.51.100.{number}"}
        answer = guesser.post("/admin/login/", {"username": "arbiter", "password": "guess"}, headers=forged)
    assert answer.status_code == 429


def password_looked_at(client: Client, monkeypatch: pytest.MonkeyPatch, **more: Any) -> tuple[int, bool]:
    """The status of a sign-in for a name nobody has, and whether its password was hashed."""
    hashed: list[str] = []
    monkeypatch.setattr("django.contrib.auth.backends.UserModel.set_password", lambda _user, raw: hashed.append(raw))
    answer = client.post("/admin/login/", {"username": "nobody", "password": "guess"}, **more)
    return answer.status_code, bool(hashed)


@override_settings(RATE_LIMITS=True, AXES_ENABLED=True)
def test_whoever_keeps_the_machine_busy_with_passwords_is_told_to_wait(
    client: Client, arbiter: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names nobody has close no door of the login guard, and each password is hashed all the same."""
    assert password_looked_at(client, monkeypatch) == (200, True)
    for _ in range(SIGNING_IN.tries - 1):
        SIGNING_IN.count("127.0.0.1")
    assert password_looked_at(client, monkeypatch) == (429, False)
    refused = client.post("/ru/admin/login/", {"username": "arbiter", "password": PASSWORD})
    assert refused.headers["Retry-After"] == "60"
    assert "no-store" in refused.headers["Cache-Control"]
    assert '<html lang="ru"' in refused.text
    assert "Wait 60 seconds, then sign in" in give_password(client, "arbiter").text
    assert client.get("/admin/login/").status_code == 200
    assert password_looked_at(client, monkeypatch, REMOTE_ADDR="192.0.2.9") == (200, True)
    assert not is_signed_in(client)


@pytest.mark.extended
@override_settings(RATE_LIMITS=True)
def test_a_clubs_officers_sign_in_behind_one_address(standard: RatingList) -> None:
    """Twenty officers within a minute, each with a slip and then rightly; who is signed in is not asked again."""
    assert (SIGNING_IN.tries, SIGNING_IN.seconds) == (60, 60)
    clients = [Client() for _ in range(20)]
    for number, each in enumerate(clients):
        name = factory.make_arbiter(f"arbiter-{number}").get_username()
        give_password(each, name, "a slip")
        assert give_password(each, name).status_code == 302
    for _ in range(SIGNING_IN.tries):
        SIGNING_IN.count("127.0.0.1")
    assert all(is_signed_in(each) for each in clients)


# --- what it costs -----------------------------------------------------------------------------------------------


def test_who_an_officer_is_and_whether_he_has_a_factor_is_one_query(
    client: Client, arbiter: User, django_assert_num_queries: Callable[..., Any]
) -> None:
    give_password(client, "arbiter")
    with django_assert_num_queries(3):  # club, session, officer
        client.get("/members/")


@pytest.mark.parametrize("others", [0, 6])
def test_the_account_page_costs_the_same_in_any_club(
    client: Client, arbiter: User, django_assert_num_queries: Callable[..., Any], others: int
) -> None:
    for number in range(others):
        turn_factor_on(factory.make_assistant(f"assistant {number}"))
    give_password(client, "arbiter")
    with django_assert_num_queries(7):
        assert "My account" in client.get("/account/").text


def test_whoever_knew_the_session_before_is_not_signed_in_by_half_too(careful: User) -> None:
    officer, stranger = browsers_of_one_session()
    give_password(officer, "arbiter")
    assert HALF in officer.session
    assert officer.get("/account/code/").status_code == 200
    assert stranger.get("/account/code/").status_code == 302
