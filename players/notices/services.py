"""Browsers that want notices: subscribing and unsubscribing.

The browser tells the address of its maker's push service, where notices for it are to be sent. Anybody can send
anything, and the site would call the address: so only the push services of the known browsers are accepted.
"""

import re
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import Player, Subscription
from players.privacy.rules import NOBODY, sees_page
from players.refusals import Refused

# Chrome and most others, Firefox, Edge, Safari: a host, or what its name ends with.
PUSH_SERVICES = ("fcm.googleapis.com", ".push.services.mozilla.com", ".notify.windows.com", ".push.apple.com")
KINDS = ("paired", "result", "new_list")
MOST_A_PLAYER = 10  # browsers; the oldest goes
LASTS = timedelta(days=365)
_KEY = re.compile(r"[A-Za-z0-9_-]{87}=?")  # an uncompressed point of P-256
_SECRET = re.compile(r"[A-Za-z0-9_-]{22}(==)?")


@dataclass(frozen=True, slots=True)
class NewSubscription:
    """What a browser gives away: where to send, with which key and secret; the page's language; the kinds wanted."""

    endpoint: str
    p256dh: str
    auth: str
    language: str
    kinds: frozenset[str]


def is_push_service(address: str) -> bool:
    """Whether the site may call this address: https, the usual port, a push service by name."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    known = any(host == name or (name.startswith(".") and host.endswith(name)) for name in PUSH_SERVICES)
    plain = address.isascii() and address.isprintable() and not re.search(r"[\s\\@#]", address)
    return parts.scheme == "https" and port in (None, 443) and known and plain


@transaction.atomic
def subscribe(player: Player, new: NewSubscription) -> Subscription:
    """Have notices about the player sent to that browser; it has one player at a time. Raises Refused for an address
    that is no push service's, and for a player without a public page."""
    if not sees_page(player, NOBODY):
        raise Refused(_("There are no notices about whoever has no public page."))
    if len(new.endpoint) > 500 or not is_push_service(new.endpoint):
        raise Refused(_("This browser’s push service is not known here."))
    if not (_KEY.fullmatch(new.p256dh) and _SECRET.fullmatch(new.auth)) or not new.kinds & set(KINDS):
        raise Refused(_("The browser sent something that is no subscription: load the page again and try once more."))
    values = {"player": player, "p256dh": new.p256dh, "auth": new.auth, "language": new.language}
    wanted = {kind: kind in new.kinds for kind in KINDS}
    row, _made = Subscription.objects.update_or_create(endpoint=new.endpoint, defaults=values | wanted)
    others = Subscription.objects.filter(player=player).exclude(pk=row.pk).order_by("-made_at", "-pk")
    Subscription.objects.filter(pk__in=[each.pk for each in others[MOST_A_PLAYER - 1 :]]).delete()
    return row


def unsubscribe(endpoint: str) -> int:
    """Forget a browser; how many there were. Only it knows its address."""
    return Subscription.objects.filter(endpoint=endpoint).delete()[0]


def forget_old_subscriptions() -> int:
    """Forget browsers that subscribed more than a year ago; how many."""
    return Subscription.objects.filter(made_at__lt=timezone.now() - LASTS).delete()[0]
