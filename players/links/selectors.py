"""Whose a device is: the personal links that were opened on it."""

from collections.abc import Iterable

from django.db.models import Q

from players.links.services.personal_links import speaks, whose
from players.links.services.secret_links import digest_of, holds
from players.models import LinkDevice, PersonalLink, Player
from players.people.selectors import records_of


def devices_known_by(key: str) -> list[LinkDevice]:
    """The links that hold of the device with that key, each with its player, the first opened first. One query."""
    rows = LinkDevice.objects.filter(holds("link__"), digest=digest_of(key))
    found = rows.select_related("link__player__merged_into").order_by("pk")
    return [device for device in found if speaks(device.link)]


def player_of(device: LinkDevice) -> Player:
    """Whom the device speaks for."""
    return whose(device.link)


def belongs(player: Player, path: str = "") -> Q:
    """A condition for the links of a player, also those of records merged into it; `path` as for `holds`. One query,
    two after a merge."""
    return Q(**{f"{path}player__in": list(records_of([player.pk]))})


def links_of(player: Player) -> list[PersonalLink]:
    """The links of a player that hold, the newest first, with their devices and passkeys. Four queries, five after a
    merge."""
    rows = PersonalLink.objects.filter(holds(), belongs(player)).select_related("player", "by")
    return list(rows.prefetch_related("devices", "passkeys"))


def have_links(players: Iterable[int]) -> set[int]:
    """Who of them has a link that holds. Two queries, three where somebody was merged."""
    records = records_of(players)
    linked = PersonalLink.objects.filter(holds(), player__in=list(records)).values_list("player", flat=True)
    return {records[key] for key in linked}
