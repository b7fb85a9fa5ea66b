"""Guardians of minors: recorded, replaced, deleted when the minor is of age. For officers only; never exported.

A consent to the full name that is withdrawn takes effect at once. Not done: sending anything to a guardian.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import Guardian, PersonalLink, Player, Visibility
from players.people.names import clean_name
from players.people.services import update_player, usable_name
from players.privacy.rules import MINOR_UNTIL_AGE, has_consent, is_minor
from players.refusals import Refused
from players.trail.services import write_audit

MOST_GUARDIANS = 4
_LONGEST_NAME, _LONGEST_CONTACT = 100, 200


@dataclass(frozen=True, slots=True)
class NewGuardian:
    """Somebody who speaks for a minor. A consent needs the day on which it was given."""

    name: str
    contact: str = ""
    allows_name: bool = False
    told_on: date | None = None


@transaction.atomic
def set_guardians(player_key: int, guardians: Sequence[NewGuardian], *, by: User | None) -> None:
    """Give a minor (by key) these guardians in place of all he had; without a consent among them a public name
    becomes initials at once.

    The audit event says how many there are and whether the name is allowed, not who they are. Raises Refused for
    somebody of age, for a name that is none, and for a consent without its day.
    """
    player = Player.objects.select_for_update(no_key=True).get(pk=player_key)
    wanted = [_checked(guardian) for guardian in guardians]
    if wanted and not is_minor(player.birth_year, timezone.localdate()):
        raise Refused(_("Guardians are kept of minors only: write the year of birth first."))
    if len(wanted) > MOST_GUARDIANS:
        raise Refused(_("More than %(most)s guardians: leave some out.") % {"most": MOST_GUARDIANS})
    before = [NewGuardian(*values) for values in player.guardians.values_list(*NewGuardian.__dataclass_fields__)]
    if before == wanted:
        return
    player.guardians.all().delete()
    Guardian.objects.bulk_create(Guardian(player=player, **asdict(one)) for one in wanted)
    write_audit("player.guardians", player, by=by, before=_figures(before), after=_figures(wanted))
    if player.visibility == Visibility.PUBLIC and any(one.allows_name for one in before) and not has_consent(player):
        update_player(player.pk, {"visibility": Visibility.INITIALS}, by=by)


def of_age_now(today: date) -> QuerySet[Player]:
    """Those whose guardians are still kept though they are of age for certain."""
    born = today.year - MINOR_UNTIL_AGE - 1
    return Player.objects.filter(guardians__isnull=False, birth_year__lte=born).distinct().order_by("number")


@transaction.atomic
def forget_guardians(today: date, *, by: User | None = None) -> int:
    """Delete the guardians of everybody who is of age by now; of how many people. Does nothing a second time."""
    people = list(Player.objects.select_for_update(no_key=True).filter(pk__in=of_age_now(today).values("pk")))
    for player in people:
        had = player.guardians.count()
        player.guardians.all().delete()
        PersonalLink.objects.filter(player=player).exclude(guardian="").delete()
        write_audit("player.guardians", player, by=by, before={"guardians": had}, after={"guardians": 0})
    return len(people)


def _checked(guardian: NewGuardian) -> NewGuardian:
    name = usable_name(
        guardian.name,
        most=_LONGEST_NAME,
        if_empty=_("A guardian needs a name with at least one letter."),
        if_long=_("This name is longer than %(most)s characters: shorten it."),
    )
    contact = clean_name(guardian.contact)
    if len(contact) > _LONGEST_CONTACT:
        raise Refused(_("How to reach a guardian is longer than %(most)s characters.") % {"most": _LONGEST_CONTACT})
    if guardian.allows_name and guardian.told_on is None:
        raise Refused(_("A consent needs the day on which it was given."))
    if guardian.told_on and guardian.told_on > timezone.localdate():
        raise Refused(_("A consent is not given on a day to come: correct the day."))
    return NewGuardian(name, contact, guardian.allows_name, guardian.told_on)


def _figures(guardians: Sequence[NewGuardian]) -> dict[str, object]:
    return {"guardians": len(guardians), "allows_name": any(one.allows_name for one in guardians)}
