"""Addresses of the account pages. The first four are for those who are not signed in."""

from django.contrib import admin
from django.urls import path

from clubrating.accounts import resume
from clubrating.accounts.views import account, passwords, sign_in
from clubrating.site.programs.views import desk

signed_in = admin.site.admin_view

urlpatterns = [
    path("code/", sign_in.code, name="account-code"),
    path("code/two/", sign_in.two_codes, name="account-two-codes"),
    path("forgotten/", passwords.forgotten, name="account-forgotten"),
    path("link/<str:owner>/<str:token>/", passwords.by_link, name="account-link"),
    path("", signed_in(account.account), name="account"),
    path("kept/", signed_in(resume.resume), name="account-kept"),
    path("password/", signed_in(passwords.change), name="account-password"),
    path("second-factor/", signed_in(account.second_factor), name="account-factor"),
    path("programs/", signed_in(desk.programs), name="account-programs"),
    path("webhooks/", signed_in(desk.webhooks), name="account-webhooks"),
    path("sign-out-elsewhere/", signed_in(account.sign_out_elsewhere), name="account-sign-out"),
]
