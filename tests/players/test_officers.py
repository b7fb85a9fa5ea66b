"""Who may sign in: two roles, always one administrator left, nothing deleted."""

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings

from players.models import AuditEvent
from players.services.officers import set_role
from players.services.refusals import Refused
from players.services.roles import ADMINISTRATOR, ARBITER
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
    boss = factory.make_administrator()
    with pytest.raises(Refused, match="last administrator"):
        set_role(boss, ARBITER, active=True, by=None)
    with pytest.raises(Refused, match="your own account"):
        set_role(boss, ADMINISTRATOR, active=False, by=boss)
    second = factory.make_administrator("second")
    set_role(boss, ARBITER, active=False, by=second)
    boss.refresh_from_db()
    assert (boss.is_active, boss.is_superuser) == (False, False)


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
