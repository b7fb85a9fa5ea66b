"""My account, passkeys: the list, a new one, taking one off. Each takes the password, and a code where codes are on."""

from typing import Any

from crispy_forms.helper import FormHelper
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST
from django_otp import login as note_factor

from clubrating.accounts.passkeys import ask_new, made_passkey
from clubrating.accounts.views.account import ProofForm, if_proved, shown_once
from clubrating.accounts.views.passwords import is_password_in
from clubrating.accounts.views.sign_in import FORM
from clubrating.web.admin import admin_page, officer
from clubrating.web.forms import one_button
from players.officers.services.credentials import codes_left, has_app, verify_code
from players.officers.services.passkeys import add_passkey, passkeys_of, remove_passkey
from players.passkeys.services import LONGEST_NAME
from players.refusals import Refused


class RemoveForm(ProofForm):
    """Without an app the passkey of signing in is the proof besides the password."""

    words = gettext_lazy("Remove it")

    def __init__(self, user: User, data: Any = None) -> None:
        super().__init__(data)
        self.user = user
        if not has_app(user):
            del self.fields["code"]

    def is_proved(self) -> bool:
        """Whether password and code are right; else the form says what is not."""
        if "code" in self.fields:
            return bool(if_proved(self, self.user, verify_code))
        return is_password_in(self, "password", self.user, _("That is not your password."))

    @property
    def helper(self) -> FormHelper:
        return one_button(self.words, FORM)


class NewPasskeyForm(RemoveForm):
    words = gettext_lazy("Add a passkey")
    name = forms.CharField(
        label=gettext_lazy("Name of the passkey"), max_length=LONGEST_NAME, help_text=gettext_lazy("Key ring, phone …")
    )
    field_order = ["name", "password", "code"]


@sensitive_post_parameters()
def passkeys(request: HttpRequest) -> HttpResponse:
    """The list, and the form with which a new one begins; then the page on which the browser asks for it. 404 where the
    site has none and the officer neither."""
    user = officer(request)
    rows = passkeys_of(user)
    if not (settings.PASSKEY_SITE or rows):
        raise Http404
    form, status = NewPasskeyForm(user, request.POST or None) if settings.PASSKEY_SITE else None, 200
    if form and request.method == "POST":
        if form.is_valid() and form.is_proved():
            asked = ask_new(request, user, form.cleaned_data["name"])
            return admin_page(request, "admin/account/passkey_new.html", _("Touch your key"), options=asked)
        status = 400
    context = {"form": form, "passkeys": rows, "codes_left": codes_left(user), "has_app": has_app(user)}
    return admin_page(request, "admin/account/passkeys.html", _("Passkeys"), status=status, **context)


@require_POST
def add(request: HttpRequest) -> HttpResponse:
    """What the browser answered: the passkey is kept."""
    user = officer(request)
    try:
        name, made = made_passkey(request, user)
        key, codes = add_passkey(
            user,
            name,
            handle=made.handle,
            credential=made.credential,
            counter=made.counter,
            session=request.session.session_key,
        )
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("account-passkeys")
    if not request.user.is_verified():  # type: ignore[union-attr]
        note_factor(request, key)
    messages.success(request, _("The passkey is added: from now on it signs you in beside your password."))
    return shown_once(request, codes, _("Recovery codes")) if codes else redirect("account-passkeys")


@sensitive_post_parameters()
def remove(request: HttpRequest, key: int) -> HttpResponse:
    """Take one passkey off the account. 404 for somebody else's."""
    user = officer(request)
    row = next((each for each in passkeys_of(user) if each.pk == key), None)
    if row is None:
        raise Http404
    form, status = RemoveForm(user, request.POST or None), 200
    if request.method == "POST":
        if form.is_valid() and form.is_proved():
            remove_passkey(user, key)
            if (left := passkeys_of(user)) and request.user.otp_device == row:  # type: ignore[union-attr]
                note_factor(request, left[0])  # the session goes on
            messages.success(request, _("The passkey is removed."))
            return redirect("account-passkeys" if left or settings.PASSKEY_SITE else "account")
        status = 400
    title = _("Remove the passkey “%(name)s”") % {"name": row.name}
    return admin_page(request, "admin/account/passkey_remove.html", title, status=status, form=form)
