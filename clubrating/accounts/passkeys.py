"""Asking an officer's browser for a passkey (`clubrating.web.passkeys`). A question is kept in the session and answered
once, and each new one takes the place of the one before."""

from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext as _

from clubrating.web.passkeys import TRIES, TRIES_LAST, Answering, checks, note_question
from clubrating.web.rate_limits import RateLimit
from players.models import Passkey
from players.officers.services.passkeys import passkeys_of, use_passkey
from players.passkeys.services import credential_of

ASKED = "passkey_asked"
# Nobody guesses a signature; a broken or malicious script shall not keep the machine busy.
LIMIT = RateLimit("passkey", TRIES, TRIES_LAST)


def ask_new(request: HttpRequest, user: User, name: str) -> str:
    """What the browser is asked to make a passkey of that name for that officer, as JSON."""
    known = [credential_of(each) for each in passkeys_of(user)]
    return _keep(request, user, "new", checks().ask_new(str(user.pk), user.get_username(), known), name=name)


def ask_passkey(request: HttpRequest, user: User) -> str:
    """What the browser is asked to prove one of that officer's passkeys, as JSON."""
    known = [credential_of(each) for each in passkeys_of(user)]
    return _keep(request, user, "proof", checks().ask(known))


def made_passkey(request: HttpRequest, user: User) -> tuple[str, Any]:
    """The name, and the passkey the browser has made: its credential, handle and counter. Raises Refused."""
    asked, answering = request.session.pop(ASKED, None), _answering(user)
    answer = answering.take(asked, "new", user.pk, request.POST.get("answer", ""))
    return asked["name"], answering.check(lambda: checks().read_new(asked["state"], answer))


def proved_passkey(request: HttpRequest, user: User) -> Passkey:
    """The passkey that was proved. Raises Refused."""
    asked, answering = request.session.pop(ASKED, None), _answering(user)
    answer = answering.take(asked, "proof", user.pk, request.POST.get("answer", ""))
    known = [credential_of(each) for each in passkeys_of(user)]
    proved = answering.check(lambda: checks().read(asked["state"], known, answer))
    return use_passkey(user, handle=proved.handle, counter=proved.counter)


def _keep(request: HttpRequest, user: User, kind: str, asked: tuple[dict[str, Any], Any], **more: str) -> str:
    text, request.session[ASKED] = note_question(asked, kind, user.pk, **more)
    return text


def _answering(user: User) -> Answering:
    return Answering(
        LIMIT,
        str(user.pk),
        wrong=_("That was no passkey of this account and this site: try again, or use a code."),
        too_many=_("Too many tries with passkeys: wait ten minutes, or use a code."),
    )
