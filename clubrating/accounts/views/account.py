"""My account: what an officer does with his own way in. Reached only signed in (`clubrating.accounts.urls`)."""

from base64 import b32encode
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import quote

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Submit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST
from django_otp import login as note_factor
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubrating.accounts.views.passwords import is_password_in, password_field
from clubrating.accounts.views.sign_in import FORM, CodeForm, code_field
from clubrating.web.admin import admin_page, officer
from clubrating.web.formatting import qr_code
from clubrating.web.forms import one_button
from players.officers.roles import ADMINISTRATOR, role_of
from players.officers.services.credentials import (
    begin_factor,
    codes_left,
    confirm_factor,
    has_app,
    renew_codes,
    sign_out_everywhere,
    turn_factor_off,
    verify_code,
    waiting_factor,
)
from players.officers.services.passkeys import passkeys_of
from players.people.selectors import current_club
from players.refusals import Refused
from ratings.lists.words import ROLES


class ProofForm(CodeForm):
    """Password and code, for what must not be done by whoever finds a computer left open."""

    code = code_field(gettext_lazy("Six digits from your app, or one of your recovery codes."))
    password = password_field(gettext_lazy("Password"), "current-password")
    field_order = ["password", "code"]


class FirstCodeForm(ProofForm):
    """What turns the factor on: the code is from the app, so that it is known to work; and the password, or a stranger
    could put his own phone on the account and lock its owner out."""

    code = code_field(gettext_lazy("Six digits."))

    @property
    def helper(self) -> FormHelper:
        return one_button(_("Turn it on"), FORM)


class RenewForm(ProofForm):
    """What makes new recovery codes, or turns the factor off."""

    @property
    def helper(self) -> FormHelper:
        helper = FormHelper()
        helper.form_class = FORM
        helper.add_input(Submit("renew", _("Make new recovery codes")))
        helper.add_input(Submit("off", _("Turn the second factor off"), css_class="plain"))
        return helper


def account(request: HttpRequest) -> HttpResponse:
    """The overview: password, second factor, sessions."""
    user = officer(request)
    role, by_app, passkeys = role_of(user), has_app(user), len(passkeys_of(user))
    return admin_page(
        request,
        "admin/account/account.html",
        _("My account"),
        has_factor=by_app or passkeys > 0,
        has_app=by_app,
        has_passkeys=bool(settings.PASSKEY_SITE),
        passkeys=passkeys,
        codes_left=codes_left(user),
        role=ROLES[role],
        is_administrator=role == ADMINISTRATOR,
    )


@sensitive_post_parameters()
def second_factor(request: HttpRequest) -> HttpResponse:
    """Set the codes of an app up, or, once they are on, renew the recovery codes and turn the factor off."""
    user = officer(request)
    if has_app(user):
        return _factor_that_is_on(request, user)
    waiting = waiting_factor(user)
    if request.method == "POST" and "code" not in request.POST:
        begin_factor(user)
        return redirect("account-factor")
    form, status = FirstCodeForm(request.POST or None), 200
    if waiting and request.method == "POST" and form.is_valid():
        confirm = partial(confirm_factor, session=request.session.session_key)
        if confirmed := if_proved(form, user, confirm):
            device, codes = confirmed
            note_factor(request, device)
            return shown_once(request, codes, _("The second factor is on"))
        status = 400
    key = _key_to_scan(waiting) if waiting else {}
    title = _("Second factor")
    context = {"form": form, "has_passkeys": bool(settings.PASSKEY_SITE), **key}
    return admin_page(request, "admin/account/factor_begin.html", title, status=status, **context)


def _factor_that_is_on(request: HttpRequest, user: User) -> HttpResponse:
    form, status = RenewForm(request.POST or None), 200
    if request.method == "POST" and form.is_valid():
        if if_proved(form, user, verify_code):
            return _renew_or_turn_off(request, user)
        status = 400
    context = {"form": form, "codes_left": codes_left(user), "passkeys": passkeys_of(user)}
    return admin_page(request, "admin/account/factor_on.html", _("Second factor"), status=status, **context)


def if_proved(form: ProofForm, user: User, check_code: Callable[[User, str], Any]) -> Any:
    """What the service gives for the code, once the password is right; None, and the reason on the form, where one of
    them is wrong."""
    if not is_password_in(form, "password", user, _("That is not your password.")):
        return None
    try:
        return check_code(user, form.cleaned_data["code"])
    except Refused as refusal:
        form.add_error("code", str(refusal))
        return None


def _renew_or_turn_off(request: HttpRequest, user: User) -> HttpResponse:
    if "renew" in request.POST:
        return shown_once(request, renew_codes(user), _("New recovery codes"))
    turn_factor_off(user)
    messages.success(request, _("The second factor is off: your password alone signs you in."))
    return redirect("account")


def shown_once(request: HttpRequest, codes: list[str], title: str) -> HttpResponse:
    """The codes, to be written down, or kept as a file: nothing is asked of the server for it a second time."""
    lines = [f"{current_club()}: {request.user.get_username()}", *codes, ""]
    file = f"data:text/plain;charset=utf-8,{quote(chr(10).join(lines))}"
    return admin_page(request, "admin/account/codes.html", title, codes=codes, file=file)


def _key_to_scan(device: TOTPDevice) -> dict[str, Any]:
    """The key as a picture and in groups of four letters, for apps without a camera."""
    key = b32encode(device.bin_key).decode()
    club = quote(str(current_club()))
    facts = f"secret={key}&issuer={club}&digits={device.digits}&period={device.step}"
    address = f"otpauth://totp/{club}:{quote(device.user.get_username())}?{facts}"
    return {"picture": qr_code(address), "key": " ".join(key[at : at + 4] for at in range(0, len(key), 4))}


@require_POST
def sign_out_elsewhere(request: HttpRequest) -> HttpResponse:
    """End all other sessions of one's own."""
    user = officer(request)
    ended = sign_out_everywhere(user, by=user, keep=request.session.session_key)
    done = _("Signed out in %(count)s other browsers.") if ended else _("You were signed in nowhere else.")
    messages.success(request, done % {"count": ended})
    return redirect("account")
