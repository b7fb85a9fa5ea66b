"""Check-in at the door: who of an event is there on a day. A fact of its own: it neither pairs nor withdraws anybody.

The sheet of the next round begins with it (`tournaments.rounds.admin.next_round`), the sentinel and the checklist read it.
"""

from collections.abc import Mapping
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.trail.services import write_audit
from players.refusals import Refused
from tournaments.models import CheckIn, Entry, Tournament
from tournaments.results.services.results import EARLIEST_DAY

Seen = Mapping[int, bool | None]  # by the entry's key: here, not here, or not known any more


@transaction.atomic
def check_in(tournament: Tournament, seen: Seen, *, on: date, by: User | None) -> int:
    """Note who was seen at the door on a day; whoever is not in `seen` stays as he is. How many changed. Raises Refused
    for a day to come, an event that is over, and for somebody who is not entered or has left."""
    event = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    if event.closed:
        raise Refused(_("The event is over: nobody is awaited any more."))
    if not EARLIEST_DAY <= on <= timezone.localdate():
        raise Refused(_("%(day)s cannot be checked in: choose today or a day before.") % {"day": on})
    awaited = set(Entry.objects.filter(tournament=event, withdrawn=False).values_list("pk", flat=True))
    if not awaited.issuperset(seen):
        raise Refused(_("Somebody on this list left the event meanwhile, or never was in it: look at the list again."))
    before = dict(CheckIn.objects.filter(entry__in=seen, on=on).values_list("entry", "here"))
    changed = {key: value for key, value in seen.items() if before.get(key) != value}
    if changed:
        _write(changed, on, by)
        told = {"on": on.isoformat()}
        was = {**told, "here": {str(key): before.get(key) for key in changed}}
        now = {**told, "here": {str(key): value for key, value in changed.items()}}
        write_audit("entries.checked-in", event, by=by, before=was, after=now)
    return len(changed)


def _write(changed: Seen, on: date, by: User | None) -> None:
    CheckIn.objects.filter(entry__in=[key for key, value in changed.items() if value is None], on=on).delete()
    CheckIn.objects.bulk_create(
        [
            CheckIn(entry_id=key, on=on, here=value, by=by, at=timezone.now())
            for key, value in changed.items()
            if value is not None
        ],
        update_conflicts=True,
        unique_fields=["entry", "on"],
        update_fields=["here", "by", "at"],
    )
