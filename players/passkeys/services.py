"""What is kept of passkeys, officers' and members' alike: the public half, with which nobody proves anything. Asking a
browser for a passkey and checking what it answers: `clubrating.web.passkeys`."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from players.models import LinkPasskey, Passkey
from players.people.names import clean_name
from players.refusals import Refused

MOST, LONGEST_NAME = 10, 60


def credential_of(passkey: Passkey | LinkPasskey) -> bytes:
    """Id, public key and model, as they were kept."""
    return urlsafe_b64decode(passkey.credential)


def digest_of_handle(handle: bytes) -> str:
    """Of a credential's id, in hex."""
    return sha256(handle).hexdigest()


def checked_values(own: QuerySet[Any], name: str, *, handle: bytes, credential: bytes, counter: int) -> dict[str, Any]:
    """The columns of a passkey that was just made, beside those in `own`. Raises Refused for one that is known, one too
    many, and an empty name."""
    named, digest = clean_name(name)[:LONGEST_NAME], digest_of_handle(handle)
    if not named:
        raise Refused(_("A passkey needs a name, so that you know which one to remove: “key ring”, “phone”."))
    if any(model.objects.filter(digest=digest).exists() for model in (Passkey, LinkPasskey)):
        raise Refused(_("This passkey is known already: use another device or key."))
    if own.count() >= MOST:
        raise Refused(_("You have %(most)s passkeys already: remove one first.") % {"most": MOST})
    text = urlsafe_b64encode(credential).decode()
    return {"name": named, "digest": digest, "credential": text, "counter": counter}


def went_back(passkey: Passkey | LinkPasskey, counter: int) -> bool:
    """Whether its counter did not go on: there may be a copy of the key. A key that keeps none always tells 0."""
    return bool(counter or passkey.counter) and counter <= passkey.counter
