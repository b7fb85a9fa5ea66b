"""Notices to browsers and by e-mail, in the background: who is to be told of a line of the trail, and telling them.

`write_audit` queues `tell` with the fact; it notes whom which kind of news concerns (`clubrating.site.notices.kinds`),
and when each may be told (`players.notices.hours`). `send_due` then takes what is due, reader by reader, looks at the
facts again, drops what is no news any more, and sends: to a browser each piece of news by itself, one a `tag`; to an
address all of it in one letter. A mail program shows a letter that comes twice once (its `Message-ID`).
"""

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import prefetch_related_objects
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import override
from django_tasks import task

from clubrating.site.notices.kinds import KIND_OF, KINDS
from clubrating.site.notices.letters import Letter, Outcome, deliver
from players.jobs.services import BEHIND
from players.models import AuditEvent, Club, DueNotice, MailSubscription, Player, Subscription
from players.notices.kinds import Kind, News, Say
from players.notices.services.due import (
    FIRST_PAUSE,
    MOST_TRIES,
    Reader,
    club_hours,
    drop,
    is_something_overdue,
    note_failed,
    note_sent,
    queue_notices,
    readers_of,
    shown_to_be,
    take_due,
)
from players.notices.services.readers import COLUMNS, kind_link, kinds_of, note_reached, stop_mail, unsubscribe
from players.people.selectors import current_club, known_site
from players.privacy.rules import NOBODY, sees_page, shown_name

GONE = (404, 410)

_log = logging.getLogger(__name__)


# --- who is to be told ------------------------------------------------------------------------------------------------
@task(priority=BEHIND)
def tell(event_key: int) -> None:
    """Note every browser and every address that is to be told of that line of the trail."""
    event = AuditEvent.objects.filter(pk=event_key).first()
    if event is None:
        return
    try:
        note_readers(event, timezone.now())
    except IntegrityError:  # a reader left between the question who they are and the end of the transaction
        note_readers(event, timezone.now())


@transaction.atomic
def note_readers(event: AuditEvent, now: datetime) -> None:
    """The same at that moment. The number of queries does not grow with the readers."""
    hours, moments = club_hours(current_club()), set[datetime]()
    now = now.astimezone(hours.zone)
    for kind in (kind for kind in KINDS if event.action in kind.actions):
        if told := kind.told(event, None, now):
            moments |= queue_notices(event.pk, kind.key, _readers(kind, event, told), now, hours)
    for moment in sorted(moments):
        _send_at(moment, now)


def _readers(kind: Kind, event: AuditEvent, players: Iterable[int]) -> list[Reader]:
    found = readers_of(kind.key, list(players), push=bool(settings.PUSH_KEY), mail=bool(settings.MAIL))
    found = shown_to_be(found) if kind.is_private else found
    known = kind.own_letter(event).casefold() if kind.own_letter else ""
    return [row for row in found if isinstance(row, Subscription) or row.address.casefold() != known]


def _send_at(moment: datetime, now: datetime) -> None:
    (send_due.using(run_after=moment) if moment > now else send_due).enqueue()


# --- telling them -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Item:
    """A notice that is due, and what is said."""

    row: DueNotice
    say: Say


@task(priority=BEHIND)
def send_due() -> None:
    """Tell some readers all that is due, and queue the rest."""
    send_notices(timezone.now())


def send_notices(now: datetime) -> None:
    """The same at that moment: three queries for each kind of news and line of the trail at most, and one a reader."""
    club = current_club()
    hours = club_hours(club)
    now = now.astimezone(hours.zone)
    taken = take_due(now, hours)
    if taken.later is not None:
        _send_at(taken.later, now)
    if not taken.is_all:
        send_due.enqueue()
    rows = list(taken.rows)
    prefetch_related_objects(rows, "browser__player__merged_into", "mail__player__merged_into")
    _forget_hidden(rows)
    items = _items(rows, now)
    drop([row.pk for row in rows if row.pk not in items])
    for reader, own in _by_reader(rows, items):
        try:
            if isinstance(reader, MailSubscription):
                _mail(reader, own, club, now)
            else:
                _push(reader, own, now)
        except Exception:  # what is wrong with one reader keeps nothing from the others
            _log.exception("A notice broke off: it is due again when nobody has it any more.")


def requeue_notices() -> int:
    """Have sent what a stopped worker left; how many tasks were queued for it."""
    if not is_something_overdue():
        return 0
    send_due.enqueue()
    return 1


def _forget_hidden(rows: Iterable[DueNotice]) -> None:
    """Browsers of whoever has no public page any more; an address is written to again when there is one."""
    for browser in {row.browser for row in rows if row.browser and not sees_page(_player(row), NOBODY)}:
        unsubscribe(browser.endpoint)


def _items(rows: Sequence[DueNotice], now: datetime) -> dict[int, Item]:
    """What there is to say, by the key of its notice: of news that are still wanted, about people with a page."""
    events = AuditEvent.objects.in_bulk({row.event for row in rows})
    wanted = [row for row in rows if row.event in events and _is_wanted(row)]
    shown = shown_to_be(_reader(row) for row in wanted if KIND_OF[row.kind].is_private)
    players = {_player(row).pk for row in wanted}
    told = {
        (kind, event): KIND_OF[kind].told(events[event], players, now)
        for kind, event in {(row.kind, row.event): None for row in wanted}
    }
    found = {}
    for row in wanted:
        say = told[row.kind, row.event].get(_player(row).pk)
        if say is not None and (not KIND_OF[row.kind].is_private or _reader(row) in shown):
            found[row.pk] = Item(row, say)
    return found


def _is_wanted(row: DueNotice) -> bool:
    is_on = bool(settings.MAIL if row.mail else settings.PUSH_KEY)
    is_known = row.kind in KIND_OF and row.kind in kinds_of(_reader(row))
    return is_on and is_known and sees_page(_player(row), NOBODY)


def _reader(row: DueNotice) -> Reader:
    reader = row.mail or row.browser
    assert reader is not None  # a constraint of the table
    return reader


def _player(row: DueNotice) -> Player:
    return _reader(row).player.kept


def _by_reader(rows: Iterable[DueNotice], items: dict[int, Item]) -> list[tuple[Reader, list[Item]]]:
    found: dict[tuple[int | None, int | None], tuple[Reader, list[Item]]] = {}
    for row in rows:
        if row.pk in items:
            found.setdefault((row.browser_id, row.mail_id), (_reader(row), []))[1].append(items[row.pk])
    return list(found.values())


def _said(items: Sequence[Item]) -> dict[str, tuple[News, list[DueNotice]]]:
    """What is said in the language that is on, by tag: of one tag the last that happened, with the notices that it
    settles."""
    said: dict[str, tuple[News, list[DueNotice]]] = {}
    for item in sorted(items, key=lambda each: each.row.event):  # what is tried again is due later than what is newer
        news = item.say()
        _earlier, rows = said.pop(news.tag, (news, []))
        said[news.tag] = news, [*rows, item.row]
    return said


def _try_again(rows: Sequence[DueNotice], now: datetime) -> None:
    if (due := note_failed(rows, now)) is not None:
        _send_at(due, now)


# --- browsers ---------------------------------------------------------------------------------------------------------
def _push(reader: Subscription, items: Sequence[Item], now: datetime) -> None:
    """Each piece of news by itself. A browser that is gone is forgotten; a push service that fails is asked again."""
    with override(reader.language):
        said = _said(items)
    for tag, (news, rows) in said.items():
        content = {"title": news.title, "body": news.body, "url": news.path, "tag": f"club-{tag}"}
        status = import_string(settings.PUSH_SENDER)(
            *(reader.endpoint, reader.p256dh, reader.auth, json.dumps(content).encode(), f"club-{tag}"),
            key=settings.PUSH_KEY,
            contact=settings.PUSH_CONTACT,
        )
        if status in GONE:
            unsubscribe(reader.endpoint)
            return
        if 200 <= status < 300:
            note_reached(reader)
            note_sent(rows, now)
        elif status == 0 or status == 429 or status >= 500:
            _try_again(rows, now)
        else:
            drop([row.pk for row in rows])


# --- letters ----------------------------------------------------------------------------------------------------------
def _mail(reader: MailSubscription, items: Sequence[Item], club: Club | None, now: datetime) -> None:
    """All of it in one letter. An address that is gone is forgotten; a mail server that fails is asked again."""
    with override(reader.language):
        letter = _news(reader, items, club)
    outcome, rows = deliver(letter), [item.row for item in items]
    if outcome is Outcome.GONE:
        stop_mail(reader)
    elif outcome is Outcome.FAILED:
        _try_again(rows, now)
    else:
        note_sent(rows, now)


def _news(reader: MailSubscription, items: Sequence[Item], club: Club | None) -> Letter:
    said = [news for news, _rows in _said(items).values()]
    pages = [{"title": news.title, "body": news.body, "page": _whole(reader, news.path)} for news in said]
    wanted = {item.row.kind for item in items}
    links = [
        {"words": kind.words, "link": _whole(reader, reverse("mail-kind", args=[kind_link(reader, kind.key)]))}
        for kind in KINDS
        if kind.key in wanted
    ]
    subject = said[0].title if len(said) == 1 else _("News from %(club)s") % {"club": club}
    events = sorted({item.row.event for item in items})
    name = "-".join(map(str, events[:1] + events[1:][-1:]))
    return _letter(reader, subject, "mine/letter.txt", {"club": club, "pages": pages, "kinds": links}, name)


@task(priority=BEHIND)
def ask_reader(subscription_key: int, tries: int) -> None:
    """Send the one letter that asks whether letters are wanted, at once: its reader waits for it."""
    row = MailSubscription.objects.filter(pk=subscription_key).select_related("player__merged_into").first()
    if row is None or not settings.MAIL or not sees_page(row.player.kept, NOBODY):
        return
    with override(row.language):
        letter = _question(row)
    outcome = deliver(letter)
    if outcome is Outcome.GONE:
        stop_mail(row)
    elif outcome is Outcome.FAILED and tries < MOST_TRIES:
        later = timezone.now() + FIRST_PAUSE * 4 ** (tries - 1)
        ask_reader.using(run_after=later).enqueue(subscription_key, tries + 1)


def _question(row: MailSubscription) -> Letter:
    """Whether the owner of the address wants letters, or, where that is confirmed, where they are changed."""
    subject = _("Confirm: letters from %(club)s") if row.confirmed_at is None else _("Your letters from %(club)s")
    context: dict[str, object] = {"club": current_club()}
    return _letter(row, subject % context, "mine/ask_letter.txt", context, f"ask-{row.asked_at:%Y%m%d%H%M}")


def _letter(row: MailSubscription, subject: str, template: str, context: dict[str, object], name: str) -> Letter:
    link = _whole(row, reverse("mail-link", args=[row.key]))
    shown = shown_name(row.player.kept, NOBODY)
    text = render_to_string(template, {"row": row, "name": shown, "link": link, **context})
    return Letter(row.address, subject, text, f"club-{row.pk}-{name}", link)


def _whole(row: MailSubscription, path: str) -> str:
    return known_site(row.site).rstrip("/") + path


# --- queued by an older version ---------------------------------------------------------------------------------------
@task(priority=BEHIND)
def send(subscription_key: int, event_key: int, tries: int) -> None:
    """A notice for one browser, noted and sent like all others."""
    _take_over(Subscription.objects.filter(pk=subscription_key), event_key)


@task(priority=BEHIND)
def send_letter(subscription_key: int, event_key: int | None, tries: int) -> None:
    """The same for one address; None: the question whether letters are wanted."""
    if event_key is None:
        ask_reader.enqueue(subscription_key, tries)
    else:
        _take_over(MailSubscription.objects.filter(pk=subscription_key).exclude(last_event=event_key), event_key)


def _take_over(readers: Iterable[Reader], event_key: int) -> None:
    event, now = AuditEvent.objects.filter(pk=event_key).first(), timezone.now()
    for kind in (kind for kind in KINDS if event and event.action in kind.actions and kind.key in COLUMNS):
        for moment in queue_notices(event_key, kind.key, readers, now, club_hours(current_club())):
            _send_at(moment, now)
