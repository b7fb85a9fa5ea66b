"""Addresses of the account pages. The first four are for those who are not signed in, the others for every account:
also for officers of clubs, who have nothing to do in the administration."""

from collections.abc import Callable

from django.contrib import admin
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.urls import path
from django.views.decorators.cache import never_cache

from clubrating.accounts import resume
from clubrating.accounts.views import account, passkeys, passwords, sign_in
from clubrating.site.programs.views import desk


def signed_in(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    return never_cache(login_required(view))


urlpatterns = [
    path("code/", sign_in.code, name="account-code"),
    path("code/two/", sign_in.two_codes, name="account-two-codes"),
    path("forgotten/", passwords.forgotten, name="account-forgotten"),
    path("link/<str:owner>/<str:token>/", passwords.by_link, name="account-link"),
    path("", signed_in(account.account), name="account"),
    path("kept/", signed_in(resume.resume), name="account-kept"),
    path("password/", signed_in(passwords.change), name="account-password"),
    path("second-factor/", signed_in(account.second_factor), name="account-factor"),
    path("passkeys/", signed_in(passkeys.passkeys), name="account-passkeys"),
    path("passkeys/add/", signed_in(passkeys.add), name="account-passkey-add"),
    path("passkey/<int:key>/remove/", signed_in(passkeys.remove), name="account-passkey-remove"),
    path("programs/", admin.site.admin_view(desk.programs), name="account-programs"),
    path("webhooks/", admin.site.admin_view(desk.webhooks), name="account-webhooks"),
    path("sign-out/", signed_in(sign_in.sign_out), name="account-leave"),
    path("sign-out-elsewhere/", signed_in(account.sign_out_elsewhere), name="account-sign-out"),
]
