"""Passwords and one-time links: a link works once, for a day, and a newer one ends it; nothing secret is kept."""

import pytest
from django.contrib.auth.models import User
from django.test import override_settings
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from players.models import AuditEvent
from players.officers.roles import ARBITER
from players.officers.services.credentials import make_link, owner_of, set_by_link, set_password
from players.officers.services.officers import make_officer, set_role, update_officer
from players.refusals import Refused
from tests import factory

pytestmark = pytest.mark.django_db

NEW = "four knights are enough"


def test_a_link_sets_a_password_once() -> None:
    arbiter, boss = factory.make_arbiter(), factory.make_administrator()
    link = make_link(arbiter, by=boss)
    assert owner_of(link.owner, link.token) == arbiter
    set_by_link(link.owner, link.token, NEW)
    arbiter.refresh_from_db()
    assert arbiter.check_password(NEW)
    assert owner_of(link.owner, link.token) is None
    with pytest.raises(Refused, match="used already or is too old"):
        set_by_link(link.owner, link.token, "another good password")
    arbiter.refresh_from_db()
    assert arbiter.check_password(NEW)


def test_a_newer_link_ends_the_older_one() -> None:
    arbiter = factory.make_arbiter()
    older, newer = make_link(arbiter, by=None), make_link(arbiter, by=None)
    assert owner_of(older.owner, older.token) is None
    assert owner_of(newer.owner, newer.token) == arbiter


def test_neither_somebody_elses_newer_link_nor_another_change_ends_it() -> None:
    arbiter = factory.make_arbiter()
    link = make_link(arbiter, by=None)
    make_link(factory.make_assistant(), by=None)
    update_officer(arbiter.pk, {"first_name": "Petra"}, by=None)
    assert owner_of(link.owner, link.token) == arbiter


def test_a_link_is_nobody_elses() -> None:
    link, other = make_link(factory.make_arbiter(), by=None), make_link(factory.make_assistant(), by=None)
    assert owner_of(other.owner, link.token) is None


@pytest.mark.parametrize("end", ["signing in", "a typed password", "a closed account", "a day"])
def test_what_else_ends_a_link(end: str) -> None:
    arbiter = factory.make_arbiter()
    factory.make_administrator()
    link = make_link(arbiter, by=None)
    if end == "signing in":
        User.objects.filter(pk=arbiter.pk).update(last_login="2026-01-05T19:00Z")
    elif end == "a typed password":
        set_password(arbiter, NEW, by=None)
    elif end == "a closed account":
        set_role(arbiter, ARBITER, active=False, by=None)
    with override_settings(PASSWORD_RESET_TIMEOUT=-1 if end == "a day" else 24 * 3600):
        assert owner_of(link.owner, link.token) is None


def test_a_closed_account_gets_no_link() -> None:
    arbiter = factory.make_arbiter()
    set_role(arbiter, ARBITER, active=False, by=None)
    with pytest.raises(Refused, match="open it again first"):
        make_link(arbiter, by=None)
    assert not AuditEvent.objects.filter(action="password.link-made").exists()


@pytest.mark.parametrize("bad", ["short", "123456789012", "password1234", "my-arbiter"])
def test_a_link_obeys_the_rules_of_passwords_and_stays_good(bad: str) -> None:
    arbiter = factory.make_arbiter()
    link = make_link(arbiter, by=None)
    with pytest.raises(Refused):
        set_by_link(link.owner, link.token, bad)
    arbiter.refresh_from_db()
    assert arbiter.check_password("pass-for-tests")
    assert owner_of(link.owner, link.token) == arbiter


def test_ten_characters_are_enough_and_nine_are_not() -> None:
    arbiter = factory.make_arbiter()
    with pytest.raises(Refused, match="at least 10 characters"):
        set_password(arbiter, "qWz7!xKp3", by=None)
    set_password(arbiter, "qWz7!xKp3v", by=None)
    assert arbiter.check_password("qWz7!xKp3v")


def test_the_trail_tells_of_links_and_passwords_and_holds_neither() -> None:
    arbiter, boss = factory.make_arbiter(), factory.make_administrator()
    link = make_link(arbiter, by=boss)
    set_by_link(link.owner, link.token, NEW)
    values = {event.action: event for event in AuditEvent.objects.filter(subject_key=arbiter.pk)}
    assert values["password.link-made"].actor == boss
    assert values["password.set"].actor == arbiter
    assert values["password.set"].after == {"how": "link"}
    text = str([(event.before, event.after, event.note) for event in values.values()])
    assert link.token not in text
    assert NEW not in text


def test_without_a_password_nobody_signs_in_until_a_link_was_used() -> None:
    officer = make_officer({"username": "petra"}, ARBITER, by=None)
    assert not officer.has_usable_password()
    link = make_link(officer, by=None)
    set_by_link(link.owner, link.token, NEW)
    officer.refresh_from_db()
    assert officer.check_password(NEW)


class TestAnyAddress(TestCase):
    @pytest.mark.extended
    @settings(max_examples=60, deadline=None)
    @given(owner=st.text(max_size=30), token=st.text(max_size=50))
    def test_what_nobody_made_is_nobodys_link(self, owner: str, token: str) -> None:
        assert owner_of(owner, token) is None

    @pytest.mark.extended
    @settings(max_examples=40, deadline=None)
    @given(place=st.integers(min_value=0, max_value=38), letter=st.sampled_from("0az-9"))
    def test_a_link_with_one_letter_changed_is_none(self, place: int, letter: str) -> None:
        user = User.objects.filter(username="arbiter").first() or factory.make_arbiter()
        link = make_link(user, by=None)
        changed = link.token[:place] + letter + link.token[place + 1 :]
        assert (owner_of(link.owner, changed) == user) == (changed == link.token)
