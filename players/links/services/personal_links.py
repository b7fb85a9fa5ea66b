"""Personal links: an officer makes one for a player, or for who speaks for a minor; a device that opens it is known as
theirs from then on. Nothing of it is an account.

The secret opens the link on as many devices as the officer said. Forgetting a device gives no place back: a link that
went on to others would open again. `allow_device` does.
"""

import secrets
from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.links.services.secret_links import digest_of, ends_in, holds, new_secret, take_back
from players.models import Club, LinkDevice, LinkPasskey, PersonalLink, Player
from players.people.names import clean_name
from players.privacy.rules import is_minor
from players.refusals import Refused, Stale
from players.trail.services import write_audit

PLAYER = "player"  # the role in the audit trail; a guardian's too, so that nothing tells who is a minor
DAYS, MOST_DEVICES, MOST_LINKS, LONGEST_WORD = 300, 5, 10, 60


@transaction.atomic
def make_personal_link(
    player_key: int, *, by: User | None, days: int = DAYS, devices: int = 1, guardian: str = ""
) -> tuple[PersonalLink, str]:
    """A link for a player and its secret, which is shown once and not kept; `guardian`: who has it, in a word. Raises
    Refused where the club has no such links, for somebody who has too many or is not in the list any more, and for a
    guardian of somebody of age."""
    if not Club.objects.filter(personal_links=True).exists():
        raise Refused(_("Personal links are switched off: an administrator switches them on in the club’s settings."))
    player = Player.objects.select_for_update(no_key=True).get(pk=player_key)
    if not player.name or player.merged_into_id is not None:
        raise Refused(_("This player is not in the list any more: look for the record that was kept."))
    if not 1 <= devices <= MOST_DEVICES:
        raise Refused(_("A link opens on 1 to %(most)s devices.") % {"most": MOST_DEVICES})
    word = clean_name(guardian)[:LONGEST_WORD]
    if word and not is_minor(player.birth_year, timezone.localdate()):
        raise Refused(_("Only a minor has somebody who speaks for them: leave “for whom” empty."))
    if PersonalLink.objects.filter(holds(), player=player).count() >= MOST_LINKS:
        raise Refused(_("This player has %(most)s links already: take one back first.") % {"most": MOST_LINKS})
    secret = new_secret()
    link = PersonalLink.objects.create(
        player=player, guardian=word, devices_left=devices, digest=digest_of(secret), by=by, expires_at=ends_in(days)
    )
    values = {"link": link.pk, "days": days, "devices": devices, "guardian": bool(word)}
    write_audit("personal-link.made", player, by=by, after=values)
    return link, secret


@transaction.atomic
def open_personal_link(secret: str, device: str = "") -> tuple[LinkDevice, str] | None:
    """Let a device be known by the link of that secret; the device's key, a new one unless it has one. Opened twice on
    one device it is opened once. None for a secret nobody was given. Raises Refused for a link that is over, was taken
    back, or was opened on as many devices as it may."""
    rows = PersonalLink.objects.select_for_update(of=("self",)).select_related("player")
    link = rows.filter(digest=digest_of(_plain(secret))).first()
    if link is None:
        return None
    return _bind(link, device)


@transaction.atomic
def open_for_passkey(passkey: LinkPasskey, device: str = "") -> tuple[LinkDevice, str]:
    """The same by a passkey that was proved just now: it opens its own link, on the same terms. Raises Refused."""
    rows = PersonalLink.objects.select_for_update(of=("self",)).select_related("player")
    link = rows.filter(passkeys=passkey).first()
    if link is None:
        raise Refused(_("This passkey was removed. Ask the club for a new link."))
    return _bind(link, device)


def _bind(link: PersonalLink, device: str) -> tuple[LinkDevice, str]:
    """The device is known by the link, which is locked. Raises Refused."""
    check_holds(link)
    key = device or secrets.token_urlsafe(32)
    known = LinkDevice.objects.filter(link=link, digest=digest_of(key)).first()
    if known is not None:
        return known, key
    if not link.devices_left:
        raise Refused(_("This link was opened on another device already. Ask the club for a new one, or for leave."))
    link.devices_left -= 1
    link.save(update_fields=["devices_left"])
    made = LinkDevice.objects.create(link=link, digest=digest_of(key))
    write_audit("personal-link.opened", link.player, by=None, role=PLAYER, after={"link": link.pk, "device": made.pk})
    return made, key


def check_holds(link: PersonalLink) -> None:
    """Raises Refused for a link that was taken back or is over, and where the club has none."""
    if not Club.objects.filter(personal_links=True).exists():
        raise Refused(_("The club has no personal links at the moment."))
    if link.revoked_at is not None:
        raise Refused(_("This link was taken back. Ask the club for a new one."))
    if link.expires_at <= timezone.now() or not speaks(link):
        raise Refused(_("This link is over. Ask the club for a new one."))


def speaks(link: PersonalLink) -> bool:
    """Whether its holder still speaks for the player: a guardian until the player is of age."""
    return not link.guardian or is_minor(whose(link).birth_year or link.player.birth_year, timezone.localdate())


def whose(link: PersonalLink) -> Player:
    """Whom a link speaks for: after a merge the record that was kept."""
    return link.player.kept


def _plain(secret: str) -> str:
    """As it was made, though it was typed in groups or in capitals."""
    return "".join(secret[:100].replace("-", "").split()).lower()


@transaction.atomic
def revoke_personal_link(link_key: int, *, by: User | None) -> None:
    """Take a link back with all its devices. Raises Stale where that was done already."""
    link = _locked(link_key)
    take_back(link)
    LinkDevice.objects.filter(link=link).delete()
    write_audit("personal-link.revoked", link.player, by=by, after={"link": link.pk})


@transaction.atomic
def allow_device(link_key: int, *, by: User | None) -> None:
    """Let the link be opened on one device more. Raises Stale where it was taken back, Refused at the most."""
    link = _locked(link_key)
    if link.devices_left + link.devices.count() >= MOST_DEVICES:
        raise Refused(_("A link opens on 1 to %(most)s devices.") % {"most": MOST_DEVICES})
    link.devices_left += 1
    link.save(update_fields=["devices_left"])
    write_audit("personal-link.allowed", link.player, by=by, after={"link": link.pk})


@transaction.atomic
def forget_devices(devices: Iterable[int], *, by: User | None) -> int:
    """Let these devices be known no more; how many there were. Whoever has one says so without an account."""
    found = list(LinkDevice.objects.filter(pk__in=list(devices)).select_related("link__player"))
    for device in found:
        values = {"link": device.link_id, "device": device.pk}
        write_audit("personal-link.forgotten", device.link.player, by=by, role="" if by else PLAYER, after=values)
        device.delete()
    return len(found)


def _locked(link_key: int) -> PersonalLink:
    rows = PersonalLink.objects.select_for_update(of=("self",)).select_related("player")
    link = rows.filter(pk=link_key, revoked_at=None).first()
    if link is None:
        raise Stale(_("This link was taken back already."))
    return link
