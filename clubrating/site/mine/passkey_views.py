"""`/mine/passkeys/`: the passkeys of the links this device is known by, a new one, removing one. `/mine/passkey/`: what
a passkey answered on the page of links; the device is known from then on as by the link itself.

Readers have no session, so a question stands in a signed cookie of the device that asked. What was answered once is not
answered again: a passkey takes a question only that is newer than the last it answered.
"""

from base64 import urlsafe_b64decode
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubrating.web.links import key_of, own_devices, remember_link
from clubrating.web.passkeys import LASTS, TRIES, TRIES_LAST, Answering, checks, note_question
from clubrating.web.rate_limits import RateLimit, address_of
from clubrating.web.requests import ClubRequest, number_sent
from players.links.selectors import player_of
from players.links.services.link_passkeys import (
    add_link_passkey,
    passkey_of_handle,
    remove_link_passkey,
    use_link_passkey,
)
from players.links.services.personal_links import open_for_passkey
from players.models import LinkDevice
from players.passkeys.services import LONGEST_NAME, credential_of
from players.privacy.rules import NOBODY, shown_name
from players.refusals import Refused

COOKIE, _SALT = "club-asked", "clubrating.site.mine.passkeys"
LIMIT = RateLimit("link-passkey", TRIES, TRIES_LAST)


def ask_passkey() -> tuple[str, dict[str, Any]]:
    """What a browser is asked to prove a passkey of whoever it belongs to, as JSON, and what is kept of that."""
    return note_question(checks(alone=True).ask([]), "open", 0)


def keep_question(response: HttpResponse, question: dict[str, Any]) -> None:
    """The question, in a cookie of the device that asked."""
    text = signing.dumps(question, salt=_SALT)
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(COOKIE, text, max_age=LASTS, httponly=True, samesite="Strict", secure=secure)


@never_cache
@require_POST
def open_by_passkey(request: ClubRequest) -> HttpResponse:
    """The device is known by the link of the passkey that was proved; else back to the page, which says why not."""
    _check_offered(request)
    try:
        found = _opened(request)
    except Refused as refusal:
        messages.error(request, str(refusal))
        response = redirect("open-link")
    else:
        messages.success(request, _("This device is known now."))
        response = redirect("mine")
        remember_link(response, found)
    response.delete_cookie(COOKIE, samesite="Strict")
    return response


def _opened(request: ClubRequest) -> str:
    """The device's key. Raises Refused."""
    answering, asked = _answering(request), _asked(request)
    answer = answering.take(asked, "open", 0, request.POST.get("answer", ""))
    known = passkey_of_handle(_handle_in(answer))
    if known is None:
        raise answering.refused()
    proved = answering.check(lambda: checks(alone=True).read(asked["state"], [credential_of(known)], answer))
    used = use_link_passkey(known.pk, counter=proved.counter, asked_at=datetime.fromtimestamp(asked["at"], UTC))
    # As in `link_views`: a key that is known no more stays so.
    return open_for_passkey(used, key_of(request) if own_devices(request) else "")[1]


@never_cache
def passkeys(request: ClubRequest) -> HttpResponse:
    """The list, removing one, and what begins a new one: a page on which the browser asks for it."""
    _check_offered(request)
    devices = own_devices(request)
    if not devices:
        return redirect("open-link")
    if request.method == "POST":
        device = _device_in(request, devices)
        if "remove" in request.POST:
            if remove_link_passkey(device, number_sent(request, "remove")):
                messages.success(request, _("The passkey is removed."))
            return redirect("my-passkeys")
        return _ask_new(request, device)
    prefetch_related_objects(devices, "link__passkeys")
    rows = [(device, player_of(device), device.link.passkeys.all()) for device in devices]
    return render(request, "mine/passkeys.html", {"rows": rows, "longest": LONGEST_NAME})


def _ask_new(request: ClubRequest, device: LinkDevice) -> HttpResponse:
    known = [credential_of(each) for each in device.link.passkeys.all()]
    # Devices show the name in their lists: it is the one the public sees.
    asked = checks(alone=True).ask_new(f"link-{device.link_id}", shown_name(player_of(device), NOBODY), known)
    options, question = note_question(asked, "new", device.pk, name=request.POST.get("name", "")[:LONGEST_NAME])
    response = render(request, "mine/passkey_new.html", {"options": options, "device": device})
    keep_question(response, question)
    return response


@never_cache
@require_POST
def add(request: ClubRequest, key: int) -> HttpResponse:
    """What the browser answered: the passkey is kept. 404 for a device that is not this one."""
    _check_offered(request)
    device = next((each for each in own_devices(request) if each.pk == key), None)
    if device is None:
        raise Http404
    answering, asked = _answering(request), _asked(request)
    try:
        answer = answering.take(asked, "new", device.pk, request.POST.get("answer", ""))
        made = answering.check(lambda: checks(alone=True).read_new(asked["state"], answer))
        values = {"handle": made.handle, "credential": made.credential, "counter": made.counter}
        add_link_passkey(device, asked["name"], **values)
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(
            request, _("The passkey is added: it opens your link on another device while the link allows one more.")
        )
    response = redirect("my-passkeys")
    response.delete_cookie(COOKIE, samesite="Strict")
    return response


def _check_offered(request: ClubRequest) -> None:
    if not (settings.PASSKEY_SITE and request.club.personal_links):
        raise Http404


def _device_in(request: ClubRequest, devices: list[LinkDevice]) -> LinkDevice:
    asked = number_sent(request, "device")
    found = next((each for each in devices if each.pk == asked), None)
    if found is None:
        raise Http404
    return found


def _asked(request: HttpRequest) -> Any:
    """The question of the cookie; None where there is none of ours."""
    with suppress(signing.BadSignature):
        return signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=LASTS)
    return None


def _handle_in(answer: dict[str, Any]) -> bytes:
    """The credential's id; empty where there is none."""
    text = answer.get("rawId")
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4)) if isinstance(text, str) else b""
    except ValueError:
        return b""


def _answering(request: ClubRequest) -> Answering:
    return Answering(
        LIMIT,
        address_of(request),
        wrong=_("That was no passkey of this site: try again, or open your link."),
        too_many=_("Too many tries with passkeys from here: wait ten minutes, or open your link."),
    )
