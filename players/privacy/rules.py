"""Who may see whose name, and when a minor's full name may be public.

Every name that leaves the database goes through `shown_name`. There are three kinds of viewers: *nobody* in particular
(the public), *members* (whoever entered the club's pass-phrase: a signed session without an account) and *officers*
(staff). A person has one of four levels of visibility:

    level      the public sees    members see    officers see
    public     the name           the name       the name
    initials   initials           the name       the name       (default for minors)
    members    "Player 17"        the name       the name
    hidden     "Player 17"        "Player 17"    the name

The reading of a name in another script is seen by whoever sees the name. Whoever was erased has no name: "Player 17"
for everybody, and no page.

A minor's full name may be public only while a guardian has allowed it.
"""

from copy import copy
from dataclasses import dataclass, field
from datetime import date
from enum import IntEnum

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import Guardian, Player, Visibility
from players.people.names import initials
from players.refusals import Refused

# Only the year of birth is stored, so whoever turns 18 this year counts as a minor to its end.
MINOR_UNTIL_AGE = 18


# --- who may see a name ----------------------------------------------------------------------------------------------
class Level(IntEnum):
    NOBODY = 0
    MEMBER = 1
    OFFICER = 2


@dataclass(frozen=True, slots=True)
class Viewer:
    """Whoever looks at a page. `wants_readings`: on pages, in place of names they cannot read, the readings alone; it
    is no part of who somebody is."""

    level: Level = Level.NOBODY
    wants_readings: bool = field(default=False, compare=False)


NOBODY, MEMBER, OFFICER = Viewer(Level.NOBODY), Viewer(Level.MEMBER), Viewer(Level.OFFICER)

_SEES_NAME_FROM: dict[str, Level] = {
    Visibility.PUBLIC: Level.NOBODY,
    Visibility.INITIALS: Level.MEMBER,
    Visibility.MEMBERS: Level.MEMBER,
    Visibility.HIDDEN: Level.OFFICER,
}


def sees_name(player: Player, viewer: Viewer) -> bool:
    """Whether this viewer may read this player's full name. An unknown level counts as hidden, and who
    was erased has no name."""
    return bool(player.name) and viewer.level >= _SEES_NAME_FROM.get(player.visibility, Level.OFFICER)


def sees_page(player: Player, viewer: Viewer) -> bool:
    """Whether this viewer may open the player's own page: those shown by name or by initials have one."""
    return sees_name(player, viewer) or (bool(player.name) and player.visibility == Visibility.INITIALS)


BETWEEN_PARTNERS = " / "


def shown_name(player: Player, viewer: Viewer) -> str:
    """The name, the initials, or the number, as this viewer may see it; of an entry of more than one the names of all.
    The only way a name reaches a page."""
    if player.beside:
        return BETWEEN_PARTNERS.join(_own_name(each, viewer) for each in (player, *player.beside))
    return _own_name(player, viewer)


def each_of(side: Player) -> list[Player]:
    """Everybody of those named together, each by the own name."""
    first = copy(side)
    first.beside = ()
    return [first, *side.beside]


def _own_name(player: Player, viewer: Viewer) -> str:
    if sees_name(player, viewer):
        return player.name
    if player.visibility == Visibility.INITIALS:
        return initials(player.name) or _("Player %(number)s") % {"number": player.number}
    return _("Player %(number)s") % {"number": player.number}


def shown_reading(player: Player, viewer: Viewer) -> str:
    """The reading of the name for whoever may see the name; else empty."""
    return player.reading if sees_name(player, viewer) else ""


def levels_seen(viewer: Viewer) -> list[str]:
    """The levels whose names this viewer may read: what a search by name may look at."""
    return [level for level, needed in _SEES_NAME_FROM.items() if viewer.level >= needed]


def names_seen(viewer: Viewer, path: str = "") -> Q:
    """A condition for players whose names this viewer may read; `path` leads to the player ("player__")."""
    return Q(**{f"{path}visibility__in": levels_seen(viewer), f"{path}name__gt": ""})


# --- minors ----------------------------------------------------------------------------------------------------------
def is_minor(birth_year: int | None, today: date) -> bool:
    """Whether someone born in that year may still be under age. An unknown year counts as of age."""
    return birth_year is not None and today.year - birth_year <= MINOR_UNTIL_AGE


def has_consent(player: Player) -> bool:
    """Whether a guardian has allowed the full name to be public. The database keeps no consent without its day."""
    return Guardian.objects.filter(player=player, allows_name=True).exists()


def check_public(visibility: str, birth_year: int | None, player: Player | None = None) -> None:
    """Raises Refused for a minor's name to be shown to everybody without consent; `player`: None for a new one."""
    if visibility != Visibility.PUBLIC or not is_minor(birth_year, timezone.localdate()):
        return
    if player is None or not has_consent(player):
        raise Refused(
            _(
                "A minor’s full name is public only with a guardian’s consent: record the guardian on the player’s "
                "page first, or choose initials."
            )
        )
