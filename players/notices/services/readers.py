"""Browsers and e-mail addresses that want notices: subscribing and unsubscribing (what they are told: `due`).

The browser tells the address of its maker's push service, where notices for it are to be sent. Anybody can send
anything, and the site would call the address: so only the push services of the known browsers are accepted.

Anybody can name anybody's e-mail address too. So it is sent one letter that asks, at most one a day, and nothing else
before its owner has confirmed it with the link in there. No exception, log or line of the trail carries an address.
"""

import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import timedelta
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from clubrating.ground.numbers import number_in
from players.models import MailSubscription, Player, Subscription, Wanted
from players.privacy.rules import NOBODY, sees_page
from players.refusals import Refused

# Chrome and most others, Firefox, Edge, Safari: a host, or what its name ends with.
PUSH_SERVICES = ("fcm.googleapis.com", ".push.services.mozilla.com", ".notify.windows.com", ".push.apple.com")
COLUMNS = ("paired", "result", "new_list")  # the kinds that have a column of their own
ASKED_AGAIN_AFTER = timedelta(days=1)
CONFIRMED_WITHIN = timedelta(days=3)
MOST_UNCONFIRMED = 200
MOST_A_PLAYER = 10  # browsers; of those no notice ever reached the oldest goes
LASTS = timedelta(days=365)
_KEY = re.compile(r"[A-Za-z0-9_-]{87}=?")  # an uncompressed point of P-256
_SECRET = re.compile(r"[A-Za-z0-9_-]{22}(==)?")


def kinds_of(row: Wanted) -> frozenset[str]:
    """The keys of the kinds that somebody wants."""
    return frozenset({kind for kind in COLUMNS if getattr(row, kind)} | set(filter(None, row.also.split(","))))


def wanting(kind: str) -> Q:
    """A condition for whoever wants that kind."""
    return Q(**{kind: True}) if kind in COLUMNS else Q(also__contains=f",{kind},")


def _values_of(kinds: Collection[str]) -> dict[str, object]:
    others = sorted(set(kinds) - set(COLUMNS))
    return {kind: kind in kinds for kind in COLUMNS} | {"also": f",{','.join(others)}," if others else ""}


# --- browsers --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class NewSubscription:
    """What a browser gives away: where to send, with which key and secret; the page's language; the kinds wanted; the
    digest of the device, where a personal link made it known as the player's."""

    endpoint: str
    p256dh: str
    auth: str
    language: str
    kinds: frozenset[str]
    device: str = field(default="", repr=False)


def is_push_service(address: str) -> bool:
    """Whether the site may call this address: https, the usual port, a push service by name."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    known = any(host == name or (name.startswith(".") and host.endswith(name)) for name in PUSH_SERVICES)
    plain = address.isascii() and address.isprintable() and not re.search(r"[\s\\@#]", address)
    # Others cannot be asked for: the name server is never reached.
    is_name = all(0 < len(label) < 64 for label in host.split("."))
    return parts.scheme == "https" and port in (None, 443) and known and plain and is_name


@transaction.atomic
def subscribe(player: Player, new: NewSubscription) -> Subscription:
    """Have notices about the player sent to that browser; it has one player at a time. Raises Refused for an address
    that is no push service's, for a player without a public page, and for one who has MOST_A_PLAYER browsers."""
    _check_player(player)
    if len(new.endpoint) > 500 or not is_push_service(new.endpoint):
        raise Refused(_("This browser’s push service is not known here."))
    if not (_KEY.fullmatch(new.p256dh) and _SECRET.fullmatch(new.auth)) or not new.kinds:
        raise Refused(_("The browser sent something that is no subscription: load the page again and try once more."))
    values = {"player": player, "p256dh": new.p256dh, "auth": new.auth, "language": new.language, "device": new.device}
    row, _made = Subscription.objects.update_or_create(endpoint=new.endpoint, defaults=values | _values_of(new.kinds))
    _make_room(row)
    return row


def _make_room(row: Subscription) -> None:
    """Anybody can send addresses that were made up, and those must not push out a browser that has had a notice. Raises
    Refused where all the others have had one."""
    others = Subscription.objects.filter(player=row.player_id).exclude(pk=row.pk)
    beyond = max(0, others.count() - MOST_A_PLAYER + 1)
    going = list(others.filter(reached=False).order_by("made_at", "pk").values_list("pk", flat=True)[:beyond])
    if len(going) < beyond:
        text = _("%(most)s devices have notices about this player already: switch them off on one of those first.")
        raise Refused(text % {"most": MOST_A_PLAYER})
    Subscription.objects.filter(pk__in=going).delete()


def note_reached(row: Subscription) -> None:
    """A push service took a notice for that browser."""
    if not row.reached:
        Subscription.objects.filter(pk=row.pk).update(reached=True)


def unsubscribe(endpoint: str) -> int:
    """Forget a browser; how many there were. Only it knows its address."""
    return Subscription.objects.filter(endpoint=endpoint).delete()[0]


def forget_old_subscriptions() -> int:
    """Forget browsers that subscribed more than a year ago; how many."""
    return Subscription.objects.filter(made_at__lt=timezone.now() - LASTS).delete()[0]


# --- e-mail ----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class NewMailSubscription:
    """What somebody writes on the page, its language, and where the club's pages begin; `device` as for a browser."""

    address: str = field(repr=False)
    language: str
    site: str
    kinds: frozenset[str]
    daily: bool = False
    device: str = field(default="", repr=False)


@transaction.atomic
def ask_for_mail(player: Player, new: NewMailSubscription) -> int | None:
    """Note that somebody wants notices about the player at that address; the key of the row whose letter is to be sent,
    None where the address had one within a day. What was confirmed stays as it is. Raises Refused for what is no
    address, for a player without a public page, and where too many letters wait for an answer."""
    _check_player(player)
    address, now = _checked(new.address), timezone.now()
    waiting = MailSubscription.objects.filter(confirmed_at=None, asked_at__gt=now - CONFIRMED_WITHIN)
    if waiting.count() >= MOST_UNCONFIRMED:
        raise Refused(_("Many addresses wait to be confirmed at the moment: try again tomorrow."))
    known = MailSubscription.objects.filter(address__iexact=address).order_by("pk")
    if known.filter(asked_at__gt=now - ASKED_AGAIN_AFTER).exists():
        return None
    wanted = _values_of(new.kinds) | {"daily": new.daily}
    values = {"language": new.language, "site": new.site, "asked_at": now}
    values |= {"device": new.device} if new.device else {}
    row = known.filter(player=player).first()
    if row is None:
        values |= {"key": secrets.token_urlsafe(32), **wanted}
        row, _made = MailSubscription.objects.get_or_create(player=player, address=address, defaults=values)
    else:
        changed = values if row.confirmed_at else values | wanted
        MailSubscription.objects.filter(pk=row.pk).update(**changed)
    return row.pk


def mail_subscription(key: str) -> MailSubscription | None:
    """What the link with that key is about; None where it was stopped, or not confirmed in time."""
    since = timezone.now() - CONFIRMED_WITHIN
    rows = MailSubscription.objects.filter(Q(confirmed_at__isnull=False) | Q(asked_at__gt=since), key=key)
    return rows.select_related("player__merged_into").first()


def confirm_mail(row: MailSubscription, kinds: Collection[str], *, daily: bool = False, language: str = "") -> None:
    """The owner of the address wants these notices from now on, one by one or in one letter a day, in that language
    (empty: as before)."""
    values = {"confirmed_at": timezone.now(), "daily": daily, "language": language or row.language}
    MailSubscription.objects.filter(pk=row.pk).update(**values, **_values_of(kinds))


def kind_link(row: MailSubscription, kind: str) -> str:
    """What the link carries that switches off one kind: signed by the row's own key, so it is of use for this address,
    this player and this kind alone, and it ends with the row."""
    return f"{row.pk}-{kind}-{_signature(row, kind)}"


def mail_kind(link: str) -> tuple[MailSubscription, str] | None:
    """The address and the kind that such a link is about; None where it was stopped, or the link was made up."""
    number, _sign, rest = link.partition("-")
    kind, _sign, signature = rest.partition("-")
    row = MailSubscription.objects.filter(pk=number_in(number), confirmed_at__isnull=False).first()
    is_ours = row is not None and constant_time_compare(signature, _signature(row, kind))
    return (row, kind) if row is not None and is_ours else None


def _signature(row: MailSubscription, kind: str) -> str:
    digest = salted_hmac("players.notices.kind_link", f"{row.pk}:{kind}", secret=row.key, algorithm="sha256").digest()
    return urlsafe_b64encode(digest[:24]).decode()


@transaction.atomic
def without_kind(row: MailSubscription, kind: str) -> None:
    """No more letters of that kind; the address is forgotten with its last kind."""
    for locked in MailSubscription.objects.select_for_update().filter(pk=row.pk):
        if left := kinds_of(locked) - {kind}:
            MailSubscription.objects.filter(pk=row.pk).update(**_values_of(left))
        else:
            stop_mail(locked)


def stop_mail(row: MailSubscription) -> None:
    """Forget the address, for this player."""
    MailSubscription.objects.filter(pk=row.pk).delete()


def forget_old_mail() -> int:
    """Forget addresses that were not confirmed in time, or last a year ago; how many."""
    now = timezone.now()
    late = Q(confirmed_at=None, asked_at__lte=now - CONFIRMED_WITHIN)
    return MailSubscription.objects.filter(late | Q(confirmed_at__lte=now - LASTS)).delete()[0]


def _check_player(player: Player) -> None:
    if not sees_page(player, NOBODY):
        raise Refused(_("There are no notices about whoever has no public page."))


def _checked(text: str) -> str:
    """An address that can be written to. Neither a number in brackets nor this machine is named by it, so whoever types
    one chooses no server but a domain's own."""
    address = text.strip()
    try:
        EmailValidator(allowlist=[])(address)
        is_address = len(address) <= 254 and not set('["') & set(address)
    except ValidationError:
        is_address = False
    if not is_address:
        raise Refused(_("This is no e-mail address: write it like name@example.org."))
    return address
