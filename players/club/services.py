"""The club's own settings: set-up, changes, and the members' pass-phrase."""

import re
import zoneinfo
from functools import cache
from typing import Any

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Club
from players.people.names import MAX_NAME, clean_name
from players.people.services import usable_name
from players.refusals import Refused, Stale
from players.trail.services import write_audit

EDITABLE = (
    *("name", "time_zone", "default_visibility", "importance_scale", "personal_links"),
    *("quiet_from", "quiet_until", "letters_at"),
)
Scale = tuple[tuple[str, float], ...]  # what events are called, and their factor on K
LOWEST, HIGHEST, MOST_STEPS = 0.01, 100, 20
_STEP = re.compile(r"(.*?)[\s:=×]+(\d+(?:[.,]\d+)?)")


@cache
def time_zones() -> frozenset[str]:
    """The names the machine knows: it looks through all its files for them, so it is asked once."""
    return frozenset(zoneinfo.available_timezones())


def check_time_zone(name: str) -> str:
    """The zone's name. Raises Refused for one the machine does not know."""
    if name not in time_zones():
        raise Refused(_("“%(zone)s” is no time zone: write a name like Europe/Berlin.") % {"zone": name})
    return name


def importance_scale(text: str) -> Scale:
    """The club's scale of the importance of events, from its text; the usual one where that is empty. Raises Refused
    for a line that is no name with a factor, and for a name that stands twice."""
    found: dict[str, float] = {}
    for line in filter(None, map(clean_name, text.splitlines())):
        step = _STEP.fullmatch(line)
        factor = float(step[2].replace(",", ".")) if step else 0.0
        if step is None or not step[1] or not LOWEST <= factor <= HIGHEST or step[1] in found:
            refusal = _("“%(line)s”: write a name of its own and a factor from 0.01 to 100, like “Championship 1.5”.")
            raise Refused(refusal % {"line": line})
        found[step[1]] = factor
    if len(found) > MOST_STEPS:
        raise Refused(_("A scale of more than %(most)s steps is too long: leave some out.") % {"most": MOST_STEPS})
    usual = ((_("Friendly game"), 0.5), (_("Club evening"), 1.0), (_("League"), 1.25), (_("Championship"), 1.5))
    return tuple(found.items()) or usual


def scale_of(club: Club | None) -> Scale:
    """The scale of a club for a page; none where its text cannot be read any more."""
    try:
        return importance_scale(club.importance_scale if club else "")
    except Refused:
        return ()


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
    importance_scale(club.importance_scale)
    if not all(0 <= hour < 24 for hour in (club.quiet_from, club.quiet_until, club.letters_at)):
        raise Refused(_("Hours are whole numbers from 0 to 23."))
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
