"""What links of people without an account and tokens of programs have in common: a secret that is shown once, a digest
of it that is kept, a day on which it ends, and taking it back."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import ApiToken, SecretLink
from players.refusals import Refused

MOST_DAYS = 366
# Without letters and digits that look alike on paper; 24 of them are 119 bits.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
_LENGTH = 24


def new_secret() -> str:
    """A secret that can be typed from paper and not be guessed."""
    return "".join(secrets.choice(_ALPHABET) for _place in range(_LENGTH))


def digest_of(secret: str) -> str:
    """What is kept of a secret. It is long and random, so a plain hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def ends_in(days: int) -> datetime:
    """When a link made now ends. Raises Refused for no day, or more than a year."""
    if not 1 <= days <= MOST_DAYS:
        raise Refused(_("A link lasts from 1 to %(most)s days.") % {"most": MOST_DAYS})
    return timezone.now() + timedelta(days=days)


def holds(path: str = "") -> Q:
    """A condition for links that are neither taken back nor over; `path` leads to the link ("link__")."""
    return Q(**{f"{path}revoked_at": None, f"{path}expires_at__gt": timezone.now()})


def take_back(link: SecretLink | ApiToken) -> None:
    """It opens nothing any more. The row is locked, and holds."""
    link.revoked_at = timezone.now()
    link.save(update_fields=["revoked_at"])
