"""Whose a device is: the personal links that were opened on it."""

from collections.abc import Iterable

from players.links.services.personal_links import speaks
from players.links.services.secret_links import digest_of, holds
from players.models import LinkDevice, PersonalLink, Player


def devices_known_by(key: str) -> list[LinkDevice]:
    """The links that hold of the device with that key, each with its player, the first opened first. One query."""
    rows = LinkDevice.objects.filter(holds("link__"), digest=digest_of(key), link__player__name__gt="")
    found = rows.select_related("link__player__merged_into").order_by("pk")
    return [device for device in found if speaks(device.link)]


def player_of(device: LinkDevice) -> Player:
    """Whom the device speaks for: after a merge the record that was kept."""
    return device.link.player.merged_into or device.link.player


def links_of(player_key: int) -> list[PersonalLink]:
    """The links of a player that hold, the newest first, with their devices. Two queries."""
    rows = PersonalLink.objects.filter(holds(), player=player_key).select_related("player", "by")
    return list(rows.prefetch_related("devices"))


def have_links(players: Iterable[int]) -> set[int]:
    """Who of them has a link that holds. One query."""
    return set(PersonalLink.objects.filter(holds(), player__in=list(players)).values_list("player", flat=True))
