"""Seasons: a table over several events. One writer; the table itself is computed when it is shown."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from players.people.names import slug_part
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.models import Season, Tournament
from tournaments.standings.seasons import Scoring

FIELDS = ("name", "slug", "first_day", "last_day", "scoring", "place_points", "best", "tie")
MOST_EVENTS = 60


@transaction.atomic
def save_season(
    key: int | None, facts: Mapping[str, Any], events: Iterable[int], *, by: User | None, revision: int | None = None
) -> Season:
    """Make a season, or change the one with that key: its facts (of `FIELDS`) and the events it is over, by key.
    Raises Refused, or Stale where somebody else changed it since that `revision`."""
    if key is None:
        lock_lists()  # so that two seasons made at once do not take the same address
    row = Season() if key is None else Season.objects.select_for_update().get(pk=key)
    if revision is not None and revision != row.revision:
        raise Stale(_("Somebody else changed this season meanwhile."))
    before = _audited(row) if key is not None else {}
    for name, value in facts.items():
        setattr(row, name, value)
    row.slug = row.slug or _free_slug(row.name)
    row.revision += 1
    wanted = _events(events)
    _check(row)
    row.save()
    row.events.set(wanted)
    after = _audited(row)
    if before != after:
        write_audit("season.made" if key is None else "season.changed", row, by=by, before=before, after=after)
    return row


@transaction.atomic
def delete_season(key: int, *, by: User | None) -> None:
    """Take a season away; its events stay as they are."""
    row = Season.objects.select_for_update().get(pk=key)
    write_audit("season.deleted", row, by=by, before=_audited(row))
    row.delete()


def _free_slug(name: str) -> str:
    """An address for that name that no season has yet."""
    base = slug_part(name) or "season"
    taken = set(Season.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    slug, number = base, 2
    while slug in taken:
        slug, number = f"{base}-{number}", number + 1
    return slug


def _events(keys: Iterable[int]) -> list[Tournament]:
    found = list(Tournament.objects.filter(pk__in=list(keys)))
    if len(found) > MOST_EVENTS:
        raise Refused(_("A season is over %(count)s events at most.") % {"count": MOST_EVENTS})
    endless = next((event for event in found if event.open_ended), None)
    if endless is not None:
        raise Refused(_("“%(name)s” has no end, so it has no places.") % {"name": endless.name})
    return found


def _check(row: Season) -> None:
    """Raises Refused."""
    if row.scoring == Scoring.PLACES and not row.place_points.strip():
        raise Refused(_("Say how many points each place brings."))
    try:
        row.full_clean()
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from None


def _audited(row: Season) -> dict[str, Any]:
    """What the trail keeps of a season."""
    days = {name: getattr(row, name).isoformat() if getattr(row, name) else "" for name in ("first_day", "last_day")}
    rest = {name: getattr(row, name) for name in FIELDS if name not in days}
    return {**rest, **days, "events": sorted(row.events.values_list("pk", flat=True))}
