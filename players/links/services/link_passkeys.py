"""Passkeys of members: added on a device that a personal link is bound to, one opens that link on a further device, on
the link's own terms. It is not more than the link: taken back, over or full, the link opens for no passkey either."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.links.services.personal_links import PLAYER, check_holds
from players.models import LinkDevice, LinkPasskey, PersonalLink
from players.passkeys.services import checked_values, digest_of_handle, went_back
from players.refusals import Refused
from players.trail.services import write_audit


def passkey_of_handle(handle: bytes) -> LinkPasskey | None:
    """The passkey with that credential id, whatever became of its link."""
    return LinkPasskey.objects.filter(digest=digest_of_handle(handle)).first()


@transaction.atomic
def add_link_passkey(device: LinkDevice, name: str, *, handle: bytes, credential: bytes, counter: int) -> LinkPasskey:
    """Keep a passkey that was just made on that device. `handle`: the credential's id. Raises Refused for a device that
    is not known any more, a link that does not hold, and as `checked_values`."""
    link = PersonalLink.objects.select_for_update(of=("self",)).select_related("player").get(pk=device.link_id)
    check_holds(link)
    if not LinkDevice.objects.filter(pk=device.pk).exists():
        raise Refused(_("This device is not known any more."))
    values = checked_values(link.passkeys.all(), name, handle=handle, credential=credential, counter=counter)
    made = LinkPasskey.objects.create(link=link, **values)
    write_audit("passkey.added", link.player, by=None, role=PLAYER, after={"link": link.pk, "passkey": made.pk})
    return made


def use_link_passkey(key: int, *, counter: int, asked_at: datetime) -> LinkPasskey:
    """Note that a passkey was proved, in answer to a question put at that moment. Raises Refused for one that was
    removed, for a question not newer than the last it answered, and for a counter that did not go on, of which the
    trail tells."""
    with transaction.atomic():
        rows = LinkPasskey.objects.select_for_update(of=("self",)).select_related("link__player")
        row = rows.filter(pk=key).first()
        if row is None:
            raise Refused(_("This passkey was removed. Ask the club for a new link."))
        if row.last_used_at and asked_at <= row.last_used_at:
            raise Refused(_("This page was answered already, or is an old one: try again."))
        is_copy = went_back(row, counter)
        if is_copy:
            values = {"link": row.link_id, "passkey": row.pk, "counter": counter}
            write_audit("passkey.went-back", row.link.player, by=None, before={"counter": row.counter}, after=values)
        else:
            row.counter, row.last_used_at = counter, asked_at
            row.save(update_fields=["counter", "last_used_at"])
    if is_copy:
        raise Refused(_("This passkey may have been copied: its counter went back. Ask the club for a new link."))
    return row


@transaction.atomic
def remove_link_passkey(device: LinkDevice, key: int) -> bool:
    """Remove a passkey of the link that device is known by; whether there was one."""
    link = PersonalLink.objects.select_for_update(of=("self",)).select_related("player").get(pk=device.link_id)
    row = link.passkeys.filter(pk=key).first()
    if row is None:
        return False
    write_audit("passkey.removed", link.player, by=None, role=PLAYER, before={"link": link.pk, "passkey": row.pk})
    row.delete()
    return True
