"""Who may sign in: four roles, always one administrator left, nothing deleted, every change told."""

from datetime import timedelta

import pytest
from axes.helpers import get_cool_off
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client, override_settings
from django.utils import timezone

from players.models import ApiToken, AuditEvent
from players.officers.roles import ADMINISTRATOR, ARBITER, PERMISSIONS, RATING_OFFICER, ROLES, role_of
from players.officers.services.credentials import closed_names, lift_lock, locked_until
from players.officers.services.officers import make_officer, set_role, update_officer
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.visitor import Visitor

pytestmark = pytest.mark.django_db


def signed_in(user: User) -> Visitor:
    visitor = Visitor()
    visitor.client.force_login(user)
    return visitor


def test_an_administrator_makes_an_arbiter_who_can_work_at_once(standard: RatingList) -> None:
    boss = signed_in(factory.make_administrator())
    boss.open("/admin/auth/user/add/")
    words = "four knights are enough"
    boss.send("Save", username="petra", password1=words, password2=words, role=ARBITER)
    petra = User.objects.get(username="petra")
    assert (petra.is_staff, petra.is_superuser) == (True, False)
    assert petra.has_perm("tournaments.add_tournament")
    assert not petra.has_perm("ratings.change_ratinglist")
    assert AuditEvent.objects.get(action="officer.changed").after == {"role": ARBITER, "active": True}
    desk = signed_in(petra)
    desk.open("/admin/tournaments/tournament/add/")
    assert desk.status == 200


def test_the_last_administrator_stays(standard: RatingList) -> None:
    boss, _other = factory.make_administrator(), factory.make_arbiter()
    set_role(boss, ADMINISTRATOR, active=True, by=boss)
    with pytest.raises(Refused, match="last administrator"):
        set_role(boss, ARBITER, active=True, by=None)
    with pytest.raises(Refused, match="your own account"):
        set_role(boss, ADMINISTRATOR, active=False, by=boss)
    second = factory.make_administrator("second")
    set_role(boss, ARBITER, active=False, by=second)
    boss.refresh_from_db()
    assert (boss.is_active, boss.is_superuser) == (False, False)
    third = factory.make_administrator("third")
    set_role(third, ADMINISTRATOR, active=False, by=second)
    with pytest.raises(Refused, match="last administrator"):
        set_role(second, ARBITER, active=True, by=None)


def test_a_refusal_comes_back_on_the_form(standard: RatingList) -> None:
    boss = factory.make_administrator()
    visitor = signed_in(boss)
    visitor.open(f"/admin/auth/user/{boss.pk}/change/")
    visitor.send("Save", role=ARBITER)
    assert visitor.sees("ask another administrator")
    boss.refresh_from_db()
    assert boss.is_superuser


def test_accounts_are_closed_never_deleted_and_groups_are_not_on_the_desk(client: Client, standard: RatingList) -> None:
    boss = factory.make_administrator()
    client.force_login(boss)
    assert client.post(f"/admin/auth/user/{boss.pk}/delete/", {"post": "yes"}).status_code == 403
    for address in ("/admin/auth/group/", "/admin/axes/accessattempt/", "/admin/django_tasks_db/dbtaskresult/"):
        assert client.get(address).status_code == 404


def test_an_arbiter_sees_no_accounts(client: Client, standard: RatingList) -> None:
    client.force_login(factory.make_arbiter())
    assert client.get("/admin/auth/user/").status_code == 403


@override_settings(AXES_ENABLED=True)
def test_guessing_a_password_closes_that_name_from_that_address_only(standard: RatingList) -> None:
    factory.make_arbiter()
    guesser, elsewhere = Client(REMOTE_ADDR="192.0.2.7"), Client(REMOTE_ADDR="192.0.2.8")
    right = {"username": "arbiter", "password": "pass-for-tests"}
    for number in range(10):
        answer = guesser.post("/admin/login/", right | {"password": f"guess {number}"})
    assert answer.status_code == 429
    assert "Too many attempts" in answer.text
    assert guesser.post("/admin/login/", right).status_code == 429, "even the right one, for an hour"
    assert elsewhere.post("/admin/login/", right).status_code == 302, "the arbiter in the hall gets in"


def test_a_name_is_closed_by_its_own_wrong_passwords_of_the_last_hour_from_one_address() -> None:
    most, now, minute = settings.AXES_FAILURE_LIMIT, timezone.now(), timedelta(minutes=1)
    arbiter = factory.make_arbiter()
    factory.make_assistant()
    factory.make_administrator()
    attempts = AccessAttempt.objects.all()
    for number, (name, address, wrong, ago) in enumerate(
        [
            ("arbiter", "192.0.2.7", most, minute),
            ("arbiter", "192.0.2.8", most - 1, minute),
            ("assistant", "192.0.2.7", most - 1, minute),
            ("assistant", "192.0.2.8", most - 1, minute),
            ("admin", "192.0.2.7", most, get_cool_off() + minute),
            ("nobody", "192.0.2.7", most, minute),
        ]
    ):
        row = attempts.create(username=name, ip_address=address, failures_since_start=wrong, user_agent=str(number))
        attempts.filter(pk=row.pk).update(attempt_time=now - ago)
    assert closed_names() == ["arbiter"]
    assert locked_until("arbiter") == locked_until("arbiter", "192.0.2.7") == now - minute + get_cool_off()
    assert [locked_until("arbiter", "192.0.2.8"), locked_until("assistant"), locked_until("admin")] == [None] * 3
    assert lift_lock(arbiter, by=None)
    assert set(attempts.values_list("username", flat=True)) == {"assistant", "admin", "nobody"}


@pytest.mark.parametrize("role", ROLES)
def test_each_role_is_chosen_by_its_sentence_and_given_as_the_table_says(standard: RatingList, role: str) -> None:
    boss, petra = signed_in(factory.make_administrator()), make_officer({"username": "petra"}, ARBITER, by=None)
    boss.open(f"/admin/auth/user/{petra.pk}/change/")
    assert boss.sees("assistant: enters results", "arbiter: players", "rating officer: rating lists", "administrator:")
    boss.send("Save", role=role, is_active="on")
    petra = User.objects.get(pk=petra.pk)
    assert role_of(petra) == role
    assert [group.name for group in petra.groups.all()] == [role]
    assert petra.is_superuser is (role == ADMINISTRATOR)
    assert petra.has_perms(PERMISSIONS[role])


def test_saving_what_is_already_so_tells_nothing(standard: RatingList) -> None:
    boss, arbiter = signed_in(factory.make_administrator()), factory.make_arbiter()
    boss.open(f"/admin/auth/user/{arbiter.pk}/change/")
    boss.send("Save")
    assert boss.status == 200
    assert not AuditEvent.objects.filter(subject_key=arbiter.pk, subject_kind="user").exists()


def test_names_are_changed_and_the_trail_tells_fields_not_values(standard: RatingList) -> None:
    boss, arbiter = signed_in(factory.make_administrator()), factory.make_arbiter()
    boss.open(f"/admin/auth/user/{arbiter.pk}/change/")
    boss.send("Save", first_name="Petra", last_name="Planted", email="petra@example.org")
    event = AuditEvent.objects.get(action="officer.data")
    assert event.after == {"fields": ["email", "first_name", "last_name"]}
    arbiter.refresh_from_db()
    assert (arbiter.get_full_name(), arbiter.email) == ("Petra Planted", "petra@example.org")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"username": "ARBITER"}, "“ARBITER” already"),
        ({"username": "two words"}, "valid username"),
        ({}, "cannot be blank"),
    ],
)
def test_a_user_name_that_cannot_be_is_refused_and_nothing_is_made(data: dict[str, str], sentence: str) -> None:
    factory.make_arbiter()
    with pytest.raises(Refused, match=sentence):
        make_officer(data, ARBITER, by=None)
    assert User.objects.count() == 1
    other = factory.make_assistant()
    if data:
        with pytest.raises(Refused, match=sentence):
            update_officer(other.pk, data, by=None)


@pytest.mark.parametrize("password", ["short", "1234567890", "petra-petra"[:10]])
def test_a_new_officers_typed_password_obeys_the_rules_or_nothing_is_made(standard: RatingList, password: str) -> None:
    boss = signed_in(factory.make_administrator())
    boss.open("/admin/auth/user/add/")
    boss.send("Save", username="petra-petr", password1=password, password2=password, role=RATING_OFFICER)
    assert boss.sees("password")
    assert not User.objects.filter(username="petra-petr").exists()
    boss.send("Save", username="petra", password1="four knights are enough", password2="three knights are enough")
    assert boss.sees("The two are not the same")


def test_a_role_that_is_none_is_refused() -> None:
    with pytest.raises(Refused, match="is no role"):
        make_officer({"username": "petra"}, "king", by=None)
    assert not User.objects.exists()


def test_closing_an_account_ends_its_sessions_and_no_others(client: Client, standard: RatingList) -> None:
    arbiter, other = factory.make_arbiter(), factory.make_assistant()
    client.force_login(arbiter)
    Client().force_login(other)
    assert Session.objects.count() == 2
    yesterday, tomorrow = (timezone.now() + timedelta(days=days) for days in (-1, 1))
    for officer, over in ((arbiter, yesterday), (arbiter, None), (other, None)):
        ApiToken.objects.create(officer=officer, digest=f"{officer} {over}", expires_at=tomorrow, revoked_at=over)
    set_role(arbiter, ARBITER, active=False, by=None)
    assert set(ApiToken.objects.filter(revoked_at=None).values_list("officer", flat=True)) == {other.pk}
    assert ApiToken.objects.filter(revoked_at=yesterday).exists(), "taken back before"
    assert [int(row.get_decoded()["_auth_user_id"]) for row in Session.objects.all()] == [other.pk]


def test_keys_of_second_factors_are_on_nobodys_desk(client: Client, standard: RatingList) -> None:
    client.force_login(factory.make_administrator())
    for address in ("/admin/otp_totp/totpdevice/", "/admin/otp_static/staticdevice/"):
        assert client.get(address).status_code == 404
