"""People: new players, changed data, outside numbers, and deletion of players who never entered an event.

`usable_name` is the rule for every name that is stored: cleaned, with a letter or digit in it, no longer than its
column.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import ProtectedError
from django.utils import timezone
from django.utils.translation import gettext as _

from players.counters import PLAYER_NUMBER, take_numbers
from players.models import Club, Player, PlayerIdentity, Visibility
from players.people.names import MAX_NAME, MAX_SORTED, clean_name, latin_name, search_key, sort_key
from players.privacy.rules import check_public, is_minor
from players.refusals import Refused, Stale
from players.trail.services import write_audit


def usable_name(text: str, *, most: int, if_empty: str, if_long: str) -> str:
    """The cleaned name. Raises Refused with `if_empty` or `if_long`, where "%(most)s" stands for the limit."""
    name = clean_name(text)
    if not any(char.isalnum() for char in name):
        raise Refused(if_empty)
    if len(name) > most:
        raise Refused(if_long % {"most": most})
    return name


EDITABLE = ("name", "reading", "birth_year", "sex", "title", "visibility", "active", "joined_on")


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """Data of a person to be added. An empty `visibility` means: by age."""

    name: str
    birth_year: int | None = None
    sex: str = ""
    title: str = ""
    visibility: str = ""
    joined_on: date | None = None
    active: bool = True
    reading: str = ""


def default_visibility(birth_year: int | None, adults: str = "") -> str:
    """Initials for minors, the club's default for everybody else; `adults` is that default, where it is known."""
    if is_minor(birth_year, timezone.localdate()):
        return Visibility.INITIALS
    if adults:
        return adults
    club = Club.objects.first()
    return club.default_visibility if club else Visibility.PUBLIC


def check_name(name: str) -> str:
    """The cleaned name. Raises Refused for an empty or overlong one."""
    return usable_name(
        name,
        most=MAX_NAME,
        if_empty=_("A player needs a name with at least one letter."),
        if_long=_("This name is longer than %(most)s characters: shorten it."),
    )


def check_reading(reading: str, name: str) -> str:
    """The cleaned reading of a name; empty for none, and for one that only repeats the name. Raises Refused for one
    without a letter, and for an overlong one."""
    if not clean_name(reading) or clean_name(reading) == name:
        return ""
    return usable_name(
        reading,
        most=MAX_NAME,
        if_empty=_("A reading is the name in another script: it needs at least one letter."),
        if_long=_("This reading is longer than %(most)s characters: shorten it."),
    )


def _derived(name: str, reading: str) -> dict[str, str]:
    """What is kept of both to sort and to find them by."""
    return {"sort_name": sort_key(latin_name(name, reading))[:MAX_SORTED], "search_name": search_key(name, reading)}


@transaction.atomic
def create_players(new: Iterable[NewPlayer], *, by: User | None) -> list[Player]:
    """Add people, each with the next number and one audit event. Raises Refused for a name that is none, and for a
    minor to be shown by full name: nobody can have allowed that yet."""
    wanted = list(new)
    numbers = take_numbers(PLAYER_NUMBER, len(wanted)) if wanted else []
    adults = default_visibility(None)
    players = []
    for number, person in zip(numbers, wanted, strict=True):
        name = check_name(person.name)
        check_public(person.visibility, person.birth_year)
        reading = check_reading(person.reading, name)
        visibility = person.visibility or default_visibility(person.birth_year, adults)
        data = asdict(person) | {"name": name, "reading": reading, "visibility": visibility}
        player = Player.objects.create(number=number, **data, **_derived(name, reading))
        write_audit("player.created", player, by=by, after={"number": number, "visibility": player.visibility})
        players.append(player)
    return players


def create_player(new: NewPlayer, *, by: User | None) -> Player:
    """Add one person; see `create_players`."""
    return create_players([new], by=by)[0]


def lock_players(keys: Collection[int]) -> dict[int, Player]:
    """Those players by key, locked to the end of the transaction: in the order of their numbers, so that two who lock
    several cannot deadlock."""
    rows = Player.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=keys).order_by("number")
    return {player.pk: player for player in rows}


@transaction.atomic
def update_player(
    player_key: int,
    changes: dict[str, Any],
    *,
    by: User | None,
    revision: int | None = None,
    reason: str = "",
    note: str = "",
    follow: Callable[[Player, set[str]], dict[str, Any]] | None = None,
) -> tuple[Player, set[str]]:
    """Change a person's data and say which fields moved. An empty `visibility` means: by age.

    A player who turns out to be a minor is shown by initials from then on, unless a level was chosen with the change;
    the full name only with a guardian's consent. Raises Stale where `revision` is no longer the player's, Refused for
    bad data, for a public minor without consent, and for somebody who was erased. The audit event names the fields
    and the harmless values only: a name stands in one row. `follow` does what hangs on the fields that moved, and says
    for the audit event what that moved.
    """
    player = Player.objects.select_for_update(no_key=True).get(pk=player_key)
    if revision is not None and player.revision != revision:
        raise Stale(_("Somebody else changed this player meanwhile: look at the new data, then change it again."))
    if not player.name:
        raise Refused(_("Player %(number)s was erased: that is final.") % {"number": player.number})
    wanted = {field: value for field, value in changes.items() if field in EDITABLE}
    if "name" in wanted:
        wanted["name"] = check_name(wanted["name"])
    if "reading" in wanted:
        wanted["reading"] = check_reading(wanted["reading"], wanted.get("name", player.name))
    if chosen := wanted.get("visibility") or "":
        check_public(chosen, wanted.get("birth_year", player.birth_year), player)
    else:
        wanted["visibility"] = _visibility_by_age(player, wanted)
    before = {field: getattr(player, field) for field in wanted}
    changed = {field for field, value in wanted.items() if before[field] != value}
    if not changed:
        return player, changed
    for field in changed:
        setattr(player, field, wanted[field])
    for field, value in _derived(player.name, player.reading).items():
        setattr(player, field, value)
    player.revision += 1
    player.save()
    shown = changed & {"visibility", "active", "title"}
    write_audit(
        "player.changed",
        player,
        by=by,
        before={field: before[field] for field in sorted(shown)},
        after={"fields": sorted(changed), **{field: wanted[field] for field in sorted(shown)}},
        effect=follow(player, changed) if follow else {},
        reason=reason,
        note=note,
    )
    return player, changed


def _visibility_by_age(player: Player, wanted: dict[str, Any]) -> str:
    """The level after a change that names none: kept, but lowered for somebody newly known to be a minor; asked for
    explicitly ("by age"), it is worked out anew."""
    birth_year = wanted.get("birth_year", player.birth_year)
    if "visibility" in wanted:
        return default_visibility(birth_year)
    newly_minor = birth_year != player.birth_year and is_minor(birth_year, timezone.localdate())
    if newly_minor and player.visibility == Visibility.PUBLIC:
        return Visibility.INITIALS
    return player.visibility


@transaction.atomic
def set_identities(player: Player, numbers: Mapping[str, str], *, by: User | None) -> None:
    """Give a player these outside numbers (scheme → number) in place of all he had.

    The audit event says which bodies' numbers changed, not the numbers: they name a person. Raises Refused where
    another player has one of them.
    """
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    before = dict(player.identities.values_list("scheme", "value"))
    wanted = {scheme: value.strip() for scheme, value in numbers.items() if value.strip()}
    changed = sorted(scheme for scheme in before | wanted if before.get(scheme) != wanted.get(scheme))
    if not changed:
        return
    for scheme, value in wanted.items():
        if PlayerIdentity.objects.filter(scheme=scheme, value=value).exclude(player=player).exists():
            raise Refused(_("Another player has the number %(value)s: look for a double entry.") % {"value": value})
    player.identities.all().delete()
    PlayerIdentity.objects.bulk_create(
        PlayerIdentity(player=player, scheme=scheme, value=value) for scheme, value in wanted.items()
    )
    write_audit("player.identities", player, by=by, after={"fields": changed})


@transaction.atomic
def delete_player(player_key: int, *, by: User | None) -> None:
    """Remove somebody who never entered an event. Raises Refused for anybody with games, entries or ratings."""
    player = Player.objects.select_for_update(no_key=True).get(pk=player_key)
    write_audit("player.deleted", player, by=by, before={"number": player.number})
    try:
        player.delete()
    except ProtectedError:
        raise Refused(
            _(
                "Player %(number)s has games, entries or ratings and cannot be deleted: set the player inactive, or "
                "hide the name under “who sees the name”."
            )
            % {"number": player.number}
        ) from None
