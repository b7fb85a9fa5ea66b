"""What waits to be sent: what a reader gets in an hour, what is put off, overdue or stale, what a killed worker and an
older version leave. The moment is handed to what sends."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone
from django.utils.module_loading import import_string
from django_tasks_db.models import DBTaskResult
from pytest_django import DjangoAssertNumQueries, Settings

from clubrating.site.notices.services import note_readers, requeue_notices, send_notices
from players.club.services import update_club
from players.models import AuditEvent, DueNotice, MailSubscription, Player
from players.notices.services import due
from players.notices.services.due import KEPT, LEASE, MOST_AN_HOUR, MOST_READERS, MOST_TRIES, forget_old_notices
from tests.clubrating.site.notices import news_cases
from tests.clubrating.site.notices.news_cases import (
    IMMEDIATE,
    at,
    board,
    entered,
    happens,
    listed,
    paired,
    reader,
    told,
)
from tournaments.models import Round

pytestmark = pytest.mark.django_db
cup_made, cup = news_cases.cup_made, news_cases.cup


def test_what_is_beyond_an_hours_letters_waits_and_comes_together() -> None:
    row = reader(board().white, "result new_list")
    sent = at(12) - timedelta(minutes=30)
    for number in range(MOST_AN_HOUR):
        minute = sent + timedelta(seconds=number)
        DueNotice.objects.create(mail=row, event=-number, kind="result", due_at=minute, sent_at=minute)
    tomorrow = reader(board().black, "result", daily=True)
    happens(entered, at(12))
    happens(listed, at(12))
    assert (told(at(12)), told(at(13))) == ([], ["News from Test Club"])
    assert DueNotice.objects.get(mail=tomorrow).due_at == at(8, 1), "of others nothing is put off"


def test_of_many_readers_some_are_told_and_the_next_task_tells_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    for side in (board().white, board().black):
        reader(side, "result")
    happens(entered, at(12))
    monkeypatch.setattr(due, "MOST_READERS", 1)
    for queued in (1, 0):
        DBTaskResult.objects.all().delete()
        assert (len(told(at(12))), DBTaskResult.objects.count()) == (1, queued)


def test_what_is_tried_again_later_does_not_take_the_place_of_newer() -> None:
    reader(board().white, "paired")
    for row in Round.objects.filter(stage__tournament=board().tournament, number__lte=2).order_by("number"):
        event = AuditEvent.objects.create(action="round.published", subject_kind="round", subject_key=row.pk)
        note_readers(event, at(12))
    DueNotice.objects.filter(pk=DueNotice.objects.earliest("event").pk).update(due_at=at(13))
    assert told(at(13)) == ["You are paired: Winter Cup"]
    assert "/rounds/2/" in mail.outbox[0].body


def test_what_is_stale_is_dropped_alone() -> None:
    reader(board().white, "paired")
    tomorrow = reader(board().black, "result", daily=True)
    for do in (paired, entered):
        happens(do, at(12))
    assert told(at(12)) == []
    assert [row.mail for row in DueNotice.objects.all()] == [tomorrow]


@pytest.mark.parametrize("meanwhile", ["no mail is sent", "not wanted", "the player is hidden", "unknown kind"])
def test_what_waits_is_told_only_while_it_is_wanted_and_may_be_told(settings: Settings, meanwhile: str) -> None:
    row = reader(board().white, "result new_list")
    happens(entered, at(23))
    if meanwhile == "no mail is sent":
        settings.MAIL = None
    elif meanwhile == "not wanted":
        MailSubscription.objects.filter(pk=row.pk).update(result=False)
    elif meanwhile == "unknown kind":
        MailSubscription.objects.filter(pk=row.pk).update(also=",gossip,")
        DueNotice.objects.update(kind="gossip")
    else:
        Player.objects.filter(pk=row.player_id).update(visibility="hidden")
    assert told(at(7, 1)) == []
    assert not DueNotice.objects.exists()


def test_what_is_due_and_not_sent_is_taken_and_where_it_fails_put_off_alone() -> None:
    row, hours = reader(board().white, "result"), due.club_hours(None)
    wanted = DueNotice.objects.create(mail=row, event=1, kind="result", due_at=at(12))
    DueNotice.objects.create(mail=row, event=2, kind="result", due_at=at(10), sent_at=at(10), tries=MOST_TRIES)
    DueNotice.objects.create(mail=row, event=3, kind="result", due_at=at(13))
    taken = due.take_due(at(12), hours)
    assert [each.pk for each in taken.rows] == [wanted.pk]
    tried_at = due.note_failed(taken.rows, at(12))
    assert list(DueNotice.objects.order_by("event").values_list("due_at", flat=True)) == [tried_at, at(10), at(13)]


def test_what_a_killed_worker_took_is_sent_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    reader(board().white, "result")
    happens(entered, at(12))
    with monkeypatch.context() as killed:
        killed.setattr("clubrating.site.notices.services.deliver", _killed)
        with pytest.raises(KeyboardInterrupt):
            send_notices(at(12))
    assert told(at(12)) == [], "it may be under way"
    assert told(at(12) + LEASE) == ["Your result was entered"]
    DueNotice.objects.update(sent_at=None, tries=MOST_TRIES, due_at=at(12))
    event, other = DueNotice.objects.get().event, reader(board().black, "result")
    DueNotice.objects.create(mail=other, event=event, kind="result", due_at=at(12))
    assert told(at(13)) == ["Your result was entered"]
    assert DueNotice.objects.get().mail == other, "the first was given up"


def _killed(_letter: Any) -> None:
    raise KeyboardInterrupt


def test_what_is_overdue_is_queued_again_and_what_was_sent_forgotten() -> None:
    row = reader(board().white, "result")
    now = timezone.now()
    DueNotice.objects.create(mail=row, event=1, kind="result", due_at=now - LEASE - timedelta(minutes=1))
    DueNotice.objects.create(mail=row, event=2, kind="result", due_at=now, sent_at=now - KEPT - timedelta(minutes=1))
    DueNotice.objects.create(mail=row, event=4, kind="result", due_at=now, sent_at=now - KEPT + timedelta(minutes=9))
    before = DBTaskResult.objects.count()
    assert (requeue_notices(), forget_old_notices()) == (1, 1)
    assert DBTaskResult.objects.count() == before + 1
    DueNotice.objects.update(sent_at=now)
    DueNotice.objects.create(mail=row, event=3, kind="result", due_at=now)
    assert requeue_notices() == 0, "the one was sent, the other is not late"


def test_what_an_older_version_queued_is_sent_once_after_the_upgrade(settings: Settings) -> None:
    settings.TASKS = IMMEDIATE
    update_club({"quiet_from": 0, "quiet_until": 0}, by=None)
    entered()
    paired()  # the line of the result is not the newest any more
    MailSubscription.objects.filter(pk=reader(board().white, "result").pk).update(address="other@example.org")
    row, event = (
        reader(board().white, "result"),
        AuditEvent.objects.get(action="result.recorded", subject_key=board().pk),
    )
    knows = reader(board().black, "result")
    MailSubscription.objects.filter(pk=knows.pk).update(last_event=event.pk)
    send, send_letter = (import_string(f"clubrating.site.notices.services.{name}") for name in ("send", "send_letter"))
    for key, about in (
        (knows.pk, event.pk),
        (row.pk, event.pk),
        (row.pk, event.pk),
        (row.pk, None),
        (0, event.pk),
        (row.pk, 0),
    ):
        send_letter.enqueue(key, about, 1)
    send.enqueue(0, event.pk, 1)
    assert [letter.subject for letter in mail.outbox] == ["Your result was entered", "Your letters from Test Club"]


def test_queries_do_not_grow_with_readers(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    people = list(Player.objects.all())
    counts = []
    for copies in (1, 3):
        MailSubscription.objects.all().delete()
        for number in range(copies):
            for player in people:
                row = reader(player, "paired")
                MailSubscription.objects.filter(pk=row.pk).update(address=f"{number}-{player.pk}@example.org")
        paired()
        with django_assert_max_num_queries(100) as noted:
            note_readers(AuditEvent.objects.order_by("pk").last(), at(12))  # type: ignore[arg-type]
        with django_assert_max_num_queries(100) as sent:
            assert len(told(at(12))) == copies * len(people) <= MOST_READERS
        counts.append((len(noted), len(sent) - copies * len(people)))
    assert counts[0] == counts[1], "but for the note of each letter"
