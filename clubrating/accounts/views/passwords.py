"""Passwords: the one-time link, asking for one by e-mail, and changing one's own.

The link's token is moved from the address to the session at once, so that no log and no other page learns it. Opening a
link does not use it up, since mail scanners open links too.
"""

from typing import Any

from crispy_forms.helper import FormHelper
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from clubrating.accounts.mail import mail_links
from clubrating.accounts.views.sign_in import FORM
from clubrating.web.admin import admin_page, officer
from clubrating.web.devices import remember_device
from clubrating.web.forms import one_button
from clubrating.web.rate_limits import RateLimit, address_of
from clubrating.web.requests import site_of
from players.officers.services.credentials import PasswordLink, owner_of, set_by_link, set_password
from players.refusals import Refused

WAITING = "password_link"
IN_SESSION = "choose"  # stands in the address in the token's place
ASKING = RateLimit("password-by-mail", 5, 3600)
OLD_PASSWORD = RateLimit("old-password", 10, 3600)

# The settings' rules in one sentence; the service says which was broken.
RULES = gettext_lazy("At least 10 characters, not only digits, nothing common, not your name.")


def address_of_link(request: HttpRequest, link: PasswordLink) -> str:
    """The whole address of a one-time link."""
    return request.build_absolute_uri(reverse("account-link", args=[link.owner, link.token]))


def password_field(label: Any, autocomplete: str, *, help_text: Any = "", required: bool = True) -> forms.CharField:
    """A password, not stripped. `autocomplete`: "new-password" or "current-password"."""
    widget = forms.PasswordInput(attrs={"autocomplete": autocomplete})
    return forms.CharField(
        label=label, max_length=4096, strip=False, widget=widget, help_text=help_text, required=required
    )


class NewPasswordForm(forms.Form):
    """A password, twice. Whether it keeps the rules the service says."""

    password1 = password_field(gettext_lazy("New password"), "new-password", help_text=RULES)
    password2 = password_field(gettext_lazy("New password once more"), "new-password")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "password1" in cleaned and "password2" in cleaned and cleaned["password1"] != cleaned["password2"]:
            raise ValidationError({"password2": _("The two are not the same: write them again.")})
        return cleaned

    @property
    def helper(self) -> FormHelper:
        return one_button(_("Set the password"), FORM)


class ChangePasswordForm(NewPasswordForm):
    old_password = password_field(gettext_lazy("Present password"), "current-password")
    old_password.widget.attrs["autofocus"] = True
    field_order = ["old_password", "password1", "password2"]


class AddressForm(forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("Your e-mail address"), widget=forms.EmailInput({"autocomplete": "email"})
    )

    @property
    def helper(self) -> FormHelper:
        return one_button(_("Send me a link"), FORM)


@sensitive_post_parameters()
@never_cache
def by_link(request: HttpRequest, owner: str, token: str) -> HttpResponse:
    """Choose a password with a one-time link."""
    if token != IN_SESSION:
        return _take_token(request, owner, token)
    session_token = request.session.get(WAITING, "")
    user = owner_of(owner, session_token)
    if user is None:
        return _dead_link(request)
    form = NewPasswordForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            set_by_link(owner, session_token, form.cleaned_data["password1"])
        except Refused as refusal:
            form.add_error("password1", str(refusal))
        else:
            del request.session[WAITING]
            messages.success(request, _("The password is set. Sign in with it."))
            response = redirect("admin:login")
            remember_device(request, response, user.get_username())
            return response
    return admin_page(request, "admin/account/link.html", _("Choose a password"), form=form, owner=user)


def _take_token(request: HttpRequest, owner: str, token: str) -> HttpResponse:
    if owner_of(owner, token) is None:
        return _dead_link(request)
    request.session.cycle_key()  # nobody who knew the session before has the link too
    request.session[WAITING] = token
    response = redirect("account-link", owner, IN_SESSION)
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _dead_link(request: HttpRequest) -> HttpResponse:
    return admin_page(request, "admin/account/dead_link.html", _("This link no longer works"), status=410)


@never_cache
def forgotten(request: HttpRequest) -> HttpResponse:
    """A link by e-mail where the club sends mail, else whom to ask. The answer is the same for every address."""
    template, title = "admin/account/forgotten.html", _("Forgotten password")
    if settings.MAIL is None:
        return admin_page(request, template, title)
    form = AddressForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if ASKING.is_exceeded_by(address_of(request)):
            form.add_error(None, _("Too many links were asked for from here: try again in an hour."))
            return admin_page(request, template, title, form=form, status=429)
        ASKING.count(address_of(request))
        mail_links(form.cleaned_data["email"], site=site_of(request))
        return admin_page(request, template, title, sent=True)
    return admin_page(request, template, title, form=form)


@sensitive_post_parameters()
def change(request: HttpRequest) -> HttpResponse:
    """Change one's own password. All other sessions end; this one goes on."""
    user = officer(request)
    form = ChangePasswordForm(request.POST or None)
    wrong = _("That is not your present password.")
    if request.method == "POST" and form.is_valid() and is_password_in(form, "old_password", user, wrong):
        try:
            set_password(user, form.cleaned_data["password1"], by=user)
        except Refused as refusal:
            form.add_error("password1", str(refusal))
        else:
            update_session_auth_hash(request, user)
            messages.success(request, _("Your password is changed. Everywhere else you are signed out."))
            response = redirect("account")
            remember_device(request, response, user.get_username())
            return response
    return admin_page(request, "admin/account/own.html", _("Change password"), form=form)


def is_password_in(form: forms.Form, field: str, user: User, wrong: str) -> bool:
    """Whether that field of the form holds the user's password; else it gets the reason, `wrong` for a wrong one. Also
    within a session nobody may guess: it may be somebody else at a computer left open."""
    if OLD_PASSWORD.is_exceeded_by(str(user.pk)):
        form.add_error(field, _("Too many wrong tries: wait an hour, or ask an administrator for a link."))
        return False
    if user.check_password(form.cleaned_data[field]):
        return True
    OLD_PASSWORD.count(str(user.pk))
    form.add_error(field, wrong)
    return False
