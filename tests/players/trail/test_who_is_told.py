"""A line of the trail queues what readers and other programs are told of it, and says where the change came from."""

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from players.models import Club, MailSubscription, Webhook
from players.trail.services import acting_from, origin, write_audit
from tests import factory

pytestmark = pytest.mark.django_db
READERS, PROGRAMS = "clubrating.site.notices.services.tell", "clubrating.site.programs.services.tell_programs"


@pytest.mark.parametrize(
    ("action", "told"),
    [
        *((action, [READERS, PROGRAMS]) for action in ("result.recorded", "round.paired", "list.published")),
        *((action, [READERS]) for action in ("result.claimed", "entry-request.refused", "challenge.made")),
        *((action, [PROGRAMS]) for action in ("result.corrected", "game.removed", "game.inserted")),
        ("club.changed", []),
    ],
)
def test_readers_and_programs_are_told_of_what_they_may_know(
    club: Club, settings: Settings, action: str, told: list[str]
) -> None:
    settings.TASKS, settings.MAIL, now = factory.QUEUE, factory.MAIL, timezone.now()
    [ada] = factory.make_players(1)
    values = {"language": "en", "site": "http://club.example/", "asked_at": now, "confirmed_at": now}
    MailSubscription.objects.create(player=ada, address="a@example.org", key="k", **values)
    Webhook.objects.create(name="Site", url="https://a.example/")
    write_audit(action, ada, by=None)
    assert sorted(row.task_path for row in DBTaskResult.objects.all()) == sorted(told)
    Webhook.objects.update(active=False)
    write_audit(action, ada, by=None)
    assert DBTaskResult.objects.filter(task_path=PROGRAMS).count() == told.count(PROGRAMS), "that is off"


def test_what_acts_within_something_else_gives_the_place_back() -> None:
    with acting_from("outer"):
        with acting_from("inner"):
            assert origin() == "inner"
        assert origin() == "outer"
