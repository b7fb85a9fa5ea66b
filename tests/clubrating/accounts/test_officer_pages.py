"""The officers' page: what an administrator does for somebody's way in, each with its button and its trace."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django.utils import timezone

from players.models import AuditEvent, Passkey
from players.officers.roles import CLUB_OFFICER, role_of
from players.officers.services.credentials import begin_factor, closed_names, has_factor, make_link
from ratings.models import RatingList
from tests import factory
from tests.clubrating.accounts.account_cases import (
    NEW,
    PASSWORD,
    give_password,
    is_signed_in,
    proved,
    signed_in,
    turn_factor_on,
)
from tests.visitor import Visitor
from tournaments.models import LeagueClub
from tournaments.teams.services.club_officers import make_account
from tournaments.teams.services.events import create_club

pytestmark = pytest.mark.django_db


def page_of(user: User) -> str:
    return f"/admin/auth/user/{user.pk}/change/"


def test_an_administrator_resets_a_lost_factor(boss: Visitor, arbiter: User) -> None:
    turn_factor_on(arbiter)
    theirs = Client()
    proved(theirs, arbiter)
    boss.open(page_of(arbiter))
    boss.send("phone and codes are lost")
    assert boss.sees("The second factor is off")
    assert not has_factor(arbiter)
    assert not is_signed_in(theirs)
    assert AuditEvent.objects.get(action="second-factor.reset").actor == User.objects.get(username="admin")


def test_the_own_account_is_looked_after_under_my_account(boss: Visitor, arbiter: User) -> None:
    own, words = User.objects.get(username="admin"), ("Under “My account”", "everywhere else", "Turn it off")

    def offered(user: User) -> list[bool]:
        boss.open(page_of(user))
        return [each in boss.page.words for each in words]

    assert offered(own) == [True, True, False]
    assert offered(arbiter) == [False, False, False]
    turn_factor_on(arbiter)
    assert offered(arbiter) == [False, False, True]


@override_settings(AXES_ENABLED=True)
def test_an_administrator_opens_a_locked_name(arbiter: User) -> None:
    boss = Visitor()
    boss.client.force_login(factory.make_administrator())
    guesser = Client(REMOTE_ADDR="192.0.2.7")
    for _ in range(10):
        give_password(guesser, "arbiter", "guess")
    boss.open(page_of(arbiter))
    assert boss.sees("Closed to guessing until")
    boss.send("Open it now")
    assert "Closed to guessing" not in boss.page.words
    assert give_password(guesser, "arbiter").status_code == 302
    assert AuditEvent.objects.filter(action="officer.unlocked", subject_key=arbiter.pk).count() == 1


@override_settings(AXES_ENABLED=True)
def test_the_desk_tells_of_closed_accounts_and_not_of_what_else_was_typed(client: Client, arbiter: User) -> None:
    """A password in the field for the name is nobody's to read, and a guesser's list of names would bury the desk."""
    for name in ("arbiter", "my-secret-passphrase"):
        for _ in range(10):
            give_password(client, name, "guess")
    assert closed_names() == ["arbiter"]
    boss = Visitor()
    boss.client.force_login(factory.make_administrator())
    boss.open("/admin/")
    assert boss.sees("“arbiter” is closed after wrong passwords")
    assert "my-secret-passphrase" not in boss.page.words


@override_settings(AXES_ENABLED=True)
def test_a_used_link_opens_a_locked_name(client: Client, arbiter: User) -> None:
    for _ in range(10):
        give_password(client, "arbiter", "guess")
    link = make_link(arbiter, by=None)
    form = client.get(f"/account/link/{link.owner}/{link.token}/").headers["Location"]
    client.post(form, {"password1": NEW, "password2": NEW})
    assert give_password(client, "arbiter", NEW).status_code == 302


def test_an_administrator_types_a_password_by_the_rules(boss: Visitor, arbiter: User) -> None:
    theirs = signed_in(arbiter)
    boss.open(page_of(arbiter))
    boss.click("Type one instead")
    boss.send("Set the password", password1="1234567890", password2="1234567890")
    assert boss.sees("entirely numeric")
    boss.send("Set the password", password1=NEW, password2=NEW)
    arbiter.refresh_from_db()
    assert arbiter.check_password(NEW)
    assert not is_signed_in(theirs.client)


def test_ones_own_password_is_changed_with_the_present_one(boss: Visitor) -> None:
    own = User.objects.get(username="admin")
    boss.open(f"/admin/auth/user/{own.pk}/password/")
    assert boss.address == "/account/password/"


def test_an_administrator_signs_somebody_out_everywhere(boss: Visitor, arbiter: User) -> None:
    theirs = signed_in(arbiter)
    boss.open(page_of(arbiter))
    boss.send("Sign out everywhere")
    assert not is_signed_in(theirs.client)
    assert is_signed_in(boss.client)


def test_who_signs_his_own_account_out_stays_where_he_is(boss: Visitor) -> None:
    own = User.objects.get(username="admin")
    elsewhere = signed_in(own)
    boss.client.post(f"/admin/auth/user/{own.pk}/sign-out/")
    assert (is_signed_in(boss.client), is_signed_in(elsewhere.client)) == (True, False)


def test_another_name_changes_neither_role_nor_clubs(boss: Visitor) -> None:
    own, other = create_club("Guests", by=None), create_club("Hosts", by=None)
    users = [make_account({"username": club.name}, CLUB_OFFICER, [club.pk], by=None) for club in (own, other)]
    for user, club in zip(users, (own, other), strict=True):
        boss.open(page_of(user))
        boss.send("Save", first_name="Ann")
        user.refresh_from_db()
        assert (user.first_name, role_of(user)) == ("Ann", CLUB_OFFICER)
        assert [*LeagueClub.objects.filter(officers=user)] == [club]
    boss.open(page_of(users[1]))
    boss.send("Save", clubs=str(own.pk))
    assert {*own.officers.all()} == {*users}
    assert not other.officers.exists()


def test_a_first_password_is_written_twice_alike(boss: Visitor) -> None:
    boss.open("/admin/auth/user/add/")
    boss.send("Save", username="petra", role="assistant", password1=NEW, password2=PASSWORD)
    assert boss.sees("The two are not the same")
    assert not User.objects.filter(username="petra").exists()


@pytest.mark.extended
@pytest.mark.parametrize("role", ["arbiter", "assistant", "rating-officer"])
@pytest.mark.parametrize("button", ["link", "reset", "unlock", "sign-out", "password"])
def test_the_buttons_are_an_administrators(client: Client, standard: RatingList, role: str, button: str) -> None:
    admin = factory.make_administrator()
    client.force_login(factory.make_officer(role, "somebody"))
    answer = client.post(f"/admin/auth/user/{admin.pk}/{button}/", {"password1": NEW, "password2": NEW})
    assert answer.status_code == 403
    admin.refresh_from_db()
    assert admin.check_password(PASSWORD)
    assert not AuditEvent.objects.filter(subject_kind="user", subject_key=admin.pk).exists()


def test_a_closed_account_gets_no_link_but_a_sentence(boss: Visitor, arbiter: User) -> None:
    User.objects.filter(pk=arbiter.pk).update(is_active=False)
    boss.open(page_of(arbiter))
    boss.send("Make a one-time link")
    assert boss.sees("open it again first")


def test_buttons_for_an_account_there_is_not_are_not_found(boss: Visitor) -> None:
    assert boss.client.post("/admin/auth/user/999/link/").status_code == 404


def test_the_list_tells_role_factor_and_last_sign_in_in_few_queries(
    boss: Visitor, arbiter: User, django_assert_max_num_queries: Any
) -> None:
    turn_factor_on(arbiter)
    User.objects.filter(pk=arbiter.pk).update(last_login=timezone.now() - timedelta(days=40))
    officers = [factory.make_rating_officer(f"officer {number}") for number in range(12)]
    begin_factor(officers[0])
    Passkey.objects.create(user=officers[1], name="key ring", confirmed=True, digest="d", credential="c")
    with django_assert_max_num_queries(10):
        text = boss.client.get("/admin/auth/user/").text
    assert text.count("rating officer") == 12
    assert text.count('alt="True"') == 14 + 2, "14 active, two with a factor; one that is only begun is none"
