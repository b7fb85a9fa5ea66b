"""Letters about entries: confirm, and what became of it. An address gets five letters an hour about an event, so
that parents enter several children, and one an hour that asks to confirm the same.

A letter tells the state in which the request is when it is sent; one that has nothing new to say is not sent. The link
in it is made by the worker and never queued. In the club's quiet hours only the question is sent, since somebody waits
for it.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override
from django_tasks import task

from clubrating.site.notices.letters import Letter, Outcome, deliver
from players.notices.services.due import club_hours
from players.people.names import initials
from players.people.selectors import current_club, known_site
from players.privacy.rules import NOBODY, shown_name
from tournaments.models import EntryRequest
from tournaments.registrations.services.queue import place_in_list
from tournaments.registrations.services.requests import (
    LETTERS_WITHIN,
    MOST_LETTERS,
    forget_address,
    letter_not_sent,
    letter_secret,
)

MOST_TRIES = 5
FIRST_PAUSE = timedelta(minutes=1)  # then four times as long each time
_State = EntryRequest.State


@task()
def send_entry_letter(request_key: int, tries: int) -> None:
    """Send the letter that is due, later where the address had too many within the hour. An address that is gone is
    forgotten, a mail server that fails is asked again."""
    row = EntryRequest.objects.filter(pk=request_key).select_related("tournament", "player").first()
    if row is None or not settings.MAIL or not row.address or row.told == row.state:
        return
    if (free := _free_at(row)) > timezone.now():
        send_entry_letter.using(run_after=free).enqueue(request_key, tries)
        return
    before = row.letter_at, row.told
    with override(row.language or "en"):
        secret = letter_secret(row)
        letter = _letter(row, secret)
    outcome = deliver(letter)
    if outcome is Outcome.GONE:
        forget_address(row.pk)
    elif outcome is Outcome.FAILED:
        letter_not_sent(row, secret, *before)
        if tries < MOST_TRIES:
            later = timezone.now() + FIRST_PAUSE * 4 ** (tries - 1)
            send_entry_letter.using(run_after=later).enqueue(request_key, tries + 1)


def _free_at(row: EntryRequest) -> datetime:
    """When the next letter about the event may go to that address."""
    same = EntryRequest.objects.filter(tournament=row.tournament, address__iexact=row.address).exclude(letter_at=None)
    latest = same.order_by("-letter_at").values_list("letter_at", flat=True)[:MOST_LETTERS]
    last = [at for at in latest if at is not None]
    now, limits = timezone.now(), last[MOST_LETTERS - 1 :]
    if row.letter_at and row.state == _State.UNCONFIRMED:
        limits.append(row.letter_at)
    free = max((at + LETTERS_WITHIN for at in limits), default=now)
    return free if row.state == _State.UNCONFIRMED else club_hours(current_club()).allowed(max(free, now))


def _who(row: EntryRequest) -> str:
    """Of a name that was typed the initials until the address's owner has confirmed: strangers cannot send him words of
    theirs, or a link. The page behind the letter's link has the name."""
    if row.player:
        return shown_name(row.player, NOBODY)
    return (initials(row.name) or "–") if row.state == _State.UNCONFIRMED else row.name


def _letter(row: EntryRequest, secret: str) -> Letter:
    link = known_site(row.site).rstrip("/") + reverse("tournaments:own-entry", args=[row.tournament.slug, secret])
    context = {
        "row": row,
        "club": current_club(),
        "event": row.tournament.name,
        "who": _who(row),
        "place": place_in_list(row) if row.state == _State.LISTED else None,
        "link": link,
    }
    text = render_to_string("tournaments/registrations/letter.txt", context)
    sent = row.letter_at or timezone.now()
    return Letter(row.address, _subject(row), text, f"club-entry-{row.pk}-{row.state}-{sent:%Y%m%d%H%M%S}", link)


def _subject(row: EntryRequest) -> str:
    subjects = {
        _State.UNCONFIRMED: _("Confirm your entry: %(event)s"),
        _State.WAITING: _("Your entry is noted: %(event)s"),
        _State.LISTED: _("You are on the waiting list: %(event)s"),
        _State.ENTERED: _("You are entered: %(event)s"),
        _State.REFUSED: _("Your entry was refused: %(event)s"),
        _State.WITHDRAWN: _("Your entry is withdrawn: %(event)s"),
    }
    return subjects[_State(row.state)] % {"event": row.tournament.name}
