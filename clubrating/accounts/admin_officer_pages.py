"""What an administrator does on one officer's page besides changing the form: each a button, each told in the trail.

The one-time link is shown once, in the answer to the button, and is kept nowhere.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from clubrating.accounts.views.passwords import NewPasswordForm, address_of_link
from clubrating.web.admin import officer
from players.officers.services.officers_locks import lift_lock
from players.officers.services.passwords import make_link, set_password
from players.refusals import Refused
from players.officers.services.second_factor import reset_factor
from players.officers.services.officers_sessions import sign_out_everywhere


def link(desk: ModelAdmin, request: HttpRequest, user: User) -> HttpResponse:
    """Make the one-time link and show it."""
    made = make_link(user, by=officer(request))
    address = address_of_link(request, made)
    return _page(desk, request, user, "link", _("One-time link"), address=address, until=made.until)


def reset(desk: ModelAdmin, request: HttpRequest, user: User) -> HttpResponse:
    reset_factor(user, by=officer(request))
    messages.success(request, _("The second factor is off, and the account is signed out everywhere."))
    return _back(user)


def unlock(desk: ModelAdmin, request: HttpRequest, user: User) -> HttpResponse:
    lift_lock(user, by=officer(request))
    messages.success(request, _("The name may sign in again from everywhere."))
    return _back(user)


def sign_out(desk: ModelAdmin, request: HttpRequest, user: User) -> HttpResponse:
    by = officer(request)
    keep = request.session.session_key if by.pk == user.pk else None
    sign_out_everywhere(user, by=by, keep=keep)
    messages.success(request, _("The account is signed out everywhere."))
    return _back(user)


def password(desk: ModelAdmin, request: HttpRequest, user: User) -> HttpResponse:
    """Type a password for somebody; one's own is changed under “My account”, with the present one."""
    if user.pk == officer(request).pk:
        return redirect("account-password")
    form = NewPasswordForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            set_password(user, form.cleaned_data["password1"], by=officer(request))
        except Refused as refusal:
            form.add_error("password1", str(refusal))
        else:
            messages.success(request, _("The password is set, and the account is signed out everywhere."))
            return _back(user)
    return _page(desk, request, user, "password", _("Set a password"), form=form)


OfficerView = Callable[[ModelAdmin, HttpRequest, User], HttpResponse]
BUTTONS: dict[str, OfficerView] = {"link": link, "reset": reset, "unlock": unlock, "sign-out": sign_out}


def officer_urls(desk: ModelAdmin) -> list[URLPattern]:
    """The addresses of these pages, for those who may change accounts."""
    views = {name: require_POST(_for(desk, view)) for name, view in BUTTONS.items()}
    views["password"] = sensitive_post_parameters()(_for(desk, password))
    return [
        path(f"<int:key>/{name}/", desk.admin_site.admin_view(view), name=f"auth_user_{name.replace('-', '_')}")
        for name, view in views.items()
    ]


def _for(desk: ModelAdmin, view: OfficerView) -> Callable[[HttpRequest, int], HttpResponse]:
    @wraps(view)
    def of_officer(request: HttpRequest, key: int) -> HttpResponse:
        if not desk.has_change_permission(request):
            raise PermissionDenied
        user = get_object_or_404(User, pk=key)
        try:
            return view(desk, request, user)
        except Refused as refusal:
            messages.error(request, str(refusal))
            return _back(user)

    return of_officer


def _back(user: User) -> HttpResponse:
    return redirect("admin:auth_user_change", user.pk)


def _page(desk: ModelAdmin, request: HttpRequest, user: User, name: str, title: str, **context: Any) -> HttpResponse:
    everything = {**desk.admin_site.each_context(request), "title": title, "account": user, **context}
    return TemplateResponse(request, f"admin/auth/user/{name}.html", everything)
