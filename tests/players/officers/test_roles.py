"""The four roles: made by migration, as the table says, and what an event's own officers change about them."""

import pytest
from django.contrib.auth.models import AnonymousUser, Group

from players.officers.roles import ADMINISTRATOR, ARBITER, PERMISSIONS, ROLES, group_of, role_of
from tests import factory
from tournaments.events.selectors.officers import may_correct, may_enter, run_by, runs
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", ROLES)
def test_the_migrated_group_may_do_what_the_table_says(role: str) -> None:
    permissions = Group.objects.get(name=role).permissions.select_related("content_type")
    assert {f"{row.content_type.app_label}.{row.codename}" for row in permissions} == set(PERMISSIONS[role])


def test_a_group_that_lost_a_permission_gets_it_back() -> None:
    group = group_of(ARBITER)
    group.permissions.clear()
    assert group_of(ARBITER).permissions.count() == len(PERMISSIONS[ARBITER])


def test_the_role_is_the_highest_a_user_has() -> None:
    user = factory.make_assistant()
    assert role_of(user) == "assistant"
    user.groups.add(group_of(ARBITER))
    assert role_of(user) == "arbiter"
    user.groups.clear()
    assert role_of(user) == "officer"
    assert role_of(factory.make_administrator()) == ADMINISTRATOR
    assert role_of(None) == "system"


@pytest.fixture
def cup(club: object) -> Tournament:
    return factory.make_round_robin(factory.make_players(4))


def test_an_event_that_names_nobody_is_run_by_every_arbiter(cup: Tournament) -> None:
    arbiter, assistant = factory.make_arbiter(), factory.make_assistant()
    assert all(may(arbiter, cup) for may in (runs, may_enter, may_correct))
    assert may_enter(assistant, cup)
    assert not may_correct(assistant, cup)
    assert not runs(AnonymousUser(), cup)


def test_an_event_that_names_its_officers_is_run_by_those_and_by_administrators(cup: Tournament) -> None:
    named, other, boss = factory.make_arbiter(), factory.make_arbiter("other"), factory.make_administrator()
    cup.officers.add(named)
    assert [runs(user, cup) for user in (named, other, boss)] == [True, False, True]
    assert [may_enter(user, cup) for user in (named, other, boss)] == [True, False, True]
    for user, seen in ((named, 1), (other, 0), (boss, 1)):
        assert Tournament.objects.filter(run_by(user)).count() == seen


def test_whoever_answers_for_the_ratings_corrects_games_of_every_event_and_enters_none(cup: Tournament) -> None:
    officer = factory.make_rating_officer()
    cup.officers.add(factory.make_arbiter())
    assert may_correct(officer, cup)
    assert not may_enter(officer, cup)


def test_a_closed_account_runs_nothing(cup: Tournament) -> None:
    arbiter = factory.make_arbiter()
    arbiter.is_active = False
    assert not runs(arbiter, cup)
    assert not may_enter(arbiter, cup)
