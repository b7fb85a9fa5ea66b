"""What readers are still to be told, and when: one `DueNotice` for a reader and a line of the trail.

A worker takes what is due of a reader at once (`take_due`), sends it as one, and notes it. Taken, it is due again after
`LEASE`: so what a killed worker left is sent by another, and only what it had sent without noting it is sent twice.
What is not taken by a mail server or a push service is tried again after growing waits, then given up.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone

from players.links.services.personal_links import speaks, whose
from players.links.services.secret_links import holds
from players.models import Club, DueNotice, LinkDevice, MailSubscription, Subscription
from players.notices.hours import Hours
from players.notices.services.readers import wanting
from players.people.selectors import records_of

Reader = Subscription | MailSubscription
MOST_TRIES = 5
FIRST_PAUSE = timedelta(minutes=1)  # then four times as long each time
LEASE = timedelta(minutes=15)
MOST_READERS = 20  # taken together
MOST_AN_HOUR = 12  # letters, or notices of a browser; what is beyond waits and is told together
HOUR = timedelta(hours=1)
KEPT = timedelta(days=3)  # a line that is told again within that time is left out


def club_hours(club: Club | None) -> Hours:
    """The club's quiet hours, and the hour of daily letters."""
    if club is None:
        return Hours(ZoneInfo("UTC"), 0, 0, 0)
    return Hours(ZoneInfo(club.time_zone), club.quiet_from, club.quiet_until, club.letters_at)


def queue_notices(event: int, kind: str, readers: Iterable[Reader], now: datetime, hours: Hours) -> set[datetime]:
    """Note that those readers are to be told of that line; the moments at which that is due. Whoever is to be told of
    it already, as of another kind, stays as noted. One query."""
    rows = []
    for reader in readers:
        daily = isinstance(reader, MailSubscription) and reader.daily
        due = hours.daily(now) if daily else hours.allowed(now)
        rows.append(DueNotice(**_of(reader), event=event, kind=kind, due_at=due))
    DueNotice.objects.bulk_create(rows, ignore_conflicts=True)
    return {row.due_at for row in rows}


def _of(reader: Reader) -> dict[str, Reader]:
    return {"mail" if isinstance(reader, MailSubscription) else "browser": reader}


def readers_of(kind: str, players: Collection[int], *, push: bool, mail: bool) -> list[Reader]:
    """The browsers and the confirmed addresses that want that kind of news about those players. A query each, and those
    of `records_of`."""
    about = wanting(kind) & Q(player__in=list(records_of(players)))
    found: list[Reader] = []
    if push:
        found += Subscription.objects.filter(about).select_related("player").order_by("pk")
    if mail:
        confirmed = MailSubscription.objects.filter(about, confirmed_at__isnull=False)
        found += confirmed.select_related("player").order_by("pk")
    return found


def shown_to_be(readers: Iterable[Reader]) -> list[Reader]:
    """Those of them whose device a personal link, which holds, made known as the player's. Two queries at most."""
    asked = [reader for reader in readers if reader.device]
    if not asked or not Club.objects.filter(personal_links=True).exists():
        return []
    rows = LinkDevice.objects.filter(holds("link__"), digest__in={reader.device for reader in asked})
    joined = rows.select_related("link__player__merged_into")
    known = {(row.digest, whose(row.link).pk) for row in joined if speaks(row.link)}
    return [reader for reader in asked if (reader.device, reader.player.kept.pk) in known]


@dataclass(frozen=True, slots=True)
class Taken:
    """What is due of some readers, the earliest first; `is_all`: of all readers of whom something is due; `later`: when
    what has to wait is due."""

    rows: tuple[DueNotice, ...] = ()
    is_all: bool = True
    later: datetime | None = None


@transaction.atomic
def take_due(now: datetime, hours: Hours) -> Taken:
    """Take everything that is due of up to MOST_READERS readers; in quiet hours nothing, and it is due in the morning.
    Of whoever had MOST_AN_HOUR within the hour it is due an hour later; what was taken too often is given up. Seven
    queries at most."""
    due = DueNotice.objects.filter(due_at__lte=now, sent_at=None)
    due.filter(tries__gte=MOST_TRIES).delete()
    if hours.is_quiet(now):
        morning = hours.allowed(now)
        return Taken(later=morning if due.update(due_at=morning) else None)
    readers = list(due.order_by().values_list("browser", "mail").distinct()[: MOST_READERS + 1])
    if not readers:
        return Taken()
    browsers, addresses = ({row[place] for row in readers[:MOST_READERS]} - {None} for place in (0, 1))
    theirs = Q(browser__in=browsers) | Q(mail__in=addresses)
    rows = list(DueNotice.objects.select_for_update().filter(theirs, due_at__lte=now, sent_at=None))
    busy = _busy(theirs, now)
    waiting = [row.pk for row in rows if (row.browser_id, row.mail_id) in busy]
    later = now + HOUR if waiting else None
    DueNotice.objects.filter(pk__in=waiting).update(due_at=now + HOUR)
    taken = [row for row in rows if row.pk not in set(waiting)]
    DueNotice.objects.filter(pk__in=[row.pk for row in taken]).update(due_at=now + LEASE, tries=F("tries") + 1)
    return Taken(tuple(taken), len(readers) <= MOST_READERS, later)


def _busy(theirs: Q, now: datetime) -> set[tuple[int | None, int | None]]:
    sent = DueNotice.objects.filter(theirs, sent_at__gt=now - HOUR).order_by().values_list("browser", "mail")
    counted = sent.annotate(times=Count("sent_at", distinct=True)).filter(times__gte=MOST_AN_HOUR)
    return {(browser, mail) for browser, mail, _times in counted}


def note_sent(rows: Iterable[DueNotice], now: datetime) -> None:
    """They were told, together."""
    DueNotice.objects.filter(pk__in=[row.pk for row in rows]).update(sent_at=now)


@transaction.atomic
def note_failed(rows: Iterable[DueNotice], now: datetime) -> datetime | None:
    """They were not taken: when they are tried again, None where all are given up. `rows` as they were taken."""
    left = {row.pk: row.tries for row in rows if row.tries + 1 < MOST_TRIES}
    drop([row.pk for row in rows if row.pk not in left])
    if not left:
        return None
    due: datetime = now + FIRST_PAUSE * 4 ** min(left.values())
    DueNotice.objects.filter(pk__in=left).update(due_at=due)
    return due


def drop(keys: Collection[int]) -> None:
    """They are no news any more, or cannot be told."""
    if keys:
        DueNotice.objects.filter(pk__in=keys).delete()


def forget_old_notices() -> int:
    """Delete what was sent days ago; how many."""
    return DueNotice.objects.filter(sent_at__lt=timezone.now() - KEPT).delete()[0]


def is_something_overdue() -> bool:
    """Whether something has waited longer than a worker would let it: its task is lost."""
    return DueNotice.objects.filter(sent_at=None, due_at__lt=timezone.now() - LEASE).exists()
