"""Passkeys of officers: a second factor beside the password, instead of codes from an app or besides them.

What is kept of one: `players.passkeys`. Asking a browser and checking its answer: `clubrating.accounts.passkeys`.
"""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import Passkey
from players.officers.services.credentials import codes_left, end_sessions, forget_factor, has_factor, new_codes
from players.passkeys.services import checked_values, digest_of_handle, went_back
from players.refusals import Refused
from players.trail.services import write_audit


def passkeys_of(user: User) -> list[Passkey]:
    """That user's passkeys, the oldest first."""
    return list(Passkey.objects.filter(user=user).order_by("pk"))


@transaction.atomic
def add_passkey(
    user: User, name: str, *, handle: bytes, credential: bytes, counter: int, session: str | None = None
) -> tuple[Passkey, list[str]]:
    """Keep a passkey that was just made; recovery codes to be shown once, where the user has none left. With the first
    factor every session but that one ends. `handle`: the credential's id. Raises Refused for one that is known, one too
    many, and an empty name."""
    User.objects.select_for_update().get(pk=user.pk)
    own = Passkey.objects.filter(user=user)
    values = checked_values(own, name, handle=handle, credential=credential, counter=counter)
    is_first = not has_factor(user)
    made = Passkey.objects.create(user=user, **values)
    write_audit("passkey.added", user, by=user, after={"passkey": made.pk, "name": made.name})
    if is_first:
        end_sessions(user, keep=session)
    return made, [] if codes_left(user) else new_codes(user)


def use_passkey(user: User, *, handle: bytes, counter: int) -> Passkey:
    """The passkey that was proved, with its new counter. Raises Refused for one that is the user's no more, and for one
    whose counter did not go on: there may be a copy of it. The trail tells of that."""
    with transaction.atomic():
        rows = Passkey.objects.select_for_update().filter(user=user, digest=digest_of_handle(handle))
        row: Passkey | None = rows.first()
        if row is None:
            raise Refused(_("This passkey does not belong to the account any more: use another one, or a code."))
        is_copy = went_back(row, counter)
        if is_copy:
            values = {"passkey": row.pk, "name": row.name, "counter": counter}
            write_audit("passkey.went-back", user, by=None, before={"counter": row.counter}, after=values)
        else:
            row.counter, row.last_used_at = counter, timezone.now()
            row.save(update_fields=["counter", "last_used_at"])
    if is_copy:
        raise Refused(_("This passkey may have been copied: its counter went back. Use a code, then remove it."))
    return row


@transaction.atomic
def remove_passkey(user: User, key: int) -> bool:
    """Remove one of that user's passkeys; whether there was one. With the last factor the recovery codes go too."""
    User.objects.select_for_update().get(pk=user.pk)
    row = Passkey.objects.filter(user=user, pk=key).first()
    if row is None:
        return False
    write_audit("passkey.removed", user, by=user, before={"passkey": row.pk, "name": row.name})
    row.delete()
    if not has_factor(user):
        forget_factor(user)
    return True
