"""Signing in: name and password, then a code where the account has a second factor.

Between the two nobody is signed in: the session only notes whose password was right (`half_signed_in`), for ten minutes
and for as long as that password stays. Guessing passwords is stopped by django-axes, guessing codes by the device, and
a flood of tries before any password is hashed. Both count a device on which that officer has signed in before for
itself; on any other the officer gets in with two codes (`two_codes`), whatever others have tried from the same address.
"""

from time import time
from typing import Any
from urllib.parse import urlsplit

from crispy_forms.helper import FormHelper
from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth import login, logout
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST
from django_otp import login as note_factor
from django_otp.models import Device

from clubrating.accounts.middleware import note_signing_in
from clubrating.accounts.passkeys import ask_passkey, proved_passkey
from clubrating.accounts.resume import kept_form
from clubrating.ops.limits import with_retry_after
from clubrating.web.admin import admin_page
from clubrating.web.devices import counted_as, guarded_address, remember_device
from clubrating.web.forms import one_button
from clubrating.web.languages import plain_path
from clubrating.web.rate_limits import RateLimit
from players.officers.roles import accounts, may_sign_in
from players.officers.services.credentials import has_app, has_factor, locked_until, verify_code
from players.officers.services.passkeys import passkeys_of
from players.officers.services.two_codes import use_two_codes
from players.refusals import Refused

FORM = "form fit door-form"  # classes of the forms of signing in
HALF = "half_signed_in"
HALF_LASTS = 600  # seconds
# Hashing a password is slow on purpose, and nobody has to be known to ask for it. A club sits behind one address: all
# its officers may sign in within the same minute, with a few slips each.
SIGNING_IN = RateLimit("sign-in", 60, 60)


class SignInForm(AdminAuthenticationForm):
    error_messages = {
        **AdminAuthenticationForm.error_messages,
        "invalid_login": gettext_lazy(
            "That name and password do not belong together, or the account is closed. Capital letters count."
        ),
    }

    def confirm_login_allowed(self, user: Any) -> None:
        """Officers of clubs come in by this form too, though the administration is closed to them."""
        AuthenticationForm.confirm_login_allowed(self, user)
        if not may_sign_in(user):
            raise self.get_invalid_login_error()

    @property
    def helper(self) -> FormHelper:
        return one_button(_("Sign in"), FORM)


def code_field(help_text: Any, **attrs: Any) -> forms.CharField:
    """Where a code is typed: phones offer it, and nothing corrects its letters."""
    quiet = {"autocomplete": "one-time-code", "autocapitalize": "off", "spellcheck": "false"}
    widget = forms.TextInput(attrs={**quiet, **attrs})
    return forms.CharField(label=gettext_lazy("Code"), max_length=40, widget=widget, help_text=help_text)


class CodeForm(forms.Form):
    code = code_field(gettext_lazy("Six digits from your app, or one of your recovery codes."), autofocus=True)

    @property
    def helper(self) -> FormHelper:
        return one_button(_("Go on"), FORM)


class SignInView(LoginView):
    template_name = "admin/login.html"
    authentication_form = SignInForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        # django-axes refuses the password and marks the request; the page is ours.
        return locked_out(request) if getattr(request, "axes_locked_out", False) else response

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if isinstance(request.user, User):
            return redirect(landing(request.user, self.get_success_url()))
        if "again" in request.GET:
            request.session.pop(HALF, None)
        if half_signed_in(request):
            return redirect("account-code")
        return super().get(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        who = counted_as(request, str(request.POST.get("username", "")).strip())
        if settings.RATE_LIMITS:
            if SIGNING_IN.is_exceeded_by(who):
                said = ngettext(
                    "From your address very many passwords were tried within a minute. Nobody’s account is closed by"
                    " that. Wait %(seconds)s second, then sign in.",
                    "From your address very many passwords were tried within a minute. Nobody’s account is closed by"
                    " that. Wait %(seconds)s seconds, then sign in.",
                    SIGNING_IN.seconds,
                )
                return with_retry_after(closed(request, said % {"seconds": SIGNING_IN.seconds}), SIGNING_IN.seconds)
            SIGNING_IN.count(who)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        user, target = form.get_user(), self.get_success_url()
        if has_factor(user):
            seal = user.get_session_auth_hash()
            self.request.session.cycle_key()  # nobody who knew the session before is half signed in too
            self.request.session[HALF] = {"key": user.pk, "seal": seal, "at": int(time()), "target": target}
            return redirect("account-code")
        return sign_in(self.request, user, target)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = {
            **admin.site.each_context(self.request),
            "title": _("Sign in"),
            "wanted": bool(self.get_redirect_url()),
        }
        return super().get_context_data(**kwargs) | context


def sign_in(request: HttpRequest, user: User, target: str, factor: Device | None = None) -> HttpResponse:
    """Let that officer in, on to the page that was asked for; first to what was sent there when the session ended.
    `factor` is what was proved besides the password."""
    login(request, user, backend=settings.OFFICERS)
    request.session.pop(HALF, None)
    if factor:
        note_factor(request, factor)
    note_signing_in(request)
    response = redirect("account-kept" if kept_form(request, user) else landing(user, target))
    remember_device(request, response, user.get_username())
    return response


def landing(user: User, target: str) -> str:
    """The address, or their own club's page for officers of clubs who would come to the administration."""
    if user.is_staff or not plain_path(urlsplit(target).path).startswith("/admin/"):
        return target
    return reverse("captains:home")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End one's session: the way out for those without the administration's own."""
    logout(request)
    return admin_page(request, "registration/logged_out.html", _("Logged out"))


def half_signed_in(request: HttpRequest) -> tuple[User, str] | None:
    """Whose password was right and whose code is still to come, and where he wants to go; None once that took too
    long, the password changed or the account was closed."""
    kept = request.session.get(HALF)
    if not kept or int(time()) - kept["at"] > HALF_LASTS:
        return None
    user = accounts().filter(pk=kept["key"]).first()
    if user is None or not constant_time_compare(user.get_session_auth_hash(), kept["seal"]):
        return None
    return user, kept["target"]


@never_cache
def code(request: HttpRequest) -> HttpResponse:
    """The second step: the code, or a passkey."""
    half = half_signed_in(request)
    if half is None:
        messages.info(request, _("Sign in with name and password first."))
        return redirect("admin:login")
    user, target = half
    by_passkey = "answer" in request.POST
    form, problem = CodeForm(None if by_passkey else request.POST or None), ""
    try:
        if by_passkey:
            return sign_in(request, user, target, proved_passkey(request, user))
        if request.method == "POST" and form.is_valid():
            return sign_in(request, user, target, verify_code(user, form.cleaned_data["code"]))
    except Refused as refusal:
        problem = str(refusal)
    if problem and not by_passkey:
        form.add_error("code", problem)
    context = {
        "form": form,
        "problem": problem if by_passkey else "",
        "has_app": has_app(user),
        "options": ask_passkey(request, user) if settings.PASSKEY_SITE and passkeys_of(user) else None,
    }
    return admin_page(request, "admin/account/code.html", _("Your code"), status=400 if problem else 200, **context)


class TwoCodesForm(forms.Form):
    username = forms.CharField(label=gettext_lazy("Username"), max_length=150)
    username.widget.attrs |= {"autocomplete": "username", "autocapitalize": "none", "autofocus": True}
    password = forms.CharField(
        label=gettext_lazy("Password"), max_length=4096, strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )  # fmt: skip
    code = code_field(gettext_lazy("Six digits from your app."))
    next_code = code_field(gettext_lazy("The digits your app shows after those: wait for them."))
    next_code.label = gettext_lazy("Next code")

    @property
    def helper(self) -> FormHelper:
        return one_button(_("Sign in"), FORM)


@never_cache
@sensitive_post_parameters()
def two_codes(request: HttpRequest) -> HttpResponse:
    """Signing in where others have used up the address's tries: nothing is counted here, for nobody guesses a pair of
    codes, and one pair is good for one password."""
    form, status = TwoCodesForm(request.POST or None), 200
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        factor = use_two_codes(given["username"], given["code"], given["next_code"])
        if factor and factor.user.check_password(given["password"]):
            return sign_in(request, factor.user, reverse(settings.LOGIN_REDIRECT_URL), factor)
        form.add_error(None, _("Name, password and codes do not belong together. Wait for two new codes."))
        status = 400
    title = _("Sign in with two codes")
    return admin_page(request, "admin/account/two_codes.html", title, status=status, form=form)


def locked_out(request: HttpRequest) -> HttpResponse:
    """What is answered once a name is closed to an address: until when, and who opens it."""
    credentials = getattr(request, "axes_credentials", None) or {}
    username = credentials.get("username") or request.POST.get("username", "")
    until = locked_until(str(username)[:255], guarded_address(request))
    if until:
        time = date_format(timezone.localtime(until), "H:i")
        said = _("Sign-in for this name is closed from your address until %(until)s.") % {"until": time}
    else:
        said = _("Sign-in for this name is closed for an hour from your address.")
    more = _("An administrator can open it at once, or give you a link with which you choose a new password.")
    return closed(request, said, more)


def closed(request: HttpRequest, said: str, more: str = "") -> HttpResponse:
    """The refusal, with the way in for whoever has a second factor."""
    context = {"title": _("Too many attempts"), "said": said, "more": more}
    return render(request, "admin/account/closed.html", context, status=429)
