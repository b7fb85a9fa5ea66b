"""Asking a browser for a passkey. A question is kept in the session, answered once and within five minutes, and each
new one takes the place of the one before."""

import json
from time import time
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from clubrating.web.rate_limits import RateLimit
from players.models import Passkey
from players.officers.services.passkeys import credential_of, passkeys_of, use_passkey
from players.people.selectors import current_club
from players.refusals import Refused

ASKED, LASTS = "passkey_asked", 300  # seconds
LONGEST_ANSWER = 20_000  # characters
# Nobody guesses a signature; a broken or malicious script shall not keep the machine busy.
TRIES = RateLimit("passkey", 20, 600)


def ask_new(request: HttpRequest, user: User, name: str) -> str:
    """What the browser is asked to make a passkey of that name for that officer, as JSON."""
    known = [credential_of(each) for each in passkeys_of(user)]
    return _keep(request, user, "new", _checks().ask_new(user.pk, user.get_username(), known), name=name)


def ask_passkey(request: HttpRequest, user: User) -> str:
    """What the browser is asked to prove one of that officer's passkeys, as JSON."""
    known = [credential_of(each) for each in passkeys_of(user)]
    return _keep(request, user, "proof", _checks().ask(known))


def made_passkey(request: HttpRequest, user: User) -> tuple[str, Any]:
    """The name, and the passkey the browser has made: its credential, handle and counter. Raises Refused."""
    asked, answer = _answered(request, user, "new")
    try:
        return asked["name"], _checks().read_new(asked["state"], answer)
    except import_string(settings.PASSKEY_WRONG):
        raise _refused(user) from None


def proved_passkey(request: HttpRequest, user: User) -> Passkey:
    """The passkey that was proved. Raises Refused."""
    asked, answer = _answered(request, user, "proof")
    known = [credential_of(each) for each in passkeys_of(user)]
    try:
        proved = _checks().read(asked["state"], known, answer)
    except import_string(settings.PASSKEY_WRONG):
        raise _refused(user) from None
    return use_passkey(user, handle=proved.handle, counter=proved.counter)


def _checks() -> Any:
    return import_string(settings.PASSKEY_CHECKS)(settings.PASSKEY_SITE, str(current_club()))


def _keep(request: HttpRequest, user: User, kind: str, asked: tuple[dict[str, Any], Any], **more: str) -> str:
    options, state = asked
    request.session[ASKED] = {"kind": kind, "key": user.pk, "state": state, "at": int(time()), **more}
    return json.dumps(options)


def _answered(request: HttpRequest, user: User, kind: str) -> tuple[dict[str, Any], Any]:
    """The question, which is used up, and the browser's answer. Raises Refused."""
    asked, text = request.session.pop(ASKED, None), request.POST.get("answer", "")
    if not (settings.PASSKEY_SITE and asked and (asked["kind"], asked["key"]) == (kind, user.pk)):
        raise Refused(_("This page was answered already, or is an old one: try again."))
    if TRIES.is_exceeded_by(str(user.pk)):
        raise Refused(_("Too many tries with passkeys: wait ten minutes, or use a code."))
    if int(time()) - asked["at"] > LASTS:
        raise Refused(_("That took longer than five minutes: try again."))
    try:
        answer = json.loads(text[:LONGEST_ANSWER])
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise _refused(user)
    return asked, answer


def _refused(user: User) -> Refused:
    TRIES.count(str(user.pk))
    return Refused(_("That was no passkey of this account and this site: try again, or use a code."))
