"""Which parts of the desk are whose."""

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction

from clubrating.site.dashboard.selectors import Dashboard, dashboard_of
from players.officers.roles import ARBITER, ASSISTANT, RATING_OFFICER, ROLES
from tests import desk_scene, factory
from tournaments.models import Entry
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db
# Rounds to enter, results doubted, mistakes on pages, lists due, one's own last step, backups, names that are closed.
# An administrator has them all.
WHOSE = {
    ASSISTANT: ("waiting",),
    ARBITER: ("waiting", "reports", "mistakes", "last"),
    RATING_OFFICER: ("reports", "mistakes", "lists"),
}


def officer_in(role: str) -> User:
    return factory.make_officer(role, "somebody") if role in WHOSE else factory.make_administrator("somebody")


def test_each_part_of_the_desk_is_shown_to_whom_it_belongs(world: None) -> None:
    desk_scene.build()
    entry = Entry.objects.filter(tournament__name="Open").order_by("pk")[0]
    AccessAttempt.objects.create(username="founder", failures_since_start=settings.AXES_FAILURE_LIMIT)
    everything = ("waiting", "reports", "mistakes", "last", "lists", "shows_backup", "locked")
    for role in ROLES:
        with transaction.atomic():
            user = officer_in(role)
            withdraw_entry(entry.pk, by=user)
            shown = dashboard_of(user, factory.today())
            parts = tuple(part for part in everything if getattr(shown, part))
            assert parts == WHOSE.get(role, everything), role
            transaction.set_rollback(True)
    assert dashboard_of(AnonymousUser(), factory.today()) == Dashboard()
