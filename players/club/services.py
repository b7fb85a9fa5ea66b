"""The club's own settings: set-up, changes, and the members' pass-phrase."""

import zoneinfo
from typing import Any

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Club
from players.people.names import MAX_NAME
from players.people.services import usable_name
from players.refusals import Refused, Stale
from players.trail.services import write_audit

EDITABLE = ("name", "time_zone", "default_visibility")


def check_time_zone(name: str) -> str:
    """The zone's name. Raises Refused for one the machine does not know."""
    if name not in zoneinfo.available_timezones():
        raise Refused(_("“%(zone)s” is no time zone: write a name like Europe/Berlin.") % {"zone": name})
    return name


def _check_name(name: str) -> str:
    return usable_name(
        name,
        most=MAX_NAME,
        if_empty=_("The club needs a name."),
        if_long=_("The club’s name is longer than %(most)s characters: shorten it."),
    )


@transaction.atomic
def found_club(*, name: str, time_zone: str, by: User | None = None) -> Club:
    """Make the club's row. Raises Refused where there is one, or the name or the time zone cannot be used."""
    if Club.objects.exists():
        raise Refused(_("The club is set up already: change it in the administration."))
    club = Club.objects.create(name=_check_name(name), time_zone=check_time_zone(time_zone))
    write_audit("club.founded", club, by=by, after={"name": club.name, "time_zone": club.time_zone})
    return club


@transaction.atomic
def update_club(changes: dict[str, Any], *, by: User | None, revision: int | None = None) -> Club:
    """Change the club's settings. A new `pass_phrase` ends every member's session; an empty one ends
    members' access. Raises Stale, or Refused for an unknown time zone."""
    club = Club.objects.select_for_update(no_key=True).get()
    if revision is not None and club.revision != revision:
        raise Stale(_("Somebody else changed the club's settings meanwhile: look again, then change them."))
    before = {field: getattr(club, field) for field in EDITABLE}
    for field in EDITABLE:
        setattr(club, field, changes.get(field, before[field]))
    club.name = _check_name(club.name)
    check_time_zone(club.time_zone)
    phrase = changes.get("pass_phrase")
    if phrase is not None:
        club.pass_phrase = make_password(phrase) if phrase else ""
        club.pass_phrase_version += 1
    club.revision += 1
    club.save()
    after = {field: getattr(club, field) for field in EDITABLE}
    write_audit("club.changed", club, by=by, before=before, after={**after, "pass_phrase_changed": phrase is not None})
    return club


def is_pass_phrase(club: Club, phrase: str) -> bool:
    """Whether that is the members' pass-phrase. Without one nobody gets in."""
    return bool(club.pass_phrase) and check_password(phrase, club.pass_phrase)
